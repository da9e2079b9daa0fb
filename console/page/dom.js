// Elements, and texts as people read them.

/**
 * Makes an element: `h("p.hint", { id: "a", onclick }, "text", child)`.
 *
 * The attributes may be left out. Texts stay texts, arrays are opened, and what is undefined or false is left out.
 */
export function h(tag, ...content) {
  const [name, ...classes] = tag.split(".");
  const element = document.createElement(name);
  if (classes.length > 0) element.className = classes.join(" ");
  if (name === "button") element.type = "button";
  return fill(element, content);
}

/** Makes an element of a drawing. */
export const svg = (tag, ...content) => fill(document.createElementNS("http://www.w3.org/2000/svg", tag), content);

function fill(element, content) {
  const attributes = content[0]?.constructor === Object ? content.shift() : {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : value);
  }
  return put(element, ...content);
}

/** Gives an element other children. */
export function put(element, ...content) {
  element.replaceChildren(...content.flat(2).filter((child) => child !== undefined && child !== false));
  return element;
}

/** A button, whose act is its stable name. */
export const button = (act, label, onclick, attributes) => h("button", { "data-act": act, onclick, ...attributes }, label);

/** The button that sends a form. */
export const submit = (act, label, attributes) => h("button.main", { type: "submit", "data-act": act, ...attributes }, label);

/** A list of facts. */
export const facts = (pairs) => pairs.filter(Boolean).map(([title, text]) => h("div", h("dt", title), h("dd", text)));

/** A table that scrolls by itself where it is too wide. Each cell is a text, an element, or an array with a class for its cell. */
export function table(label, heads, rows) {
  const cell = (content) => (Array.isArray(content) ? h(`td.${content[0]}`, content.slice(1)) : h("td", content));
  const row = (cells) => h("tr", cells.map(cell));
  return h("div.scrolls", { tabindex: 0, role: "group", "aria-label": label },
    h("table", h("thead", h("tr", heads.map((head) => h("th", { scope: "col" }, head)))), h("tbody", rows.map(row))));
}

export const $ = (selector) => document.querySelector(selector);

/** Writes a text only where it differs, so that nothing is laid out or read aloud for no reason. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

// MARK: Texts of others

/** Characters that a reader does not see, or that would move their neighbours. */
const UNSEEN = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]/g;

/** A text with its unseen characters made visible, kept apart from the direction of the text around it. */
export function shown(text) {
  const box = h("bdi");
  let from = 0;
  for (const { 0: character, index } of text.matchAll(UNSEEN)) {
    const code = `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}`;
    box.append(text.slice(from, index), h("span.unseen", { title: `the character ${code}` }, code));
    from = index + 1;
  }
  box.append(text.slice(from));
  return box;
}

/** An error of a program. */
export const codeAndWords = ({ code, message }) => [h("code", shown(code)), " ", shown(message)];

/** The first cells of a connection: number, client and transport. */
export const clientCells = ({ connection, name, agent, via }) => [["number", connection], shown(joined(name, agent) || "–"), via];

/** A name, whose last segment is the one to look at. */
export function shownName(name) {
  const place = name.lastIndexOf("/") + 1;
  return [h("span.parents", name.slice(0, place).split("/").flatMap((segment, at, all) =>
    at === all.length - 1 ? [] : [shown(segment), "/"])), shown(name.slice(place))];
}

// MARK: Numbers and times

/** The texts that are not empty, joined. */
export const joined = (...texts) => texts.filter(Boolean).join(", ");

const whole = new Intl.NumberFormat("en", { useGrouping: true });

/** A count with its thousands apart, by thin spaces that do not break. */
export const count = (number) => whole.format(number).replaceAll(",", "\u202f");

export const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

export function bytes(number) {
  if (number < 1024) return `${number} B`;
  const unit = number < 1024 ** 2 ? 1 : number < 1024 ** 3 ? 2 : 3;
  return `${(number / 1024 ** unit).toFixed(1)} ${["", "KiB", "MiB", "GiB"][unit]}`;
}

const UNITS = [[86_400, "d"], [3600, "h"], [60, "min"], [1, "s"]];

/** A duration in its largest unit. */
export function duration(milliseconds) {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const [length, unit] = UNITS.find(([size]) => seconds >= size) ?? [1, "s"];
  return `${Math.floor(seconds / length)} ${unit}`;
}

/** A time of this place, to the millisecond. */
export function dateAndTime(milliseconds) {
  const offset = new Date(milliseconds).getTimezoneOffset() * 60_000;
  return new Date(milliseconds - offset).toISOString().slice(0, 23).replace("T", " ");
}

export const clock = (milliseconds) => dateAndTime(milliseconds).slice(11);

/** A rate per second. */
export const rate = (number) => (number >= 10 ? count(Math.round(number)) : String(Math.round(number * 10) / 10));
