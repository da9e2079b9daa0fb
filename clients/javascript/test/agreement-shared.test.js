// The table "A terminal of a shared channel" of protocol.md, "Agreement": a test or more for each row.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Bench } from "./support/machine.js";

const is = assert.deepEqual;

test("A value that the program sends is numbered, sent and shown at once", () => {
  const bench = Bench.bound();
  is(bench.write(7), ["next 1 7"]);
  is(bench.shown, 7);
  is(bench.write(8), ["next 2 8"]);
  is(bench.shown, 8);
});

test("A send with if, cause and sync carries them", () => {
  const bench = Bench.bound();
  is(bench.write(7, { condition: 5, sync: true }), ["next 1 7 if=5 sync=true"]);
  is(bench.ack(1, 6), ["applied 1 @6", "stands @6"]);
  is(bench.write(8, { cause: 9 }), ["next 2 8 cause=9"]);
});

test("A next below the newest acknowledged value is dropped: the channel has gone on since", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.ack(1, 8);
  is(bench.next(6, "late"), []);
  is(bench.write(8), ["next 2 8"]);
  is(bench.next(7, "late"), []);
  is(bench.nak(2, "forbidden", 8, 7), ["failed 2 forbidden", "show 7 @8"]);
});

test("A next is shown while the terminal is settled, an equal value too", () => {
  const bench = Bench.bound();
  is(bench.next(6, 1), ["show 1 @6"]);
  is(bench.next(7, 1), ["show 1 @7"]);
  is(bench.next(8, 2, 3), ["show 2 @8 from 3"]);
});

test("A next is held back while a value has no answer, and shown behind the answer if it is newer", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.next(6, "older"), []);
  is(bench.next(9, "newer"), []);
  is(bench.shown, 7);
  is(bench.ack(1, 8), ["applied 1 @8", 'show "newer" @9']);
  is(bench.shown, "newer");
});

test("A next that was held back is dropped if it is older than the acknowledged value", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.next(6, "older");
  is(bench.ack(1, 8), ["applied 1 @8", "stands @8"]);
  is(bench.shown, 7);
});

test("An ack of an earlier send shows nothing while a later one has no answer", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.write(8);
  bench.next(9, "held");
  is(bench.ack(1, 6), ["applied 1 @6"]);
  is(bench.shown, 8);
  is(bench.ack(2, 8), ["applied 2 @8", 'show "held" @9']);
});

test("An ack is cumulative", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.write(8);
  is(bench.ack(2, 9), ["applied 1 @9", "applied 2 @9", "stands @9"]);
  is(bench.machine.isSettled, true);
});

test("The value of the channel is shown if the ack names its revision", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.next(6, "standing");
  is(bench.ack(1, 6), ["applied 1 @6", 'show "standing" @6']);
});

test("An ack with a value answers one send, and shows that value if it is the newest", () => {
  const bench = Bench.bound();
  bench.write(7, { cause: 6 });
  is(bench.ack(1, 9, "theirs", 8), ["applied 1 @9", 'show "theirs" @9 from 8']);
});

test("An ack with a value is not cumulative", () => {
  const bench = Bench.bound();
  bench.write(1, { cause: 6 });
  bench.write(2, { cause: 7 });
  is(bench.ack(2, 9, "theirs"), ["applied 2 @9"]);
  is(bench.ack(1, 8), ["applied 1 @8", 'show "theirs" @9']);
});

test("An ack with a value that is older than an arrival gives way to the arrival", () => {
  const bench = Bench.bound();
  bench.write(7, { cause: 6 });
  bench.next(10, "newest");
  is(bench.ack(1, 9, "theirs"), ["applied 1 @9", 'show "newest" @10']);
});

test("A nak of an earlier send reports the failure and shows nothing", () => {
  const bench = Bench.bound();
  bench.write(7, { condition: 4 });
  bench.write(8);
  is(bench.nak(1, "conflict", 6, "theirs"), ["failed 1 conflict"]);
  is(bench.shown, 8);
  is(bench.ack(2, 7), ["applied 2 @7", "stands @7"]);
});

test("A nak of the last send reports the failure and shows the value in it", () => {
  const bench = Bench.bound();
  bench.write(7, { condition: 4 });
  is(bench.nak(1, "conflict", 6, "theirs"), ["failed 1 conflict", 'show "theirs" @6']);
});

