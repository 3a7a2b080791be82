// Puts the publisher into its world: one hidden handle, nothing else.

import { toJson } from "./json.js";
import { Publisher } from "./publisher.js";
import { Pace } from "./pace.js";

interface Handle {
  /** The JSON text of a PageGraph; options are the JSON text of SnapshotOptions. */
  snapshot: (optionsJson?: string) => string;
  /** The same, and from then on every delta is pushed. */
  watch: () => string;
  /** The JSON text of the deltas since a revision. */
  changes: (since: string) => string;
  /** The node of an element of the last snapshot, for whoever acts on it. */
  node: (instanceId: string) => Element | undefined;
  /** Elements, as far as the last look saw, that match a selector and have no shadow root that we may look into. */
  hosts: (selector: string) => Element[];
  /** Hands over the closed shadow root of an element. */
  admit: (host: Element, root: ShadowRoot) => void;
}

const HANDLE = "__uiap";
const PUSH = "__uiapPush";

type Push = (message: string) => void;

if (!Object.hasOwn(globalThis, HANDLE)) {
  let watched = false;
  const push = (message: string): void => {
    if (watched) (globalThis as { [PUSH]?: Push })[PUSH]?.(message);
  };
  const create = (): Publisher => new Publisher(document, performance.timeOrigin, (delta) => { push(`{"delta":${delta}}`); }, () => {
    if (watched) pace.ask();
  });
  const pace = new Pace(() => { publisher.flush(); });
  let top = document;
  let publisher = create();
  // A window that was just opened keeps its world, and us in it, when its first document replaces the empty one.
  const current = (): Publisher => {
    if (top !== document) {
      top = document;
      watched = false;
      publisher = create();
    }
    return publisher;
  };
  const handle: Handle = {
    snapshot: (optionsJson) => toJson(current().snapshot(optionsJson)),
    watch: () => {
      const graph = toJson(current().snapshot());
      watched = true;
      return graph;
    },
    changes: (since) => {
      const { deltas, revision } = current().changes(since);
      return `{"revision":${toJson(revision)},"deltas":${deltas ? `[${deltas.join(",")}]` : "null"}}`;
    },
    node: (instanceId) => current().node(instanceId),
    hosts: (selector) => current().hosts(selector),
    admit: (host, root) => { current().admit(host, root); },
  };
  Object.defineProperty(globalThis, HANDLE, { value: Object.freeze(handle), enumerable: false, configurable: false, writable: false });
}
