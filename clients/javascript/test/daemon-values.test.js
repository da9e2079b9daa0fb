// Values, requests and ends against a real racd.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inspect } from "node:util";
import { connect, raw } from "../rac.js";
import { tcp } from "../tcp.js";
import { Daemon, isConnected, record, skip, until } from "./support/daemon.js";

test("Two clients that write at the same time 200 times agree", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const properties = [0, 1].map(() => daemon.client().property("race"));
  await Promise.all(properties.map((property) => property.ready()));
  const seen = properties.map(record);
  for (let round = 0; round < 200; round += 1) {
    properties.forEach((property, index) => (property.value = `${index}.${round}`));
    await Promise.all(properties.map((property) => property.settled()));
    await until(() => properties[0].revision === properties[1].revision);
    assert.equal(properties[0].value, properties[1].value);
    assert.ok(properties[0].revision > 0);
  }
  // No echo: nobody gets a value that it sent itself.
  for (const [index, { values }] of seen.entries()) {
    const own = values.filter((value) => value.startsWith(`${index}.`));
    assert.deepEqual(own, []);
  }
});

test("The digits of an error stay as they were written", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const text = '{"code":"c","message":"m","data":{"n":12345678901234567890.50}}';
  for (const channel of ["a", "b"]) await client.create(channel);
  await client.finish("a", { error: raw(text) });
  const failed = await client.get("a");
  assert.equal(failed.rawError, text);
  assert.equal(failed.error.code, "c");
  await client.finish("b", { error: { code: "d" } });
  assert.equal((await client.get("b")).error.code, "d");
  await client.set("c", 1);
  assert.equal((await client.get("c")).rawError, undefined);
});

test("A burst of writes from both sides ends in agreement", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const properties = [0, 1, 2].map(() => daemon.client().property("burst"));
  for (let n = 0; n < 500; n += 1) {
    for (const [index, property] of properties.entries()) property.value = [index, n];
    if (n % 50 === 0) await new Promise(setImmediate);
  }
  await Promise.all(properties.map((property) => property.settled()));
  const { raw, revision } = await daemon.client().get("burst");
  await until(() => properties.every((property) => property.raw === raw && property.revision === revision));
});

test("Two properties of one channel in one program get each other's values at once, and not their own", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const [one, other] = [client.property("a"), client.property("a")];
  const [first, second] = [record(one), record(other)];
  one.value = 1;
  assert.equal(other.value, 1);
  assert.deepEqual([first.values, second.values], [[], [1]]);
  await one.settled();
  assert.equal(other.revision, one.revision);
});

test("A subscriber gets the current value first, and nothing after it has left", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [client, other] = [daemon.client(), daemon.client()];
  await other.set("a", { level: 1 });
  const property = client.property("a");
  await property.ready();
  const seen = record(property);
  assert.deepEqual(seen.values, [{ level: 1 }]);
  seen.stop();
  const later = record(property);
  await other.set("a", 2);
  await until(() => later.values.length === 2);
  assert.equal(seen.values.length, 1);
});

test("Numbers keep the text with which they were written", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [here, there] = [daemon.client().property("n"), daemon.client().property("n")];
  await there.ready();
  for (const text of ["1.50", "18446744073709551616", '{"a": [1.0, "\\"}", {}], "b":  2e400}', "-0", '""']) {
    here.value = raw(text);
    await until(() => there.raw === text);
    assert.equal(here.raw, text);
  }
  here.value = 2n ** 64n;
  await until(() => there.raw === "18446744073709551616");
  assert.throws(() => (here.value = undefined), TypeError);
  assert.throws(() => (here.value = Infinity), TypeError);
  assert.throws(() => raw("1,"), SyntaxError);
});

test("Requests set, compare, list, finish, reopen and delete", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const revision = await client.set("m/a", 1);
  assert.ok((await client.set("m/a", 2, { if: revision })) > revision);
  const conflict = await client.set("m/a", 3, { if: revision }).catch((error) => error);
  assert.equal(conflict.code, "conflict");
  assert.equal(conflict.current.value, 2);
  const revisions = await client.put([{ channel: "m/a", value: raw("3.0") }, { channel: "m/b", value: "b", if: 0 }], { sync: true });
  assert.equal(revisions[1], revisions[0] + 1);
  const refused = await client.put([{ channel: "m/c", value: 1 }, { channel: "m/b", value: 1, if: 1 }]).catch((error) => error);
  assert.deepEqual([refused.code, refused.index], ["conflict", 1]);
  const { channels, more } = await client.list({ pattern: "m/*", limit: 1 });
  assert.deepEqual([channels.map(({ channel }) => channel), more], [["m/a"], true]);
  const state = await client.get("m/a");
  assert.deepEqual([state.raw, state.value, state.state, state.revision], ["3.0", 3, "open", revisions[0]]);
  await client.finish("m/a", { error: { code: "worn-out", message: "too many turns" } });
  assert.deepEqual((await client.get("m/a")).error, { code: "worn-out", message: "too many turns" });
  await client.reopen("m/a");
  await client.delete("m/a");
  assert.equal((await client.get("m/a").catch((error) => error)).code, "no-such-channel");
  await client.create("heater", { mode: "paired", value: false });
  assert.equal((await client.get("heater")).mode, "paired");
  assert.equal((await client.create("heater").catch((error) => error)).code, "exists");
  assert.equal((await client.set("a//b", 1).catch((error) => error)).code, "bad-name");
  assert.equal((await client.who()).who.length, 1);
});

