// Commands: all of them in a tree, and one with its executions.

import { button, clock, codeAndWords, count, facts, h, joined, plural, put, setText, shown, shownName, submit } from "./dom.js";
import { ask, attempt, tell, wordsFor } from "./dialogs.js";
import { faultOfJSON } from "./json.js";
import { Names } from "./names.js";
import { raw } from "../rac.js";

/** Milliseconds between two readings of the list, which the daemon does not send by itself. */
const READING = 1500;
/** Values of one execution, executions of one command, and errors that are shown. */
const VALUES = 100;
const RUNS = 20;
const FAILURES = 8;

/** The names of all commands with their states, read again and again while somebody looks. */
export class Commands {
  names = new Names();
  isRead = false;
  #rac;
  #isReading = false;

  constructor(rac, { isSeen }) {
    this.#rac = rac;
    this.names.openBranches();
    rac.connection.subscribe(() => this.read());
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
          after = command.command;
          told.add(after);
          const node = this.names.get(after);
          if (node === undefined) this.names.add(after, command);
          else node.entry = command;
        }
        more = page.more && page.commands.length > 0;
      }
      for (const { name } of [...this.names.all()]) if (!told.has(name)) this.names.remove(name);
      this.isRead = true;
    } catch (error) {
      if (error.code !== "timed-out") tell(wordsFor(error), { isFault: true });
    }
    this.#isReading = false;
  }
}

/** The state of a command, for its looks and in words. */
export const WORDS = { executing: "executing", enabled: "enabled", disabled: "not enabled", gone: "no host" };

export function stateOf({ enabled, executing, connection }) {
  if (executing) return "executing";
  return enabled ? "enabled" : connection === undefined ? "gone" : "disabled";
}

/** Shows a state, if it has another one. */
function showState(badge, state, words = state) {
  setText(badge, words);
  badge.dataset.state = state;
}

/** Puts an item before those of a list, which keeps at most so many. */
function putFirst(list, item, most) {
  list.prepend(item);
  while (list.childElementCount > most) list.lastChild.remove();
}

/** Executes a command, and shows that run. */
function run(command, input) {
  const execution = command.execute(input === "" ? undefined : raw(input));
  const values = [];
  let [total, isAsked] = [0, false];
  const state = h("span.state", { "data-state": "executing" }, "executing");
  const counted = h("span.count");
  const cancel = button("cancel-run", "Cancel", () => {
    cancel.disabled = true;
    setText(state, "cancelling");
    execution.cancel();
  });
  const bar = h("progress", { "aria-label": "Executing" });
  const list = h("pre.content", { tabindex: 0, "aria-label": "Values", hidden: true });
  const fault = h("p.error", { role: "alert" });
  const element = h("li.run", h("div.head", h("span.count", clock(Date.now())), h("code", shown(input.slice(0, 200))), state, counted, h("div.buttons", cancel)), bar, list, fault);

  function draw() {
    isAsked = false;
    setText(counted, plural(total, "value"));
    list.hidden = total === 0;
    put(list, shown(values.join("\n")));
    list.scrollTop = list.scrollHeight;
  }

  function end(word) {
    draw();
    bar.remove();
    cancel.remove();
    showState(state, word);
  }

  async function follow() {
    try {
      for await (const _ of execution) {
        total += 1;
        values.push(execution.raw);
        if (values.length > VALUES) values.shift();
        if (!isAsked) requestAnimationFrame(draw);
        isAsked = true;
      }
      end("completed");
    } catch (error) {
      end(error.code === "cancelled" ? "cancelled" : "failed");
      if (error.code !== "cancelled") put(fault, codeAndWords(error));
    }
  }

  follow();
  return element;
}

/** The panel of one command at a time. */
export function makeCommandPanel(rac, commands, element) {
  const runs = new Map();
  let [name, command, parts] = [];
  let undo = [];

  setInterval(() => name !== undefined && drawFacts(), READING);

  function build() {
    parts = {
      state: h("span.state", { id: "command-state" }),
      facts: h("dl.facts"),
      input: h("textarea", { id: "input", rows: 2, "aria-describedby": "input-fault", placeholder: "JSON; may be left empty" }),
      fault: h("p.fault", { id: "input-fault", role: "alert" }),
      execute: submit("execute", "Execute", { id: "execute", title: "Ctrl+Enter" }),
      forget: button("forget", "Forget…", forget),
      runs: h("ul.plain", { id: "runs" }, runs.get(name)),
      failures: h("ul.plain", { id: "failures" }),
    };
    const onkeydown = (event) => event.key === "Enter" && (event.ctrlKey || event.metaKey) && execute(event);
    put(element,
      h("header", h("h2", { tabindex: -1 }, shownName(name)), parts.state, h("div.buttons", parts.forget)), parts.facts,
      h("form.execution", { onsubmit: execute, onkeydown }, h("label", "Input", parts.input), parts.fault, h("div.buttons", parts.execute)),
      h("section", h("h3", "Executions", h("small", "of this page")), parts.runs),
      h("section", h("h3", "Errors", h("small", "of all callers")), parts.failures));
    drawFacts();
  }

  async function drawState() {
    const { enabled, executing } = command;
    const state = stateOf({ enabled: enabled.value, executing: executing.value, connection: commands.get(name)?.connection });
    parts.execute.disabled = !enabled.value;
    showState(parts.state, state, WORDS[state]);
    await commands.read();
    if (name !== undefined) drawFacts();
  }

  function drawFacts() {
    const known = commands.get(name);
    const host = known?.connection !== undefined;
    parts.forget.hidden = known === undefined || host;
    put(parts.facts, known && facts([
      ["Host", host ? shown(joined(known.name, known.agent, known.principal ?? known.peer)) : "nobody"],
      ["Runs", known.concurrent ? "several at once" : "once at a time"],
      ["Executions", count(known.executions)],
      ["Observers", count(known.observers)],
    ]));
  }

  function execute(event) {
    event.preventDefault();
    const text = parts.input.value.trim();
    const problem = text === "" ? undefined : faultOfJSON(text);
    setText(parts.fault, problem ?? "");
    if (problem !== undefined || !command.enabled.value) return;
    putFirst(parts.runs, run(command, text), RUNS);
    runs.set(name, [...parts.runs.children]);
  }

  function failed(error) {
    putFirst(parts.failures, h("li", h("span.count", clock(Date.now())), " ", codeAndWords(error)), FAILURES);
  }

  async function forget() {
    // Another command may be shown behind the question.
    const of = name;
    const text = `Nobody hosts ${of}. racd forgets it until somebody does again.`;
    if ((await ask({ title: "Forget the command?", text, act: "Forget" })) === undefined) return;
    await attempt(async () => {
      await rac.forget(of);
      tell(`${of} is forgotten.`);
      await commands.read();
    });
  }

  return {
    show(chosen) {
      if (chosen === name) return;
      for (const stop of undo) stop();
      undo = [];
      name = chosen;
      if (name === undefined) return;
      build();
      command = rac.command(name);
      undo = [command.enabled.subscribe(drawState), command.executing.subscribe(drawState), command.failures.subscribe(failed)];
    },
  };
}
