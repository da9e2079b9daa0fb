// The page of a daemon: what is shown, and how its parts hang together.

import { connect } from "../rac.js";
import { Channels } from "./channels.js";
import { Commands, WORDS, makeCommandPanel, stateOf } from "./commands.js";
import { makeDetail } from "./detail.js";
import { explain, tell, wordsFor } from "./dialogs.js";
import { $, count, duration, h, plural, rate, setText } from "./dom.js";
import { create } from "./ends.js";
import { below, faultOf, matcher } from "./names.js";
import { makeOverview } from "./overview.js";
import { readSession, refusalOfPage, signIn, signOut } from "./session.js";
import { exportBranch, importFile } from "./transfer.js";
import { makeTree } from "./tree.js";

/** Names whose time of change is asked for at once. */
const TIMES = 24;
/** Characters of values that are fetched at once for the times of their changes, unless one value alone has more. */
const LIGHT = 20_000;

const { closed: isClosed, principal } = await readSession();
setText($("#principal"), principal ?? "");
if (isClosed) setText($("#no-commands"), "There is no command that you may observe or execute.");
const act = (name) => $(`[data-act=${name}]`);
act("sign-out").hidden = !isClosed || principal === "anonymous";
act("sign-in").hidden = principal !== "anonymous";

// MARK: The connection

const STATES = { connecting: "connecting", connected: "connected", lost: "not connected, trying again", closed: "disconnected" };
const rac = connect(undefined, { agent: "racd-page" });
let isRefusalKnown = false;
const isConnected = () => rac.connection.value.state === "connected";

rac.connection.subscribe(({ state, server, error }) => {
  $("#connection").dataset.state = state;
  setText($("#connection"), `${STATES[state]}${state === "closed" ? `: ${wordsFor(error)}` : ""}`);
  if (server !== undefined) setText($("#server"), `${server} ${location.host}`);
  act("retry").hidden = state !== "lost";
  if (state === "connected") isRefusalKnown = true;
  if (state === "lost" && !isRefusalKnown) tellRefusal();
  // A session has ended, or the rights of its principal have.
  if (state === "closed" && error?.code === "unauthenticated") signInAgain("Your session is over.");
});

/** Says once why the daemon takes no WebSocket of this page, as behind a proxy that changes the host. */
async function tellRefusal() {
  isRefusalKnown = true;
  const refusal = await refusalOfPage();
  if (refusal !== undefined) tell(`racd refuses this page: ${refusal}.`, { isFault: true });
}

/** Begins anew behind the form, with what is typed. */
function signInAgain(reason) {
  signIn(reason).then(() => location.reload());
  detail.keep();
}

rac.problems.subscribe((error) => tell(wordsFor(error), { isFault: true }));

// MARK: Parts

const pauseButton = $("#pause");
let isPaused = false;
const pausing = { isPaused: () => isPaused };
// The rows before that of the name in the address come one by one.
const channels = new Channels(rac, () => {
  tree.select(detail.name);
  overview.draw();
});
const commands = new Commands(rac, { isSeen: () => !document.hidden && !$("#commands").hidden });
const tree = makeTree($("#tree"), { names: channels.names, cells: cellsOf, opened: (name) => go("channels", name), drawn });
const commandTree = makeTree($("#command-tree"), { names: commands.names, cells: commandCellsOf, opened: (name) => go("commands", name), drawn });
const detail = makeDetail(rac, channels, $("#detail"), {
  ...pausing,
  principal,
  readWhileHeld: (state) => {
    channels.holdAt(state);
    tree.refresh();
  },
});
const overview = makeOverview(rac, channels, $("#overview"), pausing);
const panel = makeCommandPanel(rac, commands, $("#command"));

function cellsOf(channel, name) {
  const { state, error, preview = "", wish, revision, at } = channels.shown(channel);
  const perSecond = channel.rate(performance.now());
  const end = { completed: "completed  ", failed: `${error?.code}  ` }[state] ?? "";
  return {
    state,
    value: `${detail.isEditing(name) ? "draft  " : ""}${end}${preview}${wish === undefined ? "" : `  ← ${wish}`}`,
    age: perSecond >= 1 && isConnected() ? `${rate(perSecond)}/s` : at > 0 ? duration(Date.now() - at) : "",
    mark: revision,
  };
}

