// Puts the publisher into its world: one hidden handle, nothing else.

import { inputFor } from "./input.js";
import type { InputHandle } from "./input.js";
import { Publisher } from "./snapshot.js";

interface Handle extends InputHandle {
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
  const publisher = new Publisher(document, performance.timeOrigin);
  const handle: Handle = {
    snapshot: (optionsJson) => toJson(publisher.snapshot(optionsJson)),
    node: (instanceId) => publisher.node(instanceId),
    ...inputFor({ node: (instanceId) => publisher.node(instanceId) }, document, toJson),
  };
  Object.defineProperty(globalThis, HANDLE, { value: Object.freeze(handle), enumerable: false, configurable: false, writable: false });
}
