// Questions, and news with a way back.

import { $, h, setText } from "./dom.js";

/**
 * Asks something in a dialog.
 *
 * @param {object} question `fields` are elements with a name; `check` returns the fault of the answers in words, if there is one.
 * @returns {Promise<Record<string, string> | undefined>} The values of the fields; undefined if the person changes their mind.
 */
export function ask({ title, text, fields = [], act, isGrave = false, check = () => undefined }) {
  return new Promise((resolve) => {
    let answers;
    const fault = h("p", { class: "fault", role: "alert" });
    const submit = (event) => {
      event.preventDefault();
      const values = Object.fromEntries(new FormData(form));
      const problem = check(values);
      setText(fault, problem ?? "");
      if (problem !== undefined) return;
      answers = values;
      dialog.close();
    };
    const form = h("form", { method: "dialog", onsubmit: submit },
      h("h2", { id: "dialog-title" }, title), text && h("p", {}, text), fields, fault,
      h("div", { class: "buttons" },
        h("button", { type: "button", "data-act": "cancel", onclick: () => dialog.close() }, "Cancel"),
        h("button", { type: "submit", class: isGrave ? "grave" : "main", "data-act": "confirm" }, act)));
    const dialog = h("dialog", { id: "dialog", "aria-labelledby": "dialog-title" }, form);
    dialog.addEventListener("close", () => {
      dialog.remove();
      resolve(answers);
    });
    document.body.append(dialog);
    dialog.showModal();
    form.querySelector("input, textarea, select")?.focus();
  });
}

/** A label with its field. */
export const field = (label, input, hint) => h("label", {}, h("span", {}, label), input, hint && h("small", {}, hint));

/** Tells what has happened, until something else does or a person has read it. An undo is offered once. */
export function tell(text, { undo, label = "Undo", isFault = false } = {}) {
  const box = $("#notice");
  const close = () => box.replaceChildren();
  const undone = () => {
    close();
    undo();
  };
  box.dataset.kind = isFault ? "fault" : "news";
  box.replaceChildren(
    h("span", { class: "text" }, text),
    undo && h("button", { type: "button", "data-act": "undo", onclick: undone }, label),
    h("button", { type: "button", class: "close", "aria-label": "Dismiss", onclick: close }, "×"),
  );
}

/** The words for an error of the daemon or of the client. */
export function wordsFor(error) {
  const words = {
    forbidden: "You may not do that: ",
    unauthenticated: "You are not signed in: ",
    "timed-out": "No answer: ",
    "outcome-unknown": "Not known: ",
    storage: "The disk refused: ",
  };
  return `${words[error.code] ?? ""}${error.message}`;
}

/** Does something, and tells the error if it fails. */
export async function attempt(work) {
  try {
    return await work();
  } catch (error) {
    tell(wordsFor(error), { isFault: true });
    return undefined;
  }
}