test("Both sides of a paired channel get each value of the other side", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const device = daemon.client().paired("heater", "leading");
  const people = daemon.client().paired("heater", "following");
  await Promise.all([device.ready(), people.ready()]);
  const [wishes, states] = [record(device), record(people)];
  for (let n = 1; n <= 100; n += 1) {
    people.send(n);
    device.send(-n);
  }
  await until(() => wishes.values.length === 100 && states.values.length === 100);
  assert.deepEqual(wishes.values, Array.from({ length: 100 }, (_, n) => n + 1));
  assert.deepEqual(states.values, wishes.values.map((n) => -n));
  assert.equal(people.value, -100);
  const late = daemon.client().paired("heater", "following");
  await late.ready();
  assert.equal(late.value, -100);
});

test("A refused write fails its promise, and the channel's value is shown again", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const property = daemon.client().property("a");
  const seen = record(property);
  await property.set(1);
  const error = await property.set(2, { if: 1 }).catch((error) => error);
  assert.deepEqual([error.code, error.current.value], ["conflict", 1]);
  assert.equal(property.value, 1);
  assert.deepEqual(seen.values, [1]);
  assert.deepEqual(seen.refusals, []);
});

test("A refused assignment reaches the subscribers that take refusals, else the client's problems", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const problems = [];
  client.problems.subscribe((error) => problems.push(error.code));
  const property = client.property("$sys/version");
  await property.ready();
  const version = property.value;
  property.value = "mine";
  assert.equal(property.value, "mine");
  await assert.rejects(property.settled(), { code: "forbidden" });
  assert.equal(property.value, version);
  assert.deepEqual(problems, ["forbidden"]);
  const seen = record(property);
  property.value = "mine";
  await until(() => seen.refusals.length === 1);
  assert.equal(problems.length, 1);
});

test("The end of a channel reaches every program once, and a new property begins behind a reopening", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [client, other] = [daemon.client(), daemon.client()];
  const [here, there] = [client.property("a"), other.property("a")];
  const [seen, far] = [record(here), record(there)];
  await there.ready();
  here.value = 1;
  await here.fail({ code: "broken-wire", message: "no signal", data: { pin: 7 } });
  await until(() => far.error !== undefined && seen.error !== undefined);
  assert.deepEqual([far.error.code, far.error.message, far.error.data], ["broken-wire", "no signal", { pin: 7 }]);
  there.value = 2;
  assert.deepEqual([there.value, far.refusals.map(({ code }) => code)], [1, ["terminated"]]);
  await client.reopen("a");
  const again = other.property("a");
  await again.ready();
  assert.equal(again.value, 1);
  await client.delete("a");
  await until(() => again.end !== undefined);
  assert.equal(again.end.deleted, true);
});

test("A write behind the end of its channel is refused, settled fails with that, and the error names the channel", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const property = client.property("room/a");
  const seen = record(property);
  property.value = 1;
  await property.settled();
  await property.complete();
  property.value = 2;
  await assert.rejects(property.settled(), { code: "terminated", message: /^room\/a/ });
  await property.settled();
  await assert.rejects(property.set(3), { code: "terminated", message: /^room\/a/ });
  assert.equal(property.value, 1);
  assert.deepEqual(seen.refusals.map(({ code }) => code), ["terminated"]);
  await client.reopen("room/a");
  const again = property.another();
  await again.set(4);
  await assert.rejects(again.set(5, { if: 1 }), { code: "conflict", message: /^room\/a: / });
});

test("A state and a text show what they hold", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const revision = await client.set("a", { x: raw("1.50") });
  const state = await client.get("a");
  const { at, mode, name } = state;
  assert.deepEqual(JSON.parse(JSON.stringify(state)), { name, revision, state: "open", mode, value: { x: 1.5 }, at });
  assert.deepEqual([state.name, state.revision, state.state, state.raw], ["a", revision, "open", '{"x":1.5}']);
  assert.match(inspect(state), /name: 'a'.*x: 1\.5/s);
  assert.equal(JSON.stringify({ text: raw("1.50") }), '{"text":1.5}');
});