function commandCellsOf(command) {
  const state = stateOf(command);
  return { state, value: WORDS[state], age: command.name ?? command.agent, mark: state };
}

/** Shows the counts, and the reason for an empty list. */
function drawn() {
  const { names, problem, isSynced } = channels;
  setText($("#channel-count"), count(channels.count));
  setText($("#command-count"), count(commands.names.size));
  setText($("#rate"), overview.changeRate === undefined ? "" : `${rate(overview.changeRate)} changes/s`);
  const fault = problem && wordsFor(problem);
  setText($("#empty"), names.shownIn(names.root) > 0 || !isSynced ? "" : (fault ?? (names.isFiltered ? "No name matches." : isClosed ? "There is no channel that you may read." : "No channels yet: racctl set room/volume 7")));
  $("#no-commands").hidden = !commands.isRead || commands.names.size > 0;
  if (filter.getAttribute("aria-invalid") === "true") return;
  setText($("#filter-state"), names.isFiltered ? `${plural(names.shownIn(names.root), "name")} of ${count(names.size)}` : "");
}

pauseButton.addEventListener("click", () => {
  isPaused = tree.isPaused = !isPaused;
  channels.hold(isPaused, detail.state);
  tree.refresh();
  pauseButton.setAttribute("aria-pressed", isPaused);
  setText(pauseButton, isPaused ? "Paused" : "Pause");
});

// The daemon sends the time of a change only if it is asked. That is done for what is seen.
let isAsking = false;
setInterval(async () => {
  if (isAsking || isPaused || document.hidden || !isConnected()) return;
  let size = 0;
  const untimed = tree.seen.filter(({ entry }) => entry !== undefined && entry.at === undefined).slice(0, TIMES)
    .filter(({ entry }, place) => (size += entry.size) < LIGHT || place === 0);
  isAsking = true;
  await Promise.all(untimed.map(async ({ name, entry }) => {
    // A channel that is not there, or may not be read, has no time. Any other failure may pass.
    const { at } = await rac.get(name).catch(({ code }) => ({ at: ["no-such-channel", "forbidden"].includes(code) ? 0 : undefined }));
    entry.at ??= at;
  }));
  isAsking = false;
}, 250);

// MARK: The two lists

const TABS = { channels: $("#tab-channels"), commands: $("#tab-commands") };
const isOfChannels = () => !$("#channels").hidden;
const focusTree = () => $(isOfChannels() ? "#tree" : "#command-tree").focus();

function chooseTab(kind) {
  for (const [key, tab] of Object.entries(TABS)) {
    tab.setAttribute("aria-selected", key === kind);
    tab.tabIndex = key === kind ? 0 : -1;
    $(`#${key}`).hidden = key !== kind;
  }
  for (const name of ["new", "export", "import"]) act(name).hidden = kind !== "channels";
  commands.read();
  tree.refresh();
  commandTree.refresh();
}

for (const [kind, tab] of Object.entries(TABS)) {
  tab.addEventListener("click", () => chooseTab(kind));
  tab.addEventListener("keydown", ({ key }) => {
    if (key !== "ArrowLeft" && key !== "ArrowRight") return;
    const other = kind === "channels" ? "commands" : "channels";
    chooseTab(other);
    TABS[other].focus();
  });
}
// The daemon sends the number of hosted commands by itself.
channels.subscribe((name) => name === "$sys/commands" && commands.read());

function chooseNames() {
  const text = filter.value.trim();
  const fault = text.includes("*") ? faultOf(text) : undefined;
  filter.setAttribute("aria-invalid", fault !== undefined);
  setText($("#filter-state"), fault ?? "");
  if (fault !== undefined) return;
  for (const { names } of [channels, commands]) names.filter(text === "" ? undefined : matcher(text));
  tree.refresh();
  commandTree.refresh();
}

