// Commands: all of them in a tree, and one with its executions.

import { button, clock, count, facts, h, joined, plural, put, setText, shown, shownName } from "./dom.js";
import { ask, attempt, tell, wordsFor } from "./dialogs.js";
import { faultOfJSON } from "./ends.js";
import { Names } from "./names.js";
import { raw } from "/rac.js";

/** Milliseconds between two readings of the list, which the daemon does not tell by itself. */
const READING = 1500;
/** Values of one execution, executions of one command, and errors that are shown. */
const VALUES = 100;
const RUNS = 20;
const FAILURES = 8;

/** The names of all commands with their states, read again and again while somebody looks. */
export class Commands {
  names = new Names();
  #rac;
  #isReading = false;
  isRead = false;

  constructor(rac, { isSeen }) {
    this.#rac = rac;
    this.names.opensBranches = true;
    rac.connection.subscribe(({ state }) => state === "connected" && this.read());
    setInterval(() => isSeen() && this.read(), READING);
  }

  get(name) {
    return this.names.get(name)?.entry;
  }

  async read() {
    if (this.#isReading || this.#rac.connection.value.state !== "connected") return;
    this.#isReading = true;
    try {
      const told = new Set();
      for (let [after, more] = [undefined, true]; more; ) {
        const page = await this.#rac.commands({ after });
        for (const command of page.commands) {
          told.add(command.command);
          const node = this.names.get(command.command);
          if (node === undefined) this.names.add(command.command, command);
          else node.entry = command;
        }
        after = page.commands.at(-1)?.command;
        more = page.more && after !== undefined;
      }
      for (const { name } of [...this.names.all()]) if (!told.has(name)) this.names.remove(name);
      this.isRead = true;
    } catch (error) {
      if (error.code !== "timed-out") tell(wordsFor(error), { isFault: true });
    }
    this.#isReading = false;
  }
}

/** The state of a command in words. */
export function stateOf({ enabled, executing, connection }) {
  if (executing) return "executing";
  if (enabled) return "enabled";
  return connection === undefined ? "gone" : "disabled";
}

export const WORDS = { executing: "executing", enabled: "enabled", disabled: "not enabled", gone: "no host" };

/** One run that this page asked for. */
class Run {
  element;
  #execution;
  #values = [];
  #total = 0;
  #isAsked = false;
  #parts;

  constructor(command, input) {
    this.#execution = command.execute(input === undefined ? undefined : raw(input));
    this.#parts = {
      state: h("span.state", { "data-state": "executing" }, "executing"),
      total: h("span.count"),
      cancel: button("cancel-run", "Cancel", () => this.#cancel()),
      bar: h("progress", { "aria-label": "Executing" }),
      values: h("pre.content", { tabindex: 0, "aria-label": "Values", hidden: true }),
      error: h("p.error", { role: "alert", hidden: true }),
    };
    const { state, total, cancel, bar, values, error } = this.#parts;
    this.element = h("li.run",
      h("div.head", h("span.count", clock(Date.now())), input !== undefined && h("code", shown(input.slice(0, 200))), state, total, h("div.buttons", cancel)),
      bar, values, error);
    this.#follow();
  }

  async #follow() {
    try {
      for await (const step of this.#execution) this.#add(step);
      this.#end("completed");
    } catch (error) {
      this.#end(error.code === "cancelled" ? "cancelled" : "failed", error);
    }
  }

