// The transport of browsers, Deno and Node 22: one message of the protocol is one text message of a WebSocket.

import { RacError } from "./errors.js";

/**
 * Opens a WebSocket to a daemon.
 *
 * @type {import("../rac.d.ts").Transport}
 */
export function webSocket(url, events) {
  const socket = new globalThis.WebSocket(url, "rac.v1");
  const { host: own, origin } = globalThis.location ?? {};
  const { host } = new URL(url);
  // A browser does not say whether nobody answered, or the daemon refused the page's origin.
  let help = `; see if racd runs at ${host}`;
  if (own && own !== host) help += `; if it does, it takes this page by --web-origin ${origin}`;
  socket.onopen = () => {
    help = "";
    events.opened();
  };
  socket.onmessage = ({ data }) => events.message(data);
  socket.onclose = ({ code, reason }) => events.closed(reason || `the WebSocket was closed with code ${code}${help}`);
  return {
    // A browser reports a message to a closing socket as an error of the page.
    send: (text) => socket.readyState === 1 && socket.send(text),
    close: () => socket.close(),
    get waiting() {
      return socket.bufferedAmount;
    },
  };
}

webSocket.address = webSocketAddress;

/**
 * The address of a daemon's WebSocket: the given one, else that of the page, else the usual one of this machine.
 *
 * A given one may be that of the daemon's page, `http://lab:7220`.
 */
export function webSocketAddress(url) {
  if (typeof globalThis.WebSocket !== "function") {
    throw new RacError("no-websocket", "this JavaScript has no WebSocket: pass { transport: tcp } of rac-client/tcp");
  }
  if (url !== undefined) return givenAddress(url);
  const page = globalThis.location;
  if (!/^https?:$/.test(page?.protocol)) return "ws://127.0.0.1:7220/rac";
  // racd has this file beside its WebSocket, below a path of a proxy, too. A bundle may be anywhere.
  const root = `${page.protocol}//${page.host}/`;
  const isServed = import.meta.url.startsWith(root) && import.meta.url.endsWith("/rac/websocket.js");
  const base = isServed ? import.meta.url : `${root}rac/`;
  return new URL("../rac", base).href.replace("http", "ws");
}

/** A given address, below which the path is `/rac` if it has none. */
function givenAddress(url) {
  let address;
  try {
    address = /^(ws|http)s?:\/\/./.test(url) && new URL(url);
  } catch {
    // No address has such a host or port.
  }
  if (!address) throw new RacError("invalid-url", `${url} is no WebSocket's address, such as ws://127.0.0.1:7220/rac`);
  if (address.pathname === "/") address.pathname = "/rac";
  return address.href.replace("http", "ws");
}
