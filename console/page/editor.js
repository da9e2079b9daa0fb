// A value being edited: it keeps its kind, goes out once, and never overwrites a value that its writer has not seen.

import { $, button, h, put, setText, shown, submit } from "./dom.js";
import { wordsFor } from "./dialogs.js";
import { compact, faultOfJSON, kindOf, laidOut } from "./json.js";

const NUMBER = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/;
/** The characters of a line of a field, about, and the most lines that it begins with. A longer text is not selected as a whole. */
const [LINE, LINES] = [76, 16];
/** Refusals after which nobody knows whether a value was set. */
const UNKNOWN = new Set(["outcome-unknown", "timed-out", "connection-lost"]);

/** The ways to type a value: `show` returns the text of a field for a JSON text, `read` is the reverse, `fault` is in words. */
const WAYS = {
  string: { label: "text", show: (text) => JSON.parse(text), read: (typed) => JSON.stringify(typed) },
  number: {
    label: "number",
    fault: (typed) => (NUMBER.test(typed.trim()) ? undefined : "This is not a number as JSON writes it."),
    read: (typed) => typed.trim(),
  },
  boolean: { label: "true or false", read: (typed) => typed },
  json: { label: "JSON", show: linesOf, fault: faultOfJSON, read: compact },
};

/** A JSON text laid out. */
function linesOf(text) {
  return laidOut(text).map((piece) => piece.text).join("");
}

const DELETED = "The channel was deleted meanwhile.";

const wayOf = (text) => (text !== undefined && kindOf(text) in WAYS ? kindOf(text) : "json");
const rowsFor = (text, least) => Math.min(LINES, Math.max(least, text.split("\n").reduce((sum, line) => sum + Math.ceil((line.length || 1) / LINE), 0)));
const brief = (text) => (text === undefined ? "no value" : text.length > 600 ? `${text.slice(0, 600)}…` : text);
/** Characters that are shown at each side of a difference. */
const AROUND = 60;
/** Characters of two values that are laid out to be compared. */
const LAID_OUT = 262_144;

/** A text with the part marked in which it differs from another one. */
function differing(text, other) {
  const shorter = Math.min(text.length, other.length);
  let [start, rest] = [0, 0];
  while (start < shorter && text[start] === other[start]) start += 1;
  while (rest < shorter - start && text.at(-1 - rest) === other.at(-1 - rest)) rest += 1;
  const [from, end] = [Math.max(0, start - AROUND), text.length - rest];
  const part = h("mark", shown(brief(text.slice(start, end))));
  return [from > 0 && "…", shown(text.slice(from, start)), part, shown(text.slice(end, end + AROUND)), rest > AROUND && "…"];
}

/**
 * An edit of one side of a channel. It lives on while another channel is shown.
 *
 * @param {object} draft `side` is `value` or `wish`, `base` its text and revision. A kept draft has `typed` and its `kind`, too.
 * @param {object} parts `isOnline` and `connected` describe the connection, `send` sets a text if the side has a revision still,
 *   and `closed` hears of the end.
 */
