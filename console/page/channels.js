// Every channel of the daemon as the watches report it.

import { cut } from "./history.js";
import { Names, below } from "./names.js";

/** The most characters of a value that the page keeps for a row. */
const PREVIEW = 400;
/** A tree with more channels begins with its branches closed. */
const SMALL = 200;

/** The beginning of a text in one line. A line break in JSON is white space. */
const line = (text) => cut(text, PREVIEW)?.replace(/\s*[\r\n]\s*/g, " ");

const brief = ({ revision, state, error, by, raw, rawWish }) => ({ revision, state, error, by, size: raw?.length ?? 0, preview: line(raw), wish: line(rawWish) });

/** The newest state of one channel, and the page's own account of it. */
class Channel {
  /** The time of the newest change: by the daemon's clock from `get`, else by that of the page. */
  at;
  #changes = 0;
  #measured = { at: 0, changes: 0, rate: 0 };

  update(state) {
    Object.assign(this, brief(state));
  }

  /** A change is reported as it happens, or it was missed, and the daemon knows when it was. */
  count(isLive) {
    if (isLive) this.#changes += 1;
    this.at = isLive ? Date.now() : undefined;
  }

  /** Changes a second, over the last second or more. */
  rate(now) {
    const { at, changes, rate } = this.#measured;
    const time = now - at;
    if (time < 1000) return rate;
    // Nobody has looked at the row for a while.
    const isOld = at === 0 || time > 5000;
    this.#measured = { at: now, changes: this.#changes, rate: isOld ? 0 : ((this.#changes - changes) * 1000) / time };
    return this.#measured.rate;
  }
}

/** Watches all channels of a daemon, its own ones too. */
export class Channels {
  names = new Names();
  isSynced = false;
  isOwnSynced = false;
  /** Why the daemon does not list its channels. */
  problem;
  /** While the display is held: the channels that have changed since, as they were. */
  #held;
  /** While the display is held: the state of the channel that the page shows. */
  #shown;
  #listeners = new Set();

  /** The function hears that the present names are known: once of the daemon's own ones, and once of the others. */
  constructor(rac, synced) {
    const watch = (pattern, listener) => {
      const changed = (state) => this.#changed(state, watched.isSynced);
      const watched = rac.watch(pattern, { changed, ...listener }, { keep: false });
    };
    watch("**", { error: (problem) => (this.problem = problem), synced: () => this.#synced(synced) });
    watch(below("$sys"), {
      synced: () => {
        if (this.isOwnSynced) return;
        this.isOwnSynced = true;
        synced();
      },
    });
  }

  /** The number of channels without those of the daemon. */
  get count() {
    const { count, children } = this.names.root;
    return count - (children.get("$sys")?.count ?? 0);
  }

  /** Calls a listener with each change: the name, the state as the watch reported it, and the channel unless it is deleted. */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get(name) {
    return this.names.get(name)?.entry;
  }

  /** The parts of a channel that a row shows. */
  shown(channel) {
    return this.#held?.get(channel) ?? channel;
  }

  /** Holds what the rows show from now on, and one channel as a given state has it, or lets go of it. */
  hold(isHeld, state) {
    this.#held = isHeld ? new Map() : undefined;
    this.holdAt(state);
  }

  /** Holds the row of the shown channel at the shown state, while the display is held. */
  holdAt(state) {
    this.#shown = state;
    const channel = state && this.get(state.name);
    if (channel !== undefined) this.#hold(channel, state.name);
  }

  /** Holds a channel: the shown one as the page shows it, so that the two agree, and another one as it is. */
  #hold(channel, name) {
    this.#held?.set(channel, name === this.#shown?.name ? { ...brief(this.#shown), at: this.#shown.at } : { ...channel });
  }

  #changed(state, isLive) {
    const { name } = state;
    let channel = this.get(name);
    if (state.state === "deleted") {
      this.names.remove(name);
      channel = undefined;
    } else {
      if (channel === undefined) this.names.add(name, (channel = new Channel()));
      if (this.#held?.has(channel) === false) this.#hold(channel, name);
      channel.update(state);
      channel.count(isLive);
    }
    for (const listener of this.#listeners) listener(name, state, channel);
  }

  #synced(tell) {
    const isFirst = !this.isSynced;
    if (isFirst && this.count <= SMALL) {
      this.names.openBranches();
      this.names.toggle({ name: "$sys" }, false);
    }
    this.isSynced = true;
    this.names.version += 1;
    if (isFirst) tell();
  }
}
