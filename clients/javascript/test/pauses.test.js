import assert from "node:assert/strict";
import { test } from "node:test";
import { Pauses, Silence, isFinal } from "../rac/pauses.js";

test("The bound of the pauses doubles up to 30 s, and no pause is longer than the daemon has been away", () => {
  const pauses = new Pauses();
  assert.equal(pauses.lost(0, 1), 100);
  assert.equal(pauses.lost(150, 1), 150);
  assert.equal(pauses.lost(150, 0.5), 75);
  const bounds = Array.from({ length: 9 }, () => pauses.lost(10_000_000, 1));
  assert.deepEqual(bounds, [800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000, 30_000]);
});

test("The pauses begin anew behind a connection that stood for 5 s", () => {
  const pauses = new Pauses();
  for (let n = 0; n < 9; n += 1) pauses.lost(n, 1);
  pauses.welcomed(200_000);
  assert.equal(pauses.lost(205_000, 1), 100);
});

test("Behind shorter connections in a row the least bound doubles, and an outage counts from the last loss", () => {
  const pauses = new Pauses();
  const bounds = Array.from({ length: 10 }, (_, n) => {
    pauses.welcomed(n * 4_000);
    return pauses.lost(n * 4_000 + 3_000, 1);
  });
  assert.deepEqual(bounds, [200, 400, 800, 1600, 3200, 6400, 12_800, 25_600, 30_000, 30_000]);
  pauses.welcomed(100_000);
  pauses.lost(106_000, 1);
  pauses.welcomed(107_000);
  assert.equal(pauses.lost(108_000, 1), 200);
  assert.equal(pauses.lost(108_100, 1), 200);
  assert.equal(pauses.lost(109_000, 1), 800);
});

test("Refusals of the hello itself are final, a limit and a stop are not", () => {
  for (const code of ["unsupported-version", "unauthenticated", "hello-first", "bad-message"]) assert.ok(isFinal(code));
  for (const code of ["limit", "shutting-down", "slow-consumer", "forbidden"]) assert.ok(!isFinal(code));
});

test("A silent daemon is asked after one heartbeat and given up one later", () => {
  const silence = new Silence(100, 0);
  assert.deepEqual(silence.ticked(40), { act: "wait", next: 60 });
  assert.deepEqual(silence.ticked(100), { act: "ask", next: 100 });
  assert.deepEqual(silence.ticked(150), { act: "wait", next: 50 });
  assert.deepEqual(silence.ticked(200), { act: "give-up", next: 0 });
});

test("Any message is a sign of life", () => {
  const silence = new Silence(100, 0);
  silence.ticked(100);
  silence.heard(120);
  assert.deepEqual(silence.ticked(200), { act: "wait", next: 20 });
});

test("A machine that slept gives nobody up unasked", () => {
  const silence = new Silence(100, 0);
  assert.deepEqual(silence.ticked(1_000_000), { act: "ask", next: 100 });
});

test("A tab that comes back gives a dead connection up within 2 s", () => {
  const silence = new Silence(20_000, 0);
  silence.hurry(5_000);
  assert.deepEqual(silence.ticked(5_000), { act: "wait", next: 2_000 });
  assert.deepEqual(silence.ticked(7_000), { act: "give-up", next: 0 });
});
