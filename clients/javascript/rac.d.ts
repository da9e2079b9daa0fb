/** A client of racd in JavaScript, for browsers, Node and Deno. README.md shows it, protocol.md has the semantics. */

/** A value that JSON can have. */
export type JSONValue = null | boolean | number | string | readonly JSONValue[] | { readonly [key: string]: JSONValue };

/** A JSON text as it was written, with its value, which is frozen: numbers keep their text. */
export interface JSONText {
  readonly raw: string;
  readonly value: JSONValue;
  equals(other: JSONText | undefined): boolean;
  /** The value, for `JSON.stringify`. */
  toJSON(): JSONValue;
}

/** A value that a program may send: of JSON, as a text by `raw`, an integer of any length, or what `JSON.stringify` takes. */
export type Sendable = JSONValue | JSONText | bigint | object;

/** Takes a JSON text for a value: `property.value = raw("1.50")`. Another text is a `SyntaxError`. */
export function raw(text: string): JSONText;

/** Ends a subscription or a binding, and nothing else. */
export type Undo = () => void;

/** A call that did not succeed, or the error with which a channel or an execution ended. */
export class RacError extends Error {
  constructor(code: string, message: string, more?: { data?: JSONValue });
  /** For programs: a code of the daemon, of a program, or one of the client's own. */
  readonly code: string;
  /** More about it from its sender. */
  readonly data?: JSONValue;
  /** The revision of the value that the channel has, where that stood against the call. */
  readonly revision?: number;
  /** That value. */
  readonly current?: JSONText;
  /** The entry of a `put` that was refused, counted from 0. */
  readonly index?: number;
  /** Whether the change was made all the same: code `storage`, if only the disk has not taken it yet. */
  readonly isApplied?: true;
}

/** A current value that changes. */
export interface Cell<Value> {
  readonly value: Value;
  /** Calls a subscriber with the current value and with each other one. */
  subscribe(subscriber: (value: Value) => void): Undo;
}

// MARK: Connecting

/** The bytes' way to a daemon: messages of the protocol without their headers. */
export type Transport = ((
  url: string,
  events: {
    /** The way stands. */
    opened(): void;
    /** A message came. */
    message(text: string): void;
    /** The way has ended, or did not come about. It is called once. */
    closed(reason?: string): void;
  },
) => {
  send(text: string): void;
  /** Sends what waits, then ends. */
  close(): void;
  /** Bytes that wait for the network. */
  readonly waiting: number;
}) & {
  /** The address to open for one that the program names, or for none; throws if it is no address. */
  address?(url?: string): string;
};

export interface Options {
  /** The token for a closed daemon, without the white space around it. A function is asked for the first one, and for another one than a refused one. */
  token?: string | ((refused?: string) => string | undefined | Promise<string | undefined>);
  /** The program's name in the daemon's logs, such as `kiosk/2.1`. */
  agent?: string;
  /** The client's name for itself, such as `hall`. */
  name?: string;
  /**
   * The name of the client's session, 1 to 64 bytes; by default a new one for each client.
   *
   * A program that is started anew under the same name takes its lost connection over, and no will of that one is applied.
   * Two programs that run at a time must not have the same name: the first one ends with `already-bound`.
   */
  session?: string;
  /** Milliseconds for the daemon's answer to a request, reconnections included: 10 000 if left out. */
  replyTimeout?: number;
  /** By default a WebSocket; `tcp` of `rac-client/tcp` speaks to a daemon's own port. */
  transport?: Transport;
}

/**
 * Connects to a daemon, and again whenever the connection is lost.
 *
 * @param url Such as `wss://lab:7220/rac`, or the page's `https://lab:7220`. The path is `/rac` if there is none. By default the
 *   daemon of this page, else `ws://127.0.0.1:7220/rac`.
 */
export function connect(url?: string, options?: Options): Rac;

export interface ConnectionState {
  readonly state: "connecting" | "connected" | "lost" | "closed";
  /** The daemon, while it is connected. */
  readonly server?: string;
  /** Why the connection was lost, or no other one will come. */
  readonly error?: Error;
}

