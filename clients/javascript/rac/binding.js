// The shell around the agreement machine: one terminal of a channel, for every view of it in this program.

import { Agreement } from "./agreement.js";
import { RacError, asError, optionsOf } from "./errors.js";
import { encode, textOf } from "./values.js";

/**
 * A terminal over connections. It stays while a view uses it or a write waits for its answer.
 *
 * A view is an object with the methods `show`, `stands`, `forgetRoots`, `reported`, `live`, `refused`, `missed` and
 * `ended`.
 */
export class Binding {
  #engine;
  #key;
  #channel;
  #mode;
  #machine;
  #views = new Set();
  #orders = [];
  #isObeying = false;
  #isLive = false;
  /** The promises of writes by their numbers, in order. */
  #writers = new Map();
  #settling = new Set();
  #end;
  #successor;
  /** The epoch of the newest bind. */
  #epoch;

  /** The binding of a terminal: the present one, or a new one. */
  static of(engine, channel, mode, options = {}) {
    optionsOf("a binding", options, "conflate", "default", "interval", "replay", "role", "will");
    const role = options.role ?? "following";
    if (role !== "leading" && role !== "following") throw new TypeError(`a role is leading or following, not ${role}`);
    const key = `${role} ${channel}`;
    const known = engine.bindings.get(key)?.newest;
    if (known !== undefined && known.#end === undefined) return known.#join(mode, options);
    const binding = new Binding(engine, key, channel, mode, { ...options, role });
    if (known !== undefined) known.#successor = binding;
    else binding.#start();
    return binding;
  }

  constructor(engine, key, channel, mode, options) {
    this.#engine = engine;
    this.#key = key;
    this.#channel = channel;
    this.#mode = mode;
    this.#machine = new Agreement(mode);
    this.options = options;
    this.message = bindMessage(channel, mode, options);
  }

  /** An ended binding whose sends have no answer yet is followed by the one that waits for those answers. */
  get newest() {
    return this.#successor === undefined ? this : this.#successor.newest;
  }

  #join(mode, options) {
    const wishes = JSON.stringify(bindMessage(this.#channel, mode, { ...options, role: this.options.role }));
    const isPlain = Object.keys(options).every((key) => key === "role");
    if (mode !== this.#mode || (!isPlain && wishes !== JSON.stringify(this.message))) {
      throw new RacError("already-bound", `this program has bound ${this.#channel} with other options`);
    }
    return this;
  }

  #start() {
    const numbering = this.#engine.takeNumbering(this.#key);
    if (numbering !== undefined) this.#machine.adopt(numbering);
    this.#engine.bindings.set(this.#key, this);
    this.#engine.add(this);
  }

  // MARK: Views

  add(view) {
    this.#views.add(view);
    view.live(this.#isLive);
    if (this.#machine.isReported) view.reported();
    if (this.#end !== undefined) view.ended(this.#end);
  }

  remove(view) {
    if (this.#views.delete(view)) this.#leaveIfUnused();
  }

  /** The shown text with its revision and root. */
  get shown() {
    return this.#machine.shown;
  }

  /**
   * Writes a value, which the writing view shows already.
   *
   * @param {{ resolve: (revision: number) => void, reject: (error: Error) => void }} [writer] Takes the answer.
   * @returns {boolean} Whether the write may change something.
   */
  write(text, options, view, writer) {
    const { write, refusal, orders } = this.#machine.write(text, options);
    if (refusal === "late") return false;
    this.#check(refusal);
    if (writer !== undefined) this.#writers.set(write, writer);
    const isShared = this.#mode === "shared";
    this.#obey(isShared ? [{ order: "share", text, root: options?.cause, view }, ...orders] : orders);
    return true;
  }

  /** Ends the channel for everybody. */
  finish(error, options, writer) {
    const { write, refusal, orders } = this.#machine.finish(error, options);
    this.#check(refusal);
    if (writer !== undefined) this.#writers.set(write, writer);
    this.#obey(orders);
  }

  #check(refusal) {
    if (refusal === "terminated") throw this.#failure;
    if (refusal === "limit") throw new RacError("limit", `too many writes to ${this.#channel} wait for racd`);
  }

  /** The error of a call behind the end. */
  get #failure() {
    const isRefusal = this.#end?.op === "refused";
    return isRefusal ? this.#end.error : new RacError("terminated", `${this.#channel} has ended`);
  }

  /** Waits until every write until now has its answer; fails if one was refused. */
  settled() {
    return new Promise((resolve, reject) => {
      this.#settling.add({ until: this.#machine.newestWrite, resolve, reject });
      this.#tellSettled();
    });
  }

  // MARK: The connection

  get isSettled() {
    return this.#machine.isSettled;
  }

  connected() {
    const [fields, texts] = this.message;
    const { epoch } = this.#engine;
    if (epoch !== this.#epoch) this.#tell("forgetRoots");
    this.#epoch = epoch;
    const { since, was, initial } = this.#machine.bind(epoch, texts.default);
    if (this.#mode === "paired") {
      // Binding alone would create a shared channel. The daemon refuses this if the channel exists.
      this.#engine.ask({ op: "create", channel: this.#channel, mode: "paired" });
    }
    this.#engine.ask({ ...fields, since, was }, { ...texts, default: initial }, (error, reply) => {
      if (error === undefined) this.#bound(reply);
      else this.#obey(this.#machine.bindRefused(error));
    });
  }

  #bound(reply) {
    const { t, was, rev, state, mode, n, sent, cause } = reply.fields;
    const before = this.#machine.numbering.terminal;
    // Everything without an answer goes out again into the new terminal.
    if (before !== t) this.#unlist(before);
    this.#engine.terminals.set(t, this);
    const text = reply.text("value");
    const orders = this.#machine.bound({ terminal: t, was, revision: rev, state, mode, number: n, sent, text, cause });
    this.#becomeLive(this.#machine.state === "bound");
    this.#obey([...orders, { order: "reported" }]);
  }

  #unlist(t) {
    if (this.#engine.terminals.get(t) === this) this.#engine.terminals.delete(t);
  }

  lost() {
    this.#becomeLive(false);
    this.#obey(this.#machine.lost());
  }

  gone(error) {
    this.#becomeLive(false);
    this.#obey(this.#machine.close(error));
  }

  #becomeLive(isLive) {
    this.#isLive = isLive;
    this.#tell("live", isLive);
  }

