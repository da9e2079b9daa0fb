// A value being edited: it keeps its kind, goes out once, and never overwrites what its writer has not seen.

import { compact, kindOf, laidOut } from "./json.js";
import { button, h, put, setText, shown } from "./dom.js";
import { wordsFor } from "./dialogs.js";

const KINDS = { string: "text", number: "number", boolean: "true or false", json: "JSON" };

/** How a kind of value is typed: `read` makes its JSON text of the field, and throws words. */
const FIELDS = {
  string: { show: (text) => JSON.parse(text), read: (typed) => JSON.stringify(typed) },
  number: {
    show: (text) => text,
    read(typed) {
      const text = typed.trim();
      if (!/^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/.test(text)) throw new Error("This is no number as JSON writes it.");
      return text;
    },
  },
  boolean: { show: (text) => text, read: (typed) => typed },
  json: {
    show: (text) => laidOut(text).map((piece) => piece.text).join(""),
    read(typed) {
      try {
        JSON.parse(typed);
      } catch (error) {
        throw new Error(`This is no JSON: ${error.message}.`);
      }
      return compact(typed);
    },
  },
};

/** Refusals after which nobody knows whether a value was set. */
const UNKNOWN = new Set(["outcome-unknown", "timed-out", "connection-lost"]);

/** The way to edit a text. */
const wayOf = (text) => (text === undefined ? "json" : { string: "string", number: "number", boolean: "boolean" }[kindOf(text)] ?? "json");

/** An edit of one side of a channel. It lives on while another channel is shown. */
export class Editor {
  element;
  /** The value that the edit began with, or that its writer has seen since: its text and its revision. */
  #base;
  #way;
  #field;
  #message;
  #meanwhile;
  #buttons;
  #conflicts = 0;
  #withdraw;
  #parts;
  #initial;

