// Commands against a real racd: hosted, executed, cancelled, observed.

import assert from "node:assert/strict";
import { test } from "node:test";
import { RacError, raw } from "../rac.js";
import { Daemon, isConnected, lose, skip, until } from "./support/daemon.js";
import { FakeElement } from "./support/elements.js";
import { Proxy } from "./support/proxy.js";

/** A racd, a host and a caller; the command is enabled when it is returned. */
async function hosted(t, work, options) {
  const daemon = await Daemon.start(t);
  const [host, caller] = [daemon.client(), daemon.client()];
  const hosting = host.host("room/blink", work, options);
  await until(() => hosting.live.value);
  return { daemon, host, caller, hosting, command: caller.command("room/blink") };
}

async function collect(execution) {
  const values = [];
  for await (const value of execution) values.push(value);
  return values;
}

/** Work that lasts until the test lets it go, or its caller cancels it. */
function slow() {
  const work = { started: 0, ended: 0 };
  const promise = new Promise((resolve) => (work.finish = resolve));
  work.run = async function* (input, { signal }) {
    work.started += 1;
    try {
      yield "begun";
      const aborted = new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
      await Promise.race([promise, aborted]);
      yield "done";
    } finally {
      work.ended += 1;
    }
  };
  return work;
}

test("The caller gets each value of the host, and then the end", { skip }, async (t) => {
  const { command } = await hosted(t, async function* ({ times }) {
    for (let n = 1; n <= times; n += 1) yield { n };
  });
  assert.deepEqual(await collect(command.execute({ times: 3 })), [{ n: 1 }, { n: 2 }, { n: 3 }]);
  assert.deepEqual(await command.execute({ times: 2 }).result, { n: 2 });
  assert.deepEqual(await collect(command.execute({ times: 0 })), []);
  assert.equal((await collect(command.execute({ times: 1000 }))).length, 1000);
});

test("The caller gets the text of each value, also of those that have waited", { skip }, async (t) => {
  const texts = ["1.50", "18446744073709551616", "-0.0", '{"a": [1.50], "a": 2}'];
  const { command } = await hosted(t, async function* () {
    for (const text of texts) yield raw(text);
  });
  for (const isLate of [false, true]) {
    const execution = command.execute();
    assert.equal(execution.raw, undefined);
    if (isLate) await execution.result;
    const heard = [];
    for await (const value of execution) heard.push([value, execution.raw]);
    assert.deepEqual(heard, texts.map((text) => [JSON.parse(text), text]));
  }
  const [button, told] = [new FakeElement(), []];
  command.bindButton(button, { step: (value, { raw }) => told.push(raw) });
  await until(() => !button.disabled);
  button.fire("click");
  await until(() => told.length === texts.length);
  assert.deepEqual(told, texts);
});

for (const how of ["late", "by hand", "early"]) {
  test(`An execution that has lost values ends with slow-consumer where it is iterated ${how}`, { skip }, async (t) => {
    const work = { count: 0, isAborted: false };
    const { host, caller, command } = await hosted(t, async function* (_, { signal }) {
      signal.addEventListener("abort", () => (work.isAborted = true));
      for (; work.count < 10_050; work.count += 1) yield work.count;
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
    });
    const execution = command.execute();
    const values = [];
    if (how === "by hand") values.push((await execution.next()).value);
    if (how === "early") values.push((await execution[Symbol.asyncIterator]().next()).value);
    await until(() => work.count === 10_050);
    // Its value comes behind those of the first command.
    const other = host.host("room/other", async () => 1);
    await until(() => other.live.value);
    await caller.command("room/other").execute().result;
    let error;
    const loop = async () => {
      for await (const value of execution) values.push(value);
    };
    loop().catch((thrown) => (error = thrown));
    await until(() => error !== undefined);
    assert.equal(error.code, "slow-consumer");
    assert.deepEqual(values, Array.from(values, (_, index) => index));
    assert.ok(values.length >= 10_000);
    await assert.rejects(execution.result, { code: "slow-consumer" });
    await until(() => work.isAborted);
    assert.deepEqual(await execution.next(), { done: true, value: undefined });
  });
}

