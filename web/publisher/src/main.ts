// Puts the publisher into its world: one hidden handle, nothing else.

import { Publisher } from "./snapshot.js";

interface Handle {
  /** The JSON text of a PageGraph; options are the JSON text of SnapshotOptions. */
  snapshot: (optionsJson?: string) => string;
  /** The node of an element of the last snapshot, for whoever acts on it. */
  node: (instanceId: string) => Element | undefined;
}

const HANDLE = "__uiap";
const { stringify } = JSON;

/** Half characters, which JSON readers outside JavaScript refuse, become replacement characters. */
const HALF = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

function toJson(value: unknown): string {
  const text = stringify(value);
  if (!text.includes("\\ud")) return text;
  return stringify(value, (_, member: unknown) => (typeof member === "string" ? member.replace(HALF, "\ufffd") : member));
}

if (!Object.hasOwn(globalThis, HANDLE)) {
  let top = document;
  let publisher = new Publisher(top, performance.timeOrigin);
  // A window that was just opened keeps its world, and us in it, when its first document replaces the empty one.
  const current = (): Publisher => {
    if (top !== document) {
      top = document;
      publisher = new Publisher(top, performance.timeOrigin);
    }
    return publisher;
  };
  const handle: Handle = {
    snapshot: (optionsJson) => toJson(current().snapshot(optionsJson)),
    node: (instanceId) => current().node(instanceId),
  };
  Object.defineProperty(globalThis, HANDLE, { value: Object.freeze(handle), enumerable: false, configurable: false, writable: false });
}
