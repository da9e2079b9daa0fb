// A field of a form, bound to a property.

import { optionsOf } from "./errors.js";
import { raw, textOf } from "./values.js";

/** An edit is over this time after the last key. */
const REST = 1_000;

/** Decides when a field sends what is typed and when it shows what others send. It knows no field. */
export class Edit {
  #isEditing = false;
  #isComposing = false;

  /** Whether values of others wait until the edit is over. */
  get isOpen() {
    return this.#isEditing || this.#isComposing;
  }

  /** The text was changed by its user. Returns whether it is sent: half a character of an input method is not. */
  typed() {
    this.#isEditing = true;
    return !this.#isComposing;
  }

  compositionBegan() {
    this.#isComposing = true;
  }

  /** An input method is done. */
  compositionEnded() {
    this.#isComposing = false;
    return this.typed();
  }

  /** Nobody has typed for a while. An input method may still compose. */
  rested() {
    this.#isEditing = false;
  }

  /** The edit is committed, or the field is left. */
  over() {
    this.#isEditing = false;
    this.#isComposing = false;
  }
}

/** Where a place in a text is after a change of the text around it. */
export function placeAfter(before, after, place) {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start += 1;
  let rest = 0;
  while (rest < shorter - start && before.at(-1 - rest) === after.at(-1 - rest)) rest += 1;
  if (place <= start) return place;
  const behind = before.length - place;
  return behind <= rest ? after.length - behind : Math.min(place, after.length - rest);
}

/** How a kind of field has its value: `read` makes what is sent, undefined for nothing; `show` takes a JSON text. */
const KINDS = {
  checkbox: {
    read: (field) => textOf(field.checked),
    show: (field, text) => (field.checked = text.value === true),
  },
  radio: {
    read: (field) => (field.checked ? textOf(field.value) : undefined),
    show: (field, text) => (field.checked = field.value === shownText(text)),
  },
  "select-multiple": {
    read: (field) => textOf([...field.options].filter(({ selected }) => selected).map(({ value }) => value)),
    show: (field, text) => {
      const chosen = Array.isArray(text.value) ? text.value : [shownText(text)];
      for (const option of field.options) option.selected = chosen.includes(option.value);
    },
  },
  number: {
    read: (field) => numberText(field.value),
    show: (field, text) => showText(field, text.value === null ? "" : text.raw),
  },
  text: {
    read: (field) => textOf(field.value),
    show: (field, text) => showText(field, shownText(text)),
  },
};
KINDS.range = KINDS.number;
/** Types of fields whose value no program may set, or no user types. */
const UNBOUND = new Set(["file", "button", "submit", "reset", "image"]);

/** The text in a field: a string as it is, nothing for null, and the JSON text of another value. */
function shownText({ value, raw }) {
  return typeof value === "string" ? value : value === null ? "" : raw;
}

/** A number keeps the text that was typed, if JSON has it. */
function numberText(text) {
  if (text.trim() === "" || !Number.isFinite(Number(text))) return undefined;
  try {
    return raw(text);
  } catch {
    return textOf(Number(text));
  }
}

/** Shows a text, and leaves the caret where it is in it. */
function showText(field, text) {
  const before = field.value;
  if (before === text) return;
  const hasCaret = field.matches(":focus") && typeof field.selectionStart === "number";
  const [start, end, direction] = [field.selectionStart, field.selectionEnd, field.selectionDirection];
  field.value = text;
  // A field may change the text: a text area has a line feed for each CR LF.
  const after = field.value;
  if (hasCaret && after !== before) field.setSelectionRange(placeAfter(before, after, start), placeAfter(before, after, end), direction);
}

/**
 * Binds a field to a property: what is typed goes out at once, and what others send is shown.
 *
 * While somebody types, values of others wait until the edit is committed, the field is left, or nobody has typed for a second.
 * Checkboxes have `true` and `false`, fields for numbers and ranges have numbers, and other fields have strings. A selection of
 * several options has an array of strings. Of radio buttons the checked one sends its `value`. A reset of the form is an edit. A
 * channel that ends disables its field.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field One for files, or a button, is a `TypeError`.
 * @param {import("./terminals.js").Property} property The field gets what this object sends, and the reverse.
 * @param {{ refused?: (error: Error) => void }} [options]
 * @returns {() => void} Undoes it. The field keeps what it shows.
 */
export function bindInput(field, property, options) {
  const { refused } = optionsOf("bindInput", options, "refused");
  if (UNBOUND.has(field.type)) throw new TypeError(`a field of type ${field.type} has no value to bind: bind one that a user edits`);
  const kind = KINDS[field.type] ?? KINDS.text;
  const terminal = property.another();
  const edit = new Edit();
  let timer;
  const later = (act, pause) => {
    clearTimeout(timer);
    timer = setTimeout(act, pause);
  };
  const show = () => {
    const text = terminal.text;
    if (text !== undefined && !edit.isOpen) kind.show(field, text);
  };
  const send = (isSent) => {
    later(rest, REST);
    const text = isSent ? kind.read(field) : undefined;
    if (text !== undefined && !text.equals(terminal.text)) terminal.send(text);
  };
  // Half a number stays, and a number as it was typed: the field may have the focus, and more may follow.
  const rest = () => {
    edit.rested();
    const text = kind.read(field);
    if (text !== undefined && !text.equals(terminal.text)) show();
  };
  const finish = () => {
    clearTimeout(timer);
    edit.over();
    show();
  };
  const events = {
    input: () => send(edit.typed()),
    compositionstart: () => edit.compositionBegan(),
    compositionend: () => send(edit.compositionEnded()),
    change: finish,
    blur: finish,
  };
  // A form is reset behind the listeners of its event.
  const reset = (event) => {
    later(() => {
      if (!event.defaultPrevented) send(edit.typed());
      finish();
    }, 0);
  };
  const { form } = field;
  form?.addEventListener("reset", reset);
  for (const [event, listener] of Object.entries(events)) field.addEventListener(event, listener);
  const disable = () => {
    finish();
    field.disabled = true;
  };
  // `ended` leaves the error of a refused bind to others, and to the problems of the client.
  terminal.subscribe({ next: show, ended: disable, ...(refused && { refused }) });
  return () => {
    clearTimeout(timer);
    form?.removeEventListener("reset", reset);
    for (const [event, listener] of Object.entries(events)) field.removeEventListener(event, listener);
    terminal.unbind();
  };
}
