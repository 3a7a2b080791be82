// The messages of one connection: envelopes out, envelopes in.

import type { UIAPEnvelope } from "../../types/uiap.js";
import type { UIAPConfig, UIAPTransport } from "./api.js";

/** What a message of the runtime says, as far as anybody can rely on it. */
export interface Heard {
  kind: string;
  type: string;
  id: string;
  correlationId: string | undefined;
  payload: Record<string, unknown>;
}

const VERSION = "0.1";

export class Session {
  readonly #transport: UIAPTransport;
  readonly #app: UIAPConfig["app"];
  #count = 0;
  /** The session that the runtime gave us, also after its link broke. */
  id: string | undefined;

  constructor(transport: UIAPTransport, app: UIAPConfig["app"]) {
    this.#transport = transport;
    this.#app = app;
  }

  /** Introduces the page; says under which id. */
  initialize(): string {
    const { id, version, profile, locale } = this.#app;
    const resume = this.id === undefined ? {} : { resume: { sessionId: this.id } };
    this.id = undefined;
    return this.#say("request", "session.initialize", {
      supportedVersions: [VERSION], supportedProfiles: [profile], peer: { name: id, version }, ...(locale && { locale }), ...resume,
    });
  }

  tell(type: string, payload: unknown): void {
    this.#say("event", type, payload);
  }

  answer(request: string, type: string, payload: unknown): void {
    this.#say("response", type, payload, request);
  }

  #say(kind: string, type: string, payload: unknown, correlationId?: string): string {
    this.#count += 1;
    const id = `app_${this.#count}`;
    this.#transport.send({
      uiap: VERSION, kind, type, id, ...(correlationId && { correlationId }), ...(this.id && { sessionId: this.id }),
      ts: new Date().toISOString(), source: { role: "app", id: this.#app.id }, payload,
    } as UIAPEnvelope);
    return id;
  }
}

/** A message, if it is one. */
export function heard(message: unknown): Heard | undefined {
  if (!isObject(message)) return undefined;
  const { kind, type, id, correlationId, payload } = message;
  if (typeof kind !== "string" || typeof type !== "string" || typeof id !== "string" || !isObject(payload)) return undefined;
  return { kind, type, id, correlationId: typeof correlationId === "string" ? correlationId : undefined, payload };
}

export const isObject = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
