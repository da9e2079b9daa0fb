// A real racd for tests, and clients of it.

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { connect } from "../../rac.js";
import { tcp } from "../../tcp.js";

/** The built racd; without it the tests that need one are skipped. */
export const RACD = process.env.RACD;
export const skip = RACD ? false : "RACD names no racd";

// Node 18, which Debian 12 has, knows the module only.
globalThis.crypto ??= (await import("node:crypto")).webcrypto;

/** Waits for a condition. */
export async function until(condition, what = condition.toString()) {
  const end = performance.now() + 30_000;
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`30 s were too short for: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** A racd of its own, on a Unix socket, which goes with the test. */
export class Daemon {
  #arguments;
  #process;
  #clients = [];

  /** Starts a daemon, which by default keeps nothing over a restart. */
  static async start(t, { keeps = false, options = [] } = {}) {
    const daemon = new Daemon();
    daemon.folder = await mkdtemp(join(tmpdir(), "rac-js-"));
    daemon.url = `unix:${join(daemon.folder, "s")}`;
    const storage = keeps ? ["--data", join(daemon.folder, "data")] : ["--memory"];
    daemon.#arguments = ["serve", "--listen", daemon.url, ...storage, ...options];
    t.after(async () => {
      await Promise.all(daemon.#clients.map((client) => client.close()));
      await daemon.end("SIGKILL");
      await rm(daemon.folder, { recursive: true });
    });
    await daemon.begin();
    return daemon;
  }

  async begin() {
    const environment = { ...process.env, RACD_CONFIG: "" };
    this.#process = spawn(RACD, this.#arguments, { stdio: ["ignore", "pipe", "pipe"], env: environment });
    let [output, log] = ["", ""];
    this.#process.stdout.on("data", (bytes) => (output += bytes));
    this.#process.stderr.on("data", (bytes) => (log += bytes));
    await until(() => {
      if (this.#process.exitCode !== null) throw new Error(`racd ended: ${log}`);
      return output.includes("\n");
    }, "the ready line of racd");
  }

  signal(name) {
    this.#process.kill(name);
  }

  async end(signal) {
    const { exitCode, signalCode } = this.#process;
    if (exitCode !== null || signalCode !== null) return;
    const ended = new Promise((resolve) => this.#process.once("exit", resolve));
    this.#process.kill(signal);
    await ended;
  }

  /** A client, which goes with the test. */
  client(options, url = this.url) {
    const client = connect(url, { transport: tcp, ...options });
    this.#clients.push(client);
    return client;
  }
}

/** Everything that a property or terminal delivers to a subscriber. */
export function record(terminal) {
  const seen = { values: [], refusals: [], missed: [], end: undefined, error: undefined };
  seen.stop = terminal.subscribe({
    next: (value) => seen.values.push(value),
    refused: (error) => seen.refusals.push(error),
    missed: (error) => seen.missed.push(error),
    complete: (end) => (seen.end = end),
    error: (error) => (seen.error = error),
  });
  return seen;
}

/** Has a connection cut and waits until the client has noticed, however soon it is back. */
export async function lose(client, cut) {
  let isLost = false;
  const stop = client.connection.subscribe(({ state }) => (isLost ||= state === "lost"));
  cut();
  await until(() => isLost, "the loss of the connection");
  stop();
}

export const isConnected = (client) => client.connection.value.state === "connected";
