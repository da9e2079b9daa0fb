// Two channels that have the same value: protocol.md, "Links".

import { FIRST } from "./agreement.js";
import { Binding } from "./binding.js";
import { RacError, optionsOf } from "./errors.js";
import { textOf } from "./values.js";

/** The pause before a value goes out again that the daemon could not store; each further pause is twice as long. */
const FIRST_PAUSE = 1_000;
const LONGEST_PAUSE = 30_000;

/** Two channels bound to each other. It lasts until it is undone, the client is closed, or one channel ends. */
export class Link {
  #sides;
  #finish;
  /** The end of one channel, until the daemon has reported the other one's state. */
  #pending;

  constructor(engine, left, right, maps) {
    const { forward, backward } = optionsOf("link", maps, "backward", "forward");
    if (left === right) throw new RacError("bad-name", `${left} cannot be linked to itself`);
    /** Resolves with the end: `completed`, `error` of the channels, or a refusal to bind; undefined if the link was undone. */
    this.ended = new Promise((resolve) => (this.#finish = resolve));
    const sides = [new Side(engine, this, left, forward), new Side(engine, this, right, backward)];
    this.#sides = sides;
    [sides[0].other, sides[1].other] = [sides[1], sides[0]];
    try {
      for (const side of sides) side.attach();
    } catch (error) {
      this.unlink();
      throw error;
    }
    for (const side of sides) side.passNewest();
  }

  /** Undoes the link; both channels stay as they are. */
  unlink() {
    this.over(undefined);
  }

  /** A channel ended: the other one ends with it. A refused bind ends the link alone. */
  sideEnded(side, end) {
    if (this.#sides === undefined) return;
    if (end.op === "refused" || this.#pending !== undefined) return this.over(this.#pending ?? end);
    if (!side.other.isReported) return void (this.#pending = end);
    side.other.finish(end);
    this.over(end);
  }

  sideReported(side) {
    if (this.#pending === undefined || this.#sides === undefined) return;
    side.finish(this.#pending);
    this.over(this.#pending);
  }

  over(end) {
    const sides = this.#sides;
    this.#sides = undefined;
    for (const side of sides ?? []) side.detach();
    this.#finish(end);
  }
}

/** One side of a link: passes the changes of its channel on to the other side, under their roots. */
class Side {
  #engine;
  #link;
  #name;
  #map;
  #binding;
  #view;
  /** The channel's value; its root is 0 while it is a write of this program without an answer. */
  #newest;
  #mapped;
  #retry;
  #pause = FIRST_PAUSE;
  isReported = false;
  other;

  constructor(engine, link, name, map) {
    this.#engine = engine;
    this.#link = link;
    this.#name = name;
    this.#map = map === undefined ? (text) => text : (text) => textOf(map(text.value));
    this.#view = {
      show: (text, _, root) => this.#show(text, root ?? 0),
      stands: (_, root) => this.#stand(root),
      forgetRoots: () => this.#forgetRoots(),
      reported: () => this.#report(),
      live: () => {},
      refused: (error) => this.#refused(error),
      missed: () => false,
      ended: (end) => this.#link.sideEnded(this, end),
    };
  }

  attach() {
    this.#binding = Binding.of(this.#engine, this.#name, "shared");
    const { text, root } = this.#binding.shown;
    if (text !== undefined) this.#newest = { text, root };
    this.#binding.add(this.#view);
  }

  detach() {
    const binding = this.#binding;
    this.#binding = undefined;
    clearTimeout(this.#retry);
    binding?.remove(this.#view);
  }

  finish(end) {
    try {
      this.#binding?.finish(end.error?.wire);
    } catch {
      // That channel has ended by itself.
    }
  }

  passNewest() {
    if (this.#newest !== undefined && this.#newest.root > 0) this.#pass(this.#newest.text, this.#newest.root);
  }

  #show(text, root) {
    // Maps that do not undo each other would answer each other for ever.
    if (root > 0 && this.#newest?.root === root && text.equals(this.#newest.text)) return;
    this.#newest = { text, root };
    this.#pause = FIRST_PAUSE;
    this.passNewest();
  }

  /** An equal text of a newer change goes on, too: a change between the two must not win elsewhere. */
  #stand(root) {
    if (this.#newest === undefined || this.#newest.root >= root) return;
    this.#newest.root = root;
    this.passNewest();
  }

  /** In another epoch the value gives way to each one of the daemon, and goes where there is none. */
  #forgetRoots() {
    for (const known of [this.#newest, this.#mapped]) if (known?.root > 0) known.root = FIRST;
  }

  #report() {
    this.isReported = true;
    this.#link.sideReported(this);
    if (this.#binding === undefined) return;
    this.passNewest();
    this.other.passNewest();
  }

  #pass(text, root) {
    if (this.#binding === undefined || this.other.#binding === undefined) return;
    const made = this.#made(text, root);
    if (made !== undefined) this.other.#write(made, root);
  }

  /** Maps a change once, however often it is passed on. */
  #made(text, root) {
    if (this.#mapped?.root === root && text.equals(this.#mapped.text)) return this.#mapped.made;
    let made;
    try {
      made = this.#map(text);
    } catch (error) {
      this.#engine.problem(error);
    }
    this.#mapped = { text, root, made };
    return made;
  }

  #write(text, cause) {
    try {
      if (this.#binding.write(text, { cause }, this.#view)) {
        this.#newest = { text, root: cause };
        return;
      }
    } catch (error) {
      return this.#engine.problem(error);
    }
    const { shown } = this.#binding;
    if (shown.root !== cause || !text.equals(shown.text)) this.#show(shown.text, shown.root);
  }

  /** The disk may recover long before the next change; until then the two channels would differ. */
  #refused(error) {
    if (error.code === "storage" && this.#binding !== undefined) this.other.#passLater();
    return false;
  }

  #passLater() {
    if (this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.passNewest();
    }, this.#pause);
    this.#pause = Math.min(this.#pause * 2, LONGEST_PAUSE);
  }
}
