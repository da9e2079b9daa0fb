// Export and import of channels as lines of JSON, the same ones that racctl writes and reads.

import { ask, busy, field, tell, wordsFor } from "./dialogs.js";
import { h, plural } from "./dom.js";
import { membersOf } from "./json.js";
import { faultOf } from "./names.js";
import { raw } from "/rac.js";

/** Requests under way at a time. */
const AT_ONCE = 32;
const STATES = ["open", "completed", "failed"];

/** The results of an asynchronous function for each element, in order. It stops at the first error. */
async function forEach(elements, work, progress) {
  const results = [];
  let [next, done] = [0, 0];
  const worker = async () => {
    while (next < elements.length && !progress.isCancelled) {
      const place = next;
      next += 1;
      try {
        results[place] = await work(elements[place]);
      } catch (error) {
        next = elements.length;
        throw error;
      }
      done += 1;
      progress.show(done, elements.length);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return results;
}

/** A channel as it is; undefined if there is none. */
async function standing(rac, name) {
  try {
    return await rac.get(name);
  } catch (error) {
    if (error.code === "no-such-channel") return undefined;
    throw error;
  }
}

// MARK: Export

/** Asks for a pattern, and gives the person a file of its channels. */
export async function exportBranch(rac, pattern) {
  const answers = await ask({
    title: "Export channels",
    fields: [field("Pattern", h("input", { name: "pattern", required: true, value: pattern, class: "mono", spellcheck: "false", autocapitalize: "off" }), "home/** is the branch home; the file is what racctl import reads")],
    act: "Export",
    check: ({ pattern: text }) => faultOf(text),
  });
  if (answers === undefined) return;
  const progress = busy("Exporting");
  try {
    const lines = await linesOf(rac, answers.pattern, progress);
    if (progress.isCancelled) return;
    save(lines, answers.pattern);
    tell(`${plural(lines.length, "channel")} exported.`);
  } catch (error) {
    tell(`Nothing was exported. ${wordsFor(error)}`, { isFault: true });
  } finally {
    progress.close();
  }
}

async function linesOf(rac, pattern, progress) {
  const names = [];
  for (let [after, more] = [undefined, true]; more && !progress.isCancelled; ) {
    const page = await rac.list({ pattern, after });
    names.push(...page.channels.map(({ channel }) => channel));
    after = names.at(-1);
    more = page.more && page.channels.length > 0;
  }
  const lines = await forEach(names, async (name) => {
    const state = await standing(rac, name);
    return state === undefined ? undefined : lineOf(state);
  }, progress);
  return lines.filter((line) => line !== undefined);
}

function lineOf({ name, mode, state, error, raw: value, rawWish: wish }) {
  const start = JSON.stringify({ channel: name, mode, state, error }).slice(0, -1);
  // A line break inside of JSON is white space.
  const member = (key, text) => (text === undefined ? "" : `,"${key}":${text.replace(/[\r\n]/g, " ")}`);
  return `${start}${member("value", value)}${member("wish", wish)}}\n`;
}

function save(lines, pattern) {
  const url = URL.createObjectURL(new Blob(lines, { type: "application/x-ndjson" }));
  const name = pattern.replace(/\/?\*+/g, "").replace(/[^\p{L}\p{N}._-]+/gu, "-").replace(/^-|-$/g, "") || "channels";
  h("a", { href: url, download: `${name}.jsonl` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// MARK: Import

/** Tells what the lines of a file would change, and changes that if the person agrees. */
export async function importFile(rac, file) {
  let plan;
  const comparing = busy("Comparing");
  try {
    plan = await planOf(rac, wantedBy(await file.text()), comparing);
    if (comparing.isCancelled) return;
  } catch (error) {
    return tell(`Nothing was imported. ${wordsFor(error)}`, { isFault: true });
  } finally {
    comparing.close();
  }
  const { created, changed, unchanged, items } = plan;
  if (items.length === 0) return tell(`Nothing to import: all ${plural(unchanged, "channel")} are so already.`);
  const summary = `${plural(created, "channel")} made, ${created === 0 ? plural(changed, "channel") : changed} changed, ${unchanged} left alone.`;
  if ((await ask({ title: "Import channels?", text: summary, act: "Import" })) === undefined) return;
  await carryOut(rac, items);
}

/** Reads each line as the state that its channel shall have. Throws words with the number of the line. */
function wantedBy(text) {
  const wanted = new Map();
  text.split("\n").forEach((line, index) => {
    if (line.trim() === "") return;
    const number = index + 1;
    let fields;
    try {
      fields = JSON.parse(line);
    } catch (error) {
      throw new Error(`Line ${number} is no JSON: ${error.message}.`);
    }
    const fault = faultOfLine(fields, wanted);
    if (fault !== undefined) throw new Error(`Line ${number} ${fault}.`);
    const members = membersOf(line);
    const { channel, mode = "shared", state = "open", error } = fields;
    wanted.set(channel, { number, channel, mode, state, error, value: members.get("value"), wish: members.get("wish") });
  });
  return [...wanted.values()];
}

function faultOfLine(fields, wanted) {
  if (typeof fields?.channel !== "string") return "names no channel";
  const { channel, mode = "shared", state = "open", error, wish } = fields;
  if (channel.startsWith("$")) return `names ${channel}, which is the daemon's own`;
  if (wanted.has(channel)) return `names ${channel}, as line ${wanted.get(channel).number} does`;
  if (mode !== "shared" && mode !== "paired") return "has a mode that is neither shared nor paired";
  if (!STATES.includes(state)) return "has a state that is neither open nor completed nor failed";
  if (state === "failed" && typeof error?.code !== "string") return "has failed without an error";
  return wish !== undefined && mode !== "paired" ? "has a wish, which only a paired channel has" : undefined;
}

async function planOf(rac, wanted, progress) {
  const plan = { created: 0, changed: 0, unchanged: 0, items: [] };
  const present = await forEach(wanted, ({ channel }) => standing(rac, channel), progress);
  wanted.forEach((line, index) => {
    const steps = stepsTo(line, present[index]);
    if (steps.length === 0) plan.unchanged += 1;
    else if (present[index] === undefined) plan.created += 1;
    else plan.changed += 1;
    if (steps.length > 0) plan.items.push({ line, steps });
  });
  return plan;
}

/** The changes from how a channel is to how it shall be. A value that is there is replaced, never taken away. */
function stepsTo({ number, channel, mode, state, error, value, wish }, present) {
  const sync = true;
  const set = (text, role) => (rac) => rac.set(channel, raw(text), { role, sync });
  const end = state === "open" ? [] : [(rac) => rac.finish(channel, { error: state === "failed" ? error : undefined, sync })];
  if (present === undefined) {
    const make = (rac) => rac.create(channel, { mode, value: value === undefined ? undefined : raw(value), sync });
    return [make, ...(wish === undefined ? [] : [set(wish, "following")]), ...end];
  }
  if (present.mode !== mode) throw new Error(`Line ${number}: ${channel} is ${present.mode} here, and ${mode} in the file.`);
  const sets = [];
  if (value !== undefined && value !== present.raw) sets.push(set(value, "leading"));
  if (wish !== undefined && wish !== present.rawWish) sets.push(set(wish, "following"));
  const isSame = state === present.state && JSON.stringify(error) === JSON.stringify(present.error);
  if (sets.length === 0 && isSame) return [];
  return [...(present.state === "open" ? [] : [(rac) => rac.reopen(channel, { sync })]), ...sets, ...end];
}

async function carryOut(rac, items) {
  const progress = busy("Importing");
  let done = 0;
  try {
    await forEach(items, async ({ line, steps }) => {
      try {
        for (const step of steps) await step(rac);
      } catch (error) {
        throw Object.assign(new Error(`Line ${line.number}: ${line.channel}: ${error.message}.`), { code: error.code });
      }
      done += 1;
    }, progress);
    tell(progress.isCancelled ? `Stopped: ${done} of ${plural(items.length, "change")} made.` : `${plural(done, "channel")} imported.`);
  } catch (error) {
    tell(`${wordsFor(error)} ${done} of ${plural(items.length, "change")} made.`, { isFault: true });
  } finally {
    progress.close();
  }
}
