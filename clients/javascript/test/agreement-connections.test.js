// The table "Over connections" of protocol.md, "Agreement": a test or more for each row.

import assert from "node:assert/strict";
import { test } from "node:test";
import { connect } from "../rac.js";
import { Bench } from "./support/machine.js";

const is = assert.deepEqual;

test("A lost connection keeps the sends with their numbers", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.lost(), []);
  is(bench.machine.state, "unbound");
  is(bench.bind(), { since: 5, was: 13 });
  is(bench.reply({ rev: 5 }), ["next 1 7"]);
});

test("An end that was kept back is delivered when the connection is lost, and the outcome of the sends is unknown", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.end("completed", 9);
  is(bench.lost(), ["end completed", "failed 1 outcome-unknown"]);
});

test("The outcome of an own end is not known if its channel has ended and the connection is lost", () => {
  const bench = Bench.bound();
  bench.finish();
  is(bench.end("completed", 9), ["end completed"]);
  is(bench.lost(), ["failed 1 outcome-unknown"]);
});

test("A value for a shared channel that is sent while unbound is shown and replaces the last one that waits", () => {
  const bench = Bench.bound();
  bench.lost();
  is(bench.write(7), []);
  is(bench.write(8, { sync: true }), []);
  is(bench.write(9), []);
  is(bench.shown, 9);
  bench.bind();
  is(bench.reply({ rev: 5 }), ["next 1 9 sync=true"]);
  is(bench.ack(1, 6), ["applied 1-3 @6", "stands @6"]);
});

test("A value replaces none that has a number or a condition", () => {
  const bench = Bench.bound();
  bench.write(1, { condition: 5 });
  bench.lost();
  bench.write(2);
  bench.write(3, { condition: 6 });
  bench.write(4);
  bench.bind();
  is(bench.reply({ rev: 5 }), ["next 1 1 if=5", "next 2 2", "next 3 3 if=6", "next 4 4"]);
});

test("An end that is sent while unbound waits", () => {
  const bench = Bench.bound();
  bench.lost();
  is(bench.finish(), []);
  bench.bind();
  is(bench.reply({ rev: 5 }), ["completed 1"]);
});

test("In the same epoch the next bind names the terminal and the newest revision", () => {
  const bench = Bench.bound();
  bench.next(6, 1);
  bench.lost();
  is(bench.bind("e1"), { since: 6, was: 13 });
});

test("A settled terminal names its own acknowledged revision, an open one does not", () => {
  const settled = Bench.bound();
  settled.write(7);
  settled.ack(1, 8);
  settled.lost();
  is(settled.bind(), { since: 8, was: 13 });
  const open = Bench.bound();
  open.write(7);
  open.ack(1, 8);
  open.write(8);
  open.lost();
  is(open.bind(), { since: 5, was: 13 });
});

test("A get without an answer makes the next bind ask for the value", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.nak(1, "forbidden");
  bench.lost();
  is(bench.bind(), { since: 0, was: 13 });
  is(bench.reply({ rev: 5, value: 0 }), ["show 0 @5"]);
});

test("In another epoch the numbers are forgotten, and sends are counted anew", () => {
  const bench = Bench.bound("shared", { n: 9 });
  is(bench.write(7), ["next 10 7"]);
  bench.lost();
  is(bench.bind("e2"), { since: 0, was: undefined });
  is(bench.reply({ t: 2, rev: 5, value: 0 }), ["next 1 7"]);
});

test("In another epoch the conflict of a send that had gone out may be one with itself", () => {
  const bench = Bench.bound();
  bench.write(7, { condition: 5 });
  bench.lost();
  bench.write(8, { condition: 5 });
  bench.bind("other");
  is(bench.reply({ rev: 6, n: 0, value: 7 }), ["next 1 7 if=5", "next 2 8 if=5"]);
  is(bench.nak(1, "conflict", 6, 7), ["failed 1 outcome-unknown"]);
  is(bench.nak(2, "conflict", 6, 7).at(0), "failed 2 conflict");
});

test("In another epoch the same revision may be another value, so the bind asks for the value", () => {
  const bench = Bench.bound();
  const same = bench.again({ t: 2, rev: 5, value: 0, cause: 3 }, "e2");
  is(same, { keys: { since: 0, was: undefined }, orders: ["stands @5 from 3"] });
  is(bench.again({ t: 2, rev: 5, value: 1 }, "e3").orders, ["show 1 @5"]);
  const own = Bench.bound();
  own.write(7);
  own.ack(1, 8);
  is(own.again({ t: 2, rev: 8, value: 7 }, "e2").orders, ["stands @8"]);
  is(own.again({ t: 2, rev: 0 }, "e3").orders, ["next 1 7 if=0"]);
  const paired = Bench.bound("paired", { sent: 0 });
  is(paired.again({ t: 2, rev: 5, value: 0, sent: 0 }, "e2"), { keys: { since: 0, was: undefined }, orders: [] });
  is(paired.again({ t: 2, rev: 5, value: 1, sent: 0 }, "e3").orders, ["show 1 @5"]);
});

