// The SDK for applications: `createUIAPClient({ app, transport })`, then `start()`.

import type { UIAPClient, UIAPConfig } from "./api.js";
import { Client } from "./client.js";

export type * from "./api.js";
export type { WebSocketOptions } from "./transport.js";
export { webSocketTransport } from "./transport.js";

export function createUIAPClient(config: UIAPConfig): UIAPClient {
  return new Client(config);
}
