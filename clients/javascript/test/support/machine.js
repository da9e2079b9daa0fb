// A bench for the agreement machine: events in, orders out as short lines.

import { Agreement } from "../../rac/agreement.js";
import { raw } from "../../rac/values.js";

export const text = (value) => (value === undefined ? undefined : raw(JSON.stringify(value)));

/** An order as a line, such as `next 1 7` for the send of 7 under number 1, or `show 9 @8`. */
function line(order) {
  const { text, revision, root, fields, first, last, error, how, terminal } = order;
  const range = first === last ? `${first}` : `${first}-${last}`;
  switch (order.order) {
    case "send": {
      const keys = [fields.op, fields.n];
      if (text !== undefined) keys.push(text.raw);
      for (const key of ["if", "cause", "sync"]) if (fields[key] !== undefined) keys.push(`${key}=${fields[key]}`);
      return keys.join(" ");
    }
    case "show":
      return `show ${text.raw} @${revision}${root === revision ? "" : ` from ${root}`}`;
    case "stands":
      return `stands @${revision}${root === revision ? "" : ` from ${root}`}`;
    case "applied":
      return `applied ${range} @${revision}`;
    case "failed":
      return `failed ${range} ${error.code}`;
    case "missed":
      return `missed ${error.code}`;
    case "unbind":
      return `unbind ${terminal}`;
    case "end":
      return `end ${how.op}${how.isOwn ? " own" : ""}${how.error === undefined ? "" : ` ${how.error.code}`}`;
    default:
      return order.order;
  }
}

export class Bench {
  constructor(mode = "shared") {
    this.mode = mode;
    this.machine = new Agreement(mode);
  }

  /** A machine whose terminal 13 is bound, and shows 0 of revision 5. */
  static bound(mode = "shared", reply = {}) {
    const bench = new Bench(mode);
    bench.bind();
    bench.reply({ value: 0, rev: 5, ...reply });
    return bench;
  }

  bind(epoch = "e1", initial) {
    const { initial: offered, ...keys } = this.machine.bind(epoch, initial);
    return offered === undefined ? keys : { ...keys, initial: offered };
  }

  reply({ t = 13, was, rev, state = "open", mode = this.mode, n = 0, sent, value, cause } = {}) {
    const reply = { terminal: t, was, revision: rev, state, mode, number: n, sent, text: text(value), cause };
    return this.machine.bound(reply).map(line);
  }

  write(value, options) {
    const { refusal, orders } = this.machine.write(text(value), options);
    return refusal === undefined ? orders.map(line) : [`refused ${refusal}`];
  }

  finish(error, options) {
    const { refusal, orders } = this.machine.finish(error, options);
    return refusal === undefined ? orders.map(line) : [`refused ${refusal}`];
  }

  next(revision, value, cause) {
    return this.machine.arrived(text(value), revision, cause).map(line);
  }

  ack(number, revision, value, cause) {
    return this.machine.acknowledged(number, revision, text(value), cause).map(line);
  }

  nak(number, code, revision, value, cause) {
    return this.machine.refused(number, { code }, { revision, text: text(value), cause }).map(line);
  }

  tooLong(number) {
    return this.machine.tooLong(number, { code: "too-large" }).map(line);
  }

  got(value, revision) {
    return this.machine.got(text(value), revision).map(line);
  }

  end(op, revision, code) {
    const error = code === undefined ? undefined : { code };
    return this.machine.ended({ op, revision, error }).map(line);
  }

  lost() {
    return this.machine.lost().map(line);
  }

  /** Loses the connection, and binds again on one of that epoch. */
  again(reply, epoch = "e1", initial) {
    this.lost();
    const keys = this.bind(epoch, initial);
    return { keys, orders: this.reply(reply) };
  }

  get shown() {
    return this.machine.shown.text?.value;
  }
}
