// The state of every channel that matches a pattern: protocol.md, "Watches".

import { Listeners } from "./cells.js";
import { RacError, optionsOf } from "./errors.js";
import { freeze } from "./values.js";

/** The state of a channel, as a watch or `get` reports it. */
export class ChannelState {
  #text;
  #wish;
  #error;

  constructor(name, message) {
    const { rev: revision, state, mode, error, cause, value, wish, wishRev: wishRevision, at, by } = message.fields;
    Object.assign(this, { name, revision, state, mode, error, cause, value, wish, wishRevision, at, by });
    this.#text = message.text("value");
    this.#wish = message.text("wish");
    this.#error = message.text("error");
  }

  get raw() {
    return this.#text?.raw;
  }

  get rawWish() {
    return this.#wish?.raw;
  }

  get rawError() {
    return this.#error?.raw;
  }
}

/** The newest report of a channel. In another epoch of the daemon the same revision may be another value. */
class Known {
  #epoch;
  #revision;
  /** The state, if the watch keeps it. */
  #state;

  constructor(epoch, told, keeps) {
    this.#epoch = epoch;
    this.#revision = told.revision;
    this.#state = keeps ? told : undefined;
  }

  /** Whether a report has nothing new. */
  isSame(epoch, told) {
    if (told.revision !== this.#revision || epoch === this.#epoch) return told.revision === this.#revision;
    const known = this.#state;
    return known?.state === told.state && known.raw === told.raw && known.rawWish === told.rawWish;
  }
}

/** A pattern that is watched over connections, for every watch of this program. */
class WatchedPattern {
  #engine;
  #listeners;
  #number;
  /** Whether the daemon has been asked for a number, and has not answered. */
  #isAsking = false;
  /** The names that the daemon has reported since the watch began anew. */
  #told;
  #end;
  #known = new Map();
  isSynced = false;
  isSettled = true;
  channels = new Map();

  constructor(engine, pattern, keeps) {
    this.#engine = engine;
    this.#listeners = new Listeners(engine.problem);
    this.pattern = pattern;
    this.keeps = keeps;
  }

  add(listener) {
    const tell = (event, detail) => listener[event]?.(detail);
    const remove = this.#listeners.add(tell);
    for (const state of this.channels.values()) this.#listeners.call(tell, "changed", state);
    if (this.isSynced) this.#listeners.call(tell, "synced");
    if (this.#end !== undefined) this.#listeners.call(tell, "error", this.#end);
    return () => {
      if (remove() && this.#listeners.isEmpty) this.#leave();
    };
  }

  connected() {
    this.#told = new Set();
    this.isSynced = false;
    this.#isAsking = true;
    this.#engine.ask({ op: "watch", pattern: this.pattern }, {}, (error, reply) => {
      this.#isAsking = false;
      if (error !== undefined) return this.gone(error);
      this.#number = reply.fields.w;
      this.#engine.watches.set(this.#number, this);
      if (this.#listeners.isEmpty) this.#leave();
    });
  }

  lost() {
    this.#isAsking = false;
    this.#number = undefined;
    if (this.#listeners.isEmpty) this.#leave();
  }

  gone(error) {
    this.#end = error;
    this.#remove();
    this.#listeners.tell("error", error);
  }

  heard(message) {
    const { op, channel, state } = message.fields;
    if (op === "synced") return this.#synced();
    const known = this.#known.get(channel);
    const { epoch } = this.#engine;
    // Every listener gets this one.
    const told = freeze(new ChannelState(channel, message));
    this.#told?.add(channel);
    if (state === "deleted") this.#forget(channel);
    else this.#remember(told);
    if (known === undefined ? state !== "deleted" : !known.isSame(epoch, told)) this.#listeners.tell("changed", told);
  }

  #remember(told) {
    this.#known.set(told.name, new Known(this.#engine.epoch, told, this.keeps));
    if (this.keeps) this.channels.set(told.name, told);
  }

  #forget(name) {
    this.#known.delete(name);
    this.channels.delete(name);
  }

  /** A channel that was known before the connection was lost, and is not reported again, was deleted meanwhile. */
  #synced() {
    for (const name of this.#known.keys()) {
      if (this.#told.has(name)) continue;
      this.#forget(name);
      this.#listeners.tell("changed", new ChannelState(name, new Deletion()));
    }
    this.#told = undefined;
    this.isSynced = true;
    this.#listeners.tell("synced");
  }

  #remove() {
    const { watchedPatterns } = this.#engine;
    // Behind a refusal the pattern may be that of a later watch.
    if (watchedPatterns.get(this.pattern) === this) watchedPatterns.delete(this.pattern);
    this.#engine.remove(this);
  }

  /** Nobody listens. A pattern whose number is not known yet is watched until it is, and perhaps by a new listener. */
  #leave() {
    if (this.#isAsking) return;
    this.#remove();
    if (this.#number === undefined) return;
    this.#engine.watches.delete(this.#number);
    this.#engine.ask({ op: "unwatch", w: this.#number });
  }
}

/** The message that a daemon does not send of a channel which was deleted while it was out of reach. */
class Deletion {
  fields = { state: "deleted" };

  text() {
    return undefined;
  }
}

/** A watch of a program. */
export class Watch {
  #pattern;
  #remove;

  constructor(engine, pattern, listener, options) {
    const { keep = true } = optionsOf("watch", options, "keep");
    let watched = engine.watchedPatterns.get(pattern);
    const isNew = watched === undefined;
    if (!isNew && !(keep && watched.keeps)) {
      throw new RacError("already-bound", `this program watches ${pattern} already, and not each watch keeps the states`);
    }
    if (isNew) {
      watched = new WatchedPattern(engine, pattern, keep);
      engine.watchedPatterns.set(pattern, watched);
    }
    this.#pattern = watched;
    this.#remove = watched.add(listener);
    if (isNew) engine.add(watched);
  }

  /** The known state of each channel by its name. */
  get channels() {
    return this.#pattern.channels;
  }

  /** Whether the present state of each channel has been reported. */
  get isSynced() {
    return this.#pattern.isSynced;
  }

  /** Ends the watch; the channels stay as they are. */
  stop() {
    this.#remove();
  }
}