test("An invalid address is reported at once, whichever transport it is for", () => {
  for (const url of ["http://127.0.0.1:1/", "127.0.0.1:7220", "rac://h:99999", "unix:", ""]) {
    assert.throws(() => connect(url, { transport: tcp }), { code: "invalid-url" });
  }
});

test("A channel of another mode is an error of its property", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  await client.create("p", { mode: "paired" });
  await assert.rejects(client.property("p").ready(), { code: "wrong-mode" });
});

test("A second object with other options is refused, one without any joins", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  client.property("a", { interval: 100, default: 1 });
  client.property("a");
  assert.throws(() => client.property("a", { interval: 200 }), { code: "already-bound" });
});

test("A default is the value of a channel that never had one", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const property = daemon.client().property("a", { default: { on: false } });
  await property.ready();
  assert.deepEqual(property.value, { on: false });
});

test("A message that is too long for the daemon fails alone", { skip }, async (t) => {
  const daemon = await Daemon.start(t, { options: ["--max-frame", "65536"] });
  const client = daemon.client();
  const property = client.property("a");
  await property.set("short");
  await assert.rejects(property.set("x".repeat(70_000)), { code: "too-large" });
  await until(() => property.value === "short", "the channel's value");
  await assert.rejects(client.set("a", "ä".repeat(40_000)), { code: "too-large" });
  await property.set("still there");
  assert.ok(isConnected(client));
});

test("A property that is unbound hears nothing more, and its last write arrives", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [client, other] = [daemon.client(), daemon.client()];
  const property = client.property("a");
  await property.ready();
  const seen = record(property);
  property.value = 1;
  property.unbind();
  await until(async () => (await other.list()).channels.some(({ channel, bound }) => channel === "a" && bound === 0));
  assert.equal((await other.get("a")).value, 1);
  await other.set("a", 2);
  assert.deepEqual(seen.values, []);
  const again = client.property("a");
  await again.ready();
  assert.equal(again.value, 2);
  again.value = 3;
  await again.settled();
});

test("A value that several programs get is frozen, and what one alone gets is its own", { skip }, async (t) => {
  const client = (await Daemon.start(t)).client();
  await client.set("o", { list: [1] });
  const property = client.property("o");
  await property.ready();
  assert.throws(() => property.value.list.push(2), TypeError);
  const watch = client.watch("o", {});
  await until(() => watch.isSynced);
  assert.throws(() => watch.channels.get("o").value.list.push(2), TypeError);
  const { value } = await client.get("o");
  value.list.push(2);
  await client.set("o", value);
  await until(() => property.raw === '{"list":[1,2]}');
  client.host("sorted", (list) => list.sort());
  await until(() => client.commands().then(({ commands }) => commands.length === 1 && commands[0].enabled));
  assert.deepEqual(await client.command("sorted").execute([2, 1]).result, [1, 2]);
  assert.throws(() => (property.value = { price: NaN }), TypeError);
});

test("An unbound object is not live, keeps its value and refuses each call, and another one goes on", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const problems = [];
  client.problems.subscribe(({ code, message }) => problems.push([code, message.split(":")[0]]));
  const [property, other] = [client.property("x"), client.property("x")];
  const seen = record(other);
  await property.set(1);
  const awaited = client.property("y");
  const waits = awaited.ready();
  awaited.unbind();
  await assert.rejects(waits, { code: "unbound" });
  property.unbind();
  property.unbind();
  other.value = 2;
  assert.deepEqual([property.live.value, property.value, property.end.op, other.live.value], [false, 1, "unbound", true]);
  for (const [call, ...rest] of [["ready"], ["set", 1], ["settled"], ["complete"], ["fail", { code: "c" }]]) {
    await assert.rejects(property[call](...rest), { code: "unbound" }, call);
  }
  property.value = 3;
  assert.deepEqual(problems.splice(0), [["unbound", "x"]]);
  assert.equal(record(property).error.code, "unbound");
  property.subscribe(() => {});
  assert.deepEqual(problems.splice(0), [["unbound", "x"]]);
  other.unbind();
  other.value = 4;
  await assert.rejects(other.set(4), { code: "unbound" });
  assert.deepEqual([problems, seen.values, (await client.get("x")).value], [[["unbound", "x"]], [1], 2]);
  const again = other.another();
  await again.ready();
  assert.deepEqual([again.value, again.live.value, again.end], [2, true, undefined]);
});

test("A side of a paired channel that is unbound is refused, and its earlier sends arrive", { skip }, async (t) => {
  const client = (await Daemon.start(t)).client();
  const [leading, following] = [client.paired("p", "leading"), client.paired("p", "following")];
  const seen = record(leading);
  await Promise.all([leading.ready(), following.ready()]);
  const sent = following.set(1);
  following.unbind();
  await sent;
  await until(() => seen.values.length === 1);
  await assert.rejects(following.set(2), { code: "unbound" });
});

