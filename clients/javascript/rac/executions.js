// Runs of a command that this program asked for.

import { RacError, outcomeUnknown } from "./errors.js";
import { textOf } from "./values.js";

/** Values that wait for a program which iterates too slowly. */
const VALUES = 10_000;

export const cancelled = () => new RacError("cancelled", "the caller has cancelled");

/**
 * One run of a command: `for await (const step of command.execute(input))`.
 *
 * The loop ends with the run, throws its error, and cancels the run where the loop is left early.
 */
export class Execution {
  #engine;
  #request;
  #number;
  #values = [];
  #takers = [];
  #isIterated = false;
  /** Whether a value found no room behind those that wait. */
  #hasGap = false;
  #isCancelled = false;
  #last;
  #text;
  #resolve;
  #reject;
  #end;
  isSettled = true;

  constructor(engine, command, input) {
    this.#engine = engine;
    /** The last value, when the run has completed; rejects with its error. */
    this.result = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
    this.result.catch(() => {});
    const texts = { input: input === undefined ? undefined : textOf(input).raw };
    this.#request = engine.request({ op: "exec", command }, texts, false, (error, reply) => {
      if (error !== undefined) return this.#finish(error);
      this.#number = reply.fields.x;
      engine.calls.set(this.#number, this);
      engine.add(this);
      if (this.#isCancelled) this.#sayCancel();
    });
  }

  /** Asks the host to give up; the end shows how that came out. */
  cancel() {
    if (this.#isCancelled || this.#end !== undefined) return;
    this.#isCancelled = true;
    if (this.#number !== undefined) this.#sayCancel();
    else this.#request?.withdraw(cancelled());
  }

  #sayCancel() {
    this.#engine.say({ op: "cancel", x: this.#number });
  }

  // MARK: Iterating

  [Symbol.asyncIterator]() {
    return this;
  }

  async next() {
    this.#isIterated = true;
    if (this.#hasGap) this.#overflow();
    if (this.#values.length > 0) return this.#step(this.#values.shift());
    if (this.#end === undefined) return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }));
    const { error } = this.#end;
    this.#end = {};
    if (error !== undefined) throw error;
    return { done: true, value: undefined };
  }

  async return(value) {
    this.cancel();
    this.#values = [];
    return { done: true, value };
  }

  /** The JSON text of the value that the loop has now, with its numbers as they were written. */
  get raw() {
    return this.#text?.raw;
  }

  #step(text) {
    this.#text = text;
    return { done: false, value: text.value };
  }

  // MARK: The daemon

  heard(message) {
    if (message.fields.op !== "next") {
      return this.#finish(message.fields.op === "error" ? RacError.of(message) : undefined);
    }
    const text = message.text("value");
    this.#last = text.value;
    const taker = this.#takers.shift();
    if (taker !== undefined) return taker.resolve(this.#step(text));
    if (this.#values.length < VALUES) return this.#values.push(text);
    this.#hasGap = true;
    if (this.#isIterated) this.#overflow();
  }

  /** An iteration ends at its gap with an error. A result that is known already stays. */
  #overflow() {
    const error = new RacError("slow-consumer", `more than ${VALUES} values of an execution waited for this program`);
    this.#hasGap = false;
    this.cancel();
    this.#finish(error);
    this.#end = { error };
  }

  connected() {}

  /** No execution outlives its caller's connection. */
  lost() {
    this.#finish(outcomeUnknown());
  }

  gone(error) {
    this.#finish(error);
  }

  #finish(error) {
    if (this.#end !== undefined) return;
    this.#end = { error };
    this.#engine.calls.delete(this.#number);
    this.#engine.remove(this);
    if (error === undefined) this.#resolve(this.#last);
    else this.#reject(error);
    const takers = this.#takers;
    this.#takers = [];
    for (const { resolve, reject } of takers) {
      if (this.#end.error === undefined) resolve({ done: true, value: undefined });
      else reject(error);
      this.#end = {};
    }
  }
}
