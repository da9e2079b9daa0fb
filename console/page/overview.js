// The daemon as a whole, by its own channels below $sys.

import { bytes, count, dateAndTime, duration, h, joined, put, rate, setText, shown, table } from "./dom.js";
import { wordsFor } from "./dialogs.js";
import { sparkline } from "./history.js";

/** Samples of a chart: one a second. */
const SAMPLES = 180;
const CONNECTIONS = 3000;

/** The figures with their titles; those with `read` have a chart. */
const FIGURES = [
  { key: "changes", title: "Changes a second", read: (sample, last) => Math.max(0, ((sample.changes - last.changes) * 1000) / (sample.at - last.at)), show: rate },
  { key: "channels", title: "Channels", read: ({ channels }) => channels, show: count },
  { key: "connections", title: "Connections", read: ({ connections }) => connections, show: count },
  { key: "bindings", title: "Bindings", read: ({ bindings }) => bindings, show: count },
  { key: "executions", title: "Executions now", read: ({ executions }) => executions, show: count },
  { key: "memory/values", title: "Values", read: (sample) => sample["memory/values"], show: bytes },
  { key: "commands", title: "Commands hosted", show: count },
  { key: "storage", title: "Storage", show: (text) => ({ ok: "on disk", memory: "in memory only" })[text] ?? text },
  { key: "uptime", title: "Up for", show: (seconds) => duration(seconds * 1000) },
];

export class Overview {
  #rac;
  #channels;
  #samples = [];
  #points = new Map();
  #boxes = new Map();
  #connections;
  #isDue = false;

  constructor(rac, channels, element, { isPaused }) {
    this.#rac = rac;
    this.#channels = channels;
    this.element = element;
    this.isPaused = isPaused;
    this.#build();
    // The figures of one second come together, and the time is always among them.
    channels.subscribe((name) => {
      if (name !== "$sys/uptime" || this.#isDue) return;
      this.#isDue = true;
      setTimeout(() => this.#sample(), 50);
    });
    setInterval(() => this.#readConnections(), CONNECTIONS);
    rac.connection.subscribe(({ state }) => state === "connected" && this.#readConnections());
  }

  /** Changes a second of all channels. */
  get changeRate() {
    return this.#points.get("changes")?.at(-1).number;
  }

  #figure(key) {
    const text = this.#channels.get(`$sys/${key}`)?.preview;
    return text === undefined ? undefined : JSON.parse(text);
  }

  #build() {
    const figures = FIGURES.map(({ key, title }) => {
      const number = h("div.number", "–");
      const chart = h("div");
      this.#boxes.set(key, { number, chart, box: h("div.figure", { "data-figure": key }, h("div.count", title), number, chart) });
      return this.#boxes.get(key).box;
    });
    this.#connections = h("section", { id: "connections", "aria-label": "Connections" });
    put(this.element, h("header", h("h2", { tabindex: -1 }, "Overview")), h("div.figures", figures), this.#connections);
  }

  #sample() {
    this.#isDue = false;
    const sample = { at: performance.now() };
    for (const { key } of FIGURES) sample[key] = this.#figure(key);
    const last = this.#samples.at(-1);
    this.#samples.push(sample);
    if (this.#samples.length > SAMPLES) this.#samples.shift();
    for (const { key, read } of FIGURES) {
      if (read === undefined || (key === "changes" && last === undefined)) continue;
      const number = read(sample, last);
      if (!Number.isFinite(number)) continue;
      const points = this.#points.get(key) ?? [];
      points.push({ at: sample.at, number });
      if (points.length > SAMPLES) points.shift();
      this.#points.set(key, points);
    }
    if (!this.isPaused() && !document.hidden && !this.element.hidden) this.draw();
  }

  draw() {
    const sample = this.#samples.at(-1);
    if (sample === undefined) return;
    for (const { key, title, read, show } of FIGURES) {
      const { number, chart, box } = this.#boxes.get(key);
      const points = this.#points.get(key) ?? [];
      const value = read === undefined ? sample[key] : points.at(-1)?.number;
      if (value !== undefined) setText(number, show(value));
      if (key === "storage") box.dataset.kind = String(value).startsWith("failing") ? "fault" : "";
      if (points.length > 1) put(chart, sparkline(points, { label: title, height: 34, show }));
    }
  }

  async #readConnections() {
    if (this.element.hidden || document.hidden || this.isPaused() || this.#rac.connection.value.state !== "connected") return;
    const title = (text) => h("h3", "Connections", h("small", text));
    try {
      const { who, more } = await this.#rac.who({ limit: 200 });
      const rows = who.map((one) => [
        ["number", one.connection],
        shown(joined(one.name, one.agent) || "–"),
        shown(joined(one.peer, one.pid && `process ${one.pid}`)),
        shown(one.principal ?? ""),
        ["number", one.since && dateAndTime(one.since).slice(0, 19)],
        ["number", count(one.bound)],
      ]);
      put(this.#connections, title(` ${more ? `the first ${who.length}` : who.length}`),
        table("Table of connections", ["Number", "Client", "From", "Principal", "Since", "Bindings"], rows));
    } catch (error) {
      put(this.#connections, title(""), h("p.hint", wordsFor(error)));
    }
  }
}