test("An error of a subscriber is a problem of the client, and stops nobody", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [client, other] = [daemon.client(), daemon.client()];
  const problems = [];
  client.problems.subscribe((error) => problems.push(error.message));
  const property = client.property("a");
  await property.ready();
  property.subscribe(() => {
    throw new Error("a subscriber's mistake");
  });
  const seen = record(property);
  await other.set("a", 1);
  await until(() => seen.values.length === 1);
  assert.deepEqual(problems, ["a subscriber's mistake"]);
});

test("A value that a subscriber sends is delivered next", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [client, other] = [daemon.client(), daemon.client()];
  const [one, two] = [client.property("a"), client.property("a")];
  await one.ready();
  one.subscribe((value) => value < 5 && (one.value = value + 1));
  const seen = record(two);
  await other.set("a", 1);
  await until(() => seen.values.length === 2);
  assert.deepEqual(seen.values, [1, 2]);
});

test("A watch reports each matching channel, then each change", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [client, other] = [daemon.client(), daemon.client()];
  await other.put([{ channel: "w/a", value: 1 }, { channel: "w/b", value: raw("2.0") }]);
  const told = [];
  const listener = { changed: ({ name, state, raw }) => told.push([name, state, raw]), synced: () => told.push("synced") };
  const watch = client.watch("w/*", listener);
  await until(() => watch.isSynced);
  await other.delete("w/a");
  await until(() => told.length === 4);
  assert.deepEqual(told, [["w/a", "open", "1"], ["w/b", "open", "2.0"], "synced", ["w/a", "deleted", undefined]]);
  assert.deepEqual([...watch.channels.keys()], ["w/b"]);
  const again = [];
  const second = client.watch("w/*", { changed: ({ name }) => again.push(name), synced: () => again.push("synced") });
  assert.deepEqual(again, ["w/b", "synced"]);
  watch.stop();
  second.stop();
  const third = client.watch("w/*", {});
  await until(() => third.isSynced);
  const refused = await new Promise((resolve) => client.watch("w/*x", { error: resolve }));
  assert.equal(refused.code, "bad-name");
});

test("A refused watch that is stopped leaves a later one of its pattern in place", { skip }, async (t) => {
  const client = (await Daemon.start(t)).client();
  let refused;
  await new Promise((resolve) => (refused = client.watch("w/*x", { error: resolve })));
  client.watch("w/*x", {});
  refused.stop();
  assert.throws(() => client.watch("w/*x", {}, { keep: false }), { code: "already-bound" });
});

test("Linked channels agree, in a ring of two programs too", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [client, other, third] = [daemon.client(), daemon.client(), daemon.client()];
  client.link("l/a", "l/b");
  other.link("l/b", "l/a");
  other.link("l/b", "l/c", { forward: (n) => n * 2, backward: (n) => n / 2 });
  const [a, b, c] = ["l/a", "l/b", "l/c"].map((name) => third.property(name));
  await Promise.all([a, b, c].map((property) => property.ready()));
  a.value = 1;
  await until(() => b.value === 1 && c.value === 2);
  c.value = 8;
  await until(() => a.value === 4 && b.value === 4);
  for (let n = 1; n <= 50; n += 1) {
    a.value = n;
    b.value = n + 100;
  }
  await until(() => a.revision > 0 && b.revision > 0 && a.value === b.value && c.value === a.value * 2);
  const before = (await third.list()).channels.map(({ rev }) => rev);
  await third.set("unrelated", 1);
  assert.deepEqual((await third.list({ pattern: "l/*" })).channels.map(({ rev }) => rev), before);
});

test("A link that cannot begin leaves both channels", { skip }, async (t) => {
  const client = (await Daemon.start(t)).client();
  await client.paired("l/b", "following").ready();
  assert.throws(() => client.link("l/a", "l/b"), { code: "already-bound" });
  assert.throws(() => client.link("l/b", "l/a"), { code: "already-bound" });
  await until(async () => (await client.list()).channels.every(({ channel }) => channel === "l/b"));
  const property = client.property("l/a", { default: 5 });
  await property.ready();
  assert.equal(property.value, 5);
});

test("The end of a linked channel ends the other one", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const link = client.link("l/a", "l/b");
  const [a, b] = [client.property("l/a"), client.property("l/b")];
  await Promise.all([a.ready(), b.ready()]);
  a.value = 1;
  await until(() => b.value === 1);
  await a.complete();
  await until(() => b.end !== undefined);
  assert.equal((await link.ended).op, "completed");
});