/** A client: everything that a program does with its daemon. */
export interface Rac {
  readonly connection: Cell<ConnectionState>;
  /** Errors that no call takes, such as a refused assignment or bind. Without a subscriber the console has them. */
  readonly problems: { subscribe(listener: (error: Error) => void): Undo };

  /** A shared channel as a property. Two objects of one channel get each other's values. */
  property<Value = any>(name: string, options?: PropertyOptions<Named<Value>>): Property<Value>;
  /** One side of a paired channel: `leading` is the device, `following` are the people. */
  paired<Received = any, Sent = any>(name: string, role: Role, options?: BindOptions): PairedTerminal<Received, Sent>;
  /**
   * Watches each channel that matches a pattern.
   *
   * Without `keep` only the listener has the states, and `channels` stays empty: for many channels, or large values. Such a
   * watch is the program's only one of its pattern.
   */
  watch(pattern: string, listener: WatchListener, options?: { keep?: boolean }): Watch;
  /** Binds two shared channels to each other, with a map of values for each direction if they differ. */
  link(left: string, right: string, maps?: { forward(value: any): Sendable; backward(value: any): Sendable }): Link;

  get(channel: string): Promise<ChannelState>;
  /** Returns the revision of the change. `if` names the revision that the value must have, 0 for none. */
  set(channel: string, value: Sendable, options?: { if?: number; role?: Role; sync?: boolean }): Promise<number>;
  /** Sets several channels, all or none. An entry without a value only compares. Returns the revisions. */
  put(entries: readonly { channel: string; value?: Sendable; if?: number }[], options?: Sync): Promise<number[]>;
  create(channel: string, options?: { mode?: Mode; value?: Sendable } & Sync): Promise<number>;
  finish(channel: string, options?: { error?: WireError | JSONText } & Sync): Promise<number>;
  reopen(channel: string, options?: Sync): Promise<number>;
  delete(channel: string, options?: Sync): Promise<number>;
  list(page?: Page): Promise<{ channels: ListedChannel[]; more: boolean }>;
  who(page?: { channel?: string; after?: number; limit?: number }): Promise<{ who: ConnectedClient[]; more: boolean }>;

  command<Input = any, Step = any>(name: string): Command<Input, Step>;
  /**
   * Hosts a command. The work is a function, whose result is the one value, or a generator of values.
   *
   * Callers get the code, the message and the data of a `RacError` that the work throws. Another error goes to `problems`.
   */
  host<Input = any>(
    name: string,
    work: (input: Input, context: { signal: AbortSignal; raw?: string }) => AsyncIterable<Sendable> | Promise<unknown> | unknown,
    options?: { concurrent?: boolean; enabled?: boolean },
  ): Hosting;
  commands(page?: Page): Promise<{ commands: object[]; more: boolean }>;
  /** Makes a command that nobody hosts one that was never hosted. */
  forget(command: string): Promise<void>;

  /** Connects at once, or asks whether the connection still stands. A page does that when its tab is shown again. */
  wake(): void;
  /** Gives open work a second, says goodbye, and ends every object of this client. No will is applied. */
  close(): Promise<void>;
}

export type Role = "leading" | "following";
export type Mode = "shared" | "paired";

/** `sync` waits for the disk. */
export interface Sync {
  sync?: boolean;
}

export interface WireError {
  code: string;
  message?: string;
  data?: JSONValue;
}

/** A page of a list; `pattern` is `**` if left out. */
export interface Page {
  pattern?: string;
  after?: string;
  limit?: number;
}

/** A connection of the daemon, with its bindings; or one of its bindings to the channel that `who` named. */
export interface ConnectedClient {
  connection: number;
  name?: string;
  agent?: string;
  /** Address and port of the other end, or `unix`. */
  peer?: string;
  /** The transport: `tcp`, `tls`, `unix`, `websocket` or `http`; later daemons may have other ones. */
  via?: string;
  pid?: number;
  uid?: number;
  principal?: string;
  since?: number;
  bound?: number;
  role?: Role;
  conflate?: boolean;
  interval?: number;
  slow?: boolean;
}

