// `ws@0.1` to `uiap serve`: one text frame is one envelope.

import type { ReconnectPolicy, UIAPTransport, Unsubscribe } from "./api.js";
import type { UIAPEnvelope } from "../../types/uiap.js";
import { toJson } from "../../publisher/src/json.js";
import { MESSAGE_CHARS_MAX } from "./limits.js";

const SUB_PROTOCOL = "uiap.v0.1";
const TICKET_PREFIX = "uiap.ticket.";

export interface WebSocketOptions {
  /** Where `uiap serve` listens for the application, such as `ws://127.0.0.1:4871/uiap/app`. */
  url: string;
  /** Asks the application's own backend for a ticket, which is good for one connection. */
  ticket: () => Promise<string>;
  reconnect?: ReconnectPolicy;
}

const RECONNECT: Required<ReconnectPolicy> = { enabled: true, initialDelayMs: 250, maxDelayMs: 10_000, factor: 2, jitter: 0.2, maxAttempts: 1_000 };

export function webSocketTransport({ url, ticket, reconnect }: WebSocketOptions): UIAPTransport {
  const hearers = new Set<(message: unknown) => void>();
  const watchers = new Set<(state: "open" | "closed") => void>();
  let socket: WebSocket | undefined;

  const connect = async (): Promise<void> => {
    socket?.close();
    const fresh = new WebSocket(url, [SUB_PROTOCOL, TICKET_PREFIX + (await ticket())]);
    socket = fresh;
    fresh.addEventListener("message", ({ data }) => {
      const message = read(data);
      if (socket === fresh) for (const hear of hearers) hear(message);
    });
    await new Promise<void>((resolve, reject) => {
      fresh.addEventListener("open", () => {
        resolve();
        for (const watch of watchers) watch("open");
      });
      fresh.addEventListener("close", ({ code, reason }) => {
        // A browser does not say why a server refused; the server does.
        reject(new Error(`the connection to ${url} ended (${code}${reason ? `: ${reason}` : ""})`));
        if (socket !== fresh) return;
        socket = undefined;
        for (const watch of watchers) watch("closed");
      });
    });
  };

  return {
    binding: "ws@0.1",
    reconnect: { ...RECONNECT, ...reconnect },
    connect,
    send: (message: UIAPEnvelope) => {
      if (socket?.readyState === WebSocket.OPEN) socket.send(toJson(message));
    },
    onMessage: (hear) => subscribe(hearers, hear),
    onState: (watch) => subscribe(watchers, watch),
    close: async () => {
      const closing = socket;
      socket = undefined;
      closing?.close(1000);
    },
  };
}

/** A message, or nothing that anybody could take for one. */
function read(data: unknown): unknown {
  if (typeof data !== "string" || data.length > MESSAGE_CHARS_MAX) return undefined;
  try {
    return JSON.parse(data);
  } catch {
    return undefined;
  }
}

export function subscribe<T>(to: Set<T>, one: T): Unsubscribe {
  to.add(one);
  return () => { to.delete(one); };
}
