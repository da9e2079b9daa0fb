// Commands that this program hosts: protocol.md, "Hosting".

import { RacError, closed, optionsOf } from "./errors.js";
import { cancelled } from "./executions.js";
import { fits, textOf } from "./values.js";

/** Bytes that may wait for the network before a run with many values waits, too. */
const ROOM = 1 << 20;
const PAUSE = 20;
/** The pause before this program asks again for the place of another host. */
const TURN = 1_000;

/** A command that this program hosts, over connections. */
export class Hosting {
  #engine;
  #work;
  #isConcurrent;
  #isEnabled;
  #toldEnabled;
  #number;
  #turn;
  #isOver = false;
  /** Whether the daemon has been asked to take this program as the host, and has not answered. */
  #isAsking = false;
  /** The hosting of the same command that waits for that answer, behind which this one leaves. */
  #successor;
  #setLive;
  #finish;
  #runs = new Map();
  /** Functions that have not returned, also those of runs that were given up. */
  #working = 0;
  isSettled = true;

  constructor(engine, live, name, work, options) {
    const { concurrent = false, enabled = true } = optionsOf("host", options, "concurrent", "enabled");
    this.#engine = engine;
    this.#work = work;
    this.#isConcurrent = concurrent;
    this.#isEnabled = enabled;
    this.name = name;
    /** Whether the daemon knows this program as the host now. */
    [this.live, this.#setLive] = live;
    /** Resolves at the end: with the error, if the daemon does not take this program as the host, or not any longer. */
    this.ended = new Promise((resolve) => (this.#finish = resolve));
    const leaving = engine.leavingHostings.get(name);
    if (leaving === undefined) engine.add(this);
    else leaving.#successor = this;
  }

  /** The host's own condition: whether it allows executions now. */
  get enabled() {
    return this.#isEnabled;
  }

  set enabled(isEnabled) {
    this.#isEnabled = isEnabled;
    this.#tellEnabled();
  }

  /** Hosts the command no more. Present runs have failed for their callers, and are given up. */
  unhost() {
    if (this.#isOver) return;
    if (this.#number !== undefined) {
      this.#engine.hostings.delete(this.#number);
      this.#engine.ask({ op: "unhost", c: this.#number });
    }
    this.#end();
  }

  // MARK: The connection

  connected() {
    const enabled = (this.#toldEnabled = this.#allows);
    const host = { op: "host", command: this.name, concurrent: this.#isConcurrent, enabled };
    this.#isAsking = true;
    this.#engine.ask(host, {}, (error, reply) => {
      this.#isAsking = false;
      if (this.#isOver) {
        if (error === undefined) this.#engine.ask({ op: "unhost", c: reply.fields.c });
        return this.#makeWay();
      }
      if (error !== undefined) return error.code === "already-hosted" ? this.#wait(error) : this.gone(error);
      this.#turn = undefined;
      this.#number = reply.fields.c;
      this.#engine.hostings.set(this.#number, this);
      this.#setLive(true);
      this.#tellEnabled();
    });
  }

  /** Another program hosts the command, perhaps one that is lost. */
  #wait(error) {
    if (this.#turn === undefined) this.#engine.problem(error);
    this.#turn = setTimeout(() => this.connected(), TURN);
  }

  lost() {
    clearTimeout(this.#turn);
    this.#number = undefined;
    this.#isAsking = false;
    if (this.#isOver) return this.#makeWay();
    this.#giveUp();
    this.#setLive(false);
  }

  /** The daemon does not let this program host the command any more. */
  unhosted(error) {
    this.#engine.hostings.delete(this.#number);
    this.gone(error);
  }

  gone(error) {
    this.#isAsking = false;
    if (this.#isOver) return this.#makeWay();
    if (error.code !== closed().code) this.#engine.problem(error);
    this.#end(error);
  }

  #end(error) {
    this.#isOver = true;
    clearTimeout(this.#turn);
    // A request cannot be taken back before its answer.
    if (this.#isAsking) this.#engine.leavingHostings.set(this.name, this);
    else this.#engine.remove(this);
    this.#giveUp();
    this.#setLive(false);
    this.#finish(error);
  }

  /** The daemon knows nothing of this hosting any more, so the next one of the command may begin. */
  #makeWay() {
    const { leavingHostings } = this.#engine;
    const successor = this.#successor;
    this.#successor = undefined;
    this.#engine.remove(this);
    if (leavingHostings.get(this.name) === this) leavingHostings.delete(this.name);
    if (successor !== undefined && !successor.#isOver) this.#engine.add(successor);
  }

  /** Whether the host allows executions now: beside a function of an earlier connection only if several may run at once. */
  get #allows() {
    return this.#isEnabled && (this.#isConcurrent || this.#working === this.#runs.size);
  }

  #tellEnabled() {
    const enabled = this.#allows;
    if (this.#isOver || this.#number === undefined || this.#toldEnabled === enabled) return;
    this.#toldEnabled = enabled;
    this.#engine.say({ op: "enabled", c: this.#number, enabled });
  }

  // MARK: Runs

  /** The daemon asks for an execution. */
  async execute(number, message) {
    const controller = new AbortController();
    this.#working += 1;
    this.#runs.set(number, controller);
    this.#engine.runs.set(number, this);
    const end = await this.#run(number, message, controller.signal);
    this.#working -= 1;
    if (this.#runs.get(number) !== controller) return this.#tellEnabled();
    this.#runs.delete(number);
    this.#engine.runs.delete(number);
    try {
      this.#engine.say({ ...end, x: number });
    } catch (error) {
      // The error of the work is too long, or has no JSON form. Without an end the execution would go on for ever.
      this.#engine.say({ op: "error", x: number, error: this.#wireError(error, controller.signal) });
    }
  }

  cancel(number) {
    this.#runs.get(number)?.abort(cancelled());
  }

  /** Nobody hears any more what the runs come to. */
  #giveUp() {
    const runs = [...this.#runs.values()];
    this.#runs.clear();
    for (const controller of runs) controller.abort(cancelled());
  }

  /** Does the work, and returns the message of its end. Writing it throws if the error has no text. */
  async #run(number, message, signal) {
    try {
      // The input is the work's own, which may change it.
      const made = this.#work(message.fields.input, { signal, raw: message.text("input")?.raw });
      if (typeof made?.[Symbol.asyncIterator] === "function") {
        await this.#sendEach(number, made, signal);
      } else {
        const value = await made;
        if (value !== undefined) this.#send(number, value, signal);
      }
      return { op: "completed" };
    } catch (error) {
      return { op: "error", error: { toJSON: () => this.#wireError(error, signal) } };
    }
  }

  /**
   * The error object with which a run ends: that of a cancellation, or of a `RacError`.
   *
   * Another error is a mistake of the work, whose text is for this program: its problems get it whole.
   */
  #wireError(error, signal) {
    if (signal.aborted && (error === signal.reason || error?.name === "AbortError")) return cancelled().wire;
    if (!(error instanceof RacError)) {
      this.#engine.problem(error);
      return { code: "failed", message: "the work failed: its host has the error" };
    }
    const { code, message, data } = error;
    const isCode = code && typeof code === "string" && fits(code, 255);
    return { code: isCode ? code : "failed", message: String(message), data };
  }

  async #sendEach(number, values, signal) {
    for await (const value of values) {
      // Leaving the loop runs what the generator has behind `finally`.
      signal.throwIfAborted();
      this.#send(number, value, signal);
      while (this.#engine.waiting > ROOM && !signal.aborted) await new Promise((resolve) => setTimeout(resolve, PAUSE));
    }
    signal.throwIfAborted();
  }

  /** Sends a value of a run that was not given up: another epoch has other runs of the same numbers. */
  #send(number, value, signal) {
    if (this.#runs.get(number)?.signal === signal) this.#engine.say({ op: "next", x: number }, { value: textOf(value).raw });
  }
}
