// Lost connections, restarts and slow readers against a real racd.

import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import net from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { tcp } from "../tcp.js";
import { Daemon, isConnected, lose, record, skip, until } from "./support/daemon.js";
import { Proxy } from "./support/proxy.js";

/** Numbers from 1. */
const upTo = (count) => Array.from({ length: count }, (_, index) => index + 1);

/** Cuts the connection at each third of the messages of a kind, five times. */
function cutEachThird(proxy, sender, ops, verdict) {
  let seen = 0;
  proxy.judge = (from, { op }) => {
    if (from !== sender || !ops.includes(op)) return "pass";
    seen += 1;
    return seen % 3 === 0 && seen <= 15 ? verdict : "pass";
  };
}

const places = [
  ["before a send arrives", "client", ["next"], "cut"],
  ["behind a send", "client", ["next"], "cut-behind"],
  ["before an answer arrives", "daemon", ["ack", "nak"], "cut"],
  ["behind an answer", "daemon", ["ack", "nak"], "cut-behind"],
  ["before the reply to a bind arrives", "daemon", ["reply"], "cut"],
];

for (const [place, sender, ops, verdict] of places) {
  test(`Each value of a paired channel arrives once, in order, over connections that are cut ${place}`, { skip }, async (t) => {
    const daemon = await Daemon.start(t);
    const proxy = await Proxy.start(t, daemon);
    const device = daemon.client().paired("p", "leading");
    await device.ready();
    const seen = record(device);
    const people = daemon.client({}, proxy.url).paired("p", "following");
    await people.ready();
    cutEachThird(proxy, sender, ops, verdict);
    for (const n of upTo(30)) {
      people.send(n);
      if (n === 5) proxy.cut();
      if (n % 10 === 0) await people.settled();
    }
    proxy.judge = () => "pass";
    await people.settled();
    await until(() => seen.values.length >= 30);
    assert.deepEqual(seen.values, upTo(30));
    assert.ok(proxy.count > 1);
  });

  test(`Two clients that race agree over connections that are cut ${place}`, { skip }, async (t) => {
    const daemon = await Daemon.start(t);
    const proxy = await Proxy.start(t, daemon);
    const properties = [daemon.client({}, proxy.url), daemon.client()].map((client) => client.property("a"));
    await Promise.all(properties.map((property) => property.ready()));
    cutEachThird(proxy, sender, ops, verdict);
    for (const n of upTo(10)) {
      properties.forEach((property, index) => (property.value = [index, n]));
      await Promise.all(properties.map((property) => property.settled()));
    }
    proxy.judge = () => "pass";
    const { raw, revision } = await daemon.client().get("a");
    await until(() => properties.every((property) => property.raw === raw && property.revision === revision));
  });
}

test("A write with a condition is applied once over a lost answer, and its promise has the answer", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const property = daemon.client({}, proxy.url).property("count");
  let revision = await property.set(0);
  cutEachThird(proxy, "daemon", ["ack"], "cut");
  for (const n of upTo(9)) revision = await property.set(n, { if: revision });
  assert.equal(property.value, 9);
  assert.equal((await daemon.client().list()).channels[0].changes, 10);
});

test("A client with the session of an earlier one takes its connection over, and no will is applied", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const old = daemon.client({ session: "kiosk" });
  const status = old.property("status", { will: { value: "lost" } });
  for (const n of upTo(3)) await status.set(n);
  const next = daemon.client({ session: "kiosk" }).property("status", { will: { value: "lost" } });
  await next.set("new");
  await until(() => old.connection.value.state === "closed");
  assert.equal(old.connection.value.error.code, "already-bound");
  assert.equal((await daemon.client().get("status")).value, "new");
});

test("A link goes on behind a daemon that has come back with other data", { skip }, async (t) => {
  const daemon = await Daemon.start(t, { keeps: true });
  const [linker, other] = [daemon.client(), daemon.client()];
  for (const n of upTo(100)) await other.set("count", n);
  linker.link("a", "b");
  await other.set("a", 1);
  const has = async (channel, value) => (await other.get(channel).catch(() => undefined))?.value === value;
  await until(() => has("b", 1));
  await lose(linker, () => daemon.end("SIGTERM"));
  await rm(join(daemon.folder, "data"), { recursive: true });
  await daemon.begin();
  await other.set("a", 2);
  await until(() => has("b", 2));
  await other.set("b", 3);
  await until(() => has("a", 3));
});

