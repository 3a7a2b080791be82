// Puts the publisher into its world: one hidden handle, nothing else.

import { listen } from "./application.js";
import { Bindings } from "./bindings.js";
import { calm } from "./calm.js";
import { DrivenPublisher } from "./driven.js";
import { inputFor } from "./input.js";
import type { InputHandle } from "./input.js";
import type { ElementKind } from "./listeners.js";
import { toJson } from "./json.js";
import { Pace } from "./pace.js";
import type { News } from "./publisher.js";
import { Frames } from "./stability.js";

interface Handle extends InputHandle {
  /** The JSON text of a PageGraph; options are the JSON text of SnapshotOptions. */
  snapshot: (optionsJson?: string) => string;
  /** The same graph, packed. */
  packed: (optionsJson?: string) => string;
  /** The packed graph, and from then on every delta is pushed. */
  watch: () => string;
  /** The JSON text of the deltas since a revision. */
  changes: (since: string) => string;
  /** Binds the page to the JSON text of a BindingsManifest; returns what of it cannot be used, a line each. */
  bind: (json: string) => string;
  /** Reads annotations whose names begin so, and no others; returns nothing, or a line that says why not. */
  annotate: (prefix: string) => string;
  /** Tells that the application said something by this name. */
  signal: (name: string) => void;
  /** Waits until nothing has changed for so many milliseconds. */
  calm: (quietMs: number) => Promise<void>;
  /** The node of an element of the last snapshot, for whoever acts on it. */
  node: (instanceId: string) => Element | undefined;
  /** The JSON text of the ids of elements that open something when somebody points at them. */
  openers: () => string;
  /** Elements, as far as the last look saw, that match a selector and have no shadow root that we may look into. */
  hosts: (selector: string) => Element[];
  /** Hands over the closed shadow root of an element. */
  admit: (host: Element, root: ShadowRoot) => void;
  /** Marks elements for a moment, so that the driver can tell which of them listen; returns how many. Only those with one of some tags and classes, if given. */
  mark: (kinds?: ElementKind[]) => number;
  /** Says by their marks which of them listen to presses, which to keys, and which known ones do no more; returns how many are new. */
  heard: (press: number[], keys: number[], silent: number[]) => number;
}

const HANDLE = "__uiap";
/** The driver's ear in this world, if it listens. */
const PUSH = "__uiapPush";

type Push = (message: string) => void;

class Installed {
  readonly top = document;
  watched = false;
  readonly #pace = new Pace(() => { this.publisher.flush(); });
  readonly publisher = new DrivenPublisher(this.top, performance.timeOrigin, (news) => { this.#push(news); }, (atOnce) => {
    if (this.watched) this.#pace.ask(atOnce);
  });
  readonly #frames = new Frames();
  readonly input = inputFor(this.publisher, this.top, this.#frames, toJson);

  constructor() {
    // What the application says happens once; nobody could ask for it later.
    listen(this.top, (said) => { this.#tell({ delta: undefined, signals: [this.publisher.hear(said)] }); });
  }

  #push(news: News): void {
    if (this.watched) this.#tell(news);
  }

  #tell({ delta, signals }: News): void {
    (globalThis as { [PUSH]?: Push })[PUSH]?.(`{"delta":${delta ?? null},"signals":${toJson(signals)}}`);
    this.#frames.restart();
  }
}

if (!Object.hasOwn(globalThis, HANDLE)) {
  let installed = new Installed();
  // A window that was just opened keeps its world, and us in it, when its first document replaces the empty one.
  const current = (): Installed => {
    if (installed.top !== document) installed = new Installed();
    return installed;
  };
  const handle: Handle = {
    snapshot: (optionsJson) => toJson(current().publisher.snapshot(optionsJson)),
    packed: (optionsJson) => current().publisher.packed(optionsJson),
    watch: () => {
      const now = current();
      // What is there at first is told in the same way as what comes later.
      now.watched = true;
      return now.publisher.packed();
    },
    changes: (since) => {
      const { deltas, revision } = current().publisher.changes(since);
      return `{"revision":${toJson(revision)},"deltas":${deltas ? `[${deltas.join(",")}]` : "null"}}`;
    },
    bind: (json) => current().publisher.bind(new Bindings(json)),
    annotate: (prefix) => (current().publisher.annotate(prefix) ? "" : "not a beginning such as data-acme-"),
    signal: (name) => { current().publisher.signal(name); },
    calm: (quietMs) => calm(document, quietMs),
    node: (instanceId) => current().publisher.node(instanceId),
    check: (...given) => current().input.check(...given),
    perform: (...given) => current().input.perform(...given),
    aim: (...given) => current().input.aim(...given),
    landed: () => current().input.landed(),
    after: () => current().input.after(),
    hold: () => current().input.hold(),
    catchUp: () => current().input.catchUp(),
    zoom: () => current().input.zoom(),
    shown: () => current().input.shown(),
    openers: () => toJson(current().publisher.openers()),
    hosts: (selector) => current().publisher.hosts(selector),
    admit: (host, root) => { current().publisher.admit(host, root); },
    mark: (kinds) => current().publisher.mark(kinds),
    heard: (press, keys, silent) => current().publisher.heard(press, keys, silent),
  };
  Object.defineProperty(globalThis, HANDLE, { value: Object.freeze(handle), enumerable: false, configurable: false, writable: false });
}
