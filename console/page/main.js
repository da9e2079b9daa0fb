// The page of a daemon: what is shown, and how its parts hang together.

import { connect } from "/rac.js";
import { Channels } from "./channels.js";
import { Detail } from "./detail.js";
import { Tree } from "./tree.js";
import { $, count, duration, plural, rate, setText } from "./dom.js";
import { faultOf, matcher } from "./names.js";
import { tell, wordsFor } from "./dialogs.js";
import { create } from "./ends.js";

/** Names whose time of change is asked for at once. */
const TIMES = 24;
/** A value beyond that many characters is not fetched for the time of its change. */
const LIGHT = 20_000;

const rac = connect(undefined, { agent: "racd-page" });
const channels = new Channels(rac);
let isPaused = false;

// MARK: The connection

const STATES = {
  connecting: "connecting",
  connected: "connected",
  lost: "not connected, trying again",
  closed: "disconnected",
};

rac.connection.subscribe(({ state, server, error }) => {
  const box = $("#connection");
  box.dataset.state = state;
  setText(box, state === "closed" ? `${STATES.closed}: ${wordsFor(error)}` : STATES[state]);
  if (server !== undefined) setText($("#server"), `${server} ${location.host}`);
});
rac.problems.subscribe((error) => tell(wordsFor(error), { isFault: true }));

// MARK: Channels

const tree = new Tree($("#tree"), {
  names: channels.names,
  cells: ({ entry }) => cellsOf(entry),
  opened: (name) => go("channels", name),
  drawn: () => drawList(),
});
const detail = new Detail(rac, channels, $("#detail"), { isPaused: () => isPaused });

function cellsOf(channel) {
  const now = Date.now();
  const perSecond = channel.rate(performance.now());
  const wish = channel.wish === undefined ? "" : `  ← ${channel.wish}`;
  const end = channel.state === "failed" ? `${channel.error?.code ?? "failed"}  ` : channel.state === "completed" ? "completed  " : "";
  return {
    state: channel.state,
    value: `${end}${channel.preview ?? ""}${wish}`,
    age: perSecond >= 1 ? `${rate(perSecond)}/s` : channel.at > 0 ? duration(now - channel.at) : "",
    mark: channel.revision,
  };
}

function drawList() {
  const { names } = channels;
  setText($("#channel-count"), count(channels.count));
  const empty = $("#empty");
  empty.hidden = names.hits > 0 || !channels.isSynced;
  if (!empty.hidden) {
    setText(empty, channels.problem !== undefined ? wordsFor(channels.problem)
      : names.isFiltered ? "No name matches." : "No channels yet: racctl set room/volume 7");
  }
  if ($("#filter").getAttribute("aria-invalid") !== "true") {
    setText($("#filter-state"), names.isFiltered ? `${plural(names.hits, "name")} of ${count(names.size)}` : "");
  }
}

/** The daemon tells the time of a change only if it is asked. That is done for what is seen. */
let isAsking = false;
setInterval(async () => {
  if (isAsking || isPaused || document.hidden || rac.connection.value.state !== "connected") return;
  const untimed = tree.seen.filter(({ entry }) => entry !== undefined && entry.at === undefined && entry.size < LIGHT).slice(0, TIMES);
  isAsking = true;
  await Promise.all(untimed.map(async ({ name, entry }) => {
    try {
      const { at } = await rac.get(name);
      entry.at ??= at;
    } catch {
      entry.at ??= 0;
    }
  }));
  isAsking = false;
}, 250);

// MARK: The filter

const filter = $("#filter");
filter.addEventListener("input", () => {
  const text = filter.value.trim();
  const fault = text.includes("*") ? faultOf(text) : undefined;
  filter.setAttribute("aria-invalid", fault !== undefined);
  setText($("#filter-state"), fault ?? "");
  if (fault === undefined) channels.names.filter(text === "" ? undefined : matcher(text));
  tree.refresh();
});
filter.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    event.preventDefault();
    filter.value = "";
    filter.dispatchEvent(new Event("input"));
    $("#tree").focus();
  } else if (event.key === "ArrowDown" || event.key === "Enter") {
    event.preventDefault();
    $("#tree").focus();
  }
});

// MARK: Pause

const pauseButton = $("#pause");
pauseButton.addEventListener("click", () => {
  isPaused = !isPaused;
  tree.isPaused = isPaused;
  pauseButton.setAttribute("aria-pressed", isPaused);
  setText(pauseButton, isPaused ? "Paused" : "Pause");
});

// MARK: Where the page is

/** The address of a thing within the page. */
const addressOf = (kind, name) => `#${kind}/${name.split("/").map(encodeURIComponent).join("/")}`;

function go(kind, name) {
  location.hash = addressOf(kind, name);
}

function route() {
  const [, kind, path] = /^#(channels|commands)\/(.+)$/.exec(location.hash) ?? [];
  let name;
  try {
    name = path?.split("/").map(decodeURIComponent).join("/");
  } catch {
    name = undefined;
  }
  const channel = kind === "channels" ? name : undefined;
  const isList = name === undefined && location.hash !== "#overview";
  document.body.dataset.view = isList ? "list" : "stage";
  $("#overview").hidden = name !== undefined;
  $("#detail").hidden = channel === undefined;
  detail.show(channel);
  tree.select(channel);
  document.title = name === undefined ? `racd ${location.host}` : `${name} – racd`;
}

window.addEventListener("hashchange", () => {
  route();
  $("#stage").scrollTop = 0;
  if (!matchMedia("(max-width: 760px)").matches) return;
  const target = document.body.dataset.view === "list" ? $("#tree") : $("#stage article:not([hidden]) h2");
  target?.focus();
});
// The row of the name in the address may come later.
const stop = channels.subscribe((name) => {
  if (name !== detail.name) return;
  stop();
  tree.select(name);
});
$("#tree").addEventListener("keydown", (event) => {
  if (event.key === "Escape" && location.hash !== "") location.hash = "";
});
window.addEventListener("beforeunload", (event) => detail.isEdited && event.preventDefault());

// MARK: Keys

const KEYS = {
  "/": () => filter.focus(),
  t: () => $("#tree").focus(),
  e: () => detail.name !== undefined && detail.edit(),
  p: () => pauseButton.click(),
  n: () => makeChannel(),
  o: () => (location.hash = "#overview"),
};

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog") !== null) return;
  const act = KEYS[event.key];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

async function makeChannel() {
  const branch = tree.active?.isBranch ? `${tree.active.name}/` : "";
  const name = await create(rac, branch);
  if (name !== undefined) go("channels", name);
}
$("[data-act=new]").addEventListener("click", makeChannel);

route();
