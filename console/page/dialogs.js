// Questions, and news with a way back.

import { $, button, h, put, setText } from "./dom.js";

/** Opens a dialog, which goes when it is closed. */
function open(id, title, form, closed = () => {}) {
  const dialog = h("dialog", { id, "aria-labelledby": `${id}-title` }, h("h2", { id: `${id}-title` }, title), form);
  dialog.addEventListener("close", () => {
    dialog.remove();
    closed();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}

/**
 * Asks something in a dialog.
 *
 * @param {object} question `fields` are elements with a name; `check` returns the fault of the answers in words, if there is one.
 * @returns {Promise<Record<string, string> | undefined>} The values of the fields; undefined if the person changes their mind.
 */
export function ask({ title, text, fields = [], act, isGrave = false, check = () => undefined }) {
  return new Promise((resolve) => {
    let answers;
    const fault = h("p.fault", { role: "alert" });
    const submit = (event) => {
      event.preventDefault();
      const values = Object.fromEntries(new FormData(form));
      const problem = check(values);
      setText(fault, problem ?? "");
      if (problem !== undefined) return;
      answers = values;
      dialog.close();
    };
    const form = h("form", { method: "dialog", onsubmit: submit }, text && h("p", text), fields, fault,
      h("div.buttons", button("cancel", "Cancel", () => dialog.close()), h(`button.${isGrave ? "grave" : "main"}`, { type: "submit", "data-act": "confirm" }, act)));
    const dialog = open("dialog", title, form, () => resolve(answers));
    form.querySelector("input, textarea, select")?.focus();
  });
}

/** Shows a dialog that only informs. */
export function explain(title, ...content) {
  const close = h("button.main", { type: "submit", "data-act": "cancel" }, "Close");
  open("dialog", title, h("form", { method: "dialog" }, content, h("div.buttons", close)));
}

/** Shows the progress of long work, which a person may cancel. */
export function busy(title) {
  const bar = h("progress", { max: 1, "aria-label": title });
  const cancel = h("button", { type: "submit", "data-act": "cancel" }, "Cancel");
  const form = h("form", { method: "dialog" }, bar, h("div.buttons", cancel));
  const dialog = open("busy", title, form, () => (progress.isCancelled = true));
  const progress = {
    isCancelled: false,
    show: (done, total) => (bar.value = done / total),
    close: () => dialog.remove(),
  };
  return progress;
}

/** A label with its field. */
export const field = (label, input, hint) => h("label", h("span", label), input, hint && h("small", hint));

/** Tells what has happened, until something else does or a person has read it. An undo is offered once. */
export function tell(text, { undo, label = "Undo", isFault = false } = {}) {
  const box = $("#notice");
  const close = () => put(box);
  const undone = () => {
    close();
    undo();
  };
  box.dataset.kind = isFault ? "fault" : "news";
  put(box, 
    h("span.text", text),
    undo && button("undo", label, undone),
    button("dismiss", "×", close, { "aria-label": "Dismiss" }),
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
