// Export and import of channels as lines of JSON, the same ones that racctl writes and reads.

import { ask, busy, field, tell, wordsFor } from "./dialogs.js";
import { h, plural } from "./dom.js";
import { membersOf } from "./json.js";
import { faultOf } from "./names.js";
import { raw } from "../rac.js";

/** Requests under way at a time. */
const AT_ONCE = 32;

/** The results of an asynchronous function for each element, in order. It stops at the first error. */
async function forEach(elements, progress, work) {
  const results = [];
  let [next, done] = [0, 0];
  const worker = async () => {
    while (next < elements.length && !progress.isCancelled) {
      const place = next++;
      results[place] = await work(elements[place]);
      progress.show(++done, elements.length);
    }
  };
  try {
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
  } finally {
    next = elements.length;
  }
  return results;
}

/** Does long work behind a dialog, and shows how it ended. */
async function doLong(title, whenFailed, work) {
  const progress = busy(title);
  try {
    return await work(progress);
  } catch (error) {
    tell(`${whenFailed()} ${wordsFor(error)}`, { isFault: true });
    return undefined;
  } finally {
    progress.close();
  }
}

/** A channel as it is; undefined if there is none. */
const standing = (rac, name) => rac.get(name).catch((error) => {
  if (error.code !== "no-such-channel") throw error;
});

// MARK: Export

/** Asks for a pattern, and gives the person a file of its channels. */
export async function exportBranch(rac, likely) {
  const input = h("input.mono", { name: "pattern", required: true, value: likely });
  const fields = [field("Pattern", input, "The file is what racctl import reads")];
  const answers = await ask({ title: "Export channels", fields, act: "Export", check: ({ pattern }) => faultOf(pattern) });
  if (answers === undefined) return;
  await doLong("Exporting", () => "Nothing was exported.", async (progress) => {
    const lines = await linesOf(rac, answers.pattern, progress);
    if (progress.isCancelled) return;
    save(lines, answers.pattern, "jsonl");
    tell(`${plural(lines.length, "channel")} exported.`);
  });
}

async function linesOf(rac, pattern, progress) {
  const names = [];
  for (let more = true; more && !progress.isCancelled; ) {
    const page = await rac.list({ pattern, after: names.at(-1) });
    names.push(...page.channels.map(({ channel }) => channel));
    more = page.more && page.channels.length > 0;
  }
  const lines = await forEach(names, progress, async (name) => lineOf(await standing(rac, name)));
  return lines.filter((line) => line !== undefined);
}

function lineOf(channel) {
  if (channel === undefined) return undefined;
  const { name, mode, state, rawError: error, raw: value, rawWish: wish } = channel;
  // A line break inside of JSON is white space.
  const member = (key, text) => (text === undefined ? "" : `,"${key}":${text.replace(/[\r\n]/g, " ")}`);
  const members = member("error", error) + member("value", value) + member("wish", wish);
  return `${JSON.stringify({ channel: name, mode, state }).slice(0, -1)}${members}}\n`;
}

/** Gives the person a file with a name as near to that of its channels as files have. */
export function save(parts, name, ending) {
  const url = URL.createObjectURL(new Blob(parts));
  const words = name.match(/[\p{L}\p{N}._-]+/gu)?.join("-") ?? "channels";
  h("a", { href: url, download: `${words}.${ending}` }).click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

// MARK: Import

/** Shows what the lines of a file would change, and changes that if the person agrees. */
export async function importFile(rac, file) {
  const plan = await doLong("Comparing", () => "Nothing was imported.", async (progress) => {
    const wanted = wantedBy(await file.text());
    const present = await forEach(wanted, progress, ({ channel }) => standing(rac, channel));
    if (progress.isCancelled) return undefined;
    return wanted.map((line, index) => ({ line, isNew: present[index] === undefined, steps: stepsTo(line, present[index]) }));
  });
  if (plan === undefined) return;
  const items = plan.filter(({ steps }) => steps.length > 0);
  const created = items.filter(({ isNew }) => isNew).length;
  const text = `${plural(created, "channel")} made, ${items.length - created} changed, ${plan.length - items.length} left alone.`;
  if (items.length === 0) return tell(`Nothing to import: ${text}`);
  if ((await ask({ title: "Import channels?", text, act: "Import" })) === undefined) return;
  let done = 0;
  const made = () => `${done} of ${plural(items.length, "change")} made.`;
  await doLong("Importing", made, async (progress) => {
    await forEach(items, progress, async ({ line, steps }) => {
      for (const step of steps) await step(rac).catch((error) => fail(line, error.message));
      done += 1;
    });
    tell(made());
  });
}

function fail({ number, channel }, words) {
  throw new Error(`Line ${number}${channel === undefined ? "" : `, ${channel}`}: ${words}.`);
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
      fail({ number }, error.message);
    }
    const { channel, mode = "shared", state = "open" } = fields ?? {};
    const members = typeof channel === "string" ? membersOf(line) : new Map();
    const [error, value, wish] = ["error", "value", "wish"].map((key) => members.get(key));
    const read = { number, channel, mode, state, error, value, wish };
    const fault = faultOfLine(read, wanted);
    if (fault !== undefined) fail(read, fault);
    wanted.set(channel, read);
  });
  return [...wanted.values()];
}

function faultOfLine({ channel, mode, state, error, wish }, wanted) {
  if (typeof channel !== "string") return "it names no channel";
  if (channel.startsWith("$")) return "that is the daemon's own";
  if (wanted.has(channel)) return `line ${wanted.get(channel).number} names it, too`;
  if (!["shared", "paired"].includes(mode)) return "the mode is neither shared nor paired";
  if (!["open", "completed", "failed"].includes(state)) return "the state is neither open nor completed nor failed";
  if (state === "failed" && typeof (error && JSON.parse(error))?.code !== "string") return "it failed without an error";
  return wish !== undefined && mode !== "paired" ? "only a paired channel has a wish" : undefined;
}

/** The changes from how a channel is to how it shall be. A value that is there is replaced, never taken away. */
function stepsTo(line, present) {
  const { channel, mode, state, error, value, wish } = line;
  const sync = true;
  const set = (text, role) => (rac) => rac.set(channel, raw(text), { role, sync });
  const end = (rac) => rac.finish(channel, { error: state === "failed" ? raw(error) : undefined, sync });
  if (present !== undefined && present.mode !== mode) fail(line, `it is ${present.mode} here, and ${mode} in the file`);
  const make = (rac) => rac.create(channel, { mode, value: value && raw(value), sync });
  const sets = [
    present !== undefined && value !== undefined && value !== present.raw && set(value, "leading"),
    wish !== undefined && wish !== present?.rawWish && set(wish, "following"),
  ].filter(Boolean);
  const isSame = state === present?.state && error === present.rawError;
  if (isSame && sets.length === 0) return [];
  const begin = present === undefined ? make : present.state !== "open" && ((rac) => rac.reopen(channel, { sync }));
  return [begin, ...sets, state !== "open" && end].filter(Boolean);
}
