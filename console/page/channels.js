// Every channel of the daemon as the watches tell it.

import { Names } from "./names.js";

/** The most characters of a value that the page keeps for a row. */
const PREVIEW = 400;

/** The newest state of one channel, and the page's own account of it. */
class Channel {
  /** The time of the newest change: by the daemon's clock from `get`, else by that of the page. */
  at;
  /** Changes since the page has known the channel. */
  changes = 0;
  #rateFrom = 0;
  #rateChanges = 0;
  #rate = 0;

  update({ revision, state, error, by, raw, rawWish }) {
    this.revision = revision;
    this.state = state;
    this.error = error;
    this.by = by;
    this.size = raw?.length ?? 0;
    this.preview = cut(raw);
    this.wish = cut(rawWish);
  }

  /** Changes a second, over the last second or more. */
  rate(now) {
    const time = now - this.#rateFrom;
    if (time < 1000) return this.#rate;
    this.#rate = this.#rateFrom === 0 || time > 5000 ? 0 : ((this.changes - this.#rateChanges) * 1000) / time;
    this.#rateFrom = now;
    this.#rateChanges = this.changes;
    return this.#rate;
  }
}

/** A copy of the beginning, because a slice would keep the whole text. */
function cut(text) {
  if (text === undefined || text.length <= PREVIEW) return text;
  return `${[...text.slice(0, PREVIEW)].join("")}…`;
}

/** Watches all channels of a daemon, its own ones too. */
export class Channels {
  names = new Names();
  #listeners = new Set();
  #isSynced = false;

  constructor(rac) {
    rac.watch("**", { changed: (state) => this.#changed(state), synced: () => this.#synced(), error: this.#fail }, { keep: false });
    rac.watch("$sys/**", { changed: (state) => this.#changed(state), error: this.#fail }, { keep: false });
    this.problem = undefined;
  }

  get isSynced() {
    return this.#isSynced;
  }

  /** The number of channels without those of the daemon. */
  get count() {
    const system = this.names.root.children?.get("$sys");
    return this.names.root.count - (system?.count ?? 0);
  }

  /** Calls a listener with each change: the name, the state as the watch told it, and the channel unless it is deleted. */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get(name) {
    return this.names.get(name)?.entry;
  }

  #changed(state) {
    const { name } = state;
    if (state.state === "deleted") {
      this.names.remove(name);
      return this.#tell(name, state, undefined);
    }
    let channel = this.get(name);
    const isNew = channel === undefined;
    if (isNew) this.names.add(name, (channel = new Channel()));
    channel.update(state);
    if (!isNew || this.#isSynced) {
      channel.changes += 1;
      channel.at = Date.now();
    }
    this.#tell(name, state, channel);
  }

  #synced() {
    // A small daemon is seen at a glance; a large one by its branches.
    if (!this.#isSynced && this.count <= 200) {
      this.names.opensBranches = true;
      this.names.toggle({ name: "$sys" }, false);
    }
    this.#isSynced = true;
    this.names.version += 1;
  }

  #fail = (error) => {
    this.problem = error;
    this.names.version += 1;
  };

  #tell(...change) {
    for (const listener of this.#listeners) listener(...change);
  }
}