test("A byte stream is left a second behind its close, if the other end does not end it", async () => {
  const sockets = [];
  const server = net.createServer({ allowHalfOpen: true }, (socket) => sockets.push(socket.on("error", () => {}).resume()));
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  await new Promise((closed) => {
    const url = `rac://127.0.0.1:${server.address().port}`;
    const transport = tcp(url, { opened: () => transport.close(), message: () => {}, closed });
  });
  for (const socket of sockets) socket.destroy();
  server.close();
});

test("While the daemon is away each attempt reports its own fault", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  await until(() => isConnected(client));
  const reasons = [];
  client.connection.subscribe(({ state, error }) => state === "lost" && reasons.push(error.code));
  await daemon.end("SIGTERM");
  await until(() => reasons.length >= 2);
  assert.deepEqual(reasons.slice(0, 2), ["shutting-down", "connection-lost"]);
});

test("Only the newest of the values written without a connection goes out, once", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const property = daemon.client({}, proxy.url).property("a");
  await property.set("before");
  proxy.isOpen = false;
  proxy.cut();
  await until(() => !property.live.value);
  const written = upTo(100).map((n) => property.set(n));
  assert.equal(property.value, 100);
  proxy.isOpen = true;
  const revisions = new Set(await Promise.all(written));
  assert.equal(revisions.size, 1);
  const other = daemon.client();
  assert.equal((await other.get("a")).value, 100);
  assert.equal((await other.list()).channels[0].changes, 2);
});

test("A killed racd that is started again gets each write once, and every client agrees", { skip }, async (t) => {
  const daemon = await Daemon.start(t, { keeps: true });
  const clients = [daemon.client(), daemon.client()];
  const [here, there] = clients.map((client) => client.property("a"));
  await here.set("kept", { sync: true });
  await until(() => there.value === "kept");
  await daemon.end("SIGKILL");
  await until(() => clients.every((client) => client.connection.value.state === "lost"));
  here.value = "typed meanwhile";
  await daemon.begin();
  await here.settled();
  await until(() => there.value === "typed meanwhile");
  assert.equal((await clients[1].list()).channels[0].changes, 1);
  assert.equal(here.revision, there.revision);
});

test("A value that a killed racd had acknowledged and lost is written again", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const property = client.property("a");
  await property.set(7);
  await daemon.end("SIGKILL");
  await until(() => !isConnected(client));
  await daemon.begin();
  await until(() => property.live.value);
  await property.settled();
  assert.equal((await client.get("a")).value, 7);
});

test("A racd that stops in order and comes back keeps its clients", { skip }, async (t) => {
  const daemon = await Daemon.start(t, { keeps: true });
  const client = daemon.client();
  const property = client.property("a");
  await property.set(1);
  const codes = [];
  const stop = client.connection.subscribe(({ error }) => error && codes.push(error.code));
  await daemon.end("SIGTERM");
  await until(() => codes.length > 0);
  stop();
  // The next attempts fail with a reason of their own.
  assert.equal(codes[0], "shutting-down");
  assert.equal(property.end, undefined);
  await daemon.begin();
  await property.set(2);
});

test("A channel that was deleted and made again meanwhile takes what was written once", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const property = daemon.client({}, proxy.url).property("a");
  const other = daemon.client();
  await property.set("old");
  // The answer to this one is lost: it was applied to the channel that is deleted then.
  proxy.judge = (from, { op }) => (from === "daemon" && op === "ack" ? "cut" : "pass");
  const applied = property.set("applied");
  await until(async () => (await other.get("a")).value === "applied");
  await until(() => !property.live.value);
  proxy.isOpen = false;
  proxy.cut();
  proxy.judge = () => "pass";
  const later = property.set("later", { if: 1 });
  await other.delete("a");
  await other.set("a", "new");
  proxy.isOpen = true;
  assert.ok((await applied) > 0);
  await assert.rejects(later, { code: "conflict" });
  await until(() => property.value === "new");
  assert.equal((await other.list()).channels[0].changes, 1);
  assert.equal((await property.set("mine")) > 0, true);
});

