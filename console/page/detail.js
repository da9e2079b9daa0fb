// One channel: its value, its last changes, its ends, and the programs that are bound to it.

import { button, bytes, clientCells, codeAndWords, count, dateAndTime, duration, facts, h, joined, put, rate, setText, shown, shownName, table } from "./dom.js";
import { attempt, tell, wordsFor } from "./dialogs.js";
import { keepDraft, takeDrafts } from "./drafts.js";
import { makeEditor } from "./editor.js";
import { complete, create, fail, remove, reopen } from "./ends.js";
import { History, changeTable, sparkline } from "./history.js";
import { faultOfJSON, laidOut } from "./json.js";
import { save } from "./transfer.js";
import { raw } from "../rac.js";

/** Milliseconds between two readings of the channel that is shown, and between two of its bindings. */
const READING = 200;
const BINDINGS = 2000;
/** Milliseconds between two counts that make a rate, and those behind a connection in which there is none. */
const SPAN = 1000;
const SETTLING = 5000;
/** Characters of a value that are shown before a person asks for all. */
const SHOWN = 8192;
/** A longer value is shown as it is written, in pieces of so many characters. */
const FORMATTED = 131_072;
const PIECE = 4096;
/** A longer value is edited as a file: a browser takes seconds to lay it out in a field, and again for each key. */
const EDITED = 262_144;
/** Channels whose last changes are kept. */
const HISTORIES = 40;

/** A long text in blocks, of which the browser lays out only the seen ones. */
function pieces(text) {
  const blocks = [];
  for (let [from, to] = [0, 0]; from < text.length; from = to) {
    to = from + PIECE;
    // A pair of surrogates stays together.
    if (/[\ud800-\udbff]/.test(text[to - 1] ?? "")) to += 1;
    blocks.push(h("span.piece", shown(text.slice(from, to))));
  }
  return blocks;
}

const formatted = (text) => h("bdi", laidOut(text).map((piece) => (piece.kind === undefined ? piece.text : h(`span.json-${piece.kind}`, shown(piece.text)))));

/** One side's value with the way to edit it. */
function makeSide(side, { edit, saved, chosen }) {
  const view = h("pre.content", { id: side, tabindex: 0, "aria-label": `The ${side}` });
  const title = h("h3");
  const note = h("p.hint");
  const place = h("div");
  const opener = button(`edit-${side}`, "Edit", edit, { title: "e" });
  const file = h("input", { type: "file", hidden: true, "aria-label": `A file with the new ${side}`, onchange: () => take() });
  const chooser = button(`replace-${side}`, "Replace by a file…", () => file.click());
  const long = h("p.hint", "A value of this length is edited as a file. ", button(`save-${side}`, "Save as a file", saved), " ", chooser, file);
  const formats = button("raw", "Raw", toggle, { "aria-pressed": "false" });
  view.addEventListener("animationend", () => view.classList.remove("flash"));
  let [text, isRaw, isWhole, canEdit] = [undefined, false, false, false];

  function draw() {
    const isCut = text?.length > SHOWN && !isWhole;
    if (text === undefined) put(view, h("i", "no value yet"));
    else if (isCut) put(view, pieces(text.slice(0, SHOWN)), "…");
    else put(view, isRaw || text.length > FORMATTED ? pieces(text) : formatted(text));
    put(note, isCut && [`The first ${bytes(SHOWN)} of ${bytes(text.length)}. `, button("all", "Show all", showAll)]);
  }

  function showAll() {
    isWhole = true;
    draw();
  }

  function toggle() {
    isRaw = !isRaw;
    formats.setAttribute("aria-pressed", isRaw);
    draw();
  }

  const isLong = () => text?.length > EDITED;

  function hideOpener() {
    opener.hidden = !canEdit || place.hasChildNodes() || isLong();
    long.hidden = !canEdit || !isLong();
  }

  function take() {
    chosen(file.files[0]);
    file.value = "";
  }

  return {
    element: h("section.side", { "data-side": side }, h("div.head", title, h("div.buttons", formats, opener)), view, note, long, place),
    opener,
    chooser,
    show(newText, words, isEditable) {
      setText(title, words);
      canEdit = isEditable;
      const isSame = newText === text && view.hasChildNodes();
      if (!isSame && text !== undefined) view.classList.add("flash");
      text = newText;
      hideOpener();
      if (!isSame) draw();
    },
    mount(editor) {
      put(place, editor?.element);
      hideOpener();
    },
  };
}