const filter = $("#filter");
filter.addEventListener("input", chooseNames);
filter.addEventListener("keydown", (event) => {
  if (!["Escape", "ArrowDown", "Enter"].includes(event.key)) return;
  event.preventDefault();
  if (event.key === "Escape") {
    filter.value = "";
    chooseNames();
  }
  focusTree();
});

// MARK: Where the page is

function go(kind, name) {
  location.hash = `#${kind}/${name.split("/").map(encodeURIComponent).join("/")}`;
}

/** The kind and the name that the address has. */
function place() {
  const [, kind, path] = /^#(channels|commands)\/(.+)$/.exec(location.hash) ?? [];
  try {
    return { kind, name: path?.split("/").map(decodeURIComponent).join("/") };
  } catch {
    return {};
  }
}

function route() {
  const { kind, name } = place();
  const [channel, command] = ["channels", "commands"].map((one) => (kind === one ? name : undefined));
  document.body.dataset.view = name === undefined && location.hash !== "#overview" ? "list" : "stage";
  $("#overview").hidden = name !== undefined;
  $("#detail").hidden = channel === undefined;
  $("#command").hidden = command === undefined;
  detail.show(channel);
  panel.show(command);
  tree.select(channel);
  commandTree.select(command);
  if (name !== undefined && $(`#${kind}`).hidden) chooseTab(kind);
  overview.draw();
  document.title = name === undefined ? `racd ${location.host}` : `${name} – racd`;
}

window.addEventListener("hashchange", () => {
  route();
  $("#stage").scrollTop = 0;
  if (document.body.dataset.view === "list") focusTree();
  else if (matchMedia("(max-width: 760px)").matches) $("#stage article:not([hidden]) h2").focus();
});
window.addEventListener("beforeunload", (event) => detail.isEdited && event.preventDefault());
// The row of the name in the address may come later.
const stop = channels.subscribe((name) => {
  if (name !== detail.name) return;
  stop();
  tree.select(name);
});

// MARK: Keys and buttons

/** Keys with their words; those without a function are explained only. */
const KEYS = {
  "/": ["filter names", () => filter.focus()],
  t: ["go to the names", focusTree],
  e: ["edit the value", () => detail.name !== undefined && detail.edit()],
  n: ["new channel", makeChannel],
  p: ["pause the display", () => pauseButton.click()],
  o: ["overview", () => (location.hash = "#overview")],
  "?": ["this list", showKeys],
  Escape: ["back to the names", leave],
  "↑ ↓ Home End": ["move among the names"],
  "→ ←": ["open or close a branch"],
  Enter: ["show a channel"],
  "Ctrl+Enter": ["set the value that is typed"],
};

document.addEventListener("keydown", (event) => {
  const work = KEYS[event.key]?.[1];
  if (work === undefined || event.ctrlKey || event.metaKey || event.altKey || (event.target.closest("input, textarea, select") ?? $("dialog"))) return;
  event.preventDefault();
  work();
});

function leave() {
  location.hash = "";
  focusTree();
}

function showKeys() {
  explain("Keyboard", h("dl.keys", Object.entries(KEYS).flatMap(([key, [words]]) => [h("dt", key), h("dd", words)])));
}

async function makeChannel() {
  const name = await create(rac, tree.active?.isBranch ? `${tree.active.name}/` : "");
  if (name !== undefined) go("channels", name);
}

/** The pattern that a person most likely means: the branch with the focus, or the filter. */
function likelyPattern() {
  if (tree.active?.isBranch) return below(tree.active.name);
  return filter.value.includes("*") ? filter.value.trim() : (tree.active?.name ?? "**");
}

const ACTS = {
  new: makeChannel,
  export: () => exportBranch(rac, likelyPattern()),
  import: () => $("#import-file").click(),
  keys: showKeys,
  retry: () => rac.wake(),
  "sign-out": signOut,
  "sign-in": () => signInAgain("Sign in as somebody else than anonymous."),
};
for (const [name, work] of Object.entries(ACTS)) act(name).addEventListener("click", work);
$("#import-file").addEventListener("change", async ({ target }) => {
  if (target.files.length > 0) await importFile(rac, target.files[0]);
  target.value = "";
});

route();
