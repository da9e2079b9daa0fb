// One client's connections to its daemon, one after another, and the parts of the client that use them.

import { Cell, Listeners } from "./cells.js";
import { RacError, closed, outcomeUnknown } from "./errors.js";
import { Pauses, Silence, isFinal } from "./pauses.js";
import { newSession } from "./session.js";
import { Message, encode, fits } from "./values.js";

/** The time for an attempt to connect, with the daemon's welcome. */
const CONNECT_TIMEOUT = 10_000;
/** The time that closing gives to work without an answer. */
const CLOSE_TIMEOUT = 1_000;
const REPLY_TIMEOUT = 10_000;
/** Requests without an answer at a time. */
const REQUESTS = 10_000;
/** Terminals whose numbers the client knows, without the bound ones and those that sent nothing: as many as the daemon does. */
const NUMBERINGS = 10_000;
const MAX_FRAME = 8_388_608;

/**
 * Holds the connection. Each user of it is an object with three methods.
 *
 * `connected` runs on each new connection, in the order in which users came, so a program's order of calls stays. `lost` runs
 * when it is lost, and `gone` when no other one will come. `isSettled` says whether a user waits for an answer.
 */
export class Engine {
  #url;
  #options;
  #session;
  #pauses = new Pauses();
  #users = new Set();
  /** The present attempt or connection; undefined during a pause. */
  #link;
  #silence;
  #timer;
  #token;
  #isTokenRefused = false;
  #refusal;
  #pending = new Map();
  #newestId = 0;
  #whenSettled;
  #ignorePage = () => {};
  #setState;
  #problems;

  /** The error with which the client ended. */
  end;

  /** By number of the daemon's: who hears of a terminal, a watch, a command, an execution. Good for one connection. */
  terminals = new Map();
  watches = new Map();
  observations = new Map();
  hostings = new Map();
  calls = new Map();
  runs = new Map();
  /** By terminal: the present binding. */
  bindings = new Map();
  /** By pattern: what is watched. */
  watchedPatterns = new Map();
  /** By name: weak references to the commands of the program. */
  commands = new Map();
  /** By name: hostings that are over, and whose request has no answer yet. */
  leavingHostings = new Map();
  /** By terminal: the numbers of an earlier binding. */
  #numberings = new Map();

