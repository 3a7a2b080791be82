// One page that takes part: connected, published, acted on, and connected again when the link breaks.

import { SIGNAL_EVENT } from "../../publisher/src/registered.js";
import { toJson } from "../../publisher/src/json.js";
import { Actions } from "./actions.js";
import type { ActionDescriptor, ActionHandler, ClientState, ElementAdapter, EmittedSignal, PageGraph, RouteProvider, SnapshotOptions, UIAPClient, UIAPConfig, Unsubscribe } from "./api.js";
import { ADAPTERS_MAX, HANDSHAKE_WAIT_MS, REQUESTS_MAX } from "./limits.js";
import type { Page } from "./page.js";
import { answer } from "./requests.js";
import { Session, heard } from "./session.js";
import type { Heard } from "./session.js";
import { subscribe } from "./transport.js";

const LEVELS = ["info", "warn", "error"] as const;

export class Client implements UIAPClient {
  readonly #config: UIAPConfig;
  readonly #session: Session;
  readonly #actions = new Actions();
  readonly #adapters = new Map<string, ElementAdapter>();
  readonly #watchers = new Set<(state: ClientState) => void>();
  readonly #subscriptions: Unsubscribe[];
  #route: RouteProvider | undefined;
  #page: Promise<Page> | undefined;
  #state: ClientState = "stopped";
  #linked = new AbortController();
  #requests = 0;
  #isDestroyed = false;
  /** Whoever waits for the answer to our introduction. */
  #introduced: { id: string; settle: (error: Error | undefined) => void } | undefined;

