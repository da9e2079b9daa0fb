// A program's ends of a channel: a property that many programs share, and one side of a paired channel.

import { Binding } from "./binding.js";
import { Cell, Listeners } from "./cells.js";
import { RacError, optionsOf } from "./errors.js";
import { textOf } from "./values.js";

/** A change for a subscriber, beside its value. */
class Change {
  #text;

  constructor(text, revision) {
    this.#text = text;
    this.revision = revision;
    Object.freeze(this);
  }

  /** The value's JSON text, with its numbers as they were written. */
  get raw() {
    return this.#text.raw;
  }
}

/** Takes the place of the binding of an object that has left it: keeps the value of that moment, and refuses each call. */
class NoBinding {
  constructor({ shown, options }, error) {
    Object.assign(this, { shown, options, error });
  }

  write() {
    throw this.error;
  }

  finish() {
    throw this.error;
  }

  async settled() {
    throw this.error;
  }
}

/** The parts that a property and a side of a paired channel have in common. */
class Terminal {
  #engine;
  #binding;
  #view;
  #observers;
  /** The error of an assignment that was refused at once, until `settled` reports it. */
  #refusal;
  #isAwaited = false;
  #setLive;
  #end;
  #ready;

  constructor(engine, name, mode, options) {
    this.#engine = engine;
    this.name = name;
    this.#observers = new Listeners(engine.problem);
    [this.live, this.#setLive] = Cell.make(false, engine.problem);
    this.#ready = makePromise();
    this.#binding = Binding.of(engine, name, mode, options);
    this.#view = {
      show: (text, revision) => this.#show(text, revision),
      stands: () => {},
      reported: () => this.#ready.resolve(),
      live: (isLive) => this.#setLive(isLive),
      refused: (error) => this.#tell("refused", error),
      forgetRoots: () => {},
      missed: (error) => this.#tell("missed", error),
      ended: (end) => this.#finish(end),
    };
    this.#binding.add(this.#view);
  }

  /** The current value; undefined before the first one. */
  get value() {
    return this.#binding.shown.text?.value;
  }

  /** The current value with its JSON text; undefined before the first one. */
  get text() {
    return this.#binding.shown.text;
  }

  /** The JSON text of the current value, with its numbers as they were written. */
  get raw() {
    return this.#binding.shown.text?.raw;
  }

  /** The revision of the current value, for `if`; 0 while the daemon has not acknowledged the value. */
  get revision() {
    return this.#binding.shown.revision;
  }

  /** How the terminal ended; undefined while it has not. */
  get end() {
    return this.#end;
  }

  /** Resolves when the daemon has reported the channel's state; rejects if it refuses the bind. */
  ready() {
    this.#isAwaited = true;
    return this.#ready.promise;
  }