test("In another epoch the causes of before give way to each value of the daemon", () => {
  const waiting = Bench.bound();
  waiting.write(7, { cause: 205 });
  is(waiting.again({ t: 2, rev: 3, value: 2 }, "e2").orders, ["next 1 7 cause=1"]);
  const bench = Bench.bound();
  bench.write(7, { cause: 205 });
  bench.ack(1, 206);
  is(bench.again({ t: 2, rev: 0 }, "e2").orders, ["next 1 7 if=0 cause=1"]);
  is(bench.write(8, { cause: 18 }), ["next 2 8 cause=18"]);
});

test("Another value of an earlier epoch goes out, so that racd decides between the two", () => {
  const bench = Bench.bound();
  bench.again({ t: 2, rev: 3, value: 20, cause: 1 }, "e2");
  is(bench.write(20, { cause: 1 }), ["refused late"]);
  is(bench.write(3, { cause: 1 }), ["next 1 3 cause=1"]);
});

test("The first bind asks for the value", () => {
  const bench = new Bench();
  is(bench.bind(), { since: undefined, was: undefined });
  is(bench.reply({ rev: 5, value: 1 }), ["show 1 @5"]);
});

test("A binding that has ended alone binds again on the standing connection", () => {
  const bench = Bench.bound();
  is(bench.end("error", undefined, "slow-consumer"), ["bind"]);
  is(bench.bind("e1"), { since: 5, was: 13 });
});

test("A refused bind ends the terminal", () => {
  const bench = new Bench();
  bench.write(7);
  bench.bind();
  const orders = bench.machine.bindRefused({ code: "bad-name" });
  is(orders.map(({ order }) => order), ["failed", "end"]);
  is(bench.machine.state, "ended");
});

test("The value of the reply is shown if no value waits for an answer", () => {
  const bench = Bench.bound();
  const { orders } = bench.again({ rev: 8, value: 1 });
  is(orders, ["show 1 @8"]);
  const paired = Bench.bound("paired", { sent: 0 });
  is(paired.again({ rev: 8, sent: 0, value: 1 }).orders, ["show 1 @8"]);
});

test("The value of the reply waits for the answers to the sends", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.again({ rev: 8, value: 1 }).orders, ["next 1 7"]);
  is(bench.ack(1, 7), ["applied 1 @7", "show 1 @8"]);
});

test("A reply without a value leaves the shown one, and a held back arrival is shown in the end", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.next(9, "held");
  bench.lost();
  is(bench.bind(), { since: 9, was: 13 });
  is(bench.reply({ rev: 9, n: 1 }), ["next 1 7"]);
  is(bench.ack(1, 9), ["applied 1 @9", 'show "held" @9']);
});

test("A reply with revision 0 is no end: the shown value stays, and is not the channel's", () => {
  const bench = Bench.bound();
  is(bench.again({ t: 14, was: 13, rev: 0 }).orders, []);
  is(bench.shown, 0);
  is(bench.machine.shown.isStray, true);
  is(bench.next(9, 0), ["show 0 @9"]);
});

test("A paired terminal forgets the shown value with revision 0", () => {
  const bench = Bench.bound("paired", { sent: 0 });
  bench.again({ t: 14, was: 13, rev: 0, sent: 0 });
  is(bench.shown, undefined);
});

test("Another terminal without was is one of an older daemon: the numbers are forgotten", () => {
  const bench = Bench.bound("shared", { n: 9 });
  bench.write(7);
  is(bench.again({ t: 14, rev: 0 }).orders, ["next 1 7"]);
});

test("Another terminal with was goes on with the numbers", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.write(8);
  is(bench.again({ t: 14, was: 13, rev: 9, n: 1, value: 1 }).orders, ["next 1 7", "next 2 8"]);
});

test("An own end up to the number of the reply was applied: the terminal is over, and unbinds if the channel is open", () => {
  const bench = Bench.bound();
  bench.finish();
  is(bench.again({ rev: 5, n: 1 }).orders, ["applied 1 @5", "end completed own", "unbind 13"]);
  const ended = Bench.bound();
  ended.finish({ code: "worn-out" });
  is(ended.again({ rev: 5, n: 1, state: "failed" }).orders, ["applied 1 @5", "end error own worn-out"]);
  is(ended.end("error", 6, "worn-out"), []);
});

test("A value that another epoch has lost goes out again, unless somebody was faster", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.ack(1, 8);
  is(bench.again({ t: 2, rev: 5, value: 0 }, "e2").orders, ["next 1 7 if=5"]);
  is(bench.shown, 7);
  is(bench.ack(1, 9), ["stands @9"]);
  is(bench.next(10, 1), ["show 1 @10"]);
});