  constructor(config: UIAPConfig) {
    this.#config = config;
    this.#session = new Session(config.transport, config.app);
    this.#subscriptions = [
      config.transport.onMessage((message) => { this.#hear(message); }),
      config.transport.onState((state) => { if (state === "closed") this.#lost(); }),
    ];
  }

  async start(): Promise<void> {
    if (this.#isDestroyed) throw new Error("this client was destroyed; create another one");
    if (this.#state !== "stopped") return;
    this.#become("connecting");
    await this.#load();
    await this.#persist(0);
  }

  async stop(): Promise<void> {
    this.#become("stopped");
    this.#cut();
    await this.#config.transport.close();
  }

  async destroy(): Promise<void> {
    this.#isDestroyed = true;
    await this.stop();
    for (const unsubscribe of this.#subscriptions) unsubscribe();
    this.#watchers.clear();
  }

  async getSnapshot(options?: SnapshotOptions): Promise<PageGraph> {
    return (await this.#load()).snapshot(options);
  }

  emitSignal(signal: EmittedSignal): void {
    document.dispatchEvent(new CustomEvent(SIGNAL_EVENT, { detail: toJson(signal) }));
  }

  registerAction(descriptor: ActionDescriptor, handler: ActionHandler): Unsubscribe {
    return this.#actions.register(descriptor, handler);
  }

  unregisterAction(actionId: string): void {
    this.#actions.unregister(actionId);
  }

  registerRouteProvider(provider: RouteProvider): Unsubscribe {
    const provide = (given: RouteProvider | undefined): void => {
      this.#route = given;
      void this.#page?.then((page) => { page.provideRoute(given); });
    };
    provide(provider);
    return () => { if (this.#route === provider) provide(undefined); };
  }

  registerAdapter(id: string, adapter: ElementAdapter): Unsubscribe {
    if (this.#adapters.size >= ADAPTERS_MAX) throw new RangeError(`there are ${ADAPTERS_MAX} adapters already`);
    this.#adapters.set(id, adapter);
    return () => { if (this.#adapters.get(id) === adapter) this.#adapters.delete(id); };
  }

  on(_event: "state", hear: (state: ClientState) => void): Unsubscribe {
    return subscribe(this.#watchers, hear);
  }

  /** The publisher, loaded by the first who needs it. */
  #load(): Promise<Page> {
    this.#page ??= import("./page.js").then(({ Page }) => {
      const page = new Page({
        delta: (delta) => { this.#tell("web.state.delta", delta); },
        signal: (signal) => { this.#tell("web.signal", signal); },
        resync: () => { this.#tell("web.state.resync", { reason: "Frames came or went; ask for a snapshot." }); },
      }, this.#adapters, this.#config.frames || undefined);
      if (this.#config.annotations?.prefix !== undefined) page.annotate(this.#config.annotations.prefix);
      if (this.#route) page.provideRoute(this.#route);
      return page;
    });
    return this.#page;
  }

  /** What happens while nobody is there is told to nobody. */
  #tell(type: string, payload: unknown): void {
    if (this.#state === "connected") this.#session.tell(type, payload);
  }

  async #connect(): Promise<void> {
    this.#become("connecting");
    await this.#config.transport.connect();
    if (this.#isStopped()) {
      await this.#config.transport.close();
      throw new Error("stopped");
    }
    await new Promise<void>((resolve, reject) => {
      const late = setTimeout(() => { this.#introduced?.settle(new Error("the runtime did not answer")); }, HANDSHAKE_WAIT_MS);
      const settle = (error: Error | undefined): void => {
        clearTimeout(late);
        this.#introduced = undefined;
        if (error) reject(error);
        else resolve();
      };
      this.#introduced = { id: this.#session.initialize(), settle };
    });
    this.#linked = new AbortController();
    this.#become("connected");
  }

  #hear(message: unknown): void {
    const said = heard(message);
    if (!said) return this.#log("warn", "the runtime said something that is no message");
    if (said.kind === "request") void this.#answer(said);
    else if (said.correlationId !== undefined && said.correlationId === this.#introduced?.id) this.#welcomed(said);
    else if (said.type === "x.uiap.page.unveil") this.#overlay()?.clear();
    else if (said.type === "error") this.#log("warn", String(said.payload["message"]));
  }

  #welcomed({ type, payload }: Heard): void {
    const { sessionId, message } = payload;
    const isWelcome = type === "session.initialized" && typeof sessionId === "string";
    if (isWelcome) this.#session.id = sessionId;
    this.#introduced?.settle(isWelcome ? undefined : new Error(`the runtime refused: ${String(message)}`));
  }

  async #answer({ id, type, payload }: Heard): Promise<void> {
    if (this.#requests >= REQUESTS_MAX || !this.#page) {
      return this.#session.answer(id, "error", { code: "rate_limited", message: `${REQUESTS_MAX} requests are under way.` });
    }
    const { signal: linked } = this.#linked;
    this.#requests += 1;
    try {
      const around = { page: await this.#page, actions: this.#actions, overlay: this.#overlay(), route: this.#route, linked };
      const [kind, said] = await answer(type, payload, around);
      // An answer of a link that is gone means nothing to the next one.
      if (!linked.aborted) this.#session.answer(id, kind, said);
    } finally {
      this.#requests -= 1;
    }
  }

  #overlay() {
    return this.#config.overlay || undefined;
  }

  /** The link is gone; nothing that was asked over it is answered. */
  #cut(): void {
    this.#linked.abort();
    this.#introduced?.settle(new Error("the link ended"));
    this.#overlay()?.clear();
    void this.#page?.then((page) => { page.unfollow(); });
  }

  #lost(): void {
    this.#cut();
    if (this.#state !== "connected") return;
    this.#become("disconnected");
    if (!this.#config.transport.reconnect.enabled) return this.#become("stopped");
    void this.#persist(this.#config.transport.reconnect.initialDelayMs).catch((error: unknown) => { this.#log("error", String(error)); });
  }

  /** Connects, and tries again where that fails: the place of the page may still be that of the document before. */
  async #persist(firstDelayMs: number): Promise<void> {
    const { enabled, initialDelayMs, maxDelayMs, factor, jitter, maxAttempts } = this.#config.transport.reconnect;
    let [delayMs, trouble] = [firstDelayMs, new Error("nobody tried")];
    for (let attempt = 0; attempt < (enabled ? maxAttempts : 1); attempt += 1) {
      if (delayMs > 0) await new Promise((resolve) => { setTimeout(resolve, delayMs * (1 + jitter * (Math.random() - 0.5))); });
      if (this.#isStopped()) return;
      try {
        return await this.#connect();
      } catch (error) {
        trouble = error instanceof Error ? error : new Error(String(error));
        this.#log("info", trouble.message);
        if (this.#isStopped()) return;
        this.#become("disconnected");
      }
      delayMs = Math.min(Math.max(delayMs * factor, initialDelayMs), maxDelayMs);
    }
    this.#become("stopped");
    throw trouble;
  }

  #isStopped(): boolean {
    return this.#state === "stopped";
  }

  #become(state: ClientState): void {
    if (this.#state === state) return;
    this.#state = state;
    this.#log("info", state);
    for (const hear of this.#watchers) hear(state);
  }

  #log(level: (typeof LEVELS)[number], words: string): void {
    const { debug } = this.#config;
    const from = debug === true ? "info" : debug;
    if (from && LEVELS.indexOf(level) >= LEVELS.indexOf(from)) console[level](`uiap: ${words}`);
  }
}
