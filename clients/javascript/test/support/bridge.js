// A WebSocket in front of a racd that has its own port only: a text message for each frame, both ways.

import { createHash } from "node:crypto";
import { createServer } from "node:http";
import net from "node:net";

/** The text that RFC 6455 has a server append to the client's key. */
const SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export class Bridge {
  #server = createServer((_, response) => response.writeHead(426).end());
  #sockets = new Set();
  /** The paths and protocols that clients asked for. */
  requests = [];

  static async start(t, daemon) {
    const bridge = new Bridge();
    bridge.#server.on("upgrade", (request, socket) => bridge.#take(request, socket, daemon));
    await new Promise((resolve) => bridge.#server.listen(0, "127.0.0.1", resolve));
    bridge.host = `127.0.0.1:${bridge.#server.address().port}`;
    t.after(() => {
      bridge.cut();
      bridge.#server.close();
    });
    return bridge;
  }

  cut() {
    for (const socket of this.#sockets) socket.destroy();
  }

  #take(request, socket, daemon) {
    const { "sec-websocket-key": key, "sec-websocket-protocol": protocol } = request.headers;
    this.requests.push(`${request.url} ${protocol}`);
    this.#sockets.add(socket);
    const accept = createHash("sha1").update(key + SUFFIX).digest("base64");
    const head = ["HTTP/1.1 101 Switching Protocols", "Upgrade: websocket", "Connection: Upgrade", `Sec-WebSocket-Accept: ${accept}`];
    socket.write([...head, `Sec-WebSocket-Protocol: ${protocol}`, "", ""].join("\r\n"));
    const stream = net.connect({ path: daemon.url.slice("unix:".length) });
    for (const [one, other] of [[socket, stream], [stream, socket]]) {
      one.on("error", () => {});
      one.on("close", () => other.end());
    }
    readEach(socket, clientMessage, ({ opcode, payload }) => {
      if (opcode === 8) return socket.end(webSocketFrame(8, payload));
      const header = Buffer.alloc(4);
      header.writeUInt32BE(payload.length);
      stream.write(Buffer.concat([header, payload]));
    });
    readEach(stream, daemonFrame, (payload) => socket.write(webSocketFrame(1, payload)));
  }
}

/** Cuts a stream into units: `next` returns the first one and its length, or undefined if more bytes are needed. */
function readEach(stream, next, take) {
  let waiting = Buffer.alloc(0);
  stream.on("data", (bytes) => {
    waiting = Buffer.concat([waiting, bytes]);
    for (let found = next(waiting); found !== undefined; found = next(waiting)) {
      waiting = waiting.subarray(found.length);
      take(found.unit);
    }
  });
}

function daemonFrame(bytes) {
  if (bytes.length < 4) return undefined;
  const length = 4 + bytes.readUInt32BE();
  return bytes.length < length ? undefined : { unit: bytes.subarray(4, length), length };
}

/** A masked message in one frame, as clients send it. */
function clientMessage(bytes) {
  if (bytes.length < 2) return undefined;
  const short = bytes[1] & 0x7f;
  const start = 2 + (short === 126 ? 2 : short === 127 ? 8 : 0);
  if (bytes.length < start + 4) return undefined;
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short;
  const length = start + 4 + size;
  if (bytes.length < length) return undefined;
  const payload = Buffer.from(bytes.subarray(start + 4, length));
  for (let at = 0; at < size; at += 1) payload[at] ^= bytes[start + (at % 4)];
  return { unit: { opcode: bytes[0] & 0x0f, payload }, length };
}

function webSocketFrame(opcode, payload) {
  const size = payload.length;
  const header = Buffer.alloc(size < 126 ? 2 : size < 65_536 ? 4 : 10);
  header[0] = 0x80 | opcode;
  header[1] = size < 126 ? size : size < 65_536 ? 126 : 127;
  if (header.length === 4) header.writeUInt16BE(size, 2);
  if (header.length === 10) header.writeBigUInt64BE(BigInt(size), 2);
  return Buffer.concat([header, payload]);
}
