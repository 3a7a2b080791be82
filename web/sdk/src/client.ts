// One page that takes part: connected, published, acted on, and connected again when the link breaks.

import { SIGNAL_EVENT } from "../../publisher/src/registered.js";
import { toJson } from "../../publisher/src/json.js";
import { Actions } from "./actions.js";
import type { Company, Invocation } from "./actions.js";
import type { ActionDescriptor, ActionEvent, ActionHandler, CapabilityDocument, ClientState, ElementAdapter, EmittedSignal, Known, PageGraph, PolicyDecision, PolicyEvaluateInput, PolicyPrincipal, RouteProvider, SnapshotOptions, UIAPClient, UIAPCompiledBundle, UIAPConfig, Unsubscribe } from "./api.js";
import { capabilitiesWith } from "./capabilities.js";
import { ADAPTERS_MAX, HANDSHAKE_WAIT_MS, REQUESTS_MAX } from "./limits.js";
import type { Page } from "./page.js";
import type { RiskDescriptor } from "../../types/uiap.js";
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
  readonly #followers = new Set<(event: ActionEvent) => void>();
  readonly #subscriptions: Unsubscribe[];
  #route: RouteProvider | undefined;
  #bundle: UIAPCompiledBundle | undefined;
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
    this.#followers.clear();
  }

  async getSnapshot(options?: SnapshotOptions): Promise<PageGraph> {
    return (await this.#load()).snapshot(options);
  }

  async publishSnapshot(options?: SnapshotOptions): Promise<PageGraph> {
    const page = await this.#load();
    const graph = await page.follow();
    this.#tell("web.state.snapshot", { graph });
    return options ? page.snapshot(options) : graph;
  }

  loadBundle(bundle: UIAPCompiledBundle): void {
    this.#bundle = bundle;
    this.#policy()?.load((bundle.policies ?? []).map(({ document }) => document));
    void this.#page?.then((page) => this.#use(page, bundle));
  }

  /** What a bundle says about the page. */
  async #use(page: Page, { app, bindings }: UIAPCompiledBundle): Promise<void> {
    const prefix = this.#config.annotations?.prefix ?? app.sdk?.annotationPrefix;
    if (prefix !== undefined) page.annotate(prefix);
    if (!bindings) return;
    const problems = await page.bind(bindings).catch(String);
    if (problems !== "") this.#log("warn", problems);
  }

  evaluatePolicy(input: PolicyEvaluateInput): PolicyDecision {
    const policy = this.#policy();
    if (!policy) throw new Error("this client has no rules of its own; create it with policy: localPolicy({ ... })");
    return policy.evaluate(input, this.#known(input.actionId));
  }

  setPrincipal(principal: PolicyPrincipal): void {
    this.#policy()?.setPrincipal(principal);
  }

  getCapabilities(): CapabilityDocument {
    return capabilitiesWith(this.#actions.descriptors());
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

  on(event: "state" | "action", hear: ((state: ClientState) => void) | ((event: ActionEvent) => void)): Unsubscribe {
    return event === "state" ? subscribe(this.#watchers, hear as (state: ClientState) => void) : subscribe(this.#followers, hear as (event: ActionEvent) => void);
  }

  /** The publisher, loaded by the first who needs it: most pages are never looked at by an agent. */
  #load(): Promise<Page> {
    this.#page ??= import("./page.js").then(({ Page }) => {
      const page = new Page({
        delta: (delta) => { this.#tell("web.state.delta", delta); },
        signal: (signal) => { this.#tell("web.signal", signal); },
        resync: () => { this.#tell("web.state.resync", { reason: "Frames came or went; ask for a snapshot." }); },
      }, this.#adapters, { frames: this.#config.frames || undefined, observe: this.#config.observe });
      if (this.#config.annotations?.prefix !== undefined) page.annotate(this.#config.annotations.prefix);
      if (this.#route) page.provideRoute(this.#route);
      if (this.#bundle) void this.#use(page, this.#bundle);
      return page;
    });
    // Whoever needs it next tries again.
    this.#page.catch(() => { this.#page = undefined; });
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
    if (this.#requests >= REQUESTS_MAX) {
      return this.#session.answer(id, "error", { code: "rate_limited", message: `${REQUESTS_MAX} requests are under way.` });
    }
    const { signal: linked } = this.#linked;
    this.#requests += 1;
    try {
      const around = {
        page: () => this.#load(), actions: this.#actions, overlay: this.#overlay(), route: this.#route, policy: this.#policy(), linked,
        known: (actionId: string) => this.#known(actionId),
        company: (invocation: Invocation) => this.#company(invocation),
        ended: (invocation: Invocation, refusal: string | undefined) => {
          this.#overlay()?.clear();
          this.#follow(invocation, refusal === undefined ? "ended" : "refused", refusal);
        },
      };
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

  #policy() {
    return this.#config.policy || undefined;
  }

  /** What is known of an action: by whoever registered it, or by the bundle; the graver counts. */
  #known(actionId: string): Known {
    const bundled = [...(this.#bundle?.actions ?? []), ...(this.#bundle?.capabilities?.actions ?? [])].find(({ id }) => id === actionId)?.risk;
    const own = this.#actions.descriptor(actionId)?.risk;
    return { risk: own && bundled ? graver(own, bundled) : own ?? bundled };
  }

  #company(invocation: Invocation): Company {
    const principal = this.#policy()?.principal();
    const narrate = (stage: ActionEvent["stage"], note: string): void => {
      void this.#overlay()?.show({ narration: note }, undefined);
      this.#follow(invocation, stage, note);
    };
    this.#follow(invocation, "started");
    return {
      ...(principal && { principal }),
      progress: (note) => { narrate("progress", note); },
      waitForUser: async (note, signal) => {
        narrate("waiting", note);
        await touched(signal);
      },
    };
  }

  #follow({ actionHandle, actionId }: Invocation, stage: ActionEvent["stage"], note?: string): void {
    for (const hear of this.#followers) hear({ actionHandle, actionId, stage, ...(note !== undefined && { note }) });
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

const GRAVITY = ["safe", "confirm", "blocked"];

/** What both say together. */
function graver(one: RiskDescriptor, other: RiskDescriptor): RiskDescriptor {
  const [lesser, greater] = GRAVITY.indexOf(one.level) < GRAVITY.indexOf(other.level) ? [one, other] : [other, one];
  return { ...greater, tags: [...new Set([...(greater.tags ?? []), ...(lesser.tags ?? [])])] };
}

/** Waits until a person presses something or types: what scripts do does not count. */
function touched(signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = new AbortController();
    const settle = (then: () => void): void => {
      done.abort();
      then();
    };
    for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, ({ isTrusted }) => { if (isTrusted) settle(resolve); }, { capture: true, signal: done.signal });
    signal.addEventListener("abort", () => { settle(() => { reject(new Error("nobody waits any more")); }); }, { signal: done.signal });
  });
}