  /**
   * Calls a subscriber with the current value, then with each one that did not come through this object.
   *
   * @returns {() => void} Ends the subscription, and nothing else.
   */
  subscribe(subscriber) {
    const observer = typeof subscriber === "function" ? { next: subscriber } : subscriber;
    const remove = this.#observers.add((act) => act(observer));
    const { text, revision } = this.#binding.shown;
    if (text !== undefined) this.#observers.call(() => observer.next?.(text.value, new Change(text, revision)));
    if (this.#end !== undefined) this.#observers.call(() => tellEnd(observer, this.#end));
    if (this.#end?.op === "unbound" && observer.error === undefined) this.#engine.problem(this.#end.error);
    return remove;
  }

  /**
   * Sends a value. A refusal reaches `refused` of the subscribers, or `problems` of the client.
   *
   * That holds behind the end of the channel, too: it may come at any time, and is no mistake of the sender.
   */
  send(value) {
    const text = textOf(value);
    try {
      this.#binding.write(text, {}, this.#view);
    } catch (error) {
      this.#refusal = error;
      if (!this.#tell("refused", error)) this.#engine.problem(error);
    }
  }

  /**
   * Sends a value and waits for the answer.
   *
   * @param {unknown} value
   * @param {{ if?: number, sync?: boolean }} [options]
   * @returns {Promise<number>} The revision of the change, or of a later one that was acknowledged with it.
   */
  set(value, options) {
    return new Promise((resolve, reject) => {
      const { if: condition, sync } = optionsOf("set", options, "if", "sync");
      this.#binding.write(textOf(value), { condition, sync }, this.#view, { resolve, reject });
    });
  }

  /** Waits until every write until now has its answer; rejects if one is refused, or an assignment was refused at once. */
  async settled() {
    const error = this.#refusal;
    this.#refusal = undefined;
    await this.#binding.settled();
    if (error !== undefined) throw error;
  }

  /** Completes the channel for everybody. */
  complete(options) {
    return this.#finishChannel("complete", undefined, options);
  }

  /** Ends the channel with an error for everybody. */
  fail({ code, message, data }, options) {
    return this.#finishChannel("fail", { code, message, data }, options);
  }

  /** Another object on the same binding; it and this one get each other's values. */
  another() {
    const { role } = this.#binding.options;
    return new this.constructor(this.#engine, this.name, { role });
  }

  /**
   * Leaves the channel as it is. Earlier sends are still delivered; subscribers hear nothing more.
   *
   * The object keeps its value, and is not live. Each further call is refused with `unbound`, but `another` binds anew.
   */
  unbind() {
    if (this.#binding instanceof NoBinding) return;
    const binding = this.#binding;
    const error = new RacError("unbound", `${this.name}: this object was unbound: take another() one`);
    this.#observers = new Listeners(this.#engine.problem);
    this.#binding = new NoBinding(binding, error);
    this.#end ??= Object.freeze({ op: "unbound", error });
    this.#ready.reject(error);
    this.#ready = makePromise();
    this.#ready.reject(error);
    this.#setLive(false);
    binding.remove(this.#view);
  }

  #finishChannel(call, error, options) {
    return new Promise((resolve, reject) => {
      this.#binding.finish(error, optionsOf(call, options, "sync"), { resolve, reject });
    });
  }

  #show(text, revision) {
    this.#tell("next", text.value, new Change(text, revision));
  }

  /** Notifies all subscribers; returns whether one of them takes such an event. */
  #tell(event, ...detail) {
    let isHeard = false;
    this.#observers.tell((observer) => {
      isHeard ||= observer[event] !== undefined;
      observer[event]?.(...detail);
    });
    return isHeard;
  }

  /** Delivers the end; returns whether the program hears of it. */
  #finish(end) {
    this.#end = Object.freeze({ ...end });
    if (end.error === undefined) this.#ready.resolve();
    else this.#ready.reject(end.error);
    const isHeard = this.#tell(end.error === undefined ? "complete" : "error", end.error ?? this.#end);
    this.#tell("ended");
    return isHeard || this.#isAwaited;
  }
}

/** One value for all programs that share it: a shared channel of the daemon. */
export class Property extends Terminal {
  constructor(engine, name, options) {
    super(engine, name, "shared", options);
  }

  get value() {
    return super.value;
  }

  /** Sets the value: at once here, then there. */
  set value(value) {
    this.send(value);
  }
}

/** One side of a paired channel: `value` is what the other side sent last, and `send` reaches the other side. */
export class PairedTerminal extends Terminal {
  constructor(engine, name, options) {
    super(engine, name, "paired", options);
  }
}

function tellEnd(observer, end) {
  if (end.error === undefined) observer.complete?.(end);
  else observer.error?.(end.error);
  observer.ended?.();
}

function makePromise() {
  const made = {};
  made.promise = new Promise((resolve, reject) => Object.assign(made, { resolve, reject }));
  // A rejection that no program waits for is no mistake.
  made.promise.catch(() => {});
  return made;
}