test("The result of an execution that nobody iterates is its last value, and a later loop reports the lost ones", { skip }, async (t) => {
  const { command } = await hosted(t, async function* () {
    for (let n = 1; n <= 10_050; n += 1) yield n;
  });
  const execution = command.execute();
  assert.equal(await execution.result, 10_050);
  await assert.rejects(collect(execution), { code: "slow-consumer" });
  assert.deepEqual(await collect(execution), []);
});

test("Work without values has its result as the one value", { skip }, async (t) => {
  const { command, caller } = await hosted(t, async (input, { raw }) => [input, raw]);
  assert.deepEqual(await collect(command.execute("in")), [["in", '"in"']]);
  assert.deepEqual(await command.execute().result, [null, null]);
  assert.equal((await caller.commands()).commands[0].command, "room/blink");
});

test("An error of the work ends the execution with its code, and one that is a mistake is a problem of the host", { skip }, async (t) => {
  const mistake = new TypeError("a mistake in /home/kiosk/secret.js");
  const { command, host } = await hosted(t, async (input) => {
    if (input === "rac") throw new RacError("lamp", "the lamp is broken", { data: { lamp: 3 } });
    throw mistake;
  });
  const [failures, problems] = [[], []];
  host.problems.subscribe((error) => problems.push(error));
  command.failures.subscribe((error) => failures.push(error.code));
  await until(() => command.enabled.value === false);
  const error = await collect(command.execute("rac")).catch((error) => error);
  assert.deepEqual([error.code, error.message, error.data], ["lamp", "the lamp is broken", { lamp: 3 }]);
  assert.deepEqual(problems, []);
  await assert.rejects(command.execute("other").result, { code: "failed", message: "the work failed: its host has the error" });
  await until(() => failures.length === 2);
  assert.deepEqual(failures, ["lamp", "failed"]);
  assert.equal(problems.length, 1);
  assert.equal(problems[0], mistake);
});

test("An execution ends also if the error of its work cannot be sent as it is", { skip }, async (t) => {
  const cycle = {};
  cycle.cycle = cycle;
  const errors = {
    long: new RacError("lamp", "é".repeat(1 << 23)),
    longData: new RacError("lamp", "broken", { data: "x".repeat(1 << 23) }),
    bigint: new RacError("lamp", "broken", { data: 1n }),
    cycle: new RacError("lamp", "broken", { data: cycle }),
    textless: { toString: 1, valueOf: 1 },
    empty: new RacError("", "broken"),
    longCode: new RacError("é".repeat(128), "broken"),
    noCode: new RacError(undefined, "broken"),
    number: new RacError(7, "broken"),
    message: Object.assign(new Error(), { message: { not: "a text" } }),
    longest: new RacError("x".repeat(255), "broken"),
  };
  const { command, host, hosting } = await hosted(t, async (name) => {
    throw errors[name];
  });
  host.problems.subscribe(() => {});
  const codes = { long: "too-large", longData: "too-large", longest: errors.longest.code };
  for (const name of Object.keys(errors)) {
    await assert.rejects(command.execute(name).result, { code: codes[name] ?? "failed" }, name);
  }
  assert.equal(hosting.live.value, true);
});

test("A command is disabled everywhere while it runs, and is never seen enabled then", { skip }, async (t) => {
  const work = slow();
  const { command, daemon } = await hosted(t, work.run);
  const other = daemon.client().command("room/blink");
  const states = [];
  other.enabled.subscribe((isEnabled) => states.push(["enabled", isEnabled, other.executing.value]));
  other.executing.subscribe((isExecuting) => states.push(["executing", isExecuting, other.enabled.value]));
  await until(() => other.enabled.value);
  const execution = command.execute();
  await until(() => other.executing.value);
  assert.equal(other.enabled.value, false);
  await assert.rejects(other.execute().result, { code: "not-enabled" });
  work.finish();
  assert.deepEqual(await collect(execution), ["begun", "done"]);
  await until(() => other.enabled.value);
  assert.deepEqual(states.filter(([, a, b]) => a && b), []);
});

test("A cancelled execution stops the work and ends with that", { skip }, async (t) => {
  const work = slow();
  const { command } = await hosted(t, work.run);
  const execution = command.execute();
  assert.equal((await execution.next()).value, "begun");
  execution.cancel();
  await assert.rejects(execution.result, { code: "cancelled" });
  await until(() => work.ended === 1);
});