  #add(step) {
    this.#total += 1;
    this.#values.push(JSON.stringify(step));
    if (this.#values.length > VALUES) this.#values.shift();
    if (this.#isAsked) return;
    this.#isAsked = true;
    requestAnimationFrame(() => this.#draw());
  }

  #draw() {
    this.#isAsked = false;
    const { values, total } = this.#parts;
    setText(total, plural(this.#total, "value"));
    values.hidden = this.#total === 0;
    put(values, shown(this.#values.join("\n")));
    values.scrollTop = values.scrollHeight;
  }

  #cancel() {
    this.#parts.cancel.disabled = true;
    setText(this.#parts.state, "cancelling");
    this.#execution.cancel();
  }

  #end(word, error) {
    const { state, bar, cancel, error: box } = this.#parts;
    this.#draw();
    bar.remove();
    cancel.remove();
    setText(state, word);
    state.dataset.state = word;
    box.hidden = word !== "failed";
    if (word === "failed") put(box, h("code", shown(error.code)), " ", shown(error.message));
  }
}

/** The panel of one command at a time. */
export class CommandPanel {
  #rac;
  #commands;
  #name;
  #undo = [];
  #runs = new Map();
  #parts;
  #isEnabled = false;

  constructor(rac, commands, element) {
    this.#rac = rac;
    this.#commands = commands;
    this.element = element;
    setInterval(() => this.#name !== undefined && this.#drawFacts(), READING);
  }

  get name() {
    return this.#name;
  }

  show(name) {
    if (name === this.#name) return;
    for (const undo of this.#undo) undo();
    this.#undo = [];
    this.#name = name;
    if (name === undefined) return;
    this.#build();
    const command = this.#rac.command(name);
    const draw = () => this.#drawState(command);
    this.#undo = [command.enabled.subscribe(draw), command.executing.subscribe(draw), command.failures.subscribe((error) => this.#failed(error))];
    this.#commands.read().then(() => this.#drawFacts());
  }

  #build() {
    this.#parts = {
      state: h("span.state", { id: "command-state" }),
      facts: h("dl.facts"),
      input: h("textarea", { id: "input", rows: 2, spellcheck: "false", "aria-describedby": "input-fault", placeholder: "JSON; may be left empty" }),
      fault: h("p.fault", { id: "input-fault", role: "alert" }),
      execute: h("button.main", { type: "submit", id: "execute", title: "Ctrl+Enter" }, "Execute"),
      forget: button("forget", "Forget…", () => this.#forget(), { hidden: true }),
      runs: h("ul", { id: "runs", class: "plain" }),
      failures: h("section", { id: "failures", hidden: true }, h("h3", "Errors of all callers"), h("ul.plain")),
    };
    const { state, facts: box, input, fault, execute, forget, runs, failures } = this.#parts;
    const form = h("form.execution", { onsubmit: (event) => this.#execute(event) },
      h("label", h("span", "Input"), input), fault, h("div.buttons", execute));
    form.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) this.#execute(event);
    });
    put(this.element, 
      h("header", h("h2", { tabindex: -1 }, shownName(this.#name)), state, h("div.buttons", forget)), box, form,
      h("section", h("h3", "Executions", h("small", " of this page")), runs), failures);
    runs.append(...this.#runsOf(this.#name).map((run) => run.element));
    this.#drawFacts();
  }

  #runsOf(name) {
    if (!this.#runs.has(name)) this.#runs.set(name, []);
    return this.#runs.get(name);
  }

  #drawState({ enabled, executing }) {
    this.#isEnabled = enabled.value;
    this.#parts.execute.disabled = !this.#isEnabled;
    const known = this.#commands.get(this.#name);
    const state = stateOf({ enabled: enabled.value, executing: executing.value, connection: known?.connection });
    setText(this.#parts.state, WORDS[state]);
    this.#parts.state.dataset.state = state;
    this.#commands.read().then(() => this.#drawFacts());
  }

  #drawFacts() {
    const known = this.#commands.get(this.#name);
    this.#parts.forget.hidden = known === undefined || known.connection !== undefined;
    put(this.#parts.facts, known !== undefined && facts([
      ["Host", known.connection === undefined ? "nobody" : shown(joined(known.name, known.agent, known.principal ?? known.peer))],
      ["Runs", known.concurrent ? "several at once" : "once at a time"],
      ["Executions", count(known.executions)],
      ["Observers", count(known.observers)],
    ]));
  }

  #execute(event) {
    event.preventDefault();
    const { input, fault, runs } = this.#parts;
    const text = input.value.trim();
    const problem = text === "" ? undefined : faultOfJSON(text);
    setText(fault, problem ?? "");
    if (problem !== undefined || !this.#isEnabled) return;
    const run = new Run(this.#rac.command(this.#name), text === "" ? undefined : text);
    const known = this.#runsOf(this.#name);
    known.unshift(run);
    runs.prepend(run.element);
    while (known.length > RUNS) known.pop().element.remove();
  }

  #failed(error) {
    const { failures } = this.#parts;
    const list = failures.querySelector("ul");
    failures.hidden = false;
    list.prepend(h("li", h("span.count", clock(Date.now())), " ", h("code", shown(error.code)), " ", shown(error.message)));
    while (list.children.length > FAILURES) list.lastChild.remove();
  }

  async #forget() {
    const name = this.#name;
    const text = `Nobody hosts ${name}. racd forgets it until somebody does again.`;
    if ((await ask({ title: "Forget the command?", text, act: "Forget" })) === undefined) return;
    await attempt(async () => {
      await this.#rac.forget(name);
      tell(`${name} is forgotten.`);
      await this.#commands.read();
    });
  }
}
