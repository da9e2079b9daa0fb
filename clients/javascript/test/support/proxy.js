// A proxy between client and daemon that sees each message, and cuts the connection where a test wants it.

import net from "node:net";
import { join } from "node:path";

export class Proxy {
  #server;
  #links = new Set();
  #target;
  /** Decides about a message: `pass`, `cut` (without it), `cut-behind`, or `drop`. */
  judge = () => "pass";
  /** Whether connections are taken. */
  isOpen = true;
  /** Connections until now. */
  count = 0;

  static async start(t, daemon, name = "p") {
    const proxy = new Proxy();
    proxy.#target = daemon.url.slice("unix:".length);
    const path = join(daemon.folder, name);
    proxy.url = `unix:${path}`;
    proxy.#server = net.createServer((client) => proxy.#take(client));
    await new Promise((resolve) => proxy.#server.listen(path, resolve));
    t.after(() => {
      proxy.cut();
      proxy.#server.close();
    });
    return proxy;
  }

  #take(client) {
    if (!this.isOpen) return client.destroy();
    this.count += 1;
    const daemon = net.connect({ path: this.#target });
    const link = { client, daemon };
    this.#links.add(link);
    this.#pass(link, client, daemon, "client");
    this.#pass(link, daemon, client, "daemon");
  }

  #pass(link, from, to, sender) {
    let waiting = Buffer.alloc(0);
    from.on("error", () => {});
    from.on("close", () => {
      to.end();
      this.#links.delete(link);
    });
    from.on("data", (bytes) => {
      waiting = Buffer.concat([waiting, bytes]);
      while (waiting.length >= 4 && waiting.length >= 4 + waiting.readUInt32BE()) {
        const length = 4 + waiting.readUInt32BE();
        const frame = waiting.subarray(0, length);
        waiting = waiting.subarray(length);
        const verdict = this.judge(sender, JSON.parse(frame.toString("utf8", 4)));
        if (verdict === "cut") return this.#cut(link);
        if (verdict === "cut-behind") return void to.end(frame, () => this.#cut(link));
        if (verdict !== "drop" && !to.write(frame)) {
          from.pause();
          to.once("drain", () => from.resume());
        }
      }
    });
  }

  #cut(link) {
    this.#links.delete(link);
    link.client.destroy();
    link.daemon.destroy();
  }

  /** Cuts every connection. */
  cut() {
    for (const link of [...this.#links]) this.#cut(link);
  }

  /** Keeps the client from reading, or lets it read again. */
  stall(isStalled) {
    for (const { daemon } of this.#links) {
      if (isStalled) daemon.pause();
      else daemon.resume();
    }
  }
}
