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
}

const HANDLE = "__uiap";
const PUSH = "__uiapPush";

type Push = (message: string) => void;

if (!Object.hasOwn(globalThis, HANDLE)) {
  let watched = false;
  const push = (message: string): void => {
    if (watched) (globalThis as { [PUSH]?: Push })[PUSH]?.(message);
  };
  const pace = new Pace(() => { publisher.flush(); });
  const publisher = new Publisher(document, performance.timeOrigin, (delta) => { push(`{"delta":${delta}}`); }, () => {
    if (watched) pace.ask();
  });
  const handle: Handle = {
    snapshot: (optionsJson) => toJson(publisher.snapshot(optionsJson)),
    watch: () => {
      const graph = toJson(publisher.snapshot());
      watched = true;
      return graph;
    },
    changes: (since) => {
      const { deltas, revision } = publisher.changes(since);
      return `{"revision":${toJson(revision)},"deltas":${deltas ? `[${deltas.join(",")}]` : "null"}}`;
    },
    node: (instanceId) => publisher.node(instanceId),
  };
  Object.defineProperty(globalThis, HANDLE, { value: Object.freeze(handle), enumerable: false, configurable: false, writable: false });
}
