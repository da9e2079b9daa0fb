// Work with a name, that one program hosts and any program executes: protocol.md, "Commands".

import { bindButton } from "./buttons.js";
import { Cell, Listeners } from "./cells.js";
import { Execution } from "./executions.js";

/** A command of the daemon: how it is, and a way to execute it. */
export class Command {
  #engine;
  #setEnabled;
  #setExecuting;
  #failures;
  /** The subscriptions that need the daemon's word. */
  #watchers = 0;
  #number;
  #isAsking = false;
  isSettled = true;

  /** Forgets the names of commands that no program can reach. */
  static #unreachable = new FinalizationRegistry(({ commands, name }) => {
    if (commands.get(name)?.deref() === undefined) commands.delete(name);
  });

  /** The program's one object of that name. */
  static named(engine, name) {
    const { commands } = engine;
    const known = commands.get(name)?.deref();
    if (known !== undefined) return known;
    const command = new Command(engine, name);
    commands.set(name, new WeakRef(command));
    Command.#unreachable.register(command, { commands, name });
    return command;
  }

  constructor(engine, name) {
    this.#engine = engine;
    this.name = name;
    const watching = (isWatched) => this.#count(isWatched ? 1 : -1);
    /** Whether the command may be executed now; not known, and so false, while nobody subscribes to it. */
    [this.enabled, this.#setEnabled] = Cell.make(false, engine.problem, watching);
    /** Whether its host is at work on it. */
    [this.executing, this.#setExecuting] = Cell.make(false, engine.problem, watching);
    this.#failures = new Listeners(engine.problem);
    /** The errors with which executions of all callers end. */
    this.failures = { subscribe: (listener) => this.#subscribe(listener) };
  }

  /**
   * Executes the command.
   *
   * @param {unknown} [input]
   * @returns {Execution} Iterate over it, or await its `result`.
   */
  execute(input) {
    return new Execution(this.#engine, this.name, input);
  }

  /**
   * Makes a click on a button execute the command. The button is disabled while the command may not be executed.
   *
   * @returns {() => void} Undoes it.
   */
  bindButton(button, options) {
    return bindButton(button, this, this.#engine.problem, options);
  }

  #subscribe(listener) {
    const remove = this.#failures.add(listener);
    this.#count(1);
    return () => remove() && this.#count(-1);
  }

  // MARK: Observing

  #count(change) {
    this.#watchers += change;
    if (this.#watchers === 1 && change === 1) {
      if (this.#number === undefined && !this.#isAsking) this.#engine.add(this);
    } else if (this.#watchers === 0) {
      this.#leave();
    }
  }

  /** Nobody subscribes. A command whose number is not known yet is observed until it is, and perhaps by a new subscriber. */
  #leave() {
    if (this.#isAsking) return;
    this.#engine.remove(this);
    const number = this.#number;
    this.lost();
    if (number === undefined) return;
    this.#engine.observations.delete(number);
    this.#engine.ask({ op: "unobserve", c: number });
  }

  connected() {
    this.#isAsking = true;
    this.#engine.ask({ op: "observe", command: this.name }, {}, (error, reply) => {
      this.#isAsking = false;
      if (error !== undefined) return this.#engine.problem(error);
      this.#number = reply.fields.c;
      this.#engine.observations.set(this.#number, this);
      this.heard(reply.fields);
      if (this.#watchers === 0) this.#leave();
    });
  }

  lost() {
    this.#isAsking = false;
    this.#number = undefined;
    this.heard({ enabled: false, executing: false });
    if (this.#watchers === 0) this.#engine.remove(this);
  }

  gone() {
    this.lost();
  }

  /** The command's state. Nobody sees it enabled while it executes, unless its host allows both. */
  heard({ enabled, executing }) {
    if (executing) {
      this.#setEnabled(enabled);
      this.#setExecuting(executing);
    } else {
      this.#setExecuting(executing);
      this.#setEnabled(enabled);
    }
  }

  failed(error) {
    this.#failures.tell(error);
  }
}
