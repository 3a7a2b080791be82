// What an application sees of the SDK.

import type { ActionDescriptor, ActionId, CapabilityDocument, PageGraph, PolicyDecision, PolicyDocument, PolicyEvaluateInput, PolicyPrincipal, PresentationHints, ReconnectPolicy, ResolvedTarget, RiskDescriptor, SnapshotOptions, UIAPCompiledBundle, UIAPEnvelope, WebSignal, WebStateDelta } from "../../types/uiap.js";
import type { Deed } from "../../publisher/src/deed.js";

export type { ActionDescriptor, ActionId, CapabilityDocument, PageGraph, PolicyDecision, PolicyDocument, PolicyEvaluateInput, PolicyPrincipal, PresentationHints, ReconnectPolicy, ResolvedTarget, SnapshotOptions, UIAPCompiledBundle, UIAPEnvelope, WebSignal, WebStateDelta };

export type JsonObject = Record<string, unknown>;

/** Takes back what was registered. */
export type Unsubscribe = () => void;

export interface UIAPConfig {
  app: { id: string; version: string; profile: "web@0.1"; locale?: string };
  transport: UIAPTransport;
  /** How closely the page is followed. */
  observe?: ObserveConfig;
  /** Rules of the application itself, beside those of the runtime; made by `localPolicy`. */
  policy?: LocalPolicy | false;
  /** Shows people what is about to be done; made by `createOverlay`. */
  overlay?: Overlay | false;
  /** Frames of other origins that show themselves; made by `frameBridge`. */
  frames?: FrameBridge | false;
  annotations?: AnnotationConfig;
  /** What is written to the console: everything from this level on. */
  debug?: boolean | "info" | "warn" | "error";
}

export interface ObserveConfig {
  /** Whether changes are told as they happen; if not, only when somebody looks or acts. They are unless this is `false`. */
  mutations?: boolean;
  /** The least time between two looks at what changed. */
  debounceMs?: number;
  /** The most elements that are published. */
  maxElements?: number;
  /** A page is followed by what can be seen; what is hidden is shown by `getSnapshot({ includeHidden: true })` only. */
  visibleOnly?: true;
  /** Signals of these kinds are told and no others. */
  signals?: readonly string[];
}

export interface AnnotationConfig {
  /** How the names of annotations begin; `data-uiap-` unless said otherwise. */
  prefix?: string;
}

export interface UIAPClient {
  /** Connects, and tries again where that fails; from then on the page can be looked at and acted on. Rejects when no attempt is left. */
  start(): Promise<void>;
  /** Disconnects. What was registered stays. */
  stop(): Promise<void>;
  /** Disconnects for good. */
  destroy(): Promise<void>;
  /** The page as an agent would see it. */
  getSnapshot(options?: SnapshotOptions): Promise<PageGraph>;
  /** Hands the page over to the runtime as it is now, without being asked; the options shape only what is returned. */
  publishSnapshot(options?: SnapshotOptions): Promise<PageGraph>;
  /** Says that something happened: `custom`, or `entity.created`, `entity.updated`, `entity.deleted`. */
  emitSignal(signal: EmittedSignal): void;
  /** Lets agents ask for an action. The runtime decides whether it happens; the handler only does it. */
  registerAction(descriptor: ActionDescriptor, handler: ActionHandler): Unsubscribe;
  unregisterAction(actionId: ActionId): void;
  registerRouteProvider(provider: RouteProvider): Unsubscribe;
  /** Opens closed shadow roots, which nobody else can look into. */
  registerAdapter(id: string, adapter: ElementAdapter): Unsubscribe;
  /** Uses the names, annotations, actions and policies of a bundle in the page, until the runtime brings its own. */
  loadBundle(bundle: UIAPCompiledBundle): void;
  /** What the rules of the application say; needs `policy`. */
  evaluatePolicy(input: PolicyEvaluateInput): PolicyDecision;
  /** For whom the rules of the application decide from now on. */
  setPrincipal(principal: PolicyPrincipal): void;
  /** What this page shows and what can be done on it. */
  getCapabilities(): CapabilityDocument;
  on(event: "state", hear: (state: ClientState) => void): Unsubscribe;
  on(event: "action", hear: (event: ActionEvent) => void): Unsubscribe;
}

/** What becomes of an action of the application. */
export interface ActionEvent {
  actionHandle: string;
  actionId: ActionId;
  stage: "started" | "progress" | "waiting" | "ended" | "refused";
  note?: string;
}

export type ClientState = "connecting" | "connected" | "disconnected" | "stopped";

