// The agreement machine of one terminal: protocol.md, "Agreement".

import { outcomeUnknown } from "./errors.js";

/** Sends on their way at a time; a session remembers the fate of 64 refused ones. */
const UNDER_WAY = 64;
/** Sends of a terminal that wait for the daemon. */
const WAITING = 1024;
/** The root of a value that is known from another epoch. */
export const FIRST = 1;
const NONE = Object.freeze({ text: undefined, revision: 0, cause: undefined });
const NOTHING = Object.freeze({ text: undefined, revision: 0, root: 0, isOwn: false, isStray: false });

/**
 * One terminal of a channel over all connections of a client: the value that it shows, its sends, its news for the program.
 *
 * Each method is an event. It returns orders, which the caller carries out one after another:
 *
 * | order | the caller |
 * | --- | --- |
 * | `send` | writes `fields` and `text`, the value's |
 * | `get` | asks for the channel's value and answers with `got` |
 * | `bind` | binds again on the standing connection |
 * | `unbind` | unbinds `terminal` |
 * | `show` | shows `text` of `revision`, whose `root` is the change that began it |
 * | `stands` | notes that the shown text has `revision` and `root` |
 * | `applied` | tells the writes `first` to `last` that they were applied, the last one as `revision` |
 * | `failed` | tells the writes `first` to `last` their `error` |
 * | `missed` | tells the program that values were lost, because of `error` |
 * | `end` | tells the program `how` the terminal ended; nothing but answers comes behind that |
 */
export class Agreement {
  #mode;
  #state = "unbound";
  /** The epoch of the last reply to a bind of this object, and that of the bind under way. */
  #epoch;
  #bindingEpoch;
  /** The numbers of this terminal in an epoch, whichever object used them. */
  #numbering = { epoch: undefined, terminal: undefined, last: 0 };
  #shown = NOTHING;
  #told = NONE;
  #own = 0;
  /** The newest value of this side that the daemon acknowledged; of a paired channel. */
  #sent;
  /** The known value that goes to a daemon of another epoch in place of a default. */
  #kept;
  #sends = [];
  #newestWrite = 0;
  /** The revision of the last reply to a bind, or of an arrival of a paired channel. */
  #reported;
  #isAsking = false;
  #keptEnd;

  /** @param {"shared" | "paired"} mode The mode that the program expects. */
  constructor(mode) {
    this.#mode = mode;
  }

  /**
   * Goes on with the numbers of an earlier object of this terminal, before the first bind.
   *
   * @param {{ epoch: string, terminal?: number, last: number }} numbering
   */
  adopt(numbering) {
    this.#numbering = { ...numbering };
  }

  /** `unbound`, `binding`, `bound` or `ended`. */
  get state() {
    return this.#state;
  }

