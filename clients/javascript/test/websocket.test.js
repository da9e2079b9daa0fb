// The transport of browsers. Node 22 has a WebSocket, Node 20 with --experimental-websocket.

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { connect } from "../rac.js";
import { webSocket, webSocketAddress } from "../rac/websocket.js";
import { Bridge } from "./support/bridge.js";
import { Daemon, isConnected, lose, skip as without, until } from "./support/daemon.js";

const skip = without || (typeof WebSocket === "function" ? false : "this JavaScript has no WebSocket");

/** Puts a global in place for the time of a test. */
function standIn(t, name, value) {
  const before = Object.getOwnPropertyDescriptor(globalThis, name);
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
  t.after(() => (before === undefined ? delete globalThis[name] : Object.defineProperty(globalThis, name, before)));
}

/** The function `webSocketAddress` of the file, as if the file had come from another address. */
async function importAs(file, url) {
  const text = (await readFile(file, "utf8"))
    .replaceAll("import.meta.url", JSON.stringify(url))
    .replace('"./errors.js"', JSON.stringify(new URL("errors.js", file).href));
  return (await import(`data:text/javascript,${encodeURIComponent(text)}`)).webSocketAddress;
}

test("The address is that of the page, else the usual one of this machine", (t) => {
  standIn(t, "WebSocket", class {});
  assert.equal(webSocketAddress(), "ws://127.0.0.1:7220/rac");
  assert.equal(webSocketAddress("wss://lab:7220/rac"), "wss://lab:7220/rac");
  standIn(t, "location", { protocol: "https:", host: "lab:7220" });
  assert.equal(webSocketAddress(), "wss://lab:7220/rac");
  standIn(t, "location", { protocol: "http:", host: "localhost:7220" });
  assert.equal(webSocketAddress(), "ws://localhost:7220/rac");
  standIn(t, "location", { protocol: "file:", host: "" });
  assert.equal(webSocketAddress(), "ws://127.0.0.1:7220/rac");
  for (const url of ["", "rac://lab", "lab:7220", "ws://", "ws://lab:x/rac"]) {
    assert.throws(() => webSocketAddress(url), { code: "invalid-url", message: /ws:\/\/127\.0\.0\.1:7220\/rac/ });
  }
});

test("A given address has the path /rac if it has none, and may be that of the daemon's page", (t) => {
  standIn(t, "WebSocket", class {});
  const addresses = [
    ["ws://lab:7220", "ws://lab:7220/rac"],
    ["wss://lab:7220/", "wss://lab:7220/rac"],
    ["http://lab:7220", "ws://lab:7220/rac"],
    ["https://http.example/", "wss://http.example/rac"],
    ["https://lab/racd/rac?a=1", "wss://lab/racd/rac?a=1"],
  ];
  for (const [given, address] of addresses) assert.equal(webSocketAddress(given), address);
});

test("rac.js that racd serves finds the WebSocket beside itself, and a bundle at the root of its page", async (t) => {
  standIn(t, "WebSocket", class {});
  const file = new URL("../rac/websocket.js", import.meta.url);
  standIn(t, "location", { protocol: "https:", host: "lab" });
  const served = await importAs(file, "https://lab/below/racd/rac/websocket.js");
  assert.equal(served(), "wss://lab/below/racd/rac");
  for (const other of ["https://lab/assets/bundle.js", "https://cdn.example/rac/websocket.js", "https://lab.example/rac/websocket.js"]) {
    const bundled = await importAs(file, other);
    assert.equal(bundled(), "wss://lab/rac", other);
  }
});

test("An environment without WebSocket gets the error no-websocket", (t) => {
  standIn(t, "WebSocket", undefined);
  assert.throws(() => connect("ws://127.0.0.1:7220/rac"), { code: "no-websocket", message: /tcp/ });
});

test("A WebSocket that does not open leads to racd first, and then to --web-origin if the page is foreign", (t) => {
  const sockets = [];
  standIn(t, "WebSocket", class {
    constructor() {
      sockets.push(this);
    }
  });
  standIn(t, "location", { protocol: "http:", host: "127.0.0.1:5173", origin: "http://127.0.0.1:5173" });
  const reasons = [];
  const events = { opened() {}, closed: (reason) => reasons.push(reason) };
  for (const url of ["ws://127.0.0.1:7220/rac", "ws://127.0.0.1:5173/rac", "ws://127.0.0.1:7220/rac"]) webSocket(url, events);
  sockets[2].onopen();
  for (const socket of sockets) socket.onclose({ code: 1006, reason: "" });
  const closed = "the WebSocket was closed with code 1006";
  assert.deepEqual(reasons, [
    `${closed}; see if racd runs at 127.0.0.1:7220; if it does, it takes this page by --web-origin http://127.0.0.1:5173`,
    `${closed}; see if racd runs at 127.0.0.1:5173`,
    closed,
  ]);
});

