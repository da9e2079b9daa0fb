/**
 * The transport for programs in Node and Deno that speak to a daemon's own port, or to its Unix socket.
 *
 *     import { connect } from "rac-client";
 *     import { tcp } from "rac-client/tcp";
 *     const rac = connect("rac://127.0.0.1:7220", { transport: tcp });
 */

import net from "node:net";
import tls from "node:tls";
import { RacError } from "./rac/errors.js";

/** The longest payload of a daemon: three times the usual `maxFrame` and 4 MiB (protocol.md, "Frames"). */
const LONGEST = 3 * 8_388_608 + 4 * 1_048_576;

/** Milliseconds of silence after which a daemon that does not end the connection is left. */
const LINGER = 1_000;

/**
 * Opens a byte stream to `rac://host:port`, `racs://host:port` (TLS) or `unix:/path`.
 *
 * @type {import("./rac.d.ts").Transport}
 */
export function tcp(url, events) {
  const socket = open(url);
  const frames = new Frames();
  let reason;
  socket.setNoDelay(true);
  socket.on(socket instanceof tls.TLSSocket ? "secureConnect" : "connect", () => events.opened());
  socket.on("error", (error) => (reason = error.message));
  socket.on("close", () => events.closed(reason));
  socket.on("data", (bytes) => {
    try {
      for (const text of frames.read(bytes)) events.message(text);
    } catch (error) {
      socket.destroy(error);
    }
  });
  return {
    send: (text) => socket.write(frame(text)),
    close: () => {
      socket.end();
      socket.setTimeout(LINGER, () => socket.destroy());
    },
    get waiting() {
      return socket.writableLength;
    },
  };
}

/** The address of a daemon: the given one, else the usual one of this machine. */
tcp.address = (url = "rac://127.0.0.1:7220") => {
  parse(url);
  return url;
};

/** The parts of an address; another text is an error. */
function parse(url) {
  if (/^unix:./.test(url)) return { path: url.slice("unix:".length) };
  const [, scheme, address, name, digits = 7220] = /^(racs?):\/\/(?:\[([^\]]+)\]|([^:/]+))(?::(\d+))?$/.exec(url) ?? [];
  const port = Number(digits);
  if (scheme === undefined || port > 65_535) throw new RacError("invalid-url", `${url} is no address such as rac://127.0.0.1:7220`);
  return { scheme, host: address ?? name, port };
}

function open(url) {
  const { path, scheme, host, port } = parse(url);
  if (path !== undefined) return net.connect({ path });
  if (scheme === "rac") return net.connect({ host, port });
  return tls.connect({ host, port, servername: net.isIP(host) ? undefined : host });
}

/** A payload behind its length. */
function frame(text) {
  const payload = Buffer.from(text);
  const header = Buffer.alloc(4);
  header.writeUInt32BE(payload.length);
  return Buffer.concat([header, payload]);
}

/** Cuts a stream of bytes into payloads. This client asks for no compression. */
class Frames {
  #parts = [];
  #length = 0;

  /** The payloads that are complete with these bytes. */
  *read(bytes) {
    this.#parts.push(bytes);
    this.#length += bytes.length;
    while (this.#length >= 4) {
      const length = this.#peek(4).readUInt32BE();
      if (length > LONGEST) throw new Error(`the other end sent a frame of ${length} bytes: it is no daemon of rac`);
      if (this.#length < 4 + length) return;
      yield this.#peek(4 + length).toString("utf8", 4, 4 + length);
      this.#parts[0] = this.#parts[0].subarray(4 + length);
      this.#length -= 4 + length;
    }
  }

  /** The first part, joined with those behind it until it has that many bytes. */
  #peek(count) {
    if (this.#parts[0].length < count) this.#parts = [Buffer.concat(this.#parts)];
    return this.#parts[0];
  }
}
