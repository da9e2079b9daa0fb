// Failures of calls, and ends of channels and executions with an error.

import { freeze } from "./values.js";

/**
 * A call that did not succeed, or the error with which a channel or an execution ended.
 *
 * `code` is one of the daemon (protocol.md, "Errors"), of a program, or of this client: `outcome-unknown`, `timed-out`,
 * `connection-lost`, `closed`, `unbound`, `wrong-mode`, `invalid-url`, `no-websocket`.
 */
export class RacError extends Error {
  /**
   * @param {string} code For programs.
   * @param {string} message For people.
   * @param {object} [more] Further news of a refusal: `data`, `revision`, `current`, `index`, `isApplied`.
   */
  constructor(code, message, more = {}) {
    super(message);
    this.name = "RacError";
    this.code = code;
    Object.assign(this, more);
  }

  /** The error of a message of the daemon: `refused`, `nak`, or an `error` event. */
  static of(message) {
    const { error, rev, index, applied } = message.fields;
    const more = {};
    if (error.data !== undefined) more.data = freeze(error.data);
    if (rev !== undefined) more.revision = rev;
    if (index !== undefined) more.index = index;
    if (applied) more.isApplied = true;
    const current = message.text("value");
    if (current !== undefined) more.current = current;
    return new RacError(error.code, error.message || `racd refused: ${error.code}`, more);
  }

  /** The error object that travels to other programs. */
  get wire() {
    return { code: this.code, message: this.message, ...(this.data === undefined ? {} : { data: this.data }) };
  }
}

/**
 * The options of a call. Another key is a `TypeError`: a misspelt option would be ignored without a word.
 *
 * @param {string} call The name of the call, for the message.
 * @param {object | undefined} options
 * @param {...string} keys The options that the call takes, in order.
 */
export function optionsOf(call, options = {}, ...keys) {
  const unknown = Object(options) === options ? Object.keys(options).find((key) => !keys.includes(key)) : String(options);
  if (unknown !== undefined) throw new TypeError(`${call} takes the options ${keys.join(", ")}, not ${unknown}`);
  return options;
}

/** An error object of a program or of the wire as a `RacError`. */
export function asError(error) {
  if (error === undefined || error instanceof Error) return error;
  return new RacError(error.code, error.message ?? "", error.data === undefined ? {} : { data: error.data });
}

/** The error of a call whose answer a lost connection has taken along. */
export const outcomeUnknown = () =>
  new RacError("outcome-unknown", "the connection was lost before the answer came: this may have happened or not");

/** The error of whatever a closed client cannot do any more. */
export const closed = () => new RacError("closed", "this program has closed its client");