/** The panel of one channel at a time. */
export function makeDetail(rac, channels, element, { isPaused, principal, readWhileHeld }) {
  const histories = new Map();
  /** Edits that are under way, by side and name. */
  const editors = new Map();
  /** Why an act is forbidden, by its verb and the name, since racd has refused it over this connection. */
  const denied = new Map();
  let [name, state, fault, listed, counted, perSecond, parts, sides] = [];
  let connectedAt = 0;
  let [isOnline, isReading, isDue, drawnRevision] = [false, false, false, 0];

  channels.subscribe((changed, { revision, by, raw: text, rawWish: wish, state: word }, channel) => {
    if (channel?.at !== undefined) histories.get(changed)?.add({ revision, at: channel.at, by, text, wish, state: word });
    if (changed === name) isDue = true;
  });
  rac.connection.subscribe((connection) => {
    isOnline = connection.state === "connected";
    isDue = true;
    // A rate needs two readings of one connection.
    [listed, counted, perSecond] = [];
    connectedAt = performance.now();
    denied.clear();
    if (name !== undefined) draw();
    readBindings();
  });
  setInterval(tick, READING);
  setInterval(readBindings, BINDINGS);

  // MARK: Reading

  function tick() {
    if (name === undefined) return;
    const age = parts.facts.querySelector(".age");
    if (age !== null) setText(age, `${duration(Date.now() - state.at)} ago`);
    if (isDue && !isReading && isOnline && !isHeld()) read();
  }

  /** A channel that is chosen while the display is held is read once. */
  const isHeld = () => state !== undefined && isPaused();

  /** Asks for the whole state. Changes in between are one reading, however many they are. */
  async function read() {
    const asked = name;
    [isReading, isDue] = [true, false];
    try {
      const got = await rac.get(asked);
      if (asked !== name) return;
      // The display is held since the question.
      if (isHeld()) return (isDue = true);
      [state, fault] = [got, undefined];
      if (isPaused()) readWhileHeld(state);
      historyOf(name).add({ revision: got.revision, at: got.at, by: got.by, text: got.raw, wish: got.rawWish, state: got.state });
    } catch (error) {
      if (asked !== name) return;
      fault = error;
      if (error.code === "no-such-channel") state = undefined;
      if (error.code === "timed-out") isDue = true;
    } finally {
      isReading = false;
    }
    draw();
  }

  function historyOf(key) {
    if (!histories.has(key)) histories.set(key, new History());
    if (histories.size > HISTORIES) histories.delete(histories.keys().next().value);
    return histories.get(key);
  }

  async function readBindings() {
    if (name === undefined || !isOnline || isPaused() || document.hidden) return;
    const asked = name;
    try {
      const { channels: [told] } = await rac.list({ pattern: asked, limit: 1 });
      const { who, more } = await rac.who({ channel: asked, limit: 100 });
      if (asked !== name) return;
      measure(told && { ...told, readAt: performance.now() });
      drawBindings(who, more);
    } catch (error) {
      if (asked === name) drawBindings([], false, error.code === "no-such-channel" ? undefined : wordsFor(error));
    }
  }

  /** The rate of changes, as the daemon counts them. */
  function measure(told) {
    listed = told;
    const span = counted && told && told.readAt - counted.readAt;
    if (span === undefined || span >= SPAN) {
      const isSettled = told?.readAt - connectedAt > SETTLING;
      perSecond = span && isSettled ? ((told.changes - counted.changes) * 1000) / span : undefined;
      counted = told;
    }
    drawFacts();
  }

  // MARK: Drawing

  function build() {
    const act = (key, label, work) => button(key, label, () => work(rac, name, { bound: listed?.bound, failed: denying("manage", name) }));
    const makeOne = (side) => makeSide(side, {
      edit: () => edit(side),
      saved: () => save([standing(side).text], name, "json"),
      chosen: (file) => replace(side, file),
    });
    sides = { value: makeOne("value"), wish: makeOne("wish") };
    parts = {
      state: h("span.state", { id: "state" }),
      facts: h("dl.facts"),
      rights: h("p.hint", { id: "rights" }),
      error: h("p.error", { id: "channel-error" }),
      fault: h("div.fault", { role: "alert" }),
      history: h("section.history", { id: "history", "aria-label": "Last changes" }),
      bindings: h("section", { id: "bindings", "aria-label": "Bindings" }),
      complete: act("complete", "Complete…", complete),
      fail: act("fail", "Fail…", fail),
      reopen: act("reopen", "Reopen", reopen),
      remove: act("delete", "Delete…", remove),
    };
    const ends = h("div.buttons", parts.complete, parts.fail, parts.reopen, parts.remove);
    put(element, h("header", h("h2", { tabindex: -1 }, shownName(name)), parts.state, ends),
      parts.fault, parts.error, parts.facts, parts.rights, sides.value.element, sides.wish.element, parts.history, parts.bindings);
    for (const [side, { mount }] of Object.entries(sides)) mount(editors.get(`${side} ${name}`));
    drawnRevision = 0;
    draw();
  }

  function draw() {
    const isOwn = name.startsWith("$");
    const isOpen = state?.state === "open";
    const isPaired = state?.mode === "paired";
    const focused = document.activeElement;
    drawFault();
    setText(parts.state, state?.state ?? (fault === undefined ? "reading…" : ""));
    parts.state.dataset.state = state?.state ?? "";
    parts.complete.hidden = parts.fail.hidden = isOwn || !isOpen;
    parts.reopen.hidden = isOwn || state === undefined || isOpen;
    parts.remove.hidden = isOwn || state === undefined;
    // The button of an act that is done has gone, and its reverse gets the focus.
    if (focused.hidden && element.contains(focused)) [parts.reopen, parts.complete, element.querySelector("h2")].find(({ hidden }) => !hidden).focus();
    const { code, message = "", data } = state?.error ?? {};
    put(parts.error, code && [codeAndWords({ code, message }), data !== undefined && [" ", h("code", shown(JSON.stringify(data)))]]);
    sides.value.element.hidden = state === undefined && !editors.has(`value ${name}`);
    sides.wish.element.hidden = !isPaired && !editors.has(`wish ${name}`);
    if (state !== undefined) {
      sides.value.show(state.raw, isPaired ? "Value: what is" : "Value", isOpen && !isOwn);
      sides.wish.show(state.rawWish, "Wish: what should be", isOpen && !isOwn);
    }
    if (state !== undefined || fault?.code === "no-such-channel") {
      for (const side of ["value", "wish"]) editors.get(`${side} ${name}`)?.present(standing(side), state === undefined);
    }
    drawFacts();
    drawHistory();
    drawRights();
  }

  /** Racd reveals nobody's rights, but for those that an attempt lacks. */
  function drawRights() {
    const verbs = [verbOf("value"), verbOf("wish"), "manage"].map((verb) => denied.get(`${verb} ${name}`));
    const buttons = [...[sides.value, sides.wish].map(({ opener, chooser }) => [opener, chooser]), [parts.complete, parts.fail, parts.reopen, parts.remove]];
    buttons.forEach((some, at) => some.forEach((one) => (one.disabled = verbs[at] !== undefined)));
    setText(parts.rights, [...new Set(verbs)].filter(Boolean).join("; "));
  }

  /** A function that remembers the refusal of an act. */
  function denying(verb, of) {
    return (error) => {
      if (error.code !== "forbidden") return;
      denied.set(`${verb} ${of}`, error.message);
      if (of === name) drawRights();
    };
  }

  function drawFault() {
    const isMissing = fault?.code === "no-such-channel";
    const words = isMissing ? "There is no channel of this name." : fault && wordsFor(fault);
    if (words === (parts.fault.firstChild?.textContent ?? undefined)) return;
    put(parts.fault, words && h("p", words), isMissing && button("create", "Create it…", () => create(rac, name)));
  }

  function drawFacts() {
    put(parts.facts, state && facts([
      ["Revision", Math.max(state.revision, state.wishRevision ?? 0)],
      state.at !== undefined && ["Changed", h("span.age", { title: dateAndTime(state.at) }, `${duration(Date.now() - state.at)} ago`)],
      state.by && ["Writer", shown(state.by)],
      ["Mode", state.mode],
      ["Size", bytes(new Blob([state.raw ?? ""]).size)],
      listed && ["Changes", `${count(listed.changes)} since racd started${perSecond >= 1 ? `, ${rate(perSecond)} a second` : ""}`],
    ]));
  }

  function drawHistory() {
    const history = histories.get(name);
    const newest = history?.changes.at(-1)?.revision ?? 0;
    if (newest === drawnRevision) return;
    drawnRevision = newest;
    const { numbers, changes } = history;
    const span = `${count(changes.length)} in ${duration(changes.at(-1).at - changes[0].at)}`;
    put(parts.history, h("h3", "Last changes", h("small", changes.length < 2 ? "since this page shows it" : span)),
      numbers.length > 1 && sparkline(numbers, "The last values"), changeTable(history));
  }

  function drawBindings(who, more, problem) {
    const rows = who.map((one) => [
      ...clientCells(one),
      shown(one.principal ?? one.peer ?? ""),
      one.role,
      joined(one.interval && `each ${one.interval} ms`, one.conflate === false && "every value"),
      ["slow", one.slow && "slow"],
    ]);
    const list = table("Table of bindings", ["Connection", "Client", "Via", "From", "Side", "Gets", ""], rows);
    put(parts.bindings, h("h3", "Bindings", h("small", `${who.length}${more ? " and more" : ""}`)), who.length > 0 ? list : h("p.hint", problem ?? "Nobody is bound."));
  }

  // MARK: Editing

  /** The text and the revision of a side: in a paired channel each has its own. */
  function standing(side) {
    const { raw: value, revision = 0, rawWish: wish, wishRevision = 0 } = state ?? {};
    return side === "value" ? { text: value, revision } : { text: wish, revision: wishRevision };
  }

  const roleOf = (side) => (state?.mode === "paired" && side === "value" ? "leading" : "following");
  const verbOf = (side) => (roleOf(side) === "leading" ? "lead" : "write");

  /** Opens the editor of a side: by default that of the following one, as people are. */
  function edit(side = state?.mode === "paired" ? "wish" : "value") {
    if (state?.state !== "open" || name.startsWith("$") || sides[side].opener.disabled) return;
    const key = `${side} ${name}`;
    if (!editors.has(key)) {
      if (standing(side).text?.length > EDITED) return sides[side].chooser.focus();
      begin({ edited: name, side, mode: state.mode, role: roleOf(side), base: standing(side) });
      sides[side].mount(editors.get(key));
    }
    editors.get(key).focus();
  }

  /** Sets the contents of a file, unless the side has changed since it is shown. */
  async function replace(side, file) {
    const [edited, role, { revision }] = [name, roleOf(side), standing(side)];
    await attempt(async () => {
      const text = await file.text();
      const problem = faultOfJSON(text);
      if (problem !== undefined) throw new Error(problem);
      await rac.set(edited, raw(text), { if: revision, role });
      tell(`${edited} is set.`);
    }, denying(verbOf(side), edited));
  }

  function begin(draft) {
    const { edited, side, mode, role } = draft;
    editors.set(`${side} ${edited}`, makeEditor(draft, {
      isOnline: () => isOnline,
      connected,
      async send(text, condition) {
        // A channel that was deleted comes again with its mode. An existing one without a value stays as it is.
        if (condition === 0) await rac.create(edited, { mode }).catch(() => {});
        await rac.set(edited, raw(text), { if: condition, role }).catch((error) => {
          denying(role === "leading" ? "lead" : "write", edited)(error);
          throw error;
        });
      },
      closed: (sent) => closed(edited, side, sent),
    }));
  }

  function closed(edited, side, sent) {
    editors.delete(`${side} ${edited}`);
    if (edited !== name) return sent && tell(`${edited} is set.`);
    sides[side].mount();
    isDue = true;
    draw();
    sides[side].opener.focus();
  }

  function connected() {
    return new Promise((resolve) => {
      const stop = rac.connection.subscribe((connection) => {
        if (connection.state !== "connected") return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  }

  /** Whether a person has typed something for a channel that racd does not have. */
  const isEditing = (of) => ["value", "wish"].some((side) => editors.get(`${side} ${of}`)?.isChanged);

  takeDrafts(principal).forEach(begin);
  return {
    edit,
    isEditing,
    get name() {
      return name;
    },
    /** The channel as it is shown; undefined if there is none. */
    get state() {
      return state;
    },
    /** Whether a person has typed something that racd does not have. */
    get isEdited() {
      return [...editors.values()].some((editor) => editor.isChanged);
    },
    /** Keeps what is typed for the page behind a sign-in. */
    keep() {
      for (const { isChanged, draft } of editors.values()) if (isChanged) keepDraft({ ...draft, principal });
      editors.clear();
    },
    show(chosen) {
      if (chosen === name) return;
      [name, state, fault, listed, counted, perSecond] = [chosen];
      // An attempt at a channel that is chosen again may be allowed by now.
      denied.clear();
      if (name === undefined) return;
      build();
      isDue = true;
      tick();
      readBindings();
    },
  };
}