test("A channel that was deleted meanwhile is no end, and a write makes it anew", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const property = daemon.client({}, proxy.url).property("a");
  const other = daemon.client();
  await property.set(1);
  proxy.isOpen = false;
  proxy.cut();
  await until(() => !property.live.value);
  await other.delete("a");
  proxy.isOpen = true;
  await until(() => property.live.value);
  assert.equal(property.end, undefined);
  await property.set(2);
  assert.equal((await other.get("a")).value, 2);
});

test("An end whose answer was lost is the program's end, also if the channel was reopened", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const client = daemon.client({}, proxy.url);
  const property = client.property("a");
  const other = daemon.client();
  await property.set(1);
  proxy.judge = (from, { op }) => (from === "daemon" && (op === "ack" || op === "completed") ? "cut" : "pass");
  const completed = property.complete();
  await until(async () => (await other.get("a")).state === "completed");
  await until(() => !property.live.value);
  proxy.judge = () => "pass";
  await other.reopen("a");
  await completed;
  await until(() => property.end !== undefined);
  await until(async () => (await other.list()).channels[0].bound === 0);
});

test("A client that does not read gets the newest value of a shared channel when it reads again", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const property = daemon.client({}, proxy.url).property("a");
  const other = daemon.client();
  await property.ready();
  const seen = record(property);
  proxy.stall(true);
  const value = (n) => `${n}`.padEnd(65_536);
  for (const n of upTo(200)) await other.set("a", value(n));
  proxy.stall(false);
  await until(() => seen.values.at(-1) === value(200));
  assert.ok(seen.values.length < 200);
});

test("A client that does not read a paired channel learns that values were lost, and gets the newest", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const device = daemon.client().paired("p", "leading");
  await device.ready();
  const people = daemon.client({}, proxy.url).paired("p", "following");
  await people.ready();
  const other = daemon.client();
  const seen = record(people);
  proxy.stall(true);
  const value = (n) => `${n}`.padEnd(65_536);
  let newest = 0;
  await until(async () => {
    newest += 1;
    await device.set(value(newest));
    return (await other.list()).channels[0].bound === 1;
  });
  proxy.stall(false);
  await until(() => seen.values.at(-1) === value(newest));
  assert.deepEqual(seen.missed.map(({ code }) => code), ["slow-consumer"]);
  await until(() => people.live.value);
});

test("Requests without an answer are repeated if they change nothing, and fail otherwise", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const client = daemon.client({}, proxy.url);
  await client.set("a", 1);
  const cutOnce = (op) => {
    let isCut = false;
    proxy.judge = (from, message) => {
      if (isCut || from !== "daemon" || message.op !== op) return "pass";
      isCut = true;
      return "cut";
    };
  };
  cutOnce("reply");
  assert.equal((await client.get("a")).value, 1);
  cutOnce("reply");
  await assert.rejects(client.set("a", 2), { code: "outcome-unknown" });
  const { revision } = await client.get("a");
  cutOnce("reply");
  await assert.rejects(client.set("a", 3, { if: revision }), { code: "outcome-unknown" });
  assert.equal((await client.get("a")).value, 3);
  proxy.isOpen = false;
  proxy.cut();
  await until(() => !isConnected(client));
  const waiting = client.set("a", 4);
  proxy.isOpen = true;
  await waiting;
});

test("A request that gets no answer in time fails", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const client = daemon.client({ replyTimeout: 50 }, proxy.url);
  await until(() => isConnected(client));
  proxy.judge = (from, { op }) => (from === "client" && op === "get" ? "drop" : "pass");
  await assert.rejects(client.get("a"), { code: "timed-out" });
});

test("A will is applied when the connection is lost, and not when the client is closed", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const other = daemon.client();
  const status = other.property("status");
  const lost = daemon.client({}, proxy.url).property("status", { will: { value: "lost" } });
  await lost.set("here");
  proxy.isOpen = false;
  proxy.cut();
  await until(() => status.value === "lost");
  const leaving = daemon.client();
  const job = leaving.property("job", { will: { error: { code: "gone", message: "the worker is gone" } } });
  await job.set(1);
  await leaving.close();
  await until(async () => (await other.who({ channel: "job" })).who.length === 0);
  assert.equal((await other.get("job")).state, "open");
});

