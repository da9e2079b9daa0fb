// JSON texts as they travel, and the values that they stand for.

/**
 * A JSON text as it was written, with the value that JavaScript reads from it.
 *
 * A number such as `1.50` or `12345678901234567890` keeps its text, which a JavaScript number would lose.
 */
export class JSONText {
  #raw;
  #value;
  #isParsed;
  #isFrozen = false;
  #source;

  /**
   * @param {{ raw?: string, value?: unknown, source?: { text: string, key: string } }} parts A text, or the message that has
   *   the text behind a key, with the value that was read already.
   */
  constructor(parts) {
    this.#raw = parts.raw;
    this.#source = parts.source;
    this.#isParsed = "value" in parts;
    this.#value = parts.value;
  }

  /** The text, byte for byte as it was written. */
  get raw() {
    if (this.#raw === undefined) {
      this.#raw = memberText(this.#source.text, this.#source.key);
      this.#source = undefined;
    }
    return this.#raw;
  }

  /** The value, as `JSON.parse` reads the text. All readers share it, so it is frozen. */
  get value() {
    if (!this.#isFrozen) {
      this.#value = freeze(this.#isParsed ? this.#value : JSON.parse(this.#raw));
      this.#isParsed = this.#isFrozen = true;
    }
    return this.#value;
  }

  /** The value, for `JSON.stringify`. */
  toJSON() {
    return this.value;
  }

  /** Whether both texts are equal, character by character. */
  equals(other) {
    return other !== undefined && (this === other || this.raw === other.raw);
  }
}

/** Freezes a value of JSON with each part of it, however deep. */
export function freeze(value) {
  const left = [value];
  while (left.length > 0) {
    const part = left.pop();
    if (part === null || typeof part !== "object") continue;
    Object.freeze(part);
    for (const key in part) left.push(part[key]);
  }
  return value;
}

/**
 * Takes a JSON text for a value, so that its numbers stay as they are written: `property.value = raw("1.50")`.
 *
 * @param {string} text A JSON text. Another one is a `SyntaxError`.
 * @returns {JSONText}
 */
export function raw(text) {
  return new JSONText({ raw: text.trim(), value: JSON.parse(text) });
}

/**
 * The JSON text of a value of the program.
 *
 * @param {unknown} value A value that JSON can have, a `JSONText`, or a `bigint`, which becomes an integer.
 * @returns {JSONText}
 */
export function textOf(value) {
  if (value instanceof JSONText) return value;
  if (typeof value === "bigint") return new JSONText({ raw: value.toString() });
  const text = JSON.stringify(value);
  if (text === undefined) throw new TypeError(`${String(value)} has no JSON form: send null, or nothing`);
  if (text.includes("null")) JSON.stringify(value, refuseSilentNull);
  return new JSONText({ raw: text });
}

/** Refuses a number or a date that JSON has not, and for which `JSON.stringify` writes null without a word. */
function refuseSilentNull(key, value) {
  const written = this[key];
  const isLost = typeof value === "number" ? !Number.isFinite(value) : value === null && written instanceof Date;
  if (isLost) throw new TypeError(`${String(written)}${key && ` of ${key}`} has no JSON form: send null, or nothing`);
  return value;
}

/** A message of the daemon: its members, and the texts of those that are values. */
export class Message {
  #text;

  /** @param {string} text The message as it came. */
  constructor(text) {
    const fields = JSON.parse(text);
    if (fields === null || typeof fields !== "object" || Array.isArray(fields) || typeof fields.op !== "string") {
      throw new SyntaxError("a message is a JSON object with a string op");
    }
    this.#text = text;
    this.fields = fields;
  }

  /** The value behind a key with its text; undefined if the message has no such key. */
  text(key) {
    if (!Object.hasOwn(this.fields, key)) return undefined;
    return new JSONText({ source: { text: this.#text, key }, value: this.fields[key] });
  }
}

/**
 * Writes a message.
 *
 * @param {object} fields The members that are no values; undefined ones are left out.
 * @param {Record<string, string | undefined>} [texts] JSON texts by their keys.
 */
export function encode(fields, texts = {}) {
  let message = JSON.stringify(fields).slice(0, -1);
  for (const [key, text] of Object.entries(texts)) {
    if (text !== undefined) message += `${message === "{" ? "" : ","}${JSON.stringify(key)}:${text}`;
  }
  return `${message}}`;
}

/** Whether a text has at most that many bytes in UTF-8. */
export function fits(text, bytes) {
  // A UTF-16 code unit has at most three bytes in UTF-8.
  return text.length * 3 <= bytes || (text.length <= bytes && new TextEncoder().encode(text).length <= bytes);
}

/** The text of a member of the outermost object. The text was read by `JSON.parse` before, so it is valid JSON. */
function memberText(text, key) {
  let at = skipSpace(text, text.indexOf("{") + 1);
  for (;;) {
    const behindKey = skipString(text, at);
    const written = text.slice(at + 1, behindKey - 1);
    const name = written.includes("\\") ? JSON.parse(`"${written}"`) : written;
    const start = skipSpace(text, skipSpace(text, behindKey) + 1);
    const end = skipValue(text, start);
    if (name === key) return text.slice(start, end);
    at = skipSpace(text, skipSpace(text, end) + 1);
  }
}

function skipSpace(text, at) {
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at += 1;
  return at;
}

/** The place behind a string whose opening quote stands at `at`. */
function skipString(text, at) {
  for (;;) {
    at = text.indexOf('"', at + 1);
    let first = at;
    while (text[first - 1] === "\\") first -= 1;
    if ((at - first) % 2 === 0) return at + 1;
  }
}

function skipValue(text, at) {
  if (text[at] === '"') return skipString(text, at);
  if (text[at] !== "{" && text[at] !== "[") {
    const end = /[\s,\]}]/g;
    end.lastIndex = at;
    return end.exec(text).index;
  }
  const mark = /["[\]{}]/g;
  let depth = 0;
  do {
    mark.lastIndex = at;
    at = mark.exec(text).index;
    if (text[at] === '"') {
      at = skipString(text, at);
    } else {
      depth += text[at] === "{" || text[at] === "[" ? 1 : -1;
      at += 1;
    }
  } while (depth > 0);
  return at;
}