test("A value that another epoch has lost gives way to that of somebody who was faster", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.ack(1, 8);
  bench.again({ t: 2, rev: 5, value: 0 }, "e2");
  is(bench.nak(1, "conflict", 9, "faster"), ['show "faster" @9']);
});

test("A channel that another epoch has lost altogether gets the value again", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.ack(1, 8);
  is(bench.again({ t: 2, rev: 0 }, "e2").orders, ["next 1 7 if=0"]);
});

test("A program with a default sends the value that it knows, not the default, to an epoch that has lost it", () => {
  const fresh = new Bench();
  is(fresh.bind("e1", "0"), { since: undefined, was: undefined, initial: "0" });
  const bench = Bench.bound();
  bench.next(6, "theirs");
  is(bench.again({ rev: 6 }, "e1", "0").keys, { since: 6, was: 13, initial: "0" });
  const lost = bench.again({ t: 2, rev: 0 }, "e2", "0");
  is(lost, { keys: { since: 0, was: undefined }, orders: ['next 1 "theirs" if=0 cause=1'] });
  const kept = Bench.bound();
  is(kept.again({ t: 2, rev: 9, value: 1 }, "e2", "0").orders, ["show 1 @9"]);
  const without = Bench.bound();
  without.next(6, "theirs");
  is(without.again({ t: 2, rev: 0 }, "e2").orders, []);
});

test("A lost value is not sent again if another one was shown since, or is on its way", () => {
  const shown = Bench.bound();
  shown.write(7);
  shown.ack(1, 8);
  shown.next(9, "theirs");
  is(shown.again({ t: 2, rev: 5, value: 0 }, "e2").orders, ["show 0 @5"]);
  const writing = Bench.bound();
  writing.write(7);
  writing.ack(1, 8);
  writing.write(8);
  is(writing.again({ t: 2, rev: 5, value: 0 }, "e2").orders, ["next 1 8"]);
});

test("A paired terminal with a default sends its newest value to an epoch that has lost it, and not the default", () => {
  const bench = Bench.bound("paired", { sent: 0 });
  is(bench.again({ rev: 5, sent: 0 }, "e2", "0").keys, { since: 0, was: undefined, initial: "0" });
  bench.write("own");
  bench.ack(1, 8);
  const lost = bench.again({ t: 2, rev: 5, value: 0, sent: 0 }, "e3", "0");
  is(lost, { keys: { since: 0, was: undefined }, orders: ['next 1 "own" if=0'] });
});

test("A value that another epoch still has, or has overwritten, is not sent again", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.ack(1, 8);
  is(bench.again({ t: 2, rev: 9, value: 1 }, "e2").orders, ["show 1 @9"]);
  const paired = Bench.bound("paired", { sent: 0 });
  paired.write("wish");
  paired.ack(1, 8);
  is(paired.again({ t: 2, rev: 5, sent: 8 }, "e2").orders, []);
});

test("A paired terminal with a newer send on its way does not send a lost value again", () => {
  const bench = Bench.bound("paired", { sent: 0 });
  bench.write("old");
  bench.ack(1, 8);
  bench.write("new");
  is(bench.again({ t: 2, rev: 5, sent: 3 }, "e2").orders, ['next 1 "new"']);
});

test("A paired terminal names the newest arrival in its next bind", () => {
  const bench = Bench.bound("paired", { sent: 0 });
  bench.next(6, 1);
  bench.lost();
  is(bench.bind(), { since: 6, was: 13 });
});

test("A not-bound behind a new connection belongs to the send of that connection", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.again({ rev: 5 });
  bench.end("completed", 9);
  is(bench.nak(1, "not-bound"), ["failed 1 terminated", "get"]);
});

test("A paired terminal sends again what another epoch has lost of its own side", () => {
  const bench = Bench.bound("paired", { sent: 0 });
  bench.write("wish");
  bench.ack(1, 8);
  is(bench.again({ t: 2, rev: 5, sent: 3 }, "e2").orders, ['next 1 "wish" if=3']);
  const other = Bench.bound("paired", { sent: 0 });
  other.write("wish");
  other.ack(1, 8);
  other.write("again", { condition: 7 });
  other.nak(1 + 1, "conflict", 9, "theirs");
  is(other.again({ t: 2, rev: 5, sent: 3 }, "e2").orders, []);
});

test("Arrivals below the revision of the first reply are dropped", () => {
  const bench = Bench.bound("shared", { value: 0, rev: 5 });
  is(bench.next(4, "older"), []);
});