export function makeEditor(draft, { isOnline, connected, send, closed }) {
  let { side, base } = draft;
  const note = h("p.hint", draft.typed !== undefined && "Typed before you signed in, and not set yet.");
  const fault = h("p.fault", { role: "alert" });
  const meanwhile = h("div.meanwhile");
  const buttons = h("div.buttons");
  /** The part that stays in sight, however long the value is. */
  const foot = h("div.acts");
  const element = h("form.editor", { "aria-label": `Edit the ${side}`, onsubmit: submitted, onkeydown: pressed });
  let [kind, way, field, initial, withdraw, conflicts] = [undefined, undefined, undefined, undefined, undefined, 0];

  // MARK: The field

  function choose(key, typed) {
    [kind, way] = [key, WAYS[key]];
    const attributes = { id: side === "value" ? "edit" : "edit-wish", "aria-label": `The new ${side}` };
    if (key === "boolean") field = h("select", attributes, h("option", "true"), h("option", "false"));
    else if (key === "number") field = h("input", { ...attributes, inputmode: "decimal" });
    else field = h("textarea", { ...attributes, rows: rowsFor(typed, key === "json" ? 3 : 1) });
    field.value = key === "boolean" && typed !== "true" ? "false" : typed;
    initial ??= kind + field.value;
    const kinds = h("select.kinds", { "aria-label": "The kind of value", onchange: ({ target }) => change(target.value) },
      Object.entries(WAYS).map(([value, { label }]) => h("option", { value, selected: value === key }, label)));
    put(foot, fault, meanwhile, h("div.foot", kinds, buttons));
    put(element, note, field, foot);
  }

  const shownBy = (key, text) => (text === undefined ? "" : (WAYS[key].show ?? String)(text));

  /** Another kind takes over what is typed, as it stands where it stands for no value. */
  function change(key) {
    const { value } = field;
    const isValid = way.fault?.(value) === undefined;
    choose(key, isValid && key === "json" ? shownBy(key, way.read(value)) : value);
    setText(fault, "");
    field.focus();
  }

  function pressed(event) {
    const isCommit = event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target === field;
    if (isCommit) submitted(event);
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    cancel();
  }

  function cancel() {
    withdraw?.();
    closed();
  }

  const isChanged = () => kind + field.value !== initial;

  // MARK: Sending

  function offerSave() {
    put(buttons, button("cancel", "Cancel", cancel, { title: "Escape" }), submit("save", "Set", { title: "Ctrl+Enter" }));
  }

  function submitted(event) {
    event.preventDefault();
    if (withdraw !== undefined) return;
    // The text of an object is laid out for the edit, and that alone is no change.
    if (base.text !== undefined && !isChanged()) return closed();
    commit(base.revision);
  }

  /** Sends what is typed, if it is a value. */
  function commit(condition) {
    const problem = way.fault?.(field.value);
    // Most words without quotes are meant as a text.
    put(fault, problem, problem && kind === "json" && field.value.trim() && [" ", button("as-text", "Set as text", setAsText)]);
    if (problem !== undefined) return;
    put(meanwhile);
    deliver(way.read(field.value), condition);
  }

  function setAsText(event) {
    change("string");
    submitted(event);
  }

  /** Sends the text until its fate is known. The condition makes that harmless: the daemon applies it only once. */
  async function deliver(text, condition) {
    let isWithdrawn = false;
    const withdrawn = new Promise((resolve) => {
      withdraw = () => resolve((isWithdrawn = true));
    });
    field.disabled = true;
    try {
      for (let isRepeated = false; ; isRepeated = true) {
        const words = h("span.waiting", { role: "status" }, isOnline() ? "Sending…" : "Goes out when racd is back.");
        put(buttons, words, !isOnline() && button("withdraw", "Withdraw", withdraw));
        await Promise.race([connected(), withdrawn]);
        if (isWithdrawn) return offerSave();
        try {
          await send(text, condition);
          return closed(text);
        } catch (error) {
          if (!UNKNOWN.has(error.code)) return refused(error, text, isRepeated);
        }
      }
    } finally {
      withdraw = undefined;
      field.disabled = false;
      // The disabled field has lost it.
      $(":focus") ?? field.focus();
    }
  }

  function refused(error, mine, isRepeated) {
    if (error.code !== "conflict") {
      offerSave();
      return setText(fault, wordsFor(error));
    }
    base = { text: error.current?.raw, revision: error.revision ?? 0 };
    // The change may have been this very one, whose answer was lost.
    if (isRepeated && base.text === mine) return closed(mine);
    conflicts += 1;
    showConflict(mine);
  }

  /** Shows both values. Nothing is written until somebody has chosen. */
  function showConflict(mine) {
    const isGone = base.revision === 0;
    const again = isGone ? DELETED : conflicts > 1 ? "It has changed again." : "It was changed meanwhile.";
    put(meanwhile, h("div.conflict", { id: "conflict", role: "alert" }, h("p", again),
      h("dl", !isGone && base.text !== undefined ? bothSides(mine) : oneSide("Mine", "mine", shown(brief(mine))))));
    const keep = (condition) => () => commit(condition);
    put(buttons,
      button("theirs", isGone ? "Give it up" : "Take theirs", () => closed()),
      conflicts > 1 && button("force", "Set whatever comes", keep(undefined), { class: "grave" }),
      button("mine", isGone ? "Make it again" : "Keep mine", keep(base.revision), { class: "main" }));
    foot.scrollIntoView({ block: "nearest" });
  }

  const oneSide = (title, key, content) => [h("dt", title), h("dd", { "data-side": key }, content)];

  function bothSides(text) {
    const [mine, theirs] = [text, base.text].map(text.length + base.text.length > LAID_OUT ? String : linesOf);
    return [oneSide("Mine", "mine", differing(mine, theirs)), oneSide("Theirs", "theirs", differing(theirs, mine))].flat();
  }

  choose(wayOf(base.text), shownBy(wayOf(base.text), base.text));
  if (draft.typed !== undefined) choose(draft.kind, draft.typed);
  offerSave();
  return {
    element,
    get isChanged() {
      return isChanged();
    },
    /** The draft as it is now. */
    get draft() {
      return { ...draft, base, kind, typed: field.value };
    },
    focus() {
      field.focus();
      field.scrollTop = 0;
      field.setSelectionRange?.(0, field.value.length > LINE * LINES ? 0 : field.value.length);
    },
    /** Shows that the side has another value than the one that the edit began with, or that the channel is gone. */
    present(current, isGone) {
      if (conflicts > 0 || (current.revision === base.revision && !isGone)) return;
      put(meanwhile, isGone ? DELETED : ["Changed meanwhile to ", h("code", shown(brief(current.text)))]);
    },
  };
}