  /** The numbers that the next object of this terminal goes on with. */
  get numbering() {
    return { ...this.#numbering };
  }

  /** The shown value's text, revision and root; the revision is 0 while the daemon has not acknowledged the value. */
  get shown() {
    return this.#shown;
  }

  /** Whether the daemon has reported the channel's state. */
  get isReported() {
    return this.#reported !== undefined;
  }

  /** Whether every write has its answer, and the shown value is the channel's. */
  get isSettled() {
    return this.#sends.length === 0 && !this.#isAsking;
  }

  /** The number of the newest write, for `isAnswered`. */
  get newestWrite() {
    return this.#newestWrite;
  }

  /** Whether every write up to a number has its answer. */
  isAnswered(write) {
    return !this.#isAsking && !this.#sends.some((send) => send.first !== 0 && send.first <= write);
  }

  // MARK: The program

  /**
   * The program sends a value; a shared channel shows it at once.
   *
   * @returns {{ write?: number, refusal?: "terminated" | "late" | "limit", orders: object[] }}
   */
  write(text, { condition, cause, sync } = {}) {
    if (this.#isOver) return { refusal: "terminated", orders: [] };
    if (this.#isShared && cause !== undefined && this.#beganLaterThan(cause, text)) return { refusal: "late", orders: [] };
    const last = this.#sends.at(-1);
    const overwrites = this.#isShared && condition === undefined && cause === undefined && isFree(last) && !last.number;
    if (!overwrites && this.#sends.length >= WAITING) return { refusal: "limit", orders: [] };
    if (this.#isShared) this.#shown = shownOwn(text, cause);
    const send = this.#add({ op: "next", text, condition, cause, sync });
    if (overwrites) this.#merge(this.#sends.length - 2);
    return { write: send.last, orders: this.#pump([]) };
  }

  /** The program ends the channel, with completion or with an error. */
  finish(error, { sync } = {}) {
    if (this.#isOver) return { refusal: "terminated", orders: [] };
    const send = this.#add({ op: error === undefined ? "completed" : "error", error, sync });
    return { write: send.last, orders: this.#pump([]) };
  }

  /** The program is done with the terminal, whose writes are all answered. */
  leave() {
    const orders = this.#state === "bound" ? [{ order: "unbind", terminal: this.#numbering.terminal }] : [];
    this.#state = "ended";
    return orders;
  }

  /** The client is closed, or the daemon will not have it. */
  close(error) {
    if (this.#state === "ended") return this.#failAll(error, []);
    this.#state = "ended";
    return [...this.#failAll(error, []), { order: "end", how: { op: "refused", error } }];
  }

  // MARK: The daemon

  /** A value of another program arrived. */
  arrived(text, revision, cause) {
    if (this.#state !== "bound") return [];
    if (!this.#isShared) return this.#showPaired({ text, revision, cause }, []);
    if (revision < this.#own) return [];
    this.#told = { text, revision, cause };
    return this.#isOpen ? [] : this.#showTold([], { evenIfEqual: true });
  }

  /** The daemon applied every send up to `number`; with a text that one send changed nothing, and the text stands. */
  acknowledged(number, revision, text, cause) {
    const goneOut = this.#sends.filter((send) => send.number !== 0 && send.fault === undefined);
    const answers = (send) => goneOut.includes(send) && (text ? send.number === number : send.number <= number);
    const done = this.#sends.filter(answers);
    const last = done.at(-1);
    if (last === undefined) return [];
    this.#sends = this.#sends.filter((send) => !answers(send));
    const orders = [];
    for (const { first, last } of done) if (first !== 0) orders.push({ order: "applied", first, last, revision });
    if (last.op === "next") {
      this.#own = revision;
      if (!this.#isShared) this.#sent = text ?? last.text;
      if (text && this.#isShared && revision > this.#told.revision) this.#told = { text, revision, cause };
      this.#noteAnswer();
      this.#settle(orders);
    }
    return this.#pump(orders);
  }

  /**
   * A send did not fit into a frame, and has not gone out.
   *
   * It is refused behind the answers to the sends before it, as the daemon would do that.
   */
  tooLong(number, error) {
    const send = this.#sends.find((send) => send.number === number);
    if (send !== undefined) send.fault = error;
    return this.#pump([]);
  }

  /** The daemon did not apply a send; a refusal may have the channel's state. */
  refused(number, error, { revision, text, cause } = {}) {
    const send = this.#sends.find((send) => send.number !== 0 && send.number === number);
    if (send === undefined) return [];
    if (error.code === "not-bound") {
      send.transmissions -= 1;
      const isOver = this.#keptEnd !== undefined || this.#state === "ended";
      if (send.transmissions > 0 || !isOver) return [];
      error = terminated();
      revision = undefined;
    }
    this.#sends = this.#sends.filter((other) => other !== send);
    if (error.code === "conflict" && send.isDoubtful) error = outcomeUnknown();
    const orders = this.#fail(send, error, []);
    if (send.op !== "next") return this.#pump(orders);
    if (!this.#isShared) {
      if (revision !== undefined) [this.#own, this.#sent] = [revision, undefined];
      return this.#pump(orders);
    }
    if (revision !== undefined && text && revision > this.#told.revision) this.#told = { text, revision, cause };
    if (revision === undefined && !this.#hasValues && !this.#isAsking) {
      this.#isAsking = true;
      orders.push({ order: "get" });
    }
    return this.#pump(this.#settle(orders));
  }

  /** The answer to `get`; without a text the channel has no value, or does not exist. */
  got(text, revision = 0, cause) {
    if (!this.#isAsking) return [];
    this.#isAsking = false;
    if (text && revision > this.#told.revision) this.#told = { text, revision, cause };
    return this.#pump(this.#settle([]));
  }

  /** The channel ended, or without a revision this binding alone. */
  ended(how) {
    if (this.#state === "ended") return [];
    if (how.revision === undefined) {
      this.#state = "unbound";
      const orders = this.#isShared ? [] : [{ order: "missed", error: how.error }];
      return [...orders, { order: "bind" }];
    }
    if (!this.#isOpen) return this.#end(how, []);
    this.#keptEnd = how;
    return [];
  }

  // MARK: Over connections

  /** The connection is lost. */
  lost() {
    if (this.#state === "ended") return this.#failAll(undefined, []);
    this.#state = "unbound";
    for (const send of this.#sends) send.transmissions = 0;
    if (this.#keptEnd === undefined) return [];
    return this.#failAll(undefined, this.#end(this.#keptEnd, []));
  }

  /**
   * The keys with which the terminal is bound on a connection of that epoch.
   *
   * A daemon of another epoch may have lost a value that the program knows, which counts more than the default. A known
   * revision may be another value there, so the program's value is compared with the daemon's.
   */
  bind(epoch, initial) {
    const isOtherEpoch = epoch !== this.#epoch;
    if (isOtherEpoch) this.#forgetRoots();
    this.#kept = initial && isOtherEpoch && (this.#isShared ? this.isSettled && this.#shown.text : this.#sent);
    const asksAnew = isOtherEpoch && (this.#isShared || this.#shown.text !== undefined);
    const since = this.isReported ? (asksAnew ? 0 : this.#since) : undefined;
    if (epoch !== this.#numbering.epoch) this.#forgetNumbers(epoch);
    this.#state = "binding";
    this.#bindingEpoch = epoch;
    return { since, was: this.#numbering.terminal, initial: this.#kept ? undefined : initial };
  }

  /** The daemon refused the bind. */
  bindRefused(error) {
    if (this.#state !== "binding") return [];
    return this.close(error);
  }

  /**
   * The reply to the bind.
   *
   * @param {{ terminal: number, was?: number, revision: number, state: string, mode: string, number: number, sent?: number,
   *   text?: import("./values.js").JSONText, cause?: number }} reply
   */
  bound(reply) {
    if (reply.mode !== this.#mode) return this.#wrongMode(reply);
    const isFirst = this.#epoch === undefined;
    const isOtherEpoch = this.#bindingEpoch !== this.#epoch;
    this.#epoch = this.#bindingEpoch;
    this.#goOnCounting(reply);
    const own = this.#isShared ? this.#acknowledgedText || (!reply.revision && this.#kept) : this.#sent;
    const orders = this.#take(reply, isOtherEpoch);
    const end = this.#sends.find((send) => send.op !== "next" && send.number !== 0);
    if (end !== undefined && reply.number >= end.number) return this.#endedBefore(end, reply, orders);
    if (isOtherEpoch && !isFirst) this.#restoreLost(own, reply);
    if (!this.#isShared) this.#own = reply.sent ?? 0;
    else if (isOtherEpoch) this.#own = reply.revision;
    this.#state = "bound";
    if (this.#isShared) this.#leaveOutOverwritten(reply.number);
    for (const send of this.#sends) if (send.number !== 0) this.#transmit(send, orders);
    this.#pump(orders);
    return this.#isShared && !this.#isOpen ? this.#showTold(orders, { keepsOwn: isOtherEpoch }) : orders;
  }

  // MARK: Rules

  get #isShared() {
    return this.#mode === "shared";
  }

  get #hasValues() {
    return this.#sends.some((send) => send.op === "next");
  }

  /** Whether arrivals of a shared channel wait for an answer. */
  get #isOpen() {
    return this.#isShared && (this.#hasValues || this.#isAsking);
  }

  /** Whether no write can succeed any more. */
  get #isOver() {
    const hasEnd = this.#sends.some((send) => send.op !== "next");
    return this.#state === "ended" || this.#keptEnd !== undefined || hasEnd;
  }

  /** The revision whose value the daemon need not send again. */
  get #since() {
    if (!this.#isShared) return this.#reported;
    if (this.#isAsking) return 0;
    return this.#isOpen ? this.#told.revision : Math.max(this.#told.revision, this.#own);
  }

  /** Whether the shown value began with a later change; a write without an answer will get a later revision. */
  #beganLaterThan(cause, written) {
    const { text, root, isStray } = this.#shown;
    // racd decides between two values of an earlier epoch.
    const isTie = root === FIRST && cause === FIRST && !written.equals(text);
    return text !== undefined && !isStray && !isTie && (root === 0 || root >= cause);
  }

  #add(send) {
    this.#newestWrite += 1;
    const added = { ...send, first: this.#newestWrite, last: this.#newestWrite, number: 0, transmissions: 0 };
    this.#sends.push(added);
    return added;
  }

  /** Drops the send at a place; the answer to the next one counts for it. */
  #merge(place) {
    const [older] = this.#sends.splice(place, 1);
    const newer = this.#sends[place];
    newer.first = older.first === 0 ? newer.first : older.first;
    newer.sync ||= older.sync;
  }

  /** Of the sends above the last applied one the newest in a row is enough. */
  #leaveOutOverwritten(lastApplied) {
    for (let place = this.#sends.length - 2; place >= 0; place -= 1) {
      const [older, newer] = [this.#sends[place], this.#sends[place + 1]];
      const isAbove = older.number === 0 || older.number > lastApplied;
      if (isAbove && isFree(older) && isFree(newer) && newer.cause === undefined) this.#merge(place);
    }
  }

  /** Sends whatever may go out. */
  #pump(orders) {
    if (this.#state !== "bound") return orders;
    const [first] = this.#sends;
    if (first?.fault !== undefined) return [...orders, ...this.refused(first.number, first.fault)];
    for (const [place, send] of this.#sends.entries()) {
      if (send.number !== 0) continue;
      if (place >= UNDER_WAY || (send.op !== "next" && (place > 0 || this.#isAsking))) break;
      this.#numbering.last += 1;
      send.number = this.#numbering.last;
      this.#transmit(send, orders);
    }
    return orders;
  }

  #transmit(send, orders) {
    send.transmissions += 1;
    send.fault = undefined;
    const { op, number, condition, cause, sync, error, text } = send;
    const fields = { op, t: this.#numbering.terminal, n: number, if: condition, cause, sync: sync || undefined, error };
    orders.push({ order: "send", fields, text });
  }

  /** Shows the daemon's value, unless an own value is newer or it is shown already. */
  #showTold(orders, { evenIfEqual = false, keepsOwn = false } = {}) {
    const { text, revision, cause } = this.#told;
    const isShown = revision === this.#shown.revision && !this.#shown.isOwn;
    if (revision === 0 || revision < this.#own || isShown) return orders;
    const root = cause ?? revision;
    const shows = evenIfEqual || !text.equals(this.#shown.text);
    const isOwn = keepsOwn && !shows && this.#shown.isOwn && this.#shown.revision === revision;
    this.#shown = { ...(isOwn ? this.#shown : NOTHING), text, revision, root, isOwn, isStray: false };
    orders.push(shows ? { order: "show", text, revision, root } : { order: "stands", revision, root });
    return orders;
  }

  #showPaired({ text, revision, cause }, orders) {
    const root = cause ?? revision;
    this.#reported = revision;
    this.#shown = { text, revision, root, isOwn: false, isStray: false };
    orders.push({ order: "show", text, revision, root });
    return orders;
  }

  /** Shows the channel's value, and delivers its end, if every value has its answer. */
  #settle(orders) {
    if (!this.#isShared || this.#isOpen) return orders;
    const count = orders.length;
    this.#showTold(orders);
    if (orders.length === count && this.#shown.isOwn) {
      const { revision, root } = this.#shown;
      if (revision === 0) this.#shown.isStray = true;
      else orders.push({ order: "stands", revision, root });
    }
    return this.#keptEnd === undefined ? orders : this.#end(this.#keptEnd, orders);
  }

  /** The shown value is the newest acknowledged one, if no other value waits for an answer. */
  #noteAnswer() {
    if (!this.#isShared || this.#hasValues) return;
    this.#shown = { ...this.#shown, revision: this.#own, root: this.#shown.root || this.#own };
  }

  #end(how, orders) {
    this.#keptEnd = undefined;
    this.#state = "ended";
    for (const send of this.#sends) if (send.number === 0) this.#fail(send, terminated(), orders);
    this.#sends = this.#sends.filter((send) => send.number !== 0);
    orders.push({ order: "end", how });
    return orders;
  }

  #fail({ first, last }, error, orders) {
    if (first !== 0) orders.push({ order: "failed", first, last, error });
    return orders;
  }

  /** Fails every send; without an error the outcome of those is not known. */
  #failAll(error, orders) {
    for (const send of this.#sends) this.#fail(send, error ?? outcomeUnknown(), orders);
    this.#sends = [];
    this.#isAsking = false;
    return orders;
  }

  // MARK: Rules of a reply to bind

  /** The roots of another epoch do not count: the value gives way to each one that the daemon has. */
  #forgetRoots() {
    const { isOwn, root } = this.#shown;
    if (root !== 0) this.#shown = { ...this.#shown, root: FIRST };
    // The reply brings the root of the value that is shown.
    if (!isOwn && this.#isShared) this.#shown = { ...this.#shown, revision: 0 };
    for (const send of this.#sends) if (send.cause !== undefined) send.cause = FIRST;
  }

  #forgetNumbers(epoch) {
    this.#numbering = { epoch, terminal: undefined, last: 0 };
    for (const send of this.#sends) {
      send.isDoubtful ||= send.number > 0;
      send.number = 0;
    }
  }

  #goOnCounting({ terminal, was, number }) {
    const known = this.#numbering.terminal;
    if (known !== undefined && terminal !== known && was !== known) this.#forgetNumbers(this.#epoch);
    this.#numbering.terminal = terminal;
    this.#numbering.last = Math.max(this.#numbering.last, number);
  }

  /** Takes the value of a reply, or its absence. */
  #take({ text, revision, cause }, isOtherEpoch) {
    const isSame = isOtherEpoch && revision === this.#reported && this.#shown.text?.equals(text);
    this.#isAsking = false;
    this.#reported = revision;
    if (!this.#isShared && text !== undefined && isSame) return [];
    if (text !== undefined && !this.#isShared) return this.#showPaired({ text, revision, cause }, []);
    if (text !== undefined) this.#told = { text, revision, cause };
    if (revision !== 0) return [];
    this.#told = NONE;
    this.#shown = this.#isShared ? { ...this.#shown, revision: 0, isStray: !this.#hasValues } : NOTHING;
    return [];
  }

  /** The end that the program sent was applied before the connection was lost. */
  #endedBefore(end, reply, orders) {
    this.#sends = [];
    this.#state = "ended";
    orders.push({ order: "applied", first: end.first, last: end.last, revision: reply.revision });
    orders.push({ order: "end", how: { op: end.op, error: end.error, isOwn: true } });
    if (reply.state === "open") orders.push({ order: "unbind", terminal: reply.terminal });
    return orders;
  }

  /** Sends again a value that the daemon had acknowledged and has lost, unless somebody was faster. */
  #restoreLost(text, reply) {
    const condition = this.#isShared ? reply.revision : (reply.sent ?? 0);
    if (!text || this.#sends.length > 0 || (condition && condition >= this.#own)) return;
    const isOwnChange = !this.#isShared || (this.#shown.isOwn && !this.#shown.cause);
    const cause = isOwnChange ? undefined : FIRST;
    const send = this.#add({ op: "next", text, condition, cause });
    send.first = send.last = 0;
    if (this.#isShared) this.#shown = shownOwn(text, cause);
  }

  /** The shown value, if it is the newest one that this terminal sent. */
  get #acknowledgedText() {
    const { text, revision, isOwn } = this.#shown;
    return isOwn && revision > 0 ? text : undefined;
  }

  #wrongMode({ terminal, mode, state }) {
    const error = {
      code: "wrong-mode",
      message: `the channel is ${mode}, and this program takes it for ${this.#mode}`,
    };
    const orders = state === "open" ? [{ order: "unbind", terminal }] : [];
    return [...orders, ...this.close(error)];
  }
}

/** A value that the program sent and the daemon has not acknowledged. */
function shownOwn(text, cause = 0) {
  return { text, revision: 0, root: cause, cause, isOwn: true, isStray: false };
}

/** Whether a send is a value that a newer one may overwrite. */
function isFree(send) {
  return send !== undefined && send.op === "next" && send.condition === undefined;
}

const terminated = () => ({ code: "terminated", message: "the channel has ended: reopen it first" });
