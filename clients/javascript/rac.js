/**
 * A client of racd in JavaScript, for browsers, Node and Deno; it needs no other package.
 *
 *     import { connect, bindInput } from "/rac.js";
 *     const rac = connect();
 *     const volume = rac.property("room/volume");
 *     volume.subscribe((value) => (meter.value = value));
 *     volume.value = 11;
 *
 * README.md beside this file shows the rest; rac.d.ts has the types.
 */

import { Command } from "./rac/commands.js";
import { Engine } from "./rac/engine.js";
import { optionsOf } from "./rac/errors.js";
import { Hosting } from "./rac/hosting.js";
import { Cell } from "./rac/cells.js";
import { Link } from "./rac/links.js";
import { PairedTerminal, Property } from "./rac/terminals.js";
import { encode, textOf } from "./rac/values.js";
import { ChannelState, Watch } from "./rac/watches.js";
import { webSocket } from "./rac/websocket.js";

export { RacError } from "./rac/errors.js";
export { bindInput } from "./rac/fields.js";
export { raw } from "./rac/values.js";

/**
 * Connects to a daemon, and again whenever the connection is lost.
 *
 * @param {string} [url] The daemon's address, such as `wss://lab:7220/rac` or `https://lab:7220`; by default that of this page.
 * @param {import("./rac.d.ts").Options} [options]
 * @returns {Rac}
 */
export function connect(url, options) {
  const { transport = webSocket } = optionsOf("connect", options, "agent", "name", "replyTimeout", "session", "token", "transport");
  return new Rac(new Engine(transport.address?.(url) ?? url, { ...options, transport }));
}

/** A client: everything that a program does with its daemon. */
class Rac {
  #engine;

  constructor(engine) {
    this.#engine = engine;
    /** How the connection is: `state` is `connecting`, `connected`, `lost` or `closed`. */
    this.connection = engine.connection;
    /** Errors that no call takes, such as a refused assignment. Without a subscriber the console has them. */
    this.problems = engine.problems;
  }

  // MARK: Channels that are followed

  /** A shared channel as a property. Two objects of one channel get each other's values. */
  property(name, options) {
    return new Property(this.#engine, name, options);
  }

  /** One side of a paired channel: `leading` is the device, `following` are the people. */
  paired(name, role, options) {
    return new PairedTerminal(this.#engine, name, { ...options, role });
  }

  /** Watches each channel that matches a pattern: `changed`, `synced` and `error` of the listener are called. */
  watch(pattern, listener, options) {
    return new Watch(this.#engine, pattern, listener, options);
  }

  /** Binds two shared channels to each other, with a map of values for each direction if they differ. */
  link(left, right, maps) {
    return new Link(this.#engine, left, right, maps);
  }

  // MARK: Requests

  /** Everything about one channel. */
  async get(channel) {
    return new ChannelState(channel, await this.#ask({ op: "get", channel }, {}, true));
  }

  /** Sets a channel's value, and returns the revision of the change. */
  async set(channel, value, options) {
    const { if: condition, role, sync } = optionsOf("set", options, "if", "role", "sync");
    const fields = { op: "set", channel, role, if: condition, sync };
    const reply = await this.#ask(fields, { value: textOf(value).raw }, condition !== undefined);
    return reply.fields.rev;
  }

  /** Sets several channels, all or none: entries have `channel`, `value` and `if`. Returns the revisions. */
  async put(entries, options) {
    const { sync } = optionsOf("put", options, "sync");
    const texts = entries.map((entry) => {
      const { channel, value, if: condition } = optionsOf("an entry of put", entry, "channel", "if", "value");
      return encode({ channel, if: condition }, { value: value === undefined ? undefined : textOf(value).raw });
    });
    const isRepeatable = entries.every((entry) => entry.if !== undefined);
    const reply = await this.#ask({ op: "put", sync }, { set: `[${texts.join()}]` }, isRepeatable);
    return reply.fields.revs;
  }

  /** Makes a channel: `mode` is `shared` or `paired`. Returns the revision. */
  async create(channel, options) {
    const { mode, value, sync } = optionsOf("create", options, "mode", "sync", "value");
    const texts = { value: value === undefined ? undefined : textOf(value).raw };
    return (await this.#ask({ op: "create", channel, mode, sync }, texts)).fields.rev;
  }

  /** Ends a channel: with completion, or with an `error`, which may be a text by `raw`. Returns the revision. */
  async finish(channel, options) {
    const { error, sync } = optionsOf("finish", options, "error", "sync");
    const texts = { error: error === undefined ? undefined : textOf(error).raw };
    return (await this.#ask({ op: "finish", channel, sync }, texts)).fields.rev;
  }

  /** Makes an ended channel live again. Returns the revision. */
  async reopen(channel, options) {
    const { sync } = optionsOf("reopen", options, "sync");
    return (await this.#ask({ op: "reopen", channel, sync })).fields.rev;
  }

  /** Completes a channel for everybody, and forgets it. Returns the revision. */
  async delete(channel, options) {
    const { sync } = optionsOf("delete", options, "sync");
    return (await this.#ask({ op: "delete", channel, sync })).fields.rev;
  }

  /** A page of channels in the order of their names: `channels`, and whether there are `more`. */
  async list(page) {
    const { pattern, after, limit } = optionsOf("list", page, "after", "limit", "pattern");
    const { channels, more } = (await this.#ask({ op: "list", pattern, after, limit }, {}, true)).fields;
    return { channels, more };
  }

  /** The bindings of a channel, or without one all connections: `who`, and whether there are `more`. */
  async who(page) {
    const { channel, after, limit } = optionsOf("who", page, "after", "channel", "limit");
    const { who, more } = (await this.#ask({ op: "who", channel, after, limit }, {}, true)).fields;
    return { who, more };
  }

  // MARK: Commands

  /** A command by its name. */
  command(name) {
    return Command.named(this.#engine, name);
  }

  /** Hosts a command. The work is a function of an input, or a generator whose values the caller gets. */
  host(name, work, options) {
    return new Hosting(this.#engine, Cell.make(false, this.#engine.problem), name, work, options);
  }

  /** A page of commands in the order of their names: `commands`, and whether there are `more`. */
  async commands(page) {
    const { pattern, after, limit } = optionsOf("commands", page, "after", "limit", "pattern");
    const { commands, more } = (await this.#ask({ op: "commands", pattern, after, limit }, {}, true)).fields;
    return { commands, more };
  }

  /** Makes a command that nobody hosts one that was never hosted. */
  async forget(command) {
    await this.#ask({ op: "forget", command });
  }

  // MARK: The connection

  /** Connects at once, or asks whether the connection still stands. A page does that when its tab is shown again. */
  wake() {
    this.#engine.wake();
  }

  /** Gives open work a second, says goodbye, and ends every object of this client. No will is applied. */
  close() {
    return this.#engine.close();
  }

  #ask(fields, texts = {}, isRepeatable = false) {
    return new Promise((resolve, reject) => {
      this.#engine.request(fields, texts, isRepeatable, (error, reply) => (error === undefined ? resolve(reply) : reject(error)));
    });
  }
}