  #tell(event, ...details) {
    for (const view of [...this.#views]) view[event](...details);
  }

  /** A `next`, or an end. */
  heard(message) {
    const { op, rev, cause, deleted } = message.fields;
    if (op === "next") return this.#obey(this.#machine.arrived(message.text("value"), rev, cause));
    const error = op === "error" ? RacError.of(message) : undefined;
    this.#obey(this.#machine.ended({ op, revision: rev, error, deleted }));
  }

  /** An `ack` or a `nak`. */
  answered(message) {
    const { op, n, rev, cause } = message.fields;
    const text = message.text("value");
    if (op === "ack") return this.#obey(this.#machine.acknowledged(n, rev, text, cause));
    this.#obey(this.#machine.refused(n, RacError.of(message), { revision: rev, text, cause }));
  }

  // MARK: Orders

  /** Obeys in order, also the orders that come from a view during a call. */
  #obey(orders) {
    this.#orders.push(...orders);
    if (this.#isObeying) return;
    this.#isObeying = true;
    for (let order = this.#orders.shift(); order !== undefined; order = this.#orders.shift()) this.#carryOut(order);
    this.#isObeying = false;
    this.#tellSettled();
    this.#leaveIfUnused();
  }

  #carryOut(order) {
    switch (order.order) {
      case "send":
        return this.#send(order);
      case "share":
        for (const view of [...this.#views]) if (view !== order.view) view.show(order.text, 0, order.root);
        return;
      case "show":
        return this.#tell("show", order.text, order.revision, order.root);
      case "stands":
        return this.#tell("stands", order.revision, order.root);
      case "reported":
        return this.#tell("reported");
      case "applied":
        for (const { resolve } of this.#takeWriters(order)) resolve(order.revision);
        return;
      case "failed":
        return this.#fail(order);
      case "missed":
        return this.#tell("missed", order.error);
      case "get":
        return this.#engine.ask({ op: "get", channel: this.#channel }, {}, (error, reply) => {
          this.#obey(this.#machine.got(reply?.text("value"), reply?.fields.rev, reply?.fields.cause));
        });
      case "bind":
        this.#becomeLive(false);
        return this.connected();
      case "unbind":
        return this.#engine.ask({ op: "unbind", t: order.terminal });
      case "end":
        return this.#finish(order.how);
    }
  }

  #send({ fields, text }) {
    try {
      this.#engine.say(fields, { value: text?.raw });
    } catch (error) {
      this.#obey(this.#machine.tooLong(fields.n, error));
    }
  }

  /** Takes the promises of the writes of an answer; assignments have none. */
  #takeWriters({ first, last }) {
    const taken = [];
    for (const [write, writer] of this.#writers) {
      if (write > last) break;
      if (write < first) continue;
      this.#writers.delete(write);
      taken.push(writer);
    }
    return taken;
  }

