// What an application sees of the SDK.

import type { ActionDescriptor, ActionId, PageGraph, PresentationHints, SnapshotOptions, UIAPEnvelope, WebSignal, WebStateDelta } from "../../types/uiap.js";

export type { ActionDescriptor, ActionId, PageGraph, PresentationHints, SnapshotOptions, UIAPEnvelope, WebSignal, WebStateDelta };

export type JsonObject = Record<string, unknown>;

/** Takes back what was registered. */
export type Unsubscribe = () => void;

export interface UIAPConfig {
  app: { id: string; version: string; profile: "web@0.1"; locale?: string };
  transport: UIAPTransport;
  /** Shows people what is about to be done; made by `createOverlay`. */
  overlay?: Overlay | false;
  /** Frames of other origins that show themselves; made by `frameBridge`. */
  frames?: FrameBridge | false;
  annotations?: AnnotationConfig;
  /** What is written to the console: everything from this level on. */
  debug?: boolean | "info" | "warn" | "error";
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
  /** Says that something happened: `custom`, or `entity.created`, `entity.updated`, `entity.deleted`. */
  emitSignal(signal: EmittedSignal): void;
  /** Lets agents ask for an action. The runtime decides whether it happens; the handler only does it. */
  registerAction(descriptor: ActionDescriptor, handler: ActionHandler): Unsubscribe;
  unregisterAction(actionId: ActionId): void;
  registerRouteProvider(provider: RouteProvider): Unsubscribe;
  /** Opens closed shadow roots, which nobody else can look into. */
  registerAdapter(id: string, adapter: ElementAdapter): Unsubscribe;
  on(event: "state", hear: (state: ClientState) => void): Unsubscribe;
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
  /** Aborted when nobody waits for the outcome any more. */
  signal: AbortSignal;
}

export interface ActionHandlerResult {
  returnValue?: JsonObject;
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

export interface ReconnectPolicy {
  enabled?: boolean;
  initialDelayMs?: number;
  maxDelayMs?: number;
  factor?: number;
  /** Share of each delay that is left to chance. */
  jitter?: number;
  maxAttempts?: number;
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
}

/** Frames of other origins that show themselves to the page. */
export interface FrameBridge {
  join(tell: (delta: WebStateDelta) => void, lose: () => void): Joining;
}