for (const keep of [true, false]) test(`A watch ${keep ? "" : "that keeps nothing "}reports what was deleted while the connection was lost, and nothing twice`, { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const client = daemon.client({}, proxy.url);
  const other = daemon.client();
  await other.put([{ channel: "w/a", value: 1 }, { channel: "w/b", value: 1 }]);
  const told = [];
  const listener = { changed: ({ name, state }) => told.push(`${name} ${state}`), synced: () => told.push("synced") };
  const watch = client.watch("w/*", listener, { keep });
  await until(() => watch.isSynced);
  proxy.isOpen = false;
  proxy.cut();
  await until(() => !isConnected(client));
  await other.delete("w/a");
  await other.set("w/c", 1);
  told.length = 0;
  proxy.isOpen = true;
  await until(() => told.includes("synced"));
  assert.deepEqual(told, ["w/c open", "w/a deleted", "synced"]);
  assert.deepEqual([...watch.channels.keys()], keep ? ["w/b", "w/c"] : []);
  const join = () => client.watch("w/*", {});
  if (!keep) assert.throws(join, { code: "already-bound" });
});

test("A closed client ends its properties, and refuses further calls", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const property = client.property("a");
  const seen = record(property);
  property.value = 1;
  await client.close();
  assert.equal(seen.error.code, "closed");
  assert.equal(client.connection.value.state, "closed");
  await assert.rejects(client.get("a"), { code: "closed" });
  await assert.rejects(property.set(2), { code: "closed" });
  property.value = 2;
  assert.deepEqual(seen.refusals.map(({ code }) => code), ["closed"]);
  assert.equal((await daemon.client().get("a")).value, 1);
});

test("A client that is woken up connects at once, and pings a connection that may be dead", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const client = daemon.client({}, proxy.url);
  await until(() => isConnected(client));
  let pings = 0;
  proxy.judge = (from, { op }) => {
    if (from === "client" && op === "ping") pings += 1;
    return "pass";
  };
  client.wake();
  await until(() => pings === 1);
  await lose(client, () => proxy.cut());
  client.wake();
  await until(() => isConnected(client));
});

test("A daemon that stays silent is given up, and the client comes back", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  proxy.judge = (from, message) => (from === "daemon" && message.op !== "welcome" && proxy.count === 1 ? "drop" : "pass");
  const client = daemon.client({}, proxy.url);
  await until(() => isConnected(client));
  client.wake();
  await until(() => proxy.count > 1);
  await until(() => isConnected(client));
  assert.equal((await client.set("a", 1)) > 0, true);
});

test("A property that is let go before it is bound leaves its channel free for the next one", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  await until(() => isConnected(client));
  for (let round = 0; round < 3; round += 1) client.property("a").unbind();
  const property = client.property("a");
  await property.set(1);
  property.unbind();
  await until(async () => (await daemon.client().who({ channel: "a" })).who.length === 0);
});

test("A client that a subscriber wakes up on a loss has one connection", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const turn = () => new Promise((resolve) => setImmediate(resolve));
  const client = daemon.client({}, proxy.url);
  while (!isConnected(client)) await turn();
  client.connection.subscribe(({ state }) => state === "lost" && client.wake());
  proxy.cut();
  while (proxy.count < 2 || !isConnected(client)) await turn();
  // A pause behind a first loss is over by then, and the turns behind it would connect again.
  t.mock.timers.tick(5_000);
  for (let turns = 0; turns < 100; turns += 1) await turn();
  assert.equal(proxy.count, 2);
});

test("A state that a subscriber brings about is reported once, and no older one behind it", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const client = daemon.client({}, proxy.url);
  await until(() => isConnected(client));
  const states = [];
  client.connection.subscribe(({ state }) => state === "lost" && client.close());
  client.connection.subscribe(({ state }) => states.push(state));
  proxy.cut();
  await until(() => states.includes("closed"));
  assert.deepEqual(states, ["connected", "closed"]);
});
