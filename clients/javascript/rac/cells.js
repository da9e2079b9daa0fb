// Sources of subscriptions: a current value with its changes, and events.

function check(listener) {
  if (typeof listener !== "function") throw new TypeError("a subscriber is a function");
}

/** Subscribers, called in the order in which they came. */
export class Listeners {
  #listeners = new Map();
  #newest = 0;
  #whenFailed;

  /** @param {(error: unknown) => void} whenFailed Takes the error that a listener throws. */
  constructor(whenFailed) {
    this.#whenFailed = whenFailed;
  }

  get isEmpty() {
    return this.#listeners.size === 0;
  }

  /** @returns {() => boolean} Removes it; whether it was there. */
  add(listener) {
    check(listener);
    this.#newest += 1;
    const number = this.#newest;
    this.#listeners.set(number, listener);
    return () => this.#listeners.delete(number);
  }

  /** Calls each listener that has come before. A listener that another one removes is not called. */
  tell(...event) {
    for (const [number, listener] of [...this.#listeners]) {
      if (this.#listeners.has(number)) this.call(listener, ...event);
    }
  }

  /** Calls one listener, whose error stops nobody else. */
  call(listener, ...event) {
    try {
      listener(...event);
    } catch (error) {
      this.#whenFailed(error);
    }
  }
}

/** A value that others may read and subscribe to, and only its owner changes. */
export class Cell {
  #value;
  #listeners;
  #watching;

  /**
   * @param {unknown} value
   * @param {(error: unknown) => void} whenFailed Takes the error that a subscriber throws.
   * @param {(isWatched: boolean) => void} [watching] Hears whether anybody subscribes.
   */
  constructor(value, whenFailed, watching) {
    this.#value = value;
    this.#listeners = new Listeners(whenFailed);
    this.#watching = watching ?? (() => {});
  }

  /** The current value. */
  get value() {
    return this.#value;
  }

  /**
   * Calls a subscriber with the current value and with each other one.
   *
   * @returns {() => void} Ends the subscription.
   */
  subscribe(subscriber) {
    check(subscriber);
    const isFirst = this.#listeners.isEmpty;
    // An earlier listener may have brought a newer value, which has been delivered by then.
    const remove = this.#listeners.add((value) => value === this.#value && subscriber(value));
    this.#listeners.call(subscriber, this.#value);
    if (isFirst) this.#watching(true);
    return () => {
      if (remove() && this.#listeners.isEmpty) this.#watching(false);
    };
  }

  /** The cell as a program sees it, and a function that changes it. */
  static make(...parts) {
    const cell = new Cell(...parts);
    const set = (value) => {
      if (value === cell.#value) return;
      cell.#value = value;
      cell.#listeners.tell(value);
    };
    return [cell, set];
  }
}