test("A nak of the last send shows a newer arrival instead of an older value", () => {
  const bench = Bench.bound();
  bench.write(7, { condition: 4 });
  bench.next(9, "newer");
  is(bench.nak(1, "conflict", 6, "theirs"), ["failed 1 conflict", 'show "newer" @9']);
});

test("A nak with revision 0 leaves the value as it is, which is not the channel's", () => {
  const bench = Bench.bound("shared", { value: undefined, rev: 0 });
  bench.write(7, { condition: 4 });
  is(bench.nak(1, "conflict", 0), ["failed 1 conflict"]);
  is(bench.machine.shown.isStray, true);
});

test("A nak without a revision asks for the channel's value and keeps the terminal open until the answer", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.nak(1, "forbidden"), ["failed 1 forbidden", "get"]);
  is(bench.next(6, "held"), []);
  is(bench.machine.isSettled, false);
  is(bench.got("held", 6), ['show "held" @6']);
  is(bench.machine.isSettled, true);
});

test("The answer to a get brings a value that did not arrive", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.nak(1, "forbidden");
  is(bench.got("theirs", 6), ['show "theirs" @6']);
});

test("A value that is sent while the get has no answer keeps the terminal open behind that answer", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.nak(1, "forbidden");
  is(bench.write(8), ["next 2 8"]);
  is(bench.got("theirs", 6), []);
  is(bench.ack(2, 7), ["applied 2 @7", "stands @7"]);
});

test("A value that is acknowledged before the get is answered stands if it is newer", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.nak(1, "forbidden");
  bench.write(8);
  is(bench.ack(2, 7), ["applied 2 @7"]);
  is(bench.got("theirs", 6), ["stands @7"]);
  is(bench.shown, 8);
});

test("A get that finds no channel leaves the value as it is", () => {
  const bench = Bench.bound("shared", { value: undefined, rev: 0 });
  bench.write(7);
  bench.nak(1, "terminated");
  is(bench.got(), []);
  is(bench.shown, 7);
  is(bench.machine.shown.isStray, true);
});

test("A send that does not fit into a frame is refused behind the answers to the sends before it", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.write(8);
  is(bench.tooLong(2), []);
  is(bench.ack(1, 6), ["applied 1 @6", "failed 2 too-large", "get"]);
  is(bench.got(7, 6), ["show 7 @6"]);
});

test("An ack of a later send does not answer for one that has not gone out", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.write(8);
  bench.tooLong(2);
  bench.write(9);
  is(bench.ack(3, 8), ["applied 1 @8", "applied 3 @8", "failed 2 too-large", "get"]);
  is(bench.got(9, 8), ["stands @8"]);
});

test("A not-bound is no answer while the terminal is unbound or binding: the send goes out again", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.end("error", undefined, "slow-consumer"), ["bind"]);
  is(bench.nak(1, "not-bound"), []);
  bench.bind();
  is(bench.nak(1, "not-bound"), []);
  is(bench.reply({ rev: 5 }), ["next 1 7"]);
});

test("A not-bound is a refusal while an end is kept back: somebody has reopened the channel since", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.end("completed", 6), []);
  is(bench.nak(1, "not-bound"), ["failed 1 terminated", "get"]);
  is(bench.got(0, 5), ["show 0 @5", "end completed"]);
});

test("A not-bound of a send that went out again is no answer: that of the second time follows", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.end("error", undefined, "slow-consumer");
  bench.bind();
  bench.reply({ rev: 5 });
  is(bench.nak(1, "not-bound"), []);
  is(bench.ack(1, 6), ["applied 1 @6", "stands @6"]);
});

test("A not-bound of the first time is no refusal behind the end either", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.end("error", undefined, "slow-consumer");
  bench.bind();
  bench.reply({ rev: 5 });
  bench.end("completed", 7);
  is(bench.nak(1, "not-bound"), []);
  is(bench.ack(1, 6), ["applied 1 @6", "stands @6", "end completed"]);
});

test("The program's end goes out at once while the terminal is settled, and what arrives is shown as before", () => {
  const bench = Bench.bound();
  is(bench.finish(), ["completed 1"]);
  is(bench.next(6, 1), ["show 1 @6"]);
});

test("The program's end waits for the answers to its values", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.finish({ code: "worn-out" }), []);
  is(bench.ack(1, 6), ["applied 1 @6", "stands @6", "error 2"]);
});

test("The program's end waits for the answer to a get", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.nak(1, "forbidden");
  is(bench.finish(), []);
  is(bench.got(0, 5), ["show 0 @5", "completed 2"]);
});

