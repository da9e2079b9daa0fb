// A field of a form, bound to a property.

import { raw, textOf } from "./values.js";

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
  number: {
    read: (field) => numberText(field.value),
    show: (field, text) => showText(field, text.value === null ? "" : text.raw),
  },
  text: {
    read: (field) => textOf(field.value),
    show: (field, text) => showText(field, typeof text.value === "string" ? text.value : text.raw),
  },
};
KINDS.range = KINDS.number;

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
  if (hasCaret) field.setSelectionRange(placeAfter(before, text, start), placeAfter(before, text, end), direction);
}

/**
 * Binds a field to a property: what is typed goes out at once, and what others send is shown.
 *
 * While somebody types, values of others wait until the edit is committed or the field is left. Checkboxes have `true` and
 * `false`, fields for numbers and ranges have numbers, and other fields, text areas and selections have strings. A channel
 * that ends disables its field.
 *
 * @param {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} field
 * @param {import("./terminals.js").Property} property The field gets what this object sends, and the reverse.
 * @param {{ refused?: (error: Error) => void }} [options]
 * @returns {() => void} Undoes it. The field keeps what it shows.
 */
export function bindInput(field, property, { refused } = {}) {
  const kind = KINDS[field.type] ?? KINDS.text;
  const terminal = property.another();
  const edit = new Edit();
  const show = () => {
    const text = terminal.text;
    if (text !== undefined && !edit.isOpen) kind.show(field, text);
  };
  const send = (isSent) => {
    const text = isSent ? kind.read(field) : undefined;
    if (text !== undefined && !text.equals(terminal.text)) terminal.send(text);
  };
  const finish = () => {
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
  for (const [event, listener] of Object.entries(events)) field.addEventListener(event, listener);
  const disable = () => {
    finish();
    field.disabled = true;
  };
  // `ended` leaves the error of a refused bind to others, and to the problems of the client.
  terminal.subscribe({ next: show, ended: disable, ...(refused && { refused }) });
  return () => {
    for (const [event, listener] of Object.entries(events)) field.removeEventListener(event, listener);
    terminal.unbind();
  };
}
