// Changes of a channel's life: ends, reopening, deletion, creation. Each is asked once, and taken back where it can be.

import { ask, attempt, field, tell } from "./dialogs.js";
import { h } from "./dom.js";
import { faultOfJSON } from "./json.js";
import { raw } from "../rac.js";

/** The sentence that says whom an end reaches. */
const reaches = (name, bound) => `Each program that is bound to ${name}${bound === undefined ? "" : `, ${bound} now,`} is notified`;
const CODE = { name: "code", required: true, maxlength: 64, value: "failed" };
const NAME = { name: "name", required: true };

export async function complete(rac, name, { bound, failed }) {
  const answers = await ask({ title: "Complete the channel?", text: `${reaches(name, bound)} that it is over.`, act: "Complete" });
  if (answers !== undefined) await end(rac, name, {}, "is completed", failed);
}

export async function fail(rac, name, { bound, failed }) {
  const fields = [field("Code", h("input.mono", CODE), "For programs, such as no-signal"), field("Message", h("input", { name: "message" }), "For people")];
  const error = await ask({ title: "Fail the channel?", text: `${reaches(name, bound)} this error.`, fields, act: "Fail", isGrave: true });
  if (error !== undefined) await end(rac, name, { error }, `failed with ${error.code}`, failed);
}

function end(rac, name, how, words, failed) {
  return attempt(async () => {
    await rac.finish(name, how);
    tell(`${name} ${words}.`, { undo: () => reopen(rac, name), label: "Reopen" });
  }, failed);
}

export function reopen(rac, name, { failed } = {}) {
  return attempt(async () => {
    await rac.reopen(name);
    tell(`${name} is open again.`);
  }, failed);
}

export async function remove(rac, name, { bound, failed }) {
  const text = `${reaches(name, bound)} that it is over, and racd forgets its value.`;
  if ((await ask({ title: "Delete the channel?", text, act: "Delete", isGrave: true })) === undefined) return;
  await attempt(async () => {
    const former = await rac.get(name);
    await rac.delete(name);
    tell(`${name} is deleted.`, { undo: () => restore(rac, name, former), label: "Set again" });
  }, failed);
}

/** Makes a deleted channel once more, unless somebody else has. */
function restore(rac, name, { mode, raw: value, rawWish: wish, state, error }) {
  return attempt(async () => {
    await rac.create(name, { mode, value: value && raw(value) });
    if (wish !== undefined) await rac.set(name, raw(wish));
    if (state !== "open") await rac.finish(name, { error });
    tell(`${name} is there again.`);
  });
}

/** Asks for a new channel, and returns its name if it was made. */
export async function create(rac, likely = "") {
  const modes = [h("option", { value: "shared" }, "shared: one value for all"), h("option", { value: "paired" }, "paired: what is, and what should be")];
  const fields = [
    field("Name", h("input.mono", { ...NAME, value: likely }), "Segments with / between them"),
    field("Value", h("textarea", { name: "value", rows: 3 }), "JSON; may be left out"),
    field("Mode", h("select", { name: "mode" }, modes)),
  ];
  const check = async ({ name, mode, value }) => {
    const hasValue = value.trim() !== "";
    const problem = hasValue ? faultOfJSON(value) : undefined;
    if (problem === undefined) await rac.create(name, { mode, value: hasValue ? raw(value) : undefined });
    return problem;
  };
  return (await ask({ title: "New channel", fields, act: "Create", check }))?.name;
}
