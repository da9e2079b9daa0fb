// One channel: its value, its last changes, its ends, and who is bound to it.

import { button, bytes, count, dateAndTime, duration, facts, h, joined, put, rate, setText, shown, shownName, table } from "./dom.js";
import { attempt, tell, wordsFor } from "./dialogs.js";
import { Editor } from "./editor.js";
import { History, changeTable, sparkline } from "./history.js";
import { complete, create, fail, remove, reopen } from "./ends.js";
import { laidOut } from "./json.js";
import { raw } from "/rac.js";

/** Milliseconds between two readings of the channel that is shown, and between two of its bindings. */
const READING = 200;
const BINDINGS = 2000;
/** Characters of a value that are shown before a person asks for all. */
const SHOWN = 8192;
/** A longer value is shown as it is written, in pieces of so many characters. */
const FORMATTED = 131_072;
const PIECE = 4096;
/** Channels whose last changes are kept. */
const HISTORIES = 40;

/** One side's value with the way to edit it. */
class Side {
  element;
  #text;
  #isRaw = false;
  #isWhole = false;
  #view;
  #edit;
  #title;
  #tools;
  #place;
  #note;

  constructor(side, { edited }) {
    this.side = side;
    this.#view = h("pre", { id: side, class: "content", tabindex: 0, "aria-label": side === "value" ? "The value" : "The wish" });
    this.#edit = button(`edit-${side}`, "Edit", edited, { title: "e" });
    const formats = button("raw", "Raw", (event) => this.#toggle(event), { "aria-pressed": "false" });
    const copy = button("copy", "Copy", () => this.#copy());
    this.#tools = h("div.buttons", formats, copy, this.#edit);
    this.#title = h("h3");
    this.#note = h("p.hint");
    this.#place = h("div");
    this.element = h("section.side", { "data-side": side }, h("div.head", this.#title, this.#tools), this.#view, this.#note, this.#place);
    this.#view.addEventListener("animationend", () => this.#view.classList.remove("flash"));
  }

  title(text) {
    setText(this.#title, text);
  }

  /** Shows a text; undefined is no value. */
  show(text, { canEdit }) {
    this.#edit.hidden = !canEdit || this.#place.hasChildNodes();
    if (text === this.#text && this.#view.hasChildNodes()) return;
    const isFirst = this.#text === undefined;
    if (text?.length !== this.#text?.length) this.#isWhole &&= text !== undefined;
    this.#text = text;
    this.#draw();
    if (!isFirst) this.#view.classList.add("flash");
  }

  mount(editor) {
    put(this.#place, editor?.element);
    this.#edit.hidden = editor !== undefined;
  }

  focusEdit() {
    this.#edit.focus();
  }

  #draw() {
    const text = this.#text;
    put(this.#note);
    if (text === undefined) return put(this.#view, h("i", "no value yet"));
    const isCut = text.length > SHOWN && !this.#isWhole;
    const part = isCut ? text.slice(0, SHOWN) : text;
    if (isCut || this.#isRaw || text.length > FORMATTED) put(this.#view, pieces(part), isCut && "…");
    else put(this.#view, h("bdi", laidOut(text).map(({ text: piece, kind }) => (kind === undefined ? piece : h(`span.json-${kind}`, shown(piece))))));
    if (!isCut) return;
    const all = () => {
      this.#isWhole = true;
      this.#draw();
    };
    this.#note.append(`The first ${bytes(SHOWN)} of ${bytes(text.length)}. `, button("all", "Show all", all));
  }

  #toggle({ target }) {
    this.#isRaw = !this.#isRaw;
    target.setAttribute("aria-pressed", this.#isRaw);
    this.#draw();
  }

  #copy() {
    return attempt(async () => {
      if (navigator.clipboard === undefined) throw new Error("A browser lets a page copy only over TLS, or from this machine.");
      await navigator.clipboard.writeText(this.#text ?? "");
      tell("The value is in the clipboard.");
    });
  }
}

/** A long text in blocks, of which the browser lays out only the seen ones. */
function pieces(text) {
  const blocks = [];
  for (let from = 0; from < text.length; ) {
    let to = Math.min(text.length, from + PIECE);
    // A pair of surrogates stays together.
    if (/[\ud800-\udbff]/.test(text[to - 1])) to += 1;
    blocks.push(h("span.piece", shown(text.slice(from, to))));
    from = to;
  }
  return blocks;
}

/** The panel of one channel at a time. */
export class Detail {
  #rac;
  #channels;
  #name;
  #state;
  #listed;
  #fault;
  #histories = new Map();
  /** Edits that are under way, by side and name. */
  #editors = new Map();
  #isReading = false;
  #isDue = false;
  #readAt = 0;
  #drawnRevision;
  #parts;
  #sides = {};
  #rateOf;
  #isOnline;

  constructor(rac, channels, element, { isPaused }) {
    this.#rac = rac;
    this.#channels = channels;
    this.element = element;
    this.isPaused = isPaused;
    channels.subscribe((name, state, channel) => this.#changed(name, state, channel));
    rac.connection.subscribe(({ state }) => {
      this.#isOnline = state === "connected";
      this.#isDue = true;
    });
    setInterval(() => this.#tick(), READING);
    setInterval(() => this.#readBindings(), BINDINGS);
  }

  get name() {
    return this.#name;
  }

  /** Whether a person has typed something that racd does not have. */
  get isEdited() {
    return [...this.#editors.values()].some((editor) => editor.isChanged);
  }

  show(name) {
    if (name === this.#name) return;
    this.#name = name;
    this.#state = this.#listed = this.#fault = this.#rateOf = undefined;
    if (name === undefined) return;
    this.#build();
    this.#isDue = true;
    this.#readAt = 0;
    this.#tick();
    this.#readBindings();
  }

  // MARK: Reading

  #changed(name, state, channel) {
    const history = this.#histories.get(name);
    if (history !== undefined && channel !== undefined) {
      history.add({ revision: state.revision, at: channel.at, by: state.by, raw: state.raw, wish: state.rawWish, state: state.state });
    }
    if (name === this.#name) this.#isDue = true;
  }

  #tick() {
    if (this.#name === undefined) return;
    this.#drawTimes();
    if (this.#isDue && !this.#isReading && !this.isPaused() && this.#isOnline) this.#read();
  }

  /** Asks for the whole state. Changes in between are one reading, however many they are. */
  async #read() {
    const name = this.#name;
    this.#isReading = true;
    this.#isDue = false;
    try {
      const state = await this.#rac.get(name);
      if (name !== this.#name) return;
      this.#state = state;
      this.#fault = undefined;
      this.#history(name).add({ revision: state.revision, at: state.at, by: state.by, raw: state.raw, wish: state.rawWish, state: state.state });
    } catch (error) {
      if (name !== this.#name) return;
      this.#fault = error;
      if (error.code === "no-such-channel") this.#state = undefined;
      if (error.code === "timed-out") this.#isDue = true;
    } finally {
      this.#isReading = false;
    }
    this.#draw();
  }

  #history(name) {
    let history = this.#histories.get(name);
    if (history === undefined) {
      history = new History();
      this.#histories.set(name, history);
      if (this.#histories.size > HISTORIES) this.#histories.delete(this.#histories.keys().next().value);
    }
    return history;
  }

  async #readBindings() {
    const name = this.#name;
    if (name === undefined || !this.#isOnline || this.isPaused() || document.hidden) return;
    try {
      const { channels } = await this.#rac.list({ pattern: name, limit: 1 });
      const { who, more } = await this.#rac.who({ channel: name, limit: 100 });
      if (name !== this.#name) return;
      this.#count(channels[0]);
      this.#drawBindings(who, more);
    } catch (error) {
      if (name === this.#name) this.#drawBindings([], false, error);
    }
  }

  /** The rate of changes, as the daemon counts them. */
  #count(listed) {
    const now = performance.now();
    const former = this.#listed;
    this.#listed = listed && { ...listed, readAt: now };
    if (former !== undefined && listed !== undefined) this.#rateOf = ((listed.changes - former.changes) * 1000) / (now - former.readAt);
    this.#draw();
  }

  // MARK: Building

  #build() {
    const name = this.#name;
    const act = (key, label, work) => button(key, label, () => work(this.#rac, name, { bound: this.#listed?.bound }));
    this.#sides = Object.fromEntries(["value", "wish"].map((side) => [side, new Side(side, { edited: () => this.edit(side) })]));
    const parts = {
      state: h("span.state", { id: "state" }),
      facts: h("dl.facts"),
      error: h("p.error", { id: "channel-error", hidden: true }),
      fault: h("div.fault", { role: "alert", hidden: true }),
      history: h("section.history", { id: "history", "aria-label": "Last changes" }),
      bindings: h("section", { id: "bindings", "aria-label": "Bindings" }),
      complete: act("complete", "Complete…", complete),
      fail: act("fail", "Fail…", fail),
      reopen: act("reopen", "Reopen", reopen),
      remove: act("delete", "Delete…", remove),
    };
    this.#parts = parts;
    const ends = name.startsWith("$") ? [] : [parts.complete, parts.fail, parts.reopen, parts.remove];
    put(this.element, 
      h("header", h("h2", { tabindex: -1 }, shownName(name)), parts.state, h("div.buttons", ends)),
      parts.fault, parts.error, parts.facts, this.#sides.value.element, this.#sides.wish.element, parts.history, parts.bindings);
    for (const side of ["value", "wish"]) this.#sides[side].mount(this.#editors.get(`${side} ${name}`));
    this.#drawnRevision = undefined;
    this.#draw();
  }

  // MARK: Drawing

  #draw() {
    const { state, fault, parts } = { state: this.#state, fault: this.#fault, parts: this.#parts };
    const isThere = state !== undefined;
    parts.fault.hidden = fault === undefined;
    if (fault !== undefined) this.#drawFault(fault);
    const word = isThere ? state.state : fault === undefined ? "reading…" : "";
    setText(parts.state, word);
    parts.state.dataset.state = word;
    const isOwn = this.#name.startsWith("$");
    parts.complete.hidden = parts.fail.hidden = !isThere || state.state !== "open";
    parts.reopen.hidden = !isThere || state.state === "open";
    parts.remove.hidden = !isThere;
    parts.error.hidden = state?.error === undefined;
    if (state?.error !== undefined) {
      const { code, message = "", data } = state.error;
      put(parts.error, h("code", shown(code)), " ", shown(message), data !== undefined && [" ", h("code", shown(JSON.stringify(data)))]);
    }
    const isPaired = state?.mode === "paired";
    const canEdit = isThere && state.state === "open" && !isOwn;
    this.#sides.wish.element.hidden = !isPaired;
    this.#sides.value.element.hidden = !isThere && !this.#editors.has(`value ${this.#name}`);
    this.#sides.value.title(isPaired ? "Value: what is" : "Value");
    this.#sides.wish.title("Wish: what should be");
    if (isThere) {
      this.#sides.value.show(state.raw, { canEdit });
      this.#sides.wish.show(state.rawWish, { canEdit });
      for (const side of ["value", "wish"]) this.#editors.get(`${side} ${this.#name}`)?.present(this.#sideOf(side));
    }
    this.#drawFacts();
    this.#drawHistory();
  }

  #drawFault(error) {
    const isMissing = error.code === "no-such-channel";
    const name = this.#name;
    const make = button("create", "Create it…", () => create(this.#rac, name));
    put(this.#parts.fault, h("p", isMissing ? "There is no channel of this name." : wordsFor(error)), isMissing && make);
  }

  #drawFacts() {
    const state = this.#state;
    if (state === undefined) return put(this.#parts.facts);
    put(this.#parts.facts, facts([
      ["Revision", String(state.wishRevision > state.revision ? state.wishRevision : state.revision)],
      ["Changed", h("span.age", { title: state.at === undefined ? "" : dateAndTime(state.at) }, state.at === undefined ? "" : `${duration(Date.now() - state.at)} ago`)],
      state.by !== undefined && ["Writer", shown(state.by)],
      ["Mode", state.mode],
      ["Size", bytes(new Blob([state.raw ?? ""]).size)],
      this.#listed !== undefined && ["Changes", `${count(this.#listed.changes)}${this.#rateOf > 0 ? `, ${rate(this.#rateOf)} a second` : ""}`],
    ]));
  }

  #drawTimes() {
    const age = this.#parts?.facts.querySelector(".age");
    if (age && this.#state?.at !== undefined) setText(age, `${duration(Date.now() - this.#state.at)} ago`);
  }

  #drawHistory() {
    const history = this.#histories.get(this.#name);
    const newest = history?.changes.at(-1)?.revision;
    if (newest === undefined || newest === this.#drawnRevision) return;
    this.#drawnRevision = newest;
    const { numbers, changes } = history;
    const span = numbers.length < 2 ? 0 : numbers.at(-1).at - numbers[0].at;
    put(this.#parts.history, 
      h("h3", "Last changes", h("small", changes.length < 2 ? " since this page shows it" : ` ${count(changes.length)} in ${duration(changes.at(-1).at - changes[0].at)}`)),
      span > 0 && sparkline(numbers, { label: "The last values" }),
      changeTable(history));
  }

  #drawBindings(who, more, error) {
    const title = h("h3", "Bindings", h("small", ` ${error === undefined ? `${who.length}${more ? " and more" : ""}` : ""}`));
    if (error !== undefined) {
      const words = error.code === "no-such-channel" ? "Nobody is bound." : wordsFor(error);
      return put(this.#parts.bindings, title, h("p.hint", words));
    }
    const rows = who.map((one) => [
      ["number", one.connection],
      shown(joined(one.name, one.agent) || "–"),
      shown(one.principal ?? one.peer ?? ""),
      one.role,
      joined(one.interval && `each ${one.interval} ms`, one.conflate === false && "every value"),
      ["slow", one.slow && "slow"],
    ]);
    const list = table("Table of bindings", ["Connection", "Client", "From", "Side", "Gets", ""], rows);
    put(this.#parts.bindings, title, who.length === 0 ? h("p.hint", "Nobody is bound.") : list);
  }

  // MARK: Editing

  /** What a side has: in a paired channel each has a revision of its own. */
  #sideOf(side) {
    const { raw: value, revision, rawWish: wish, wishRevision = 0 } = this.#state;
    return side === "value" ? { text: value, revision } : { text: wish, revision: wishRevision };
  }

  /** Opens the editor of a side: by default the one that a person writes to. */
  edit(side = this.#state?.mode === "paired" ? "wish" : "value") {
    const state = this.#state;
    if (state === undefined || state.state !== "open" || this.#name.startsWith("$")) return;
    const [name, key] = [this.#name, `${side} ${this.#name}`];
    if (this.#editors.has(key)) return this.#editors.get(key).focus();
    const role = state.mode === "paired" && side === "value" ? "leading" : "following";
    const editor = new Editor({
      side,
      base: this.#sideOf(side),
      isOnline: () => this.#isOnline,
      connected: () => this.#connected(),
      send: (text, condition) => this.#rac.set(name, raw(text), { if: condition, role }),
      closed: (sent) => this.#closed(name, side, sent),
    });
    this.#editors.set(key, editor);
    this.#sides[side].mount(editor);
    editor.focus();
  }

  #closed(name, side, sent) {
    this.#editors.delete(`${side} ${name}`);
    if (name !== this.#name) return sent && tell(`${name} is set.`);
    this.#sides[side].mount(undefined);
    this.#isDue = true;
    this.#draw();
    this.#sides[side].focusEdit();
  }

  #connected() {
    return new Promise((resolve) => {
      const stop = this.#rac.connection.subscribe(({ state }) => {
        if (state !== "connected") return;
        resolve();
        queueMicrotask(() => stop());
      });
    });
  }
}
