// The daemon as a whole, by its own channels below $sys.

import { bytes, clientCells, count, dateAndTime, duration, h, joined, put, rate, setText, shown, table } from "./dom.js";
import { wordsFor } from "./dialogs.js";
import { sparkline } from "./history.js";

/** Samples of a chart: one a second. */
const SAMPLES = 180;
const CONNECTIONS = 3000;
/** Milliseconds between two figures that make a rate, at least. The daemon sends one a second. */
const SPAN = 500;

/** The figures: their titles, their texts, and whether they have a chart. */
const FIGURES = {
  changes: ["Changes a second", rate, true],
  channels: ["Channels", count, true],
  connections: ["Connections", count, true],
  bindings: ["Bindings", count, true],
  executions: ["Executions now", count, true],
  "memory/values": ["Values", bytes, true],
  commands: ["Commands hosted", count],
  transports: ["Connections by transport", (counts) => joined(...Object.entries(counts).map(([via, number]) => `${count(number)}\u00a0${via}`))],
  storage: ["Storage", (text) => ({ ok: "on disk", memory: "in memory only" })[text] ?? text],
  uptime: ["Up for", (seconds) => duration(seconds * 1000)],
};

export function makeOverview(rac, channels, element, { isPaused }) {
  const connections = h("section", { id: "connections", "aria-label": "Connections" });
  const figures = Object.entries(FIGURES).map(([key, [title, show, hasChart]]) => {
    const [number, chart] = [h("div.number", "–"), h("div")];
    return { key, title, show, hasChart, number, chart, points: [], box: h("div.figure", { "data-figure": key }, h("div.count", title), number, chart) };
  });
  let [last, isDue] = [undefined, false];

  const boxes = h("div.figures", figures.map(({ box }) => box));
  const hint = h("p.hint", "The figures of racd stand below $sys, and you may not read them.");
  put(element, h("header", h("h2", { tabindex: -1 }, "Overview")), hint, boxes, connections);

  // The figures of one second come together, and the time is always among them.
  channels.subscribe((name, _, channel) => {
    if (name !== "$sys/uptime" || isDue || channel === undefined) return;
    isDue = true;
    // Figures of before the connection have no known time.
    setTimeout(take, 50, channel.at !== undefined);
  });
  setInterval(readConnections, CONNECTIONS);
  rac.connection.subscribe(() => {
    // A rate needs two figures of one connection.
    last = figures[0].value = undefined;
    draw();
    readConnections();
  });

  function take(isLive) {
    isDue = false;
    if (rac.connection.value.state !== "connected") return;
    const at = performance.now();
    for (const figure of figures) {
      const text = channels.get(`$sys/${figure.key}`)?.preview;
      if (text === undefined) continue;
      if (figure.key === "changes" && !isLive) continue;
      figure.value = JSON.parse(text);
      if (figure.key === "changes") countChanges(figure, at);
      else if (isLive) figure.points.push({ at, number: figure.value });
      if (figure.points.length > SAMPLES) figure.points.shift();
    }
    if (!isPaused()) draw();
  }

  /** The number of changes since the start becomes a rate. */
  function countChanges(figure, at) {
    const { value } = figure;
    if (at - last?.at < SPAN) return (figure.value = figure.points.at(-1)?.number);
    figure.value = last && Math.max(0, ((value - last.value) * 1000) / (at - last.at));
    if (last !== undefined) figure.points.push({ at, number: figure.value });
    last = { at, value };
  }

  function draw() {
    const isDenied = channels.isOwnSynced && channels.get("$sys/uptime") === undefined;
    [hint.hidden, boxes.hidden] = [!isDenied, isDenied];
    if (document.hidden || element.hidden) return;
    for (const { key, title, show, hasChart, number, chart, points, box, value } of figures) {
      setText(number, value === undefined ? "–" : show(value));
      if (key === "storage") box.dataset.kind = value?.startsWith("failing") ? "fault" : "";
      if (hasChart && points.length > 1) put(chart, sparkline(points, title, show));
    }
  }

  async function readConnections() {
    if (element.hidden || document.hidden || isPaused() || rac.connection.value.state !== "connected") return;
    const title = (words) => h("h3", "Connections", h("small", words));
    try {
      const { who, more } = await rac.who({ limit: 200 });
      const hasPrincipals = who.some(({ principal }) => principal !== undefined);
      const rows = who.map((one) => [
        ...clientCells(one),
        shown(joined(one.peer, one.pid && `process ${one.pid}`)),
        ...(hasPrincipals ? [shown(one.principal ?? "")] : []),
        ["number", one.since && dateAndTime(one.since).slice(0, 19)],
        ["number", count(one.bound)],
      ]);
      const heads = ["Number", "Client", "Via", "From", ...(hasPrincipals ? ["Principal"] : []), "Since", "Bindings"];
      put(connections, title(more ? `the first ${who.length}` : who.length), table("Table of connections", heads, rows));
    } catch (error) {
      put(connections, title(), h("p.hint", wordsFor(error)));
    }
  }

  return {
    draw() {
      draw();
      readConnections();
    },
    /** Changes a second of all channels. */
    get changeRate() {
      return figures[0].value;
    },
  };
}