test("A WebSocket that closes gets no more messages, of which browsers would complain", (t) => {
  const sent = [];
  standIn(t, "WebSocket", class {
    readyState = 1;
    constructor() {
      this.send = (text) => sent.push(`${this.readyState} ${text}`);
      this.close = () => (this.readyState = 2);
    }
  });
  const transport = webSocket("ws://127.0.0.1:7220/rac", {});
  transport.send("a");
  transport.close();
  transport.send("b");
  assert.deepEqual(sent, ["1 a"]);
});

test("Values go both ways over a WebSocket, long ones too", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const bridge = await Bridge.start(t, daemon);
  const client = connect(`ws://${bridge.host}/rac`);
  t.after(() => client.close());
  const here = client.property("a");
  const there = daemon.client().property("a");
  await Promise.all([here.ready(), there.ready()]);
  assert.deepEqual(bridge.requests, ["/rac rac.v1"]);
  for (const value of ["short", "ä".repeat(1000), "x".repeat(100_000), 1]) {
    here.value = value;
    await until(() => there.value === value, "the value of the WebSocket");
    there.value = [value];
    await until(() => here.value[0] === value && here.value.length === 1, "the value of the other client");
  }
  const { who } = await client.who({ channel: "a" });
  assert.equal(who.length, 2);
});

test("A WebSocket that is cut is made again, and what was written goes out once", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const bridge = await Bridge.start(t, daemon);
  const client = connect(`ws://${bridge.host}/rac`);
  t.after(() => client.close());
  const property = client.property("a");
  await property.set(1);
  await lose(client, () => bridge.cut());
  property.value = 2;
  await property.settled();
  assert.equal((await daemon.client().list()).channels[0].changes, 2);
});

test("A closed client closes its WebSocket in order", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const bridge = await Bridge.start(t, daemon);
  const client = connect(`ws://${bridge.host}/rac`);
  const property = client.property("a", { will: { value: "lost" } });
  await property.set("here");
  await client.close();
  const other = daemon.client();
  await until(async () => (await other.who({ channel: "a" })).who.length === 0);
  assert.equal((await other.get("a")).value, "here");
});

test("A page that is shown again, and a network that is back, wake the client up", { skip }, async (t) => {
  const daemon = await Daemon.start(t);
  const page = Object.assign(new EventTarget(), { visibilityState: "hidden" });
  const frame = new EventTarget();
  standIn(t, "document", page);
  standIn(t, "addEventListener", frame.addEventListener.bind(frame));
  standIn(t, "removeEventListener", frame.removeEventListener.bind(frame));
  const bridge = await Bridge.start(t, daemon);
  const client = connect(`ws://${bridge.host}/rac`);
  await until(() => isConnected(client));
  for (const wake of [() => page.dispatchEvent(new Event("visibilitychange")), () => frame.dispatchEvent(new Event("online"))]) {
    page.visibilityState = "visible";
    await lose(client, () => bridge.cut());
    wake();
    await until(() => isConnected(client));
  }
  await client.close();
});

test("A page that the browser keeps for the way back is no client until then", { skip }, async (t) => {
  let client;
  t.after(() => client?.close());
  const daemon = await Daemon.start(t);
  const page = Object.assign(new EventTarget(), { visibilityState: "visible" });
  const frame = new EventTarget();
  standIn(t, "document", page);
  standIn(t, "addEventListener", frame.addEventListener.bind(frame));
  standIn(t, "removeEventListener", frame.removeEventListener.bind(frame));
  const bridge = await Bridge.start(t, daemon);
  client = connect(`ws://${bridge.host}/rac`);
  const observer = daemon.client();
  client.host("room/blink", () => {});
  const { enabled } = observer.command("room/blink");
  enabled.subscribe(() => {});
  await until(() => enabled.value);
  frame.dispatchEvent(Object.assign(new Event("pagehide"), { persisted: true }));
  await until(() => !enabled.value);
  assert.equal(isConnected(client), false);
  frame.dispatchEvent(new Event("pageshow"));
  await until(() => enabled.value);
});
