// The table "A terminal of a paired channel" of protocol.md, "Agreement": a test or more for each row.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bench } from "./support/machine.js";

const is = assert.deepEqual;
const bound = () => Bench.bound("paired", { sent: 3 });

test("A value that the program sends goes to the other side, and the shown one stays", () => {
  const bench = bound();
  is(bench.write("wish"), ['next 1 "wish"']);
  is(bench.shown, 0);
});

test("Arrivals are shown as they come, also while sends have no answer", () => {
  const bench = bound();
  bench.write("wish");
  is(bench.next(6, 1), ["show 1 @6"]);
  is(bench.ack(1, 7), ["applied 1 @7"]);
  is(bench.next(8, 2, 4), ["show 2 @8 from 4"]);
});

test("Every value of a paired terminal is sent: none overwrites another one", () => {
  const bench = new Bench("paired");
  bench.write(1);
  bench.write(2);
  bench.bind();
  is(bench.reply({ rev: 0, sent: 0 }), ["next 1 1", "next 2 2"]);
});

test("An ack reports to the program that the sends up to it are applied", () => {
  const bench = bound();
  bench.write(1);
  bench.write(2);
  is(bench.ack(2, 8), ["applied 1 @8", "applied 2 @8"]);
});

test("A nak reports the failure, and the shown value stays", () => {
  const bench = bound();
  bench.write(1, { condition: 2 });
  is(bench.nak(1, "conflict", 4, "their wish"), ["failed 1 conflict"]);
  is(bench.shown, 0);
});

test("A nak without a revision needs no get", () => {
  const bench = bound();
  bench.write(1);
  is(bench.nak(1, "forbidden"), ["failed 1 forbidden"]);
  is(bench.machine.isSettled, true);
});

test("The program's end goes out behind the answers to the values before it", () => {
  const bench = bound();
  bench.write(1);
  bench.write(2);
  is(bench.finish(), []);
  is(bench.ack(1, 6), ["applied 1 @6"]);
  is(bench.ack(2, 7), ["applied 2 @7", "completed 3"]);
});

test("An end is delivered at once, and open sends are answered behind it", () => {
  const bench = bound();
  bench.write(1);
  bench.write(2);
  bench.write(3);
  is(bench.end("completed", 9), ["end completed"]);
  is(bench.ack(1, 8), ["applied 1 @8"]);
  is(bench.nak(2, "terminated", 8, 1), ["failed 2 terminated"]);
  is(bench.nak(3, "not-bound"), ["failed 3 terminated"]);
  is(bench.machine.isSettled, true);
});

test("An own end that has not gone out is refused when the channel ends", () => {
  const bench = bound();
  bench.write(1);
  bench.finish();
  is(bench.end("completed", 9), ["failed 2 terminated", "end completed"]);
});

test("The end of the binding alone reports that values were lost, and the terminal binds again", () => {
  const bench = bound();
  is(bench.end("error", undefined, "slow-consumer"), ["missed slow-consumer", "bind"]);
  is(bench.bind(), { since: 5, was: 13 });
});