test("The newest of several sends above the last applied one goes out again, and its answer counts for all", () => {
  const bench = Bench.bound();
  bench.write(1);
  bench.write(2, { sync: true });
  bench.write(3);
  bench.write(4);
  is(bench.again({ rev: 6, n: 1, value: 1 }).orders, ["next 1 1", "next 4 4 sync=true"]);
  is(bench.ack(4, 9), ["applied 1 @9", "applied 2-4 @9", "stands @9"]);
});

test("Sends with a condition go out each", () => {
  const bench = Bench.bound();
  bench.write(1);
  bench.write(2, { condition: 6 });
  bench.write(3);
  is(bench.again({ rev: 5 }).orders, ["next 1 1", "next 2 2 if=6", "next 3 3"]);
});

test("New sends have numbers above every number of the epoch", () => {
  const bench = Bench.bound();
  bench.write(1);
  bench.lost();
  bench.write(2, { condition: 9 });
  bench.bind();
  is(bench.reply({ rev: 5, n: 4 }), ["next 1 1", "next 5 2 if=9"]);
});

test("An own end goes out again behind the answers to the values before it", () => {
  const bench = Bench.bound();
  bench.write(1);
  bench.finish();
  is(bench.again({ rev: 5 }).orders, ["next 1 1"]);
  is(bench.ack(1, 6), ["applied 1 @6", "stands @6", "completed 2"]);
});

test("The answer to a send again is as good as the first", () => {
  const bench = Bench.bound();
  bench.write(7, { condition: 4 });
  is(bench.again({ rev: 9, n: 1, value: "theirs" }).orders, ["next 1 7 if=4"]);
  is(bench.nak(1, "conflict", 9, "theirs"), ["failed 1 conflict", 'show "theirs" @9']);
});

test("The program's own value in the reply, whose answer was lost, is not shown again", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.again({ rev: 8, n: 1, value: 7 }).orders, ["next 1 7"]);
  is(bench.ack(1, 8), ["applied 1 @8", "stands @8"]);
});

test("A nak with forgotten reports an unknown outcome, and otherwise counts as any nak", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.again({ rev: 8, value: 1 });
  is(bench.nak(1, "forgotten"), ["failed 1 forgotten", "get"]);
  is(bench.got(1, 8), ["show 1 @8"]);
});

test("A session that another connection has taken over ends the terminal", () => {
  const bench = Bench.bound();
  bench.write(7);
  const orders = bench.machine.close({ code: "already-bound" });
  is(orders.map(({ order }) => order), ["failed", "end"]);
});

test("A channel that was made again in another mode ends the terminal", () => {
  const bench = Bench.bound();
  is(bench.again({ t: 14, rev: 0, mode: "paired", sent: 0 }).orders, ["unbind 14", "end refused wrong-mode"]);
});

test("Behind the reply with another terminal, answers for the one before are no answers", async () => {
  const said = [];
  let daemon;
  const transport = (_, events) => {
    daemon = (message) => events.message(JSON.stringify(message));
    setTimeout(events.opened);
    return { send: (text) => said.push(JSON.parse(text)), close: () => {}, waiting: 0 };
  };
  const hears = async (op) => {
    while (!said.some((message) => message.op === op)) await new Promise((resolve) => setTimeout(resolve));
    return said.splice(0).find((message) => message.op === op);
  };
  const client = connect("rac://test", { transport });
  await hears("hello");
  daemon({ op: "welcome", version: 1, server: "test", epoch: "e1", heartbeat: 0, maxFrame: 1000, deflate: false });
  const property = client.property("a");
  const reply = { op: "reply", rev: 0, state: "open", mode: "shared", n: 0 };
  daemon({ ...reply, id: (await hears("bind")).id, t: 3 });
  const written = property.set(7);
  await hears("next");
  daemon({ op: "error", t: 3, error: { code: "slow-consumer", message: "" } });
  daemon({ ...reply, id: (await hears("bind")).id, t: 5, was: 3 });
  is(await hears("next"), { op: "next", t: 5, n: 1, value: 7 });
  daemon({ op: "nak", t: 3, n: 1, error: { code: "terminated", message: "" }, rev: 0 });
  daemon({ op: "ack", t: 5, n: 1, rev: 9 });
  is(await written, 9);
  is(property.value, 7);
  await client.close();
});

test("A terminal that another object had goes on with its numbers", () => {
  const first = Bench.bound();
  first.write(1);
  first.nak(1, "conflict", 5, 0);
  first.machine.leave();
  const second = new Bench();
  second.machine.adopt(first.machine.numbering);
  is(second.bind(), { since: undefined, was: 13 });
  second.reply({ rev: 5, value: 0 });
  is(second.write(2), ["next 2 2"]);
});

test("A leading terminal that asked for no wish does not ask for an old one later", () => {
  const bench = new Bench("paired");
  bench.bind();
  bench.reply({ rev: 5, sent: 0 });
  bench.lost();
  is(bench.bind(), { since: 5, was: 13 });
});