export interface ListedChannel {
  channel: string;
  rev: number;
  state: "open" | "completed" | "failed";
  mode: Mode;
  bound: number;
  changes: number;
  slow?: number;
  by?: string;
}

// MARK: Channels

/** A type that the program names, and that no argument does. */
type Named<Type> = [Type][Type extends any ? 0 : never];

/** The options of the first object of a channel hold for all. They go out again with each new connection. */
export interface BindOptions<Value = Sendable> {
  /** The value of a channel that never had one. */
  default?: Value | JSONText;
  /** Milliseconds: at most one value, the newest, in each such time. */
  interval?: number;
  /** Whether the newest value is enough where this program is slow: yes for properties if left out. */
  conflate?: boolean;
  /** The change of the channel when this program is lost. */
  will?: { value: Value | JSONText } | { error: WireError } | { completed: true };
  /** Whether a leading side gets the wish of before: no if left out. */
  replay?: boolean;
}

export interface PropertyOptions<Value = Sendable> extends BindOptions<Value> {
  /** The side that the property is bound to: `following` if left out. A model leads, where rights differ. */
  role?: Role;
}

export interface Change {
  /** The value's JSON text. */
  readonly raw: string;
  /** Its revision; 0 for a value of this program without an answer yet. */
  readonly revision: number;
}

/** How a terminal ended: by the channel's end, because the daemon refused it (`refused`), or by `unbind()` (`unbound`). */
export interface End {
  readonly op: "completed" | "error" | "refused" | "unbound";
  readonly error?: RacError;
  readonly revision?: number;
  readonly deleted?: boolean;
}

export interface Observer<Value> {
  next?(value: Value, change: Change): void;
  complete?(end: End): void;
  /** The channel has failed, or the daemon refuses the bind. Without it, and without `ready()`, `problems` has a refused bind. */
  error?(error: RacError): void;
  /** An assignment was refused; `next` has the channel's value. */
  refused?(error: RacError): void;
  /** Values of a paired channel were lost, because this program was slow. */
  missed?(error: RacError): void;
}

interface Terminal<Received, Sent> {
  readonly name: string;
  /** Whether the channel is bound now. */
  readonly live: Cell<boolean>;
  /** The value with its JSON text; undefined before the first one. */
  readonly text: JSONText | undefined;
  readonly raw: string | undefined;
  /** The revision of the value, for `if`; 0 while the daemon has not acknowledged it. */
  readonly revision: number;
  readonly end: End | undefined;
  /** Resolves when the daemon has reported the channel's state; rejects if it refuses the bind. */
  ready(): Promise<void>;
  /** Calls a subscriber with the current value, then with each one that did not come through this object. */
  subscribe(subscriber: ((value: Received, change: Change) => void) | Observer<Received>): Undo;
  /** Sends a value. A refusal reaches `refused` of the subscribers, or `problems` of the client. */
  send(value: Sent): void;
  /** Sends a value. Returns its revision, or that of a later one that was acknowledged with it. */
  set(value: Sent, options?: { if?: number; sync?: boolean }): Promise<number>;
  /**
   * Waits until every write until now has its answer.
   *
   * It rejects if a write that had no answer is refused, or if an assignment was refused at once, as behind an end.
   */
  settled(): Promise<void>;
  /** Completes the channel for everybody. */
  complete(options?: Sync): Promise<number>;
  /** Ends the channel with an error for everybody. */
  fail(error: WireError, options?: Sync): Promise<number>;
  /** Another object on the same binding; it and this one get each other's values. */
  another(): this;
  /**
   * Leaves the channel as it is. Earlier sends are still delivered; subscribers hear nothing more.
   *
   * The object keeps its value, and is not live. Each further call is refused with `unbound`, but `another()` binds anew.
   */
  unbind(): void;
}

/** One value for all programs that share it. */
export interface Property<Value = any> extends Terminal<Value, Value | JSONText> {
  /**
   * The current value, frozen. Setting one shows it at once here, then there.
   *
   * A value without a JSON form is a `TypeError`. So is `undefined`, which compiles: before TypeScript 5.1 a setter takes each value
   * that its getter returns.
   */
  get value(): Value | undefined;
  set value(value: Value | JSONText | undefined);
}

