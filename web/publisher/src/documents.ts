// Documents of a page, and where nobody may look.

import type { DocumentNode, OpaqueKind, OpaqueRegion } from "../../types/uiap.js";
import { documentTitle, documentUrl, firstElementChild, matches, shadowRootOf, childOf } from "./dom.js";
import { NAME_CHARS_MAX, TEXT_CHARS_MAX } from "./limits.js";
import { cut, said } from "./text.js";

const contentDocument = Object.getOwnPropertyDescriptor(HTMLIFrameElement.prototype, "contentDocument")?.get;

/** The document in a frame, if we may look at it. */
export function innerDocument(frame: Element): Document | undefined {
  try {
    const found: unknown = contentDocument?.call(frame);
    return found ? (found as Document) : undefined;
  } catch {
    return undefined;
  }
}

export function rootDocument(document: Document, id: string): DocumentNode {
  return describe(document, { id, boundary: { kind: "root", opaque: false } });
}

export function frameDocument(document: Document, id: string, parentDocumentId: string, hostElementId: string): DocumentNode {
  return describe(document, { id, parentDocumentId, hostElementId, boundary: { kind: "same-origin-frame", opaque: false } });
}

/** A frame we may not look into. */
export function foreignDocument(frame: Element, id: string, parentDocumentId: string, hostElementId: string): DocumentNode {
  const node: DocumentNode = { id, parentDocumentId, hostElementId, boundary: { kind: "cross-origin-frame", opaque: true } };
  const { src } = frame as HTMLIFrameElement;
  const origin = src ? originOf(src) : undefined;
  if (origin) {
    node.origin = origin;
    node.boundary.origin = origin;
  }
  return node;
}

function describe(document: Document, node: DocumentNode): DocumentNode {
  const url = documentUrl(document);
  node.url = cut(url, TEXT_CHARS_MAX);
  const origin = originOf(url);
  if (origin) {
    node.origin = origin;
    if (node.boundary.kind !== "root") node.boundary.origin = origin;
  }
  const title = said(documentTitle(document), NAME_CHARS_MAX);
  if (title) node.title = title;
  return node;
}

let asked = "";
let answer: string | undefined;

/** Asked with every change, and nearly always for the same address: to take that apart costs as much as the change. */
function originOf(url: string): string | undefined {
  if (url !== asked) {
    answer = undefined;
    asked = url;
    try {
      const { origin } = new URL(url);
      if (origin !== "null") answer = origin;
    } catch {
      // An address without an origin.
    }
  }
  return answer;
}

/**
 * A closed shadow root cannot be seen from outside. A custom element that is at work, shows something and has
 * nothing of its own has one in all likelihood.
 */
export function looksClosed(element: Element, tag: string): boolean {
  return tag.includes("-") && shadowRootOf(element) === null && matches(element, ":defined") && childOf(element) === null && firstElementChild(element) === null;
}

export function opaque(kind: OpaqueKind, hostElementId: string, label: string | undefined, bbox: OpaqueRegion["bbox"]): OpaqueRegion {
  const region: OpaqueRegion = { id: `opaque_${hostElementId}`, kind, hostElementId };
  if (bbox) region.bbox = bbox;
  if (label) region.label = label;
  return region;
}
