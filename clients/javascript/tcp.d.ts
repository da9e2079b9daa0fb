import type { Transport } from "./rac.js";

/** The transport to `rac://host:port`, `racs://host:port` (TLS) or `unix:/path`, for Node and Deno. */
export const tcp: Transport;
