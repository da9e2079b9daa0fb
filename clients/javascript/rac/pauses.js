// When a client connects again, and when it takes a silent daemon for lost: protocol.md, "What a client does" and "Heartbeats".

const SHORTEST = 100;
const LONGEST = 30_000;
const STAY = 5_000;
/** A tab that comes back waits for so long for a sign of life. */
const HURRY = 2_000;
/** Refusals that another attempt would not change. */
const FINAL = new Set(["unsupported-version", "unauthenticated", "hello-first", "bad-message", "already-bound"]);

/** Whether a refusal without `id` forbids the client to come back. */
export const isFinal = (code) => FINAL.has(code);

/** The pauses between two attempts to connect. Times are milliseconds of one clock. */
export class Pauses {
  #bound = SHORTEST;
  #least = SHORTEST;
  #welcomedAt;
  #lostAt;

  welcomed(now) {
    this.#welcomedAt = now;
  }

  /** The connection is lost, or did not come about. Returns the next pause. */
  lost(now, random) {
    if (this.#welcomedAt !== undefined) {
      // Short connections in a row double the first bound.
      this.#least = now - this.#welcomedAt < STAY ? Math.min(this.#least * 2, LONGEST) : SHORTEST;
      this.#bound = this.#least;
      this.#lostAt = now;
    }
    this.#welcomedAt = undefined;
    this.#lostAt ??= now;
    const most = Math.min(this.#bound, Math.max(this.#least, now - this.#lostAt));
    this.#bound = Math.min(this.#bound * 2, LONGEST);
    return random * most;
  }
}

/** Decides when to ask a silent daemon for a sign of life, and when to give it up. */
export class Silence {
  #heartbeat;
  #heardAt;
  #askedAt;
  #patience;

  /** @param {number} heartbeat Milliseconds; 0: the daemon is never taken for lost. */
  constructor(heartbeat, now) {
    this.#heartbeat = heartbeat;
    this.#heardAt = now;
  }

  heard(now) {
    this.#heardAt = now;
    this.#askedAt = undefined;
  }

  /** A tab has come back, or the network: the daemon is asked at once and given up soon. */
  hurry(now) {
    this.#askedAt = now;
    this.#patience = Math.min(HURRY, this.#heartbeat);
  }

  /**
   * Time has passed. A clock that stood still, in a machine that slept, gives nobody up unasked.
   *
   * @returns {{ act: "wait" | "ask" | "give-up", next: number }} The next tick is due in `next` milliseconds.
   */
  ticked(now) {
    const askAt = this.#heardAt + this.#heartbeat;
    if (this.#askedAt === undefined) {
      if (now < askAt) return { act: "wait", next: askAt - now };
      this.#askedAt = now;
      this.#patience = this.#heartbeat;
      return { act: "ask", next: this.#patience };
    }
    const giveUpAt = this.#askedAt + this.#patience;
    return now < giveUpAt ? { act: "wait", next: giveUpAt - now } : { act: "give-up", next: 0 };
  }
}