/** One side of a paired channel. */
export interface PairedTerminal<Received = any, Sent = any> extends Terminal<Received, Sent | JSONText> {
  /** The newest value of the other side. */
  readonly value: Received | undefined;
}

/**
 * Binds a field to a property: what is typed goes out at once, and what others send is shown.
 *
 * Values of others wait while somebody types, until the edit is committed, the field is left, or no key came for a second.
 * Checkboxes have booleans, fields for numbers and ranges numbers, selections of several options arrays of strings, others strings.
 * Of radio buttons the checked one sends its `value`. A number field that is empty, or has a number beyond those of JavaScript,
 * sends nothing. A field for files, or a button, is a `TypeError`.
 */
export function bindInput(
  field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement,
  property: Property,
  options?: { refused?: (error: RacError) => void },
): Undo;

export interface Link {
  /** Resolves with the end of the channels, or a refusal; undefined if the link was undone. */
  readonly ended: Promise<End | undefined>;
  unlink(): void;
}

export interface ChannelState {
  readonly name: string;
  /** Of `get` the revision of the value, for `if`. Of a watch that of the newest change, which may be an end or a reopening. */
  readonly revision: number;
  readonly state: "open" | "completed" | "failed" | "deleted";
  readonly value: any;
  readonly raw: string | undefined;
  readonly wish: any;
  readonly rawWish: string | undefined;
  readonly wishRevision?: number;
  /** Set by `get` only. */
  readonly mode?: Mode;
  readonly cause?: number;
  readonly error?: WireError;
  /** The error's JSON text. */
  readonly rawError: string | undefined;
  /** Milliseconds since 1970, by the daemon's clock. Set by `get` only. */
  readonly at?: number;
  /** The principal that made the newest change, in a closed daemon. */
  readonly by?: string;
}

export interface WatchListener {
  /** A channel is there, has changed, or is deleted. */
  changed?(channel: ChannelState): void;
  /** Every present channel has been reported. */
  synced?(): void;
  error?(error: RacError): void;
}

export interface Watch {
  readonly channels: ReadonlyMap<string, ChannelState>;
  readonly isSynced: boolean;
  stop(): void;
}

// MARK: Commands

export interface Command<Input = any, Step = any> {
  readonly name: string;
  /** Whether the command may be executed now; not known, and so false, while nobody subscribes. */
  readonly enabled: Cell<boolean>;
  readonly executing: Cell<boolean>;
  /** The errors with which executions of all callers end. */
  readonly failures: { subscribe(listener: (error: RacError) => void): Undo };
  execute(...input: undefined extends Input ? [input?: Input | JSONText] : [input: Input | JSONText]): Execution<Step>;
  /** Makes a click execute the command. The button is disabled while the command may not be executed. */
  bindButton(
    button: HTMLButtonElement,
    options?: { input?: Input | JSONText | (() => Input | JSONText); step?: (value: Step, execution: Execution<Step>) => void; failed?: (error: Error) => void },
  ): Undo;
}

/**
 * One run of a command. Leaving the loop over it early cancels it.
 *
 * 10 000 values wait for a loop. Behind more the loop ends with `slow-consumer`, which cancels the run.
 */
export interface Execution<Step = any> extends AsyncIterableIterator<Step> {
  /** The JSON text of the value that the loop has now, with its numbers as they were written. */
  readonly raw: string | undefined;
  /** The last value, when the run has completed; rejects with its error. */
  readonly result: Promise<Step | undefined>;
  /** Asks the host to give up; the end shows how that came out. */
  cancel(): void;
}

/**
 * A command that this program hosts, over connections.
 *
 * While another program hosts it, this one asks for the place each second. `already-hosted` is reported once, in `rac.problems`.
 */
export interface Hosting {
  readonly name: string;
  /** Whether the daemon knows this program as the host now. */
  readonly live: Cell<boolean>;
  /** The host's own condition: whether it allows executions now. */
  enabled: boolean;
  /** Resolves at the end: with the error, if the daemon does not take this program as the host, or not any longer. */
  readonly ended: Promise<Error | undefined>;
  unhost(): void;
}
