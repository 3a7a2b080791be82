// What is published, in document order: a list that can be cut and joined anywhere.

import type { DocumentNode, ElementNode, OpaqueRegion, ScopeNode } from "../../types/uiap.js";
import type { Place } from "./walk.js";

/** What was made of one element. */
export interface Made {
  readonly node: ElementNode;
  readonly scope: ScopeNode | undefined;
  /** Node and area as they were before a bundle said something about them. */
  readonly plain: { readonly node: ElementNode; readonly scope: ScopeNode | undefined } | undefined;
  readonly opaque: OpaqueRegion | undefined;
  /** The document in a frame. */
  readonly document: DocumentNode | undefined;
  /** The same, if we may look into it. */
  readonly inner: Document | undefined;
  /** Where its children stand; `undefined` if nothing inside is told apart. */
  readonly inside: Place | undefined;
  readonly sensitive: boolean;
  /** The route its author says is shown. */
  readonly routeId: string | undefined;
  /** It is an open modal layer: whether the browser makes everything else inert, or only ARIA says so. */
  readonly modal: "native" | "aria" | undefined;
}

/** An element that is or was published. It keeps its id while the element lives. */
export class Record {
  made: Made | undefined = undefined;
  /** It changed since the last revision; then `was` is what was published of it, if anything. */
  touched = false;
  was: Made | undefined = undefined;
  place: Place | undefined = undefined;
  listed = false;
  /** How many published elements are around it. */
  depth = 0;
  previous: Record | undefined = undefined;
  next: Record | undefined = undefined;
  /** Its node was made from what is inside it. */
  readsContent = false;
  readsStructure = false;
  /** Its node was made from a text that changes by itself. */
  readsVolatile = false;
  /** Which cut took it out of the list, and as the how manyth. */
  cut = 0;
  cutIndex = 0;

  constructor(
    readonly element: Element,
    readonly instanceId: string,
  ) {}
}

export class RecordList {
  first: Record | undefined = undefined;
  last: Record | undefined = undefined;
  size = 0;

  /** Puts a record in front of another, or at the end. */
  insert(record: Record, before: Record | undefined): void {
    const previous = before ? before.previous : this.last;
    record.previous = previous;
    record.next = before;
    if (previous) previous.next = record;
    else this.first = record;
    if (before) before.previous = record;
    else this.last = record;
    record.listed = true;
    this.size += 1;
  }

  remove(record: Record): void {
    const { previous, next } = record;
    if (previous) previous.next = next;
    else this.first = next;
    if (next) next.previous = previous;
    else this.last = previous;
    record.previous = undefined;
    record.next = undefined;
    record.listed = false;
    this.size -= 1;
  }
}
