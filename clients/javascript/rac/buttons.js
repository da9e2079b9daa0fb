// A button that executes a command.

import { optionsOf } from "./errors.js";

/**
 * Binds a button to a command. `Command.bindButton` calls this.
 *
 * @param {HTMLButtonElement} button
 * @param {import("./commands.js").Command} command
 * @param {(error: unknown) => void} problem Takes an error if the options have no `failed`.
 * @param {{ input?: unknown, step?: (value: unknown, execution: { raw?: string }) => void, failed?: (error: Error) => void }} [options] A function as the
 *   input is called at each click.
 * @returns {() => void} Undoes it.
 */
export function bindButton(button, command, problem, options) {
  const { input, step = () => {}, failed = problem } = optionsOf("bindButton", options, "failed", "input", "step");
  const click = async () => {
    try {
      const present = typeof input === "function" ? input() : input;
      const execution = command.execute(present);
      for await (const value of execution) step(value, execution);
    } catch (error) {
      // Somebody else was faster: the disabled button says so.
      if (error.code !== "not-enabled") failed(error);
    }
  };
  const undo = [
    command.enabled.subscribe((isEnabled) => (button.disabled = !isEnabled)),
    command.executing.subscribe((isExecuting) => button.setAttribute("aria-busy", String(isExecuting))),
  ];
  button.addEventListener("click", click);
  return () => {
    button.removeEventListener("click", click);
    for (const unsubscribe of undo) unsubscribe();
  };
}