test("Leaving the loop cancels the execution", { skip }, async (t) => {
  const work = slow();
  const { command } = await hosted(t, work.run);
  for await (const value of command.execute()) {
    assert.equal(value, "begun");
    break;
  }
  await until(() => work.ended === 1);
});

test("An execution that is cancelled before it goes out never begins", { skip }, async (t) => {
  const work = slow();
  const { daemon, caller } = await hosted(t, work.run);
  await caller.close();
  const late = daemon.client();
  const execution = late.command("room/blink").execute();
  execution.cancel();
  await assert.rejects(execution.result, { code: "cancelled" });
  await late.list();
  assert.equal(work.started, 0);
});

test("A concurrent command runs several times at once", { skip }, async (t) => {
  const work = slow();
  const { command } = await hosted(t, work.run, { concurrent: true });
  const runs = [command.execute(), command.execute(), command.execute()];
  await until(() => work.started === 3);
  work.finish();
  assert.deepEqual(await Promise.all(runs.map(collect)), Array(3).fill(["begun", "done"]));
});

test("The host's own condition allows and forbids executions", { skip }, async (t) => {
  const { command, hosting } = await hosted(t, async () => 1, { enabled: false });
  command.enabled.subscribe(() => {});
  await assert.rejects(command.execute().result, { code: "not-enabled" });
  hosting.enabled = true;
  await until(() => command.enabled.value);
  assert.equal(await command.execute().result, 1);
  hosting.enabled = false;
  await until(() => !command.enabled.value);
});

test("An execution ends with its host, who may come back", { skip }, async (t) => {
  const work = slow();
  const { command, hosting, host } = await hosted(t, work.run);
  const execution = command.execute();
  await execution.next();
  hosting.unhost();
  await assert.rejects(execution.result, { code: "host-lost" });
  await until(() => work.ended === 1);
  assert.equal(await hosting.ended, undefined);
  await assert.rejects(command.execute().result, { code: "not-hosted" });
  const again = host.host("room/blink", async () => "back");
  await until(() => again.live.value);
  assert.equal(await command.execute().result, "back");
});

test("A command that is hosted again at once, before the answer to the first host, is live without a problem", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const client = daemon.client();
  const problems = [];
  client.problems.subscribe((error) => problems.push(error.code));
  await until(() => isConnected(client));
  client.host("c", async () => 1).unhost();
  client.host("c", async () => 2).unhost();
  const third = client.host("c", async () => 3);
  await until(() => third.live.value);
  assert.equal(await daemon.client().command("c").execute().result, 3);
  assert.deepEqual(problems, []);
});

test("A second host gets already-hosted once, and takes the place when the first one goes", { skip }, async (t) => {
  const { daemon, command, hosting } = await hosted(t, async () => 1);
  const other = daemon.client();
  const problems = [];
  other.problems.subscribe((error) => problems.push(error.code));
  const second = other.host("room/blink", async () => 2);
  const third = other.host("room/blink", async () => 3);
  await until(() => problems.length === 2);
  third.unhost();
  assert.equal(await third.ended, undefined);
  assert.equal(await command.execute().result, 1);
  hosting.unhost();
  await until(() => second.live.value);
  assert.equal(await command.execute().result, 2);
  assert.deepEqual(problems, ["already-hosted", "already-hosted"]);
});

test("A command that nobody has hosted is refused, and may be observed", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const [client, host] = [daemon.client(), daemon.client()];
  const command = client.command("later");
  await assert.rejects(command.execute().result, { code: "no-such-command" });
  command.enabled.subscribe(() => {});
  host.host("later", async () => 1);
  await until(() => command.enabled.value);
});

test("An observer that leaves and comes back hears the present state", { skip }, async (t) => {
  const { command, hosting } = await hosted(t, async () => 1);
  for (let n = 0; n < 3; n += 1) {
    const leave = command.enabled.subscribe(() => {});
    await until(() => command.enabled.value);
    leave();
    const stay = command.executing.subscribe(() => {});
    leave();
    stay();
    assert.equal(command.enabled.value, false);
  }
  command.enabled.subscribe(() => {})();
  command.enabled.subscribe(() => {});
  await until(() => command.enabled.value);
  hosting.unhost();
  await until(() => !command.enabled.value);
});

