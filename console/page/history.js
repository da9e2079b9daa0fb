// The last changes of a channel: a line for numbers, a list for all.

import { clock, h, shown, svg, table } from "./dom.js";

/** Changes that are kept for a channel, and those of them that the list shows. */
const KEPT = 600;
const LISTED = 12;
/** The length of a value in the list. */
const BRIEF = 160;

/** The beginning of a text. It is a copy, because a slice would keep the whole text. */
export const cut = (text, length) => (text === undefined || text.length <= length ? text : `${[...text.slice(0, length)].join("")}…`);

/** The changes that the page has seen of one channel. */
export class History {
  changes = [];
  #since = Date.now();

  /** Adds a change, unless it is known. */
  add({ revision, at, by, text, wish, state }) {
    if (this.changes.at(-1)?.revision >= revision) return;
    const number = text?.length < 40 ? Number(text) : NaN;
    this.changes.push({ revision, at, by, text: cut(text, BRIEF), wish: cut(wish, BRIEF), state, number });
    if (this.changes.length > KEPT) this.changes.shift();
  }

  /** The numbers among the values. A line begins when the page began to look, not with a change of long ago. */
  get numbers() {
    return this.changes.filter(({ number }) => Number.isFinite(number)).map(({ at, number }) => ({ at: Math.max(at, this.#since), number }));
  }
}

/** A number as short as its scale and the span of its line allow. */
function short(number, span) {
  const size = Math.abs(number);
  if (size !== 0 && (size >= 1e9 || size < 1e-3)) return number.toExponential(2);
  return String(Number(number.toFixed(Math.min(20, Math.max(3, 1 - Math.floor(Math.log10(span || 1)))))));
}

/**
 * A line through points, with the least and the greatest number at its side.
 *
 * @param {{ at: number, number: number }[]} points
 */
export function sparkline(points, label, show = short) {
  const [width, height, inset] = [480, 56, 3];
  const numbers = points.map(({ number }) => number);
  const [least, greatest] = [Math.min(...numbers), Math.max(...numbers)];
  const [from, to] = [points[0].at, points.at(-1).at];
  const x = (at) => (to === from ? width : ((at - from) / (to - from)) * width).toFixed(1);
  const [low, high] = [least, greatest].map((number) => show(number, greatest - least));
  // A change that the labels do not show fills no height.
  const y = (number) => (low === high ? height / 2 : height - inset - ((number - least) / (greatest - least)) * (height - 2 * inset)).toFixed(1);
  const steps = points.slice(1).map(({ at, number }) => `H${x(at)}V${y(number)}`);
  const words = `${label}: ${points.length} values between ${low} and ${high}, now ${show(numbers.at(-1), greatest - least)}`;
  return h("figure.sparkline",
    svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": words },
      svg("path", { d: `M${x(from)} ${y(numbers[0])}${steps.join("")}`, "vector-effect": "non-scaling-stroke" })),
    h("figcaption", { "aria-hidden": "true" }, h("span", high), low !== high && h("span", low)));
}

/** The newest changes as a table. */
export function changeTable({ changes }) {
  const rows = changes.slice(-LISTED).reverse().map(({ revision, at, by, text, wish, state }) => [
    ["number", revision],
    ["number", at && clock(at)],
    by && shown(by),
    ["text", text === undefined ? h("i", "no value") : shown(text), wish && [h("i", " wish "), shown(wish)], state !== "open" && h("i", ` ${state}`)],
  ]);
  return table("Table of changes", ["Revision", "Time", "Writer", "Value"], rows);
}
