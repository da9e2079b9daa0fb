// Questions, and news with a way back.

import { $, button, h, put, setText, submit } from "./dom.js";

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
 * @param {object} question `fields` are elements with a name; `check` carries the answers out, or returns their fault in words.
 *   An error that it throws is a fault, too, and leaves the answers for another try.
 * @returns {Promise<Record<string, string> | undefined>} The values of the fields; undefined if the person changes their mind.
 */
export function ask({ title, text, fields = [], act, isGrave = false, check = () => {} }) {
  return new Promise((resolve) => {
    let answers;
    const fault = h("p.fault", { role: "alert" });
    const confirm = submit("confirm", act, isGrave && { class: "grave" });
    const onsubmit = async (event) => {
      event.preventDefault();
      const values = Object.fromEntries(new FormData(form));
      confirm.disabled = true;
      const problem = await Promise.resolve(values).then(check).catch(wordsFor);
      confirm.disabled = false;
      setText(fault, problem ?? "");
      if (problem !== undefined) return;
      answers = values;
      dialog.close();
    };
    const form = h("form", { method: "dialog", onsubmit }, text && h("p", text), fields, fault,
      h("div.buttons", button("cancel", "Cancel", () => dialog.close()), confirm));
    const dialog = open("dialog", title, form, () => resolve(answers));
    const first = form.querySelector("input");
    first?.focus();
    // A branch is what a name begins with; another proposal is replaced by what is typed.
    first?.setSelectionRange(first.value.endsWith("/") ? first.value.length : 0, first.value.length);
  });
}

/** Shows a dialog that only informs. */
export function explain(title, ...content) {
  open("dialog", title, h("form", { method: "dialog" }, content, h("div.buttons", submit("cancel", "Close"))));
}

/** Shows the progress of long work, which a person may cancel. */
export function busy(title) {
  const bar = h("progress", { max: 1, "aria-label": title });
  const form = h("form", { method: "dialog" }, bar, h("div.buttons", submit("cancel", "Cancel")));
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

/**
 * Shows what has happened, until something else does or a person has read it. An undo is offered once. News without one go by
 * themselves, with the place in the page or in a while, for which the style has a name.
 */
export function tell(text, { undo, label = "Undo", isFault = false } = {}) {
  const box = $("#notice");
  const close = (then) => () => {
    put(box);
    then?.();
  };
  box.dataset.kind = isFault ? "fault" : "news";
  box.setAttribute("aria-live", isFault ? "assertive" : "polite");
  put(box, h(undo ? "span" : "span.passing", { onanimationend: close() }, text), undo && button("undo", label, close(undo)), button("dismiss", "×", close(), { "aria-label": "Dismiss" }));
}

window.addEventListener("hashchange", () => $(".passing") !== null && put($("#notice")));

const WORDS = { forbidden: "You may not do that: ", unauthenticated: "You are not signed in: ", storage: "The disk refused: " };

/** Words at the beginning of a sentence, where the messages of racd do not begin with a name. */
const FIRST = /^(an?|it|more|no|nobody|not|only|the|there|this|too) /;

/** The words for an error of the daemon or of the client. */
export function wordsFor({ code, message }) {
  const words = WORDS[code];
  return words === undefined ? message.replace(FIRST, (word) => word[0].toUpperCase() + word.slice(1)) : words + message;
}

/** Does something, and shows the error if it fails, also to a function. */
export async function attempt(work, failed) {
  try {
    return await work();
  } catch (error) {
    failed?.(error);
    tell(wordsFor(error), { isFault: true });
    return undefined;
  }
}