test("A lost connection fails the executions of caller and host, and hosting resumes on the next one", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const work = slow();
  const client = daemon.client({}, proxy.url);
  const hosting = client.host("room/blink", work.run);
  const command = client.command("room/blink");
  command.enabled.subscribe(() => {});
  await until(() => command.enabled.value);
  const execution = command.execute();
  await execution.next();
  proxy.cut();
  await assert.rejects(execution.result, { code: "outcome-unknown" });
  await until(() => work.ended === 1 && !hosting.live.value);
  await until(() => isConnected(client) && hosting.live.value && command.enabled.value);
  work.finish();
  assert.deepEqual(await collect(command.execute()), ["begun", "done"]);
});

test("After a lost connection a command is disabled until its earlier function has returned", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const proxy = await Proxy.start(t, daemon);
  const [alone, several] = [{ most: 1 }, { most: 2 }].map((work) => Object.assign(work, { started: 0, running: 0, finishes: [] }));
  // It passes over the signal.
  const run = (work) => async () => {
    work.started += 1;
    assert.ok(work.running < work.most);
    work.running += 1;
    const value = await new Promise((resolve) => work.finishes.push(resolve));
    work.running -= 1;
    return value;
  };
  const host = daemon.client({}, proxy.url);
  const hostings = [host.host("alone", run(alone)), host.host("several", run(several), { concurrent: true })];
  const caller = daemon.client();
  const commands = ["alone", "several"].map((name) => caller.command(name));
  for (const { enabled } of commands) enabled.subscribe(() => {});
  const isLive = () => hostings.every(({ live }) => live.value);
  await until(() => isLive() && commands.every(({ enabled }) => enabled.value));
  const lost = commands.map((command) => command.execute().result);
  await until(() => alone.started === 1 && several.started === 1);
  for (let cuts = 0; cuts < 2; cuts += 1) {
    await lose(host, () => proxy.cut());
    await until(isLive);
    await assert.rejects(commands[0].execute().result, { code: "not-enabled" });
  }
  for (const result of lost) await assert.rejects(result, { code: "host-lost" });
  const beside = commands[1].execute();
  await until(() => several.started === 2);
  several.finishes[1]("beside");
  assert.equal(await beside.result, "beside");
  hostings[0].enabled = false;
  hostings[0].enabled = true;
  await host.list();
  await assert.rejects(commands[0].execute().result, { code: "not-enabled" });
  alone.finishes[0]("of before");
  await until(() => commands[0].enabled.value);
  const next = commands[0].execute();
  await until(() => alone.started === 2);
  await assert.rejects(commands[0].execute().result, { code: "not-enabled" });
  alone.finishes[1]("next");
  assert.equal(await next.result, "next");
});

for (const isCancelled of [false, true]) {
  const how = isCancelled ? "and that was cancelled " : "";
  test(`An execution whose number comes too late ${how}is cancelled`, { skip }, async (t) => {
    const work = slow();
    const { daemon, command } = await hosted(t, work.run);
    const proxy = await Proxy.start(t, daemon);
    const caller = daemon.client({ replyTimeout: 50 }, proxy.url);
    await until(() => isConnected(caller));
    proxy.stall(true);
    const execution = caller.command("room/blink").execute();
    if (isCancelled) execution.cancel();
    await assert.rejects(execution.result, { code: "timed-out" });
    await until(() => work.started === 1);
    proxy.stall(false);
    await until(() => work.ended === 1);
    command.enabled.subscribe(() => {});
    await until(() => command.enabled.value);
    assert.ok(isConnected(caller));
  });
}

test("A value of a run that a killed racd has forgotten goes to no later run of its number", { skip }, async (t) => {
  const finishes = [];
  const work = () => new Promise((resolve) => finishes.push(resolve));
  const { daemon, host, caller, hosting, command } = await hosted(t, work, { concurrent: true });
  const lost = command.execute().result;
  await until(() => finishes.length === 1);
  await daemon.end("SIGKILL");
  await assert.rejects(lost, { code: "outcome-unknown" });
  await until(() => !isConnected(host) && !isConnected(caller));
  await daemon.begin();
  await until(() => hosting.live.value && isConnected(caller));
  const values = collect(command.execute());
  await until(() => finishes.length === 2);
  finishes[0]("of before");
  finishes[1]("of now");
  assert.deepEqual(await values, ["of now"]);
});