  #fail({ first, last, error }) {
    const reason = this.#named(error);
    for (const waiter of this.#settling) if (waiter.until >= first) waiter.error = reason;
    const writers = this.#takeWriters({ first, last });
    for (const { reject } of writers) reject(reason);
    if (writers.length > last - first) return;
    const isTaken = [...this.#views].filter((view) => view.refused(reason)).length > 0;
    if (!isTaken) this.#engine.problem(reason);
  }

  #tellSettled() {
    for (const waiter of this.#settling) {
      if (!this.#machine.isAnswered(waiter.until)) continue;
      this.#settling.delete(waiter);
      if (waiter.error === undefined) waiter.resolve();
      else waiter.reject(waiter.error);
    }
  }

  #finish(how) {
    const isRefusal = how.op === "refused";
    const error = isRefusal ? this.#named(how.error) : asError(how.error);
    this.#end = { ...how, error };
    this.#becomeLive(false);
    const heard = [...this.#views].map((view) => view.ended(this.#end));
    // `connection` reports the end of the client.
    if (isRefusal && error !== this.#engine.end && heard.every((isHeard) => isHeard === false)) this.#engine.problem(error);
  }

  /** A failure with the name of the channel; the end of the client is that of all channels. */
  #named(error) {
    const { code, message, ...more } = error;
    return error === this.#engine.end ? error : new RacError(code, `${this.#channel}: ${message}`, more);
  }

  #leaveIfUnused() {
    const isUnused = this.#views.size === 0 || this.#end !== undefined;
    const isCurrent = this.#engine.bindings.get(this.#key) === this;
    // The daemon has a terminal from the bind on, and this client can unbind it behind the reply only.
    if (!isUnused || !this.#machine.isSettled || !isCurrent || this.#machine.state === "binding") return;
    this.#engine.bindings.delete(this.#key);
    this.#engine.remove(this);
    this.#engine.keepNumbering(this.#key, this.#machine.numbering);
    this.#unlist(this.#machine.numbering.terminal);
    if (this.#end === undefined) this.#obey(this.#machine.leave());
    if (this.#successor !== undefined) this.#successor.#start();
  }
}

/** The message that binds, without the keys of one connection. */
function bindMessage(channel, mode, { role, interval, conflate, default: initial, will, replay }) {
  const replays = replay ?? (mode === "shared" && role === "leading" ? true : undefined);
  const fields = { op: "bind", channel, role, interval, conflate, replay: replays };
  return [fields, { default: initial === undefined ? undefined : textOf(initial).raw, will: will && willText(will) }];
}

function willText(will) {
  const { value, error, completed } = optionsOf("a will", will, "completed", "error", "value");
  if (value !== undefined) return encode({}, { value: textOf(value).raw });
  return JSON.stringify(error === undefined ? { completed } : { error });
}