  /**
   * @param {object} parts `side` is `value` or `wish`, `base` its text and revision. `isOnline` and `connected` tell of the
   *   connection, `send` sets a text if the side has a revision still, and `closed` hears of the end.
   */
  constructor(parts) {
    this.#parts = parts;
    this.#base = parts.base;
    this.#message = h("p.fault", { role: "alert" });
    this.#meanwhile = h("div.meanwhile");
    this.#buttons = h("div.buttons");
    this.element = h("form.editor", { "aria-label": `Edit the ${parts.side}`, onsubmit: (event) => this.#submitted(event) });
    this.element.addEventListener("keydown", (event) => this.#pressed(event));
    this.#choose(wayOf(this.#base.text), this.#base.text);
    this.#offerSave();
  }

  focus() {
    this.#field.focus();
    this.#field.select?.();
  }

  get isChanged() {
    return this.#typed !== this.#initial;
  }

  get #typed() {
    return this.#field.value;
  }

  /** The channel has another value than the one that the edit began with. */
  present(current) {
    if (current.revision === this.#base.revision || this.#conflicts > 0) return;
    put(this.#meanwhile, h("span", "Changed meanwhile to "), h("code", shown(brief(current.text))));
  }

  // MARK: The field

  #choose(way, text) {
    this.#way = way;
    const typed = text === undefined ? "" : FIELDS[way].show(text);
    const attributes = { id: this.#parts.side === "value" ? "edit" : "edit-wish", "aria-label": `The new ${this.#parts.side}`, spellcheck: "false", autocomplete: "off" };
    if (way === "boolean") {
      this.#field = h("select", attributes, h("option", "true"), h("option", "false"));
    } else if (way === "number") {
      this.#field = h("input", { ...attributes, inputmode: "decimal" });
    } else {
      const rows = Math.min(16, Math.max(way === "json" ? 3 : 1, typed.split("\n").length));
      this.#field = h("textarea", { ...attributes, rows });
    }
    this.#field.value = typed;
    this.#initial = this.#typed;
    const kinds = h("select.kinds", { "aria-label": "The kind of value", onchange: (event) => this.#changeKind(event.target.value) },
      Object.entries(KINDS).map(([key, label]) => h("option", { value: key, selected: key === way }, label)));
    put(this.element, this.#field, this.#message, this.#meanwhile, h("div.foot", kinds, this.#buttons));
  }

  /** Another kind takes over the text where it can. */
  #changeKind(way) {
    let text;
    try {
      text = FIELDS[this.#way].read(this.#typed);
    } catch {
      text = undefined;
    }
    const initial = this.#initial;
    const kept = way === "string" && this.#way !== "string" ? JSON.stringify(this.#typed) : way === "json" || wayOf(text) === way ? text : undefined;
    const inner = kept === undefined && this.#way === "string" ? this.#typed.trim() : undefined;
    this.#choose(way, kept);
    if (inner !== undefined && way !== "boolean") this.#field.value = inner;
    if (inner !== undefined && way === "boolean") this.#field.value = inner === "true" ? "true" : "false";
    this.#initial = initial;
    setText(this.#message, "");
    this.#field.focus();
  }

  #pressed(event) {
    const isCommit = event.key === "Enter" && (event.ctrlKey || event.metaKey || this.#field.tagName === "INPUT");
    if (isCommit && event.target === this.#field) this.#submitted(event);
    if (event.key !== "Escape" || event.isComposing) return;
    event.preventDefault();
    event.stopPropagation();
    this.#cancel();
  }

  #cancel() {
    this.#withdraw?.();
    this.#parts.closed();
  }

  // MARK: Sending

  #offerSave() {
    put(this.#buttons, 
      button("cancel", "Cancel", () => this.#cancel(), { title: "Escape" }),
      h("button.main", { type: "submit", "data-act": "save", title: "Ctrl+Enter" }, "Set"),
    );
  }

  #submitted(event) {
    event.preventDefault();
    if (this.#withdraw !== undefined) return;
    let text;
    try {
      text = FIELDS[this.#way].read(this.#typed);
    } catch (error) {
      return setText(this.#message, error.message);
    }
    this.#send(text, this.#base.revision);
  }

  /** Sends the text until its fate is known. The condition makes that harmless: the daemon applies it only once. */
  async #send(text, condition) {
    let isWithdrawn = false;
    const withdrawn = new Promise((resolve) => {
      this.#withdraw = () => {
        isWithdrawn = true;
        resolve();
      };
    });
    setText(this.#message, "");
    this.#field.disabled = true;
    try {
      for (let isRepeated = false; ; isRepeated = true) {
        this.#offerWithdrawal();
        await Promise.race([this.#parts.connected(), withdrawn]);
        if (isWithdrawn) return this.#offerSave();
        try {
          const revision = await this.#parts.send(text, condition);
          return this.#parts.closed({ text, revision });
        } catch (error) {
          if (!UNKNOWN.has(error.code)) return this.#refused(error, text, isRepeated);
        }
      }
    } finally {
      this.#withdraw = undefined;
      this.#field.disabled = false;
    }
  }

  /** A value that has not gone out can be taken back. */
  #offerWithdrawal() {
    const words = (text) => h("span.waiting", { role: "status" }, text);
    if (this.#parts.isOnline()) return put(this.#buttons, words("Sending…"));
    const withdraw = button("withdraw", "Withdraw", () => this.#withdraw?.());
    put(this.#buttons, words("Goes out when racd is back."), withdraw);
  }

  #refused(error, text, isRepeated) {
    if (error.code !== "conflict") {
      this.#offerSave();
      return setText(this.#message, wordsFor(error));
    }
    const theirs = { text: error.current?.raw, revision: error.revision ?? 0 };
    // The change may have been this very one, whose answer was lost.
    if (isRepeated && theirs.text === text) return this.#parts.closed({ text, revision: theirs.revision });
    this.#conflicts += 1;
    this.#showConflict(text, theirs);
  }

  /** Shows both values. Nothing is written until somebody has chosen. */
  #showConflict(mine, theirs) {
    const again = this.#conflicts > 1 ? "It has changed again." : "It was changed meanwhile.";
    put(this.#meanwhile, h("div.conflict", { id: "conflict", role: "alert" },
      h("p", again),
      h("dl", h("dt", "Mine"), h("dd", { "data-side": "mine" }, shown(brief(mine))),
        h("dt", `Theirs, revision ${theirs.revision}`), h("dd", { "data-side": "theirs" }, shown(brief(theirs.text))))));
    const resolve = (condition) => () => {
      put(this.#meanwhile);
      this.#send(mine, condition);
    };
    this.#base = theirs;
    put(this.#buttons, 
      button("theirs", "Take theirs", () => this.#parts.closed()),
      this.#conflicts > 1 && button("force", "Set whatever comes", resolve(undefined), { class: "grave" }),
      button("mine", "Keep mine", resolve(theirs.revision), { class: "main" }),
    );
  }
}

const brief = (text) => (text === undefined ? "no value" : text.length > 600 ? `${text.slice(0, 600)}…` : text);
