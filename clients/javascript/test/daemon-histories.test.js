// Random histories against a real racd: programs write, end, reopen and delete while their connections are cut.
//
// RAC_SEED=n runs one history again, HISTORIES=n more of them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Daemon, skip, until } from "./support/daemon.js";
import { Proxy } from "./support/proxy.js";

/** Random numbers that a seed repeats. */
class Random {
  #state;

  constructor(seed) {
    this.#state = seed;
  }

  /** An integer from 0 up to a bound, by mulberry32. */
  below(bound) {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound;
  }
}

/** A program with a property of the one channel, over a network that fails. */
class Program {
  constructor(history, client, proxy) {
    Object.assign(this, { history, client, proxy });
    client.problems.subscribe(() => {});
    this.bind();
  }

  bind() {
    this.property = this.client.property("h");
  }

  /** A property that has ended is made anew. */
  get live() {
    if (this.property.end !== undefined) this.bind();
    return this.property;
  }

  write(value, options) {
    if (options === undefined) this.live.value = value;
    else this.history.follow(value, this.live.set(value, options));
  }
}

class History {
  #random;
  #newest = 0;
  #promises = [];
  #refused = [];
  /** The revisions under which each value was delivered to a program that misses none while it is bound. */
  #seen = new Map();

  #daemon;

  constructor(random) {
    this.#random = random;
    /** Whether racd is killed and started again now and then. */
    this.kills = random.below(3) === 0;
  }

  async run(t) {
    const below = (bound) => this.#random.below(bound);
    const daemon = await Daemon.start(t, { keeps: this.kills });
    this.#daemon = daemon;
    this.other = daemon.client();
    this.#observe(daemon.client());
    const proxies = [await Proxy.start(t, daemon, "p0"), await Proxy.start(t, daemon, "p1")];
    this.programs = proxies.map((proxy) => new Program(this, daemon.client({}, proxy.url), proxy));
    this.programs.push(new Program(this, daemon.client(), undefined));
    for (let step = 0; step < 80; step += 1) {
      await this.#step(below(20), this.programs[below(3)], below);
      if (below(3) === 0) await new Promise((resolve) => setTimeout(resolve, below(4)));
    }
    await this.#comeToRest();
  }

  #observe(client) {
    const bind = () => {
      const property = client.property("h", { conflate: false });
      property.subscribe({
        next: (value, { revision }) => this.#seen.set(value, (this.#seen.get(value) ?? new Set()).add(revision)),
        complete: () => setTimeout(bind, 1),
      });
    };
    bind();
  }

  async #step(kind, program, below) {
    const { proxy } = program;
    if (kind < 9) return program.write(this.#next());
    if (kind < 12) return program.write(this.#next(), { if: program.property.revision });
    if (kind < 14) return program.write(this.#next(), {});
    if (kind === 14 && proxy !== undefined) return void (proxy.isOpen = !proxy.isOpen);
    if (kind === 14) return this.#restart();
    if (kind === 15) return proxy?.cut();
    if (kind === 16) return proxy && this.#cutAt(proxy, below(4) + 1, below(2) === 0 ? "client" : "daemon", below(2) === 0);
    if (kind === 17) return this.#ignoring(this.other.delete("h"));
    if (kind === 18) return this.#ignoring(this.other.finish("h"));
    return this.#ignoring(this.other.reopen("h"));
  }

  async #restart() {
    if (!this.kills) return;
    await this.#daemon.end("SIGKILL");
    await this.#daemon.begin();
  }

  #next() {
    this.#newest += 1;
    return this.#newest;
  }

  /** Cuts at one of the next messages of one side, behind it or before. */
  #cutAt(proxy, count, side, isBehind) {
    proxy.judge = (sender) => {
      if (sender !== side) return "pass";
      count -= 1;
      return count === 0 ? (isBehind ? "cut-behind" : "cut") : "pass";
    };
  }

  #ignoring(promise) {
    this.#promises.push(promise.catch(() => {}));
  }

  follow(value, promise) {
    const refused = (error) => {
      if (["conflict", "terminated"].includes(error.code)) this.#refused.push(value);
      else assert.equal(error.code, "outcome-unknown", error.message);
    };
    this.#promises.push(promise.then(() => {}, refused));
  }

  /** Nobody writes any more, and every connection stands: all programs have the daemon's value. */
  async #comeToRest() {
    for (const { proxy } of this.programs) if (proxy) Object.assign(proxy, { isOpen: true, judge: () => "pass" });
    await Promise.all(this.#promises);
    await this.#ignoring(this.other.reopen("h"));
    await until(() => this.programs.every((program) => program.live.live.value));
    for (const program of this.programs) await program.live.settled().catch(() => {});
    await this.other.set("h", "rest");
    await until(() => this.programs.every((program) => program.live.value === "rest"), "agreement");
    const { revision } = await this.other.get("h");
    assert.deepEqual(this.programs.map(({ property }) => property.revision), [revision, revision, revision]);
    await until(() => this.#seen.has("rest"));
    // Over a restart a write may be applied twice, and be refused because of itself.
    if (this.kills) return;
    for (const [value, { size }] of this.#seen) assert.equal(size, 1, `${value} was applied ${size} times`);
    for (const value of this.#refused) assert.ok(!this.#seen.has(value), `${value} was refused, and told`);
  }
}

const first = Number(process.env.RAC_SEED ?? Date.now() % 1_000_000);
const count = process.env.RAC_SEED === undefined ? Number(process.env.HISTORIES ?? 5) : 1;
for (let seed = first; seed < first + count; seed += 1) {
  test(`Programs agree behind the history RAC_SEED=${seed}`, { skip }, async (t) => {
    await new History(new Random(seed)).run(t);
  });
}
