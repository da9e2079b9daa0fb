// The page of a daemon: what is shown, and how its parts hang together.

import { connect } from "/rac.js";
import { Channels } from "./channels.js";
import { CommandPanel, Commands, WORDS, stateOf } from "./commands.js";
import { Detail } from "./detail.js";
import { explain, tell, wordsFor } from "./dialogs.js";
import { $, count, duration, h, plural, rate, setText } from "./dom.js";
import { create } from "./ends.js";
import { faultOf, matcher } from "./names.js";
import { Overview } from "./overview.js";
import { readSession, signIn, signOut } from "./session.js";
import { exportBranch, importFile } from "./transfer.js";
import { Tree } from "./tree.js";

/** Names whose time of change is asked for at once. */
const TIMES = 24;
/** A value beyond that many characters is not fetched for the time of its change. */
const LIGHT = 20_000;

const session = await readSession();
const isAdmitted = session.closed !== true || session.admitted;
if (!isAdmitted) await signIn();
const { closed: isClosed, principal } = isAdmitted ? session : await readSession();
setText($("#principal"), principal ?? "");
$("[data-act=sign-out]").hidden = !isClosed || principal === "anonymous";
$("[data-act=sign-in]").hidden = principal !== "anonymous";

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
  $("[data-act=retry]").hidden = state !== "lost";
  // A session has ended, or the rights of its principal have.
  if (state === "closed" && error?.code === "unauthenticated") signIn("Your session is over.").then(() => location.reload());
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
const overview = new Overview(rac, channels, $("#overview"), { isPaused: () => isPaused });

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
  setText($("#command-count"), count(commands.names.size));
  setText($("#rate"), overview.changeRate === undefined ? "" : `${rate(overview.changeRate)} changes/s`);
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

// MARK: Commands

const commands = new Commands(rac, { isSeen: () => !document.hidden && !$("#commands").hidden });
const panel = new CommandPanel(rac, commands, $("#command"));
const commandTree = new Tree($("#command-tree"), {
  names: commands.names,
  cells({ entry }) {
    const state = stateOf(entry);
    return { state, value: WORDS[state], age: entry.name ?? entry.agent ?? "", mark: state };
  },
  opened: (name) => go("commands", name),
  drawn() {
    drawList();
    $("#no-commands").hidden = !commands.isRead || commands.names.size > 0;
  },
});

// The daemon tells the number of hosted commands by itself.
channels.subscribe((name) => name === "$sys/commands" && commands.read());

const TABS = { channels: $("#tab-channels"), commands: $("#tab-commands") };

function chooseTab(kind) {
  for (const [key, tab] of Object.entries(TABS)) {
    const isChosen = key === kind;
    tab.setAttribute("aria-selected", isChosen);
    tab.tabIndex = isChosen ? 0 : -1;
    $(`#${key}`).hidden = !isChosen;
  }
  for (const act of ["new", "export", "import"]) $(`[data-act=${act}]`).hidden = kind !== "channels";
  if (kind === "commands") commands.read();
  shownTree().refresh();
}

const shownTree = () => ($("#channels").hidden ? commandTree : tree);
const focusTree = () => $($("#channels").hidden ? "#command-tree" : "#tree").focus();

for (const [kind, tab] of Object.entries(TABS)) {
  tab.addEventListener("click", () => chooseTab(kind));
  tab.addEventListener("keydown", (event) => {
    if (event.key !== "ArrowLeft" && event.key !== "ArrowRight") return;
    const other = kind === "channels" ? "commands" : "channels";
    chooseTab(other);
    TABS[other].focus();
  });
}

// MARK: The filter

const filter = $("#filter");
filter.addEventListener("input", () => {
  const text = filter.value.trim();
  const fault = text.includes("*") ? faultOf(text) : undefined;
  filter.setAttribute("aria-invalid", fault !== undefined);
  setText($("#filter-state"), fault ?? "");
  if (fault !== undefined) return;
  for (const { names } of [channels, commands]) names.filter(text === "" ? undefined : matcher(text));
  shownTree().refresh();
});
filter.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    event.preventDefault();
    filter.value = "";
    filter.dispatchEvent(new Event("input"));
    focusTree();
  } else if (event.key === "ArrowDown" || event.key === "Enter") {
    event.preventDefault();
    focusTree();
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
  $("#command").hidden = kind !== "commands" || name === undefined;
  detail.show(channel);
  tree.select(channel);
  panel.show(kind === "commands" ? name : undefined);
  commandTree.select(kind === "commands" ? name : undefined);
  if (name !== undefined && $(`#${kind}`).hidden) chooseTab(kind);
  overview.draw();
  document.title = name === undefined ? `racd ${location.host}` : `${name} – racd`;
}

window.addEventListener("hashchange", () => {
  route();
  $("#stage").scrollTop = 0;
  if (!matchMedia("(max-width: 760px)").matches) return;
  if (document.body.dataset.view === "list") focusTree();
  else $("#stage article:not([hidden]) h2")?.focus();
});
// The row of the name in the address may come later.
const stop = channels.subscribe((name) => {
  if (name !== detail.name) return;
  stop();
  tree.select(name);
});
window.addEventListener("beforeunload", (event) => detail.isEdited && event.preventDefault());

// MARK: Keys and buttons

const KEYS = {
  "/": ["filter names", () => filter.focus()],
  t: ["go to the tree", focusTree],
  e: ["edit the value", () => detail.name !== undefined && detail.edit()],
  n: ["new channel", makeChannel],
  p: ["pause the display", () => pauseButton.click()],
  o: ["overview", () => (location.hash = "#overview")],
  "?": ["this list", showKeys],
  Escape: ["back to the names", leave],
};

const OTHER_KEYS = [["↑ ↓ Home End", "move in the tree"], ["→ ←", "open or close a branch"], ["Enter", "show a channel"], ["Ctrl+Enter", "set what is typed"]];

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select, dialog") !== null) return;
  const [, act] = KEYS[event.key] ?? [];
  if (act === undefined) return;
  event.preventDefault();
  act();
});

function leave() {
  if (location.hash !== "") location.hash = "";
  focusTree();
}

function showKeys() {
  const keys = [...Object.entries(KEYS).map(([key, [words]]) => [key, words]), ...OTHER_KEYS];
  explain("Keyboard", h("dl.keys", keys.flatMap(([key, words]) => [h("dt", key), h("dd", words)])));
}

async function makeChannel() {
  const branch = tree.active?.isBranch ? `${tree.active.name}/` : "";
  const name = await create(rac, branch);
  if (name !== undefined) go("channels", name);
}

/** The pattern that a person most likely means: the branch with the focus, or what is filtered. */
function patternOfNow() {
  if (tree.active?.isBranch) return `${tree.active.name}/**`;
  return filter.value.includes("*") ? filter.value.trim() : (tree.active?.name ?? "**");
}

const ACTS = {
  new: makeChannel,
  export: () => exportBranch(rac, patternOfNow()),
  import: () => $("#import-file").click(),
  keys: showKeys,
  retry: () => rac.wake(),
  "sign-out": signOut,
  "sign-in": () => signIn("Sign in as somebody else than anonymous.").then(() => location.reload()),
};
for (const [act, work] of Object.entries(ACTS)) $(`[data-act=${act}]`).addEventListener("click", work);
$("#import-file").addEventListener("change", async ({ target }) => {
  const [file] = target.files;
  if (file !== undefined) await importFile(rac, file);
  target.value = "";
});

route();
