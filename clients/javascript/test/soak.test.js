// Long work against a real racd: memory and time for each step are as flat at the end as at the start.
//
// RAC_SOAK is the number of steps of each kind; `make soak` makes many.

import assert from "node:assert/strict";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { bindInput } from "../rac.js";
import { Daemon, isConnected, skip, until } from "./support/daemon.js";
import { FakeField } from "./support/elements.js";
import { Proxy } from "./support/proxy.js";

const STEPS = Number(process.env.RAC_SOAK ?? 1_000);
/** The steps are measured in so many parts. The first ones warm up the compiler and the caches. */
const PARTS = 20;
const WARM = 8;
/** Bytes by which a heap may grow without a leak, and bytes for each step. */
const NOISE = 256 << 10;
const GROWTH = 16;

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc");

/** The bytes in use. Objects that only a finalizer removes are gone, too. */
async function heap() {
  for (let round = 0; round < 3; round += 1) {
    collectGarbage();
    await new Promise(setImmediate);
  }
  return process.memoryUsage().heapUsed;
}

/** Waits until a cell has such a value. */
function becomes(cell, isSuch) {
  return new Promise((resolve) => {
    const stop = cell.subscribe((value) => {
      if (!isSuch(value)) return;
      resolve();
      queueMicrotask(() => stop());
    });
  });
}

/** Runs the steps of a kind, and compares the first parts behind the warming up with the last ones. */
async function soak(steps, step) {
  const [heaps, times] = [[], []];
  for (let part = 0, n = 0; part < PARTS; part += 1) {
    const begin = performance.now();
    for (const end = ((part + 1) * steps) / PARTS; n < end; n += 1) await step(n);
    times.push(performance.now() - begin);
    heaps.push(await heap());
  }
  const least = (figures, from, to) => Math.min(...figures.slice(from, to));
  const compared = (figures) => [least(figures, WARM, WARM + 4), least(figures, PARTS - 4)];
  const [early, late] = compared(heaps);
  assert.ok(late - early < NOISE + (GROWTH * steps) / 2, `the heap grew from ${early} to ${late} bytes`);
  // A machine that does other work delays single parts; the fastest of several is hardly delayed.
  const [fast, slow] = compared(times);
  assert.ok(slow < 4 * fast + 20, `${steps / PARTS} steps took ${fast.toFixed(1)} ms, and in the end ${slow.toFixed(1)} ms`);
}

/** Kinds of work. Each gets two clients, and a way to cut the first one's connection, and returns its step. */
const KINDS = {
  "writes of a property": async ([one, two]) => {
    const [property, far] = [one.property("a"), two.property("a")];
    await far.ready();
    return async (n) => {
      property.value = { n };
      await (n % 2 ? property.settled() : property.set(n));
    };
  },
  "values of both sides of a paired channel": async ([one, two]) => {
    const [leading, following] = [one.paired("p", "leading"), two.paired("p", "following")];
    await Promise.all([leading.ready(), following.ready()]);
    return async (n) => {
      following.send(n);
      await leading.set([n]);
    };
  },
  "objects of new names": async ([one]) => {
    return async (n) => {
      const [property, side] = [one.property(`new/${n}`), one.paired(`paired/${n}`, "following")];
      await Promise.all([property.ready(), side.ready()]);
      for (const object of [property, side]) object.unbind();
    };
  },
  "objects of one name that write": async ([one]) => {
    return async (n) => {
      const property = one.property("a", { default: 0, will: { value: null } });
      await property.set(n);
      property.unbind();
    };
  },
  "subscriptions": async ([one]) => {
    const [property, command] = [one.property("a"), one.command("c")];
    await property.set(0);
    return async (n) => {
      const undo = [property, property.live, command.enabled, command.failures, one.connection, one.problems];
      for (const remove of undo.map((source) => source.subscribe(() => {}))) remove();
      if (n % 4 === 0) await one.get("a");
    };
  },
  "fields": async ([one]) => {
    const property = one.property("text");
    return async (n) => {
      const field = new FakeField();
      const undo = bindInput(field, property);
      field.typeIn(`${n}`);
      field.leave();
      await property.settled();
      undo();
    };
  },
  "watches": async ([one, two]) => {
    await two.set("w/a", 0);
    return async (n) => {
      const watch = one.watch(n % 2 ? `w/*` : `w/${n}/**`, {});
      await two.set("w/a", n);
      watch.stop();
    };
  },
  "links": async ([one, two]) => {
    const far = two.property("l/b");
    await far.ready();
    return async (n) => {
      const link = one.link("l/a", "l/b");
      const arrived = becomes(far, (value) => value === n);
      await two.set("l/a", n);
      await arrived;
      link.unlink();
    };
  },
  "runs of a command": async ([one, two]) => {
    const hosting = two.host("c", async function* (n) {
      yield n;
      yield n + 1;
    });
    await until(() => hosting.live.value);
    return async (n) => {
      const execution = one.command("c").execute(n);
      for await (const value of execution) if (n % 3 === 0) assert.ok(value >= n);
      await execution.result;
      if (n % 5 === 0) await assert.rejects(one.command(`none/${n}`).execute().result);
    };
  },
  "hosts": async ([one]) => {
    return async (n) => {
      const hosting = one.host(`h/${n}`, () => n);
      await becomes(hosting.live, (isLive) => isLive);
      hosting.unhost();
    };
  },
  "ticks": async ([one]) => {
    return async () => {
      one.wake();
      await one.get("a").catch(() => {});
    };
  },
  "losses": async ([one], cut) => {
    const [property, side, command] = [one.property("a"), one.paired("p", "leading"), one.command("c")];
    command.enabled.subscribe(() => {});
    one.watch("**", {});
    one.host("h", () => {});
    await Promise.all([property.ready(), side.ready()]);
    return async (n) => {
      const lost = becomes(one.connection, ({ state }) => state === "lost");
      property.value = n;
      cut();
      await lost;
      one.wake();
      await property.settled();
    };
  },
};

for (const [kind, make] of Object.entries(KINDS)) {
  test(`Memory and time stay flat over ${STEPS} steps: ${kind}`, { skip }, async (t) => {
    const daemon = await Daemon.start(t);
    const proxy = await Proxy.start(t, daemon);
    const clients = [daemon.client({}, proxy.url), daemon.client()];
    await until(() => clients.every(isConnected));
    // A connection takes as long as ten messages.
    await soak(kind === "losses" ? STEPS / 10 : STEPS, await make(clients, () => proxy.cut()));
  });
}
