// Changes of a channel's life: ends, reopening, deletion, creation. Each is asked once, and taken back where it can be.

import { ask, attempt, field, tell } from "./dialogs.js";
import { h, plural } from "./dom.js";
import { raw } from "/rac.js";

/** The sentence that says whom an end reaches. */
const reaches = (bound) => (bound === undefined ? "" : ` It has ${plural(bound, "binding")} now.`);

export async function complete(rac, name, { bound }) {
  const text = `Every program that is bound to ${name} is told that it is over.${reaches(bound)}`;
  if ((await ask({ title: "Complete the channel?", text, act: "Complete" })) === undefined) return;
  await end(rac, name, {}, "is completed");
}

export async function fail(rac, name, { bound }) {
  const answers = await ask({
    title: "Fail the channel?",
    text: `Every program that is bound to ${name} is told this error.${reaches(bound)}`,
    fields: [
      field("Code", h("input", { name: "code", required: true, maxlength: 64, value: "failed", class: "mono", spellcheck: "false" }), "For programs, such as no-signal"),
      field("Message", h("input", { name: "message" }), "For people"),
    ],
    act: "Fail",
    isGrave: true,
  });
  if (answers === undefined) return;
  const { code, message } = answers;
  await end(rac, name, { error: { code, message } }, `has failed with ${code}`);
}

async function end(rac, name, how, words) {
  await attempt(async () => {
    await rac.finish(name, how);
    tell(`${name} ${words}.`, { undo: () => reopen(rac, name), label: "Reopen" });
  });
}

export async function reopen(rac, name) {
  await attempt(async () => {
    await rac.reopen(name);
    tell(`${name} is open again.`);
  });
}

export async function remove(rac, name, { bound }) {
  const text = `racd forgets ${name} and its value. Programs that are bound to it are told that it is over.${reaches(bound)}`;
  if ((await ask({ title: "Delete the channel?", text, act: "Delete", isGrave: true })) === undefined) return;
  await attempt(async () => {
    const former = await rac.get(name);
    await rac.delete(name);
    tell(`${name} is deleted.`, { undo: () => restore(rac, name, former), label: "Set again" });
  });
}

/** Makes a deleted channel once more, unless somebody else has. */
async function restore(rac, name, { mode, raw: value, rawWish: wish, state, error }) {
  await attempt(async () => {
    await rac.create(name, { mode, value: value === undefined ? undefined : raw(value) });
    if (wish !== undefined) await rac.set(name, raw(wish), { role: "following" });
    if (state !== "open") await rac.finish(name, { error });
    tell(`${name} is there again.`);
  });
}

/** Asks for a new channel, and returns its name if it was made. */
export async function create(rac, name = "") {
  const answers = await ask({
    title: "New channel",
    fields: [
      field("Name", h("input", { name: "name", required: true, value: name, class: "mono", spellcheck: "false", autocapitalize: "off" }), "Segments with / between them"),
      field("Value", h("textarea", { name: "value", rows: 3, class: "mono", spellcheck: "false" }), "JSON; may be left out"),
      field("Mode", h("select", { name: "mode" },
        h("option", { value: "shared" }, "shared: one value for all"),
        h("option", { value: "paired" }, "paired: what is, and what should be"))),
    ],
    act: "Create",
    check: ({ value }) => (value.trim() === "" ? undefined : faultOfJSON(value)),
  });
  if (answers === undefined) return undefined;
  return attempt(async () => {
    const value = answers.value.trim() === "" ? undefined : raw(answers.value);
    await rac.create(answers.name, { mode: answers.mode, value });
    return answers.name;
  });
}

export function faultOfJSON(text) {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return `The value is no JSON: ${error.message}.`;
  }
}