  constructor(url, options) {
    this.#url = url;
    this.#options = options;
    this.#session = options.session ?? newSession();
    this.#problems = new Listeners((error) => console.error(error));
    [this.connection, this.#setState] = Cell.make({ state: "connecting" }, this.problem);
    this.replyTimeout = options.replyTimeout ?? REPLY_TIMEOUT;
    this.#watchPage();
    this.#connect();
  }

  // MARK: For the parts of the client

  get isConnected() {
    return this.#link?.isWelcome === true;
  }

  /** The session, and the epoch of the daemon's numbers from its welcome: a new session knows no numbers either. */
  get epoch() {
    return this.#link?.epoch;
  }

  /** Bytes that wait for the network. */
  get waiting() {
    return this.#link?.transport.waiting ?? 0;
  }

  get problems() {
    return { subscribe: (listener) => this.#problems.add(listener) };
  }

  /** Reports a failure that no call takes. */
  problem = (error) => {
    if (this.#problems.isEmpty) console.error(error);
    else this.#problems.tell(error);
  };

  add(user) {
    if (this.end !== undefined) return user.gone(this.end);
    this.#users.add(user);
    if (this.isConnected) user.connected();
  }

  remove(user) {
    this.#users.delete(user);
  }

  /** Writes a message, if there is a connection. A message that is too long for the daemon is an error. */
  say(fields, texts) {
    if (!this.isConnected) return;
    const text = encode(fields, texts);
    const { maxFrame } = this.#link;
    if (!fits(text, maxFrame)) throw new RacError("too-large", `a message has at most ${maxFrame} bytes, this one more`);
    this.#link.transport.send(text);
  }

  /** Asks over the present connection. Without it, or when it is lost, nobody answers. */
  ask(fields, texts = {}, answered = () => {}) {
    if (!this.isConnected) return undefined;
    this.#newestId += 1;
    const id = this.#newestId;
    this.#pending.set(id, answered);
    try {
      this.say({ ...fields, id }, texts);
    } catch (error) {
      this.#pending.delete(id);
      answered(error);
    }
    return id;
  }

  /** Asks over this connection or a later one, and answers once. A request that may be repeated outlives a lost answer. */
  request(fields, texts, isRepeatable, answered) {
    if (this.#users.size >= REQUESTS + this.bindings.size) {
      answered(new RacError("limit", `${REQUESTS} requests of this program have no answer yet`));
      return undefined;
    }
    return new Request(this, fields, texts, isRepeatable, answered);
  }

  /** Nobody waits for an answer any more. An execution in such an answer is cancelled. */
  forgetRequest(id) {
    this.#pending.set(id, (_, reply) => reply?.fields.x && this.say({ op: "cancel", x: reply.fields.x }));
  }

  keepNumbering(key, numbering) {
    if (numbering.last === 0) return;
    this.#numberings.set(key, numbering);
    if (this.#numberings.size > NUMBERINGS) this.#numberings.delete(this.#numberings.keys().next().value);
  }

  takeNumbering(key) {
    const numbering = this.#numberings.get(key);
    this.#numberings.delete(key);
    return numbering;
  }

  // MARK: For the program

  /** The tab or the network has come back: connects at once, or asks whether the connection still stands. */
  wake() {
    if (this.end !== undefined) return;
    if (this.#link === undefined) return this.#connect();
    if (!this.isConnected || this.#silence === undefined) return;
    this.#silence.hurry(performance.now());
    this.say({ op: "ping" });
    this.#tick();
  }

  async close() {
    if (this.end !== undefined) return;
    if (!this.#isSettled) {
      const settled = new Promise((resolve) => (this.#whenSettled = resolve));
      const timer = setTimeout(this.#whenSettled, CLOSE_TIMEOUT);
      await settled;
      clearTimeout(timer);
    }
    if (this.end !== undefined) return;
    this.say({ op: "bye" });
    this.#finish(closed());
  }

  get #isSettled() {
    for (const user of this.#users) if (!user.isSettled) return false;
    return true;
  }

  // MARK: Connecting

  async #connect() {
    clearTimeout(this.#timer);
    const link = { isWelcome: false };
    this.#link = link;
    try {
      const isCurrent = await this.#findToken();
      if (this.#link !== link) return;
      if (!isCurrent) return this.#finish(this.#refusal);
    } catch (error) {
      if (this.#link === link) this.#lost(error);
      return;
    }
    this.#refusal = undefined;
    this.#timer = setTimeout(() => this.#drop(`no welcome within ${CONNECT_TIMEOUT} ms`), CONNECT_TIMEOUT);
    const ifCurrent = (act) => (detail) => this.#link === link && act(detail);
    try {
      link.transport = this.#options.transport(this.#url, {
        opened: ifCurrent(() => this.#greet()),
        message: ifCurrent((text) => this.#receive(text)),
        closed: ifCurrent((reason) => this.#lost(this.#refusal ?? new RacError("connection-lost", reason ?? "it was closed"))),
      });
    } catch (error) {
      this.#finish(error);
    }
  }

  /** Finds the token for the next hello. Returns false if that is the one which the daemon refused. */
  async #findToken() {
    const { token } = this.#options;
    if (typeof token !== "function" || (this.#token !== undefined && !this.#isTokenRefused)) {
      this.#token ??= token?.trim();
      return true;
    }
    const refused = this.#isTokenRefused ? this.#token : undefined;
    const next = (await token(refused))?.trim();
    if (this.#isTokenRefused && (next === undefined || next === refused)) return false;
    this.#token = next;
    this.#isTokenRefused = false;
    return true;
  }

  #greet() {
    const { agent, name } = this.#options;
    const hello = { op: "hello", version: 1, agent, name, token: this.#token, session: this.#session };
    this.#link.transport.send(encode(hello));
  }

  #welcome({ epoch, server, heartbeat, maxFrame }) {
    clearTimeout(this.#timer);
    const now = performance.now();
    this.#pauses.welcomed(now);
    Object.assign(this.#link, { isWelcome: true, epoch: this.#session + epoch, maxFrame: maxFrame ?? MAX_FRAME });
    this.#silence = heartbeat > 0 ? new Silence(heartbeat, now) : undefined;
    if (this.#silence !== undefined) this.#tick();
    const link = this.#link;
    for (const user of [...this.#users]) if (this.#link === link && this.#users.has(user)) user.connected();
    this.#setState({ state: "connected", server });
  }

  #tick() {
    clearTimeout(this.#timer);
    const { act, next } = this.#silence.ticked(performance.now());
    if (act === "give-up") return this.#drop("the daemon is silent");
    if (act === "ask") this.say({ op: "ping" });
    this.#timer = setTimeout(() => this.#tick(), Math.max(1, next));
  }

  // MARK: Ending

  /** Gives the connection up from this side. */
  #drop(reason) {
    const { transport } = this.#link;
    this.#lost(this.#refusal ?? new RacError("connection-lost", reason));
    transport?.close();
  }

  #lost(error) {
    this.#leaveConnection();
    if (this.#isFinal(error)) return this.#finish(error);
    // The session is that of another principal: the token function has returned the token of a new one.
    if (this.#isOfOther(error)) this.#session = newSession();
    for (const user of [...this.#users]) user.lost();
    this.#setState({ state: "lost", error });
    // A subscriber may have closed the client, or woken it up.
    if (this.end !== undefined || this.#link) return;
    this.#timer = setTimeout(() => this.#connect(), this.#pauses.lost(performance.now(), Math.random()));
  }

  /** Whether the session is that of another principal. */
  #isOfOther(error) {
    return error === this.#refusal && error.code === "forbidden";
  }

  /** Whether a refusal without `id` forbids this client to come back; another token may help. */
  #isFinal(error) {
    if (error !== this.#refusal) return false;
    // A program that names its session wants that one.
    if (this.#isOfOther(error) && this.#options.session !== undefined) return true;
    const { code, isBeforeWelcome } = error;
    if (code === "unauthenticated" && typeof this.#options.token === "function") return false;
    return isBeforeWelcome ? isFinal(code) : code === "already-bound" || code === "unauthenticated";
  }

  #leaveConnection() {
    clearTimeout(this.#timer);
    this.#link = undefined;
    this.#silence = undefined;
    this.#pending.clear();
    for (const table of [this.terminals, this.watches, this.observations, this.hostings, this.calls, this.runs]) table.clear();
  }

  #finish(error) {
    const transport = this.#link?.transport;
    this.end = error;
    this.#leaveConnection();
    this.#ignorePage();
    for (const user of [...this.#users]) user.gone(error);
    this.#users.clear();
    this.#whenSettled?.();
    transport?.close();
    this.#setState({ state: "closed", error });
  }

  // MARK: Messages

  #receive(text) {
    let message;
    try {
      message = new Message(text);
    } catch {
      return this.#drop("the other end sent what is no message of a daemon");
    }
    this.#silence?.heard(performance.now());
    if (this.isConnected) this.#dispatch(message);
    else this.#receiveFirst(message);
    if (this.#whenSettled !== undefined && this.#isSettled) this.#whenSettled();
  }

  #receiveFirst(message) {
    const { op } = message.fields;
    if (op === "welcome") return this.#welcome(message.fields);
    if (op === "refused") return this.#refuse(message, true);
    this.#drop("the other end is no daemon of rac");
  }

  /** The daemon refuses the connection, or a message that had no readable `id`. It ends the connection itself, if it does. */
  #refuse(message, isBeforeWelcome) {
    this.#refusal = Object.assign(RacError.of(message), { isBeforeWelcome });
    if (this.#refusal.code === "unauthenticated") this.#isTokenRefused = true;
    if (isBeforeWelcome) return this.#drop();
    if (this.#refusal.code === "bad-message" || this.#refusal.code === "unknown-op") this.problem(this.#refusal);
  }

  #dispatch(message) {
    const { op, id, t, w, c, x } = message.fields;
    switch (op) {
      case "ping":
        return this.say({ op: "pong" });
      case "reply":
      case "refused":
        return id === undefined ? this.#refuse(message, false) : this.#answer(id, message);
      case "next":
      case "completed":
      case "error":
        if (c !== undefined) return this.observations.get(c)?.failed(RacError.of(message));
        if (x !== undefined) return this.calls.get(x)?.heard(message);
        return this.terminals.get(t)?.heard(message);
      case "ack":
      case "nak":
        return this.terminals.get(t)?.answered(message);
      case "changed":
      case "synced":
        return this.watches.get(w)?.heard(message);
      case "state":
        return this.observations.get(c)?.heard(message.fields);
      case "unhosted":
        return this.hostings.get(c)?.unhosted(RacError.of(message));
      case "execute":
        return this.hostings.get(c)?.execute(x, message);
      case "cancel":
        return this.runs.get(x)?.cancel(x);
    }
  }

  #answer(id, message) {
    const answered = this.#pending.get(id);
    this.#pending.delete(id);
    if (message.fields.op === "reply") answered?.(undefined, message);
    else answered?.(RacError.of(message));
  }

  // MARK: The page

  /** A tab that is shown again, and a network that is back, are reasons to look after the connection at once. */
  #watchPage() {
    const { document } = globalThis;
    if (document === undefined) return;
    const wake = () => document.visibilityState !== "hidden" && this.wake();
    const hide = ({ persisted }) => persisted && this.#rest();
    const listeners = [
      [document, "visibilitychange", wake],
      [globalThis, "online", wake],
      [globalThis, "pageshow", wake],
      [globalThis, "pagehide", hide],
    ];
    for (const [target, event, listener] of listeners) target.addEventListener(event, listener);
    this.#ignorePage = () => {
      for (const [target, event, listener] of listeners) target.removeEventListener(event, listener);
    };
  }

  /** A browser that keeps a left page for the way back stops it. Its connection would stand, and its commands would not run. */
  #rest() {
    if (this.#link !== undefined) this.#drop("the page was left");
    clearTimeout(this.#timer);
  }
}

/** A request over connections: protocol.md, "What a client does", 5. */
class Request {
  #engine;
  #message;
  #isRepeatable;
  #answered;
  #timer;
  #id;
  #isRepeated = false;
  isSettled = false;

  constructor(engine, fields, texts, isRepeatable, answered) {
    this.#engine = engine;
    this.#message = [fields, texts];
    this.#isRepeatable = isRepeatable;
    this.#answered = answered;
    this.#timer = setTimeout(() => this.#timeOut(), engine.replyTimeout);
    engine.add(this);
  }

  connected() {
    this.#id = this.#engine.ask(...this.#message, (error, reply) => this.#end(error, reply));
  }

  lost() {
    if (this.#id === undefined) return;
    this.#id = undefined;
    this.#isRepeated = true;
    if (!this.#isRepeatable) this.#end(outcomeUnknown());
  }

  gone(error) {
    this.#end(error);
  }

  /** Takes the request back, if it has not gone out. Returns whether it has not. */
  withdraw(error) {
    const isWithdrawn = this.#id === undefined && !this.isSettled;
    if (isWithdrawn) this.#end(error);
    return isWithdrawn;
  }

  #timeOut() {
    if (this.#id !== undefined) this.#engine.forgetRequest(this.#id);
    this.#end(new RacError("timed-out", `no answer from racd within ${this.#engine.replyTimeout} ms`));
  }

  #end(error, reply) {
    clearTimeout(this.#timer);
    this.isSettled = true;
    this.#engine.remove(this);
    // The conflict may be one with the request's own change, which the lost connection carried out.
    const isUnknown = error?.code === "conflict" && this.#isRepeated;
    this.#answered(isUnknown ? outcomeUnknown() : error, reply);
  }
}
