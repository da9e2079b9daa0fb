// Options of calls: a misspelt one is an error of the program, and is never ignored.

import assert from "node:assert/strict";
import { test } from "node:test";
import { bindInput, connect } from "../rac.js";

/** A client whose daemon never answers. */
function makeClient(t, options) {
  const client = connect("", { transport: () => ({ send() {}, close() {}, waiting: 0 }), ...options });
  t.after(() => client.close());
  return client;
}

/** The calls with options: the name in the message, its options, and a call with a misspelt one. */
const CALLS = [
  ["connect", "agent, name, replyTimeout, session, token, transport", (t) => makeClient(t, { tokn: "a" }), "tokn"],
  ["a binding", "conflate, default, interval, replay, role, will", (_, c) => c.property("a", { defualt: 0 }), "defualt"],
  ["a binding", "conflate, default, interval, replay, role, will", (_, c) => c.paired("a", "leading", { rpelay: true }), "rpelay"],
  ["a will", "completed, error, value", (_, c) => c.property("a", { will: { vlaue: 1 } }), "vlaue"],
  ["watch", "keep", (_, c) => c.watch("a", {}, { kepe: false }), "kepe"],
  ["link", "backward, forward", (_, c) => c.link("a", "b", { foward: (value) => value }), "foward"],
  ["host", "concurrent, enabled", (_, c) => c.host("a", () => {}, { concurent: true }), "concurent"],
  ["set", "if, role, sync", (_, c) => c.set("a", 1, { iff: 1 }), "iff"],
  ["put", "sync", (_, c) => c.put([{ channel: "a", value: 1 }], { snyc: true }), "snyc"],
  ["an entry of put", "channel, if, value", (_, c) => c.put([{ channel: "a", value: 1, iff: 1 }]), "iff"],
  ["create", "mode, sync, value", (_, c) => c.create("a", { mdoe: "paired" }), "mdoe"],
  ["finish", "error, sync", (_, c) => c.finish("a", { eror: { code: "x" } }), "eror"],
  ["reopen", "sync", (_, c) => c.reopen("a", { snyc: true }), "snyc"],
  ["delete", "sync", (_, c) => c.delete("a", { if: 1 }), "if"],
  ["list", "after, limit, pattern", (_, c) => c.list({ patern: "a" }), "patern"],
  ["who", "after, channel, limit", (_, c) => c.who({ chanel: "a" }), "chanel"],
  ["commands", "after, limit, pattern", (_, c) => c.commands({ patern: "a" }), "patern"],
  ["set", "if, sync", (_, c) => c.property("a").set(1, { iff: 1 }), "iff"],
  ["complete", "sync", (_, c) => c.property("a").complete({ snyc: true }), "snyc"],
  ["fail", "sync", (_, c) => c.property("a").fail({ code: "x" }, { snyc: true }), "snyc"],
  ["bindButton", "failed, input, step", (_, c) => c.command("a").bindButton({}, { inptu: 1 }), "inptu"],
  ["bindInput", "refused", (_, c) => bindInput({ type: "text" }, c.property("a"), { refsued() {} }), "refsued"],
];

for (const [call, options, act, key] of CALLS) {
  test(`An unknown option of ${call} is a TypeError with its name, here ${key}, and the right ones`, async (t) => {
    const client = makeClient(t);
    const message = `${call} takes the options ${options}, not ${key}`;
    await assert.rejects(async () => act(t, client), { name: "TypeError", message });
  });
}

test("Options that are no object are a TypeError that names them", async (t) => {
  const client = makeClient(t);
  for (const options of ["**", 7, null]) {
    const message = `list takes the options after, limit, pattern, not ${options}`;
    await assert.rejects(async () => client.list(options), { name: "TypeError", message });
  }
});

test("An observer where a subscriber is a function is a TypeError", (t) => {
  const client = makeClient(t);
  const command = client.command("a");
  for (const source of [client.connection, client.problems, command.enabled, command.failures]) {
    assert.throws(() => source.subscribe({ next() {} }), { name: "TypeError", message: "a subscriber is a function" });
  }
});

test("An option that is undefined is one that is left out", (t) => {
  makeClient(t, { token: undefined }).property("a", undefined).another();
});