test("A send behind the program's own end is refused", () => {
  const bench = Bench.bound();
  bench.finish();
  is(bench.write(7), ["refused terminated"]);
  is(bench.finish(), ["refused terminated"]);
});

test("The ack of the own end reaches the program, and is the revision of no value", () => {
  const bench = Bench.bound();
  bench.finish();
  is(bench.ack(1, 9), ["applied 1 @9"]);
  is(bench.next(7, "between"), ['show "between" @7']);
});

test("The nak of the own end reaches the program, which may send again", () => {
  const bench = Bench.bound();
  bench.finish();
  is(bench.nak(1, "forbidden"), ["failed 1 forbidden"]);
  is(bench.write(7), ["next 2 7"]);
});

test("An end is delivered at once while the terminal is settled", () => {
  const bench = Bench.bound();
  is(bench.end("error", 6, "broken-wire"), ["end error broken-wire"]);
  is(bench.machine.state, "ended");
  is(bench.write(7), ["refused terminated"]);
});

test("An end is kept back until the last value is answered", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.end("completed", 9), []);
  is(bench.write(8), ["refused terminated"]);
  is(bench.ack(1, 8), ["applied 1 @8", "stands @8", "end completed"]);
});

test("An end that was kept back comes behind the value of a refusal", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.end("completed", 9);
  is(bench.nak(1, "terminated", 8, "last"), ["failed 1 terminated", 'show "last" @8', "end completed"]);
});

test("An own end that was kept back is refused when the channel ends", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.finish();
  bench.end("completed", 9);
  is(bench.ack(1, 8), ["applied 1 @8", "stands @8", "failed 2 terminated", "end completed"]);
});

test("The end of the binding alone binds again, and sends go out again under their numbers", () => {
  const bench = Bench.bound();
  bench.write(7);
  is(bench.end("error", undefined, "slow-consumer"), ["bind"]);
  is(bench.machine.state, "unbound");
  is(bench.bind(), { since: 5, was: 13 });
  is(bench.reply({ rev: 6, value: 1, n: 0 }), ["next 1 7"]);
  is(bench.ack(1, 7), ["applied 1 @7", "stands @7"]);
});

test("An ack behind the end of the binding alone counts", () => {
  const bench = Bench.bound();
  bench.write(7);
  bench.end("error", undefined, "slow-consumer");
  is(bench.ack(1, 7), ["applied 1 @7", "stands @7"]);
  is(bench.bind(), { since: 7, was: 13 });
});

test("A program that leaves unbinds, and hears nothing more", () => {
  const bench = Bench.bound();
  is(bench.machine.leave(), [{ order: "unbind", terminal: 13 }]);
  is(bench.next(6, 1), []);
  is(bench.write(7), ["refused terminated"]);
});

test("A value with a cause that is not newer than the shown value's root changes nothing", () => {
  const bench = Bench.bound();
  is(bench.write(1, { cause: 5 }), ["refused late"]);
  is(bench.write(1, { cause: 6 }), ["next 1 1 cause=6"]);
  is(bench.ack(1, 7), ["applied 1 @7", "stands @7 from 6"]);
  is(bench.write(2, { cause: 6 }), ["refused late"]);
});

test("A value with a cause goes out if the shown value is not the channel's", () => {
  const bench = Bench.bound();
  bench.again({ t: 14, was: 13, rev: 0 });
  is(bench.write(1, { cause: 3 }), ["next 1 1 cause=3"]);
});

test("Answers to what was never sent change nothing", () => {
  const bench = Bench.bound();
  is(bench.ack(3, 9), []);
  is(bench.nak(3, "conflict", 9, 1), []);
  is(bench.got(1, 9), []);
  is(bench.next(6, 1), ["show 1 @6"]);
});

test("No more than 64 sends are under way, and further values overwrite each other", () => {
  const bench = Bench.bound();
  for (let n = 1; n <= 64; n += 1) is(bench.write(n), [`next ${n} ${n}`]);
  is(bench.write(65), []);
  is(bench.write(66), []);
  is(bench.shown, 66);
  is(bench.ack(1, 6), ["applied 1 @6", "next 65 66"]);
  is(bench.ack(64, 7).at(-1), "applied 64 @7");
  is(bench.ack(65, 8), ["applied 65-66 @8", "stands @8"]);
});

test("A value that does not fit any more is refused", () => {
  const bench = Bench.bound();
  for (let n = 1; n <= 1024; n += 1) bench.write(n, { condition: n });
  is(bench.write(1, { condition: 1 }), ["refused limit"]);
});
