// The last changes of a channel: a line for numbers, a list for all.

import { clock, h, shown, svg, table } from "./dom.js";

/** Changes that are kept for a channel, and those of them that the list shows. */
const KEPT = 600;
const LISTED = 12;
/** The length of a value in the list. */
const BRIEF = 160;

/** The changes that the page has seen of one channel. */
export class History {
  changes = [];
  #since = Date.now();

  /** Adds a change, unless it is known. The value of a mere end is that of before. */
  add({ revision, at, by, raw, wish, state }) {
    const last = this.changes.at(-1);
    if (last !== undefined && last.revision >= revision) return;
    const number = raw !== undefined && raw.length < 40 ? Number(raw) : NaN;
    this.changes.push({ revision, at, by, text: brief(raw), wish: brief(wish), state, number });
    if (this.changes.length > KEPT) this.changes.splice(0, this.changes.length - KEPT);
  }

  /** The numbers among the values. A line begins when the page began to look, not with a change of long ago. */
  get numbers() {
    return this.changes.filter(({ number }) => Number.isFinite(number)).map(({ at, number }) => ({ at: Math.max(at, this.#since), number }));
  }
}

const brief = (text) => (text === undefined || text.length <= BRIEF ? text : `${[...text.slice(0, BRIEF)].join("")}…`);

/** The number as short as its scale allows. */
function short(number) {
  const size = Math.abs(number);
  if (size !== 0 && (size >= 1e9 || size < 1e-3)) return number.toExponential(2);
  return String(Math.round(number * 1000) / 1000);
}

/**
 * A line through points, with the least and the greatest number at its side.
 *
 * @param {{ at: number, number: number }[]} points
 */
export function sparkline(points, { label, height = 56, show = short } = {}) {
  const [width, inset] = [480, 3];
  const numbers = points.map(({ number }) => number);
  const least = Math.min(...numbers);
  const greatest = Math.max(...numbers);
  const [from, to] = [points[0].at, points.at(-1).at];
  const x = (at) => (to === from ? width : ((at - from) / (to - from)) * width);
  const y = (number) => (greatest === least ? height / 2 : height - inset - ((number - least) / (greatest - least)) * (height - 2 * inset));
  let path = `M${x(from).toFixed(1)} ${y(numbers[0]).toFixed(1)}`;
  for (const { at, number } of points.slice(1)) {
    path += `H${x(at).toFixed(1)}V${y(number).toFixed(1)}`;
  }
  const words = `${label}: ${points.length} values between ${show(least)} and ${show(greatest)}, now ${show(numbers.at(-1))}`;
  return h("figure.sparkline",
    svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img", "aria-label": words },
      svg("path", { d: path, "vector-effect": "non-scaling-stroke" })),
    h("figcaption", { "aria-hidden": "true" }, h("span", show(greatest)), h("span", greatest === least ? "" : show(least))));
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