/** What an application can say by itself. */
export type EmittedSignal =
  | { kind: "custom"; name: string; payload?: JsonObject }
  | { kind: "entity.created" | "entity.updated" | "entity.deleted"; entityType: string; payload?: JsonObject };

export interface ActionContext {
  /** The same for one action, however often it is asked for: use it as an idempotency key. */
  actionHandle: string;
  actionId: ActionId;
  args: JsonObject;
  /** What it is aimed at, if it is aimed at an element. */
  target?: ResolvedTarget;
  /** For whom, as far as the application said. */
  principal?: PolicyPrincipal;
  /** Aborted when nobody waits for the outcome any more. */
  signal: AbortSignal;
  /** Shows a sentence to the person, where there is an overlay, and to whoever listens to `action`. */
  progress(note: string): void;
  /** The same, and goes on once a person has pressed something or typed; rejects when nobody waits for the outcome any more. */
  waitForUser(note: string): Promise<void>;
}

export interface ActionHandlerResult {
  returnValue?: JsonObject;
  /** `none` if nothing was done after all, `unknown` if nobody can say; it was done unless this is said. */
  sideEffectState?: "none" | "applied" | "unknown";
}

/** Throws only if nobody can say what was done. */
export type ActionHandler = (context: ActionContext) => Promise<ActionHandlerResult | void> | ActionHandlerResult | void;

export interface RouteProvider {
  /** The id of the route that is shown, where the application knows it. */
  routeId(): string | undefined;
  /** Goes to a path of the application; resolves when it is shown. Without it nobody can navigate from outside. */
  navigate?(path: string): Promise<void> | void;
}

export interface ElementAdapter {
  /** Which elements have a closed root. */
  selector: string;
  root(host: Element): ShadowRoot | undefined;
}

/** Carries envelopes; made by `webSocketTransport`, or by an application that has a channel of its own. */
export interface UIAPTransport {
  readonly binding: string;
  readonly reconnect: Required<ReconnectPolicy>;
  connect(): Promise<void>;
  send(message: UIAPEnvelope): void;
  onMessage(hear: (message: unknown) => void): Unsubscribe;
  onState(hear: (state: "open" | "closed") => void): Unsubscribe;
  close(): Promise<void>;
}

/** Where something is on the screen. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Shows people what is about to be done. It changes nothing about the page or the outcome. */
export interface Overlay {
  show(hints: PresentationHints, box: Box | undefined): Promise<void>;
  clear(): void;
}

/** A page and its frames as one. */
export interface Joining {
  /** The page with what its frames show; from then on `tell` hears of changes, until `lose` says that another look is needed. */
  graph(snapshot: () => PageGraph, idOf: (element: Element) => string | undefined): Promise<PageGraph>;
  /** The page around the frames changed. */
  outer(delta: WebStateDelta): void;
  /** A signal of the page, on the revision that was told last. */
  signal(signal: WebSignal): WebSignal;
  /** Whether an element is in a frame. */
  isInside(instanceId: string): boolean;
  /** The frame that an element is in, as far as it takes part. */
  inside(instanceId: string): Inside | undefined;
}

/** What stands around a page in a frame, from the inside out: role and name. */
export type Outside = readonly (readonly [role: string, name: string | null])[];

/** An element of a frame. */
export interface Inside {
  readonly frame: Element;
  /** The JSON text of how it is. */
  facts(): Promise<string>;
  /** Has something done to it; the JSON text of what came of it. */
  perform(deed: Deed, outside: Outside): Promise<string>;
}

/** Hears of the page and its frames as one. */
export interface Hearing {
  tell(delta: WebStateDelta): void;
  say(signal: WebSignal): void;
  /** Only another snapshot can say what the page is. */
  lose(): void;
}

/** What a page knows of an action beside the question. */
export interface Known {
  /** How risky it was declared to be. */
  readonly risk?: RiskDescriptor | undefined;
  /** Whether somebody described the action; where this is not said, who knows the risk did. */
  readonly isDescribed?: boolean;
  /** The areas of the target, the innermost first. */
  readonly scopes?: readonly string[];
  readonly isSensitive?: boolean;
}

/** Rules of the application itself. */
export interface LocalPolicy {
  load(documents: readonly PolicyDocument[]): void;
  setPrincipal(principal: PolicyPrincipal): void;
  principal(): PolicyPrincipal | undefined;
  evaluate(input: PolicyEvaluateInput, known: Known): PolicyDecision;
  /** Why something must not happen; nothing if it may. Asks a person where the rules say so. */
  permits(question: Omit<PolicyEvaluateInput, "principal">, known: Known): Promise<string | undefined>;
}

/** Frames of other origins that show themselves to the page. */
export interface FrameBridge {
  join(hearing: Hearing): Joining;
}
