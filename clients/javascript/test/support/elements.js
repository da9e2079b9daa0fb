// Elements of a page, as far as bindings need them.

export class FakeElement extends EventTarget {
  disabled = false;
  attributes = {};

  setAttribute(name, value) {
    this.attributes[name] = value;
  }

  fire(type) {
    this.dispatchEvent(new Event(type, { cancelable: true }));
  }
}

export class FakeField extends FakeElement {
  #value = "";
  checked = false;
  isFocused = false;
  selectionStart = null;
  selectionEnd = null;
  selectionDirection = "none";
  /** The number of times that a program set the value. */
  assignments = 0;
  form = null;
  /** The options of a selection. */
  options = [];

  constructor(type = "text") {
    super();
    this.type = type;
    if (type === "text" || type === "textarea") this.selectionStart = this.selectionEnd = 0;
  }

  get value() {
    return this.#value;
  }

  /** A program's value moves the caret to the end, as in browsers. */
  set value(value) {
    const before = this.#value;
    this.#value = this.type === "textarea" ? String(value).replace(/\r\n?/g, "\n") : String(value);
    this.assignments += 1;
    if (this.#value === before) return;
    if (this.selectionStart !== null) this.selectionStart = this.selectionEnd = this.#value.length;
  }

  matches(selector) {
    return selector === ":focus" && this.isFocused;
  }

  setSelectionRange(start, end) {
    [this.selectionStart, this.selectionEnd] = [start, end];
  }

  /** The user types. */
  typeIn(text, caret = text.length) {
    this.isFocused = true;
    this.#value = text;
    if (this.selectionStart !== null) this.selectionStart = this.selectionEnd = caret;
    this.fire("input");
  }

  leave() {
    this.isFocused = false;
    this.fire("blur");
  }
}

/** Timers of a test, in the place of the real ones until the test is over. */
export function fakeTimers(t) {
  const { setTimeout, clearTimeout } = globalThis;
  const timers = new Map();
  let [now, newest] = [0, 0];
  globalThis.setTimeout = (act, pause) => {
    newest += 1;
    timers.set(newest, { act, at: now + pause });
    return newest;
  };
  globalThis.clearTimeout = (timer) => timers.delete(timer);
  t.after(() => Object.assign(globalThis, { setTimeout, clearTimeout }));
  return {
    /** Time passes, and the timers that are due act. */
    pass(milliseconds) {
      now += milliseconds;
      for (const [timer, { act, at }] of [...timers]) if (at <= now && timers.delete(timer)) act();
    },
    get isEmpty() {
      return timers.size === 0;
    },
  };
}

/** A property without a daemon. */
export class FakeProperty {
  #observer;
  sent = [];
  text;
  isUnbound = false;

  another() {
    return this;
  }

  subscribe(observer) {
    this.#observer = observer;
    if (this.text !== undefined) observer.next();
  }

  send(text) {
    this.text = text;
    this.sent.push(text.raw);
  }

  arrive(text) {
    this.text = text;
    this.#observer.next();
  }

  end() {
    this.#observer.ended();
  }

  unbind() {
    this.isUnbound = true;
  }
}
