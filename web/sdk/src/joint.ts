// Where the graph of a frame is put into the graph of the page around it: ids of the frame stand behind the id of the
// element that shows it. The same as `uiap-web` does with frames that a driven browser lets it look into.

import type { DeltaOp, PageGraph } from "../../types/uiap.js";
import type { Deed } from "../../publisher/src/deed.js";
import type { Point } from "../../publisher/src/frames.js";

type Kind = "document" | "scope" | "element" | "opaque";
type Members = Record<string, unknown>;

/** What joins ids. */
export const JOINT = ".";

/** Members that name another node, and what kind of node. */
const REFERENCES: readonly (readonly [string, Kind])[] = [
  ["documentId", "document"], ["parentDocumentId", "document"], ["scopeId", "scope"], ["parentScopeId", "scope"],
  ["elementId", "element"], ["hostElementId", "element"], ["parentId", "element"],
];

export class Joint {
  /** The document of the page around it that stands for the frame. */
  readonly documentId: string;
  readonly #hostId: string;
  readonly #hostScopeId: string | undefined;
  readonly #outerDocumentId: string | undefined;
  readonly #innerRootId: string;
  readonly #innerPageId: string;
  readonly #offset: Point;
  /** In front of which element of the page around it the frame ends. */
  readonly #end: string | undefined;

  private constructor(outer: PageGraph, at: number, document: number, inner: PageGraph, offset: Point) {
    const { instanceId, scopeId } = outer.elements[at] as PageGraph["elements"][number];
    const { id, parentDocumentId } = outer.documents[document] as PageGraph["documents"][number];
    this.#hostId = instanceId;
    this.#hostScopeId = scopeId;
    this.documentId = id;
    this.#outerDocumentId = parentDocumentId;
    this.#innerRootId = inner.documents.find(({ boundary }) => boundary.kind === "root")?.id ?? "";
    this.#innerPageId = inner.scopes.find(({ kind }) => kind === "page")?.id ?? "";
    this.#offset = offset;
    this.#end = outer.elements[at + 1]?.instanceId;
  }

  /** Puts the graph of a frame in place of what could not be seen; nothing if the page shows no such frame. */
  static join(outer: PageGraph, hostId: string, inner: PageGraph, offset: Point): Joint | undefined {
    const at = outer.elements.findIndex(({ instanceId }) => instanceId === hostId);
    const document = outer.documents.findIndex(({ hostElementId, boundary }) => hostElementId === hostId && boundary.opaque);
    if (at < 0 || document < 0) return undefined;
    const joint = new Joint(outer, at, document, inner, offset);
    const all = <T>(kind: Kind, nodes: readonly T[] = []): T[] => nodes.map((node) => joint.#node(kind, node as Members, true) as T);
    outer.elements.splice(at + 1, 0, ...all("element", inner.elements));
    outer.documents.splice(document, 1, ...all("document", inner.documents));
    outer.scopes.push(...all("scope", inner.scopes));
    const regions = (outer.opaqueRegions ?? []).filter(({ hostElementId }) => hostElementId !== hostId);
    regions.push(...all("opaque", inner.opaqueRegions));
    if (regions.length > 0) outer.opaqueRegions = regions;
    else delete outer.opaqueRegions;
    if (inner.truncated) outer.truncated = true;
    if (inner.redacted) outer.redacted = true;
    return joint;
  }

  /** What changed in the frame, as a change of the page around it. */
  ops(ops: readonly DeltaOp[]): DeltaOp[] {
    return ops.map((op) => {
      const kind = op.kind as Kind;
      const renamed: Members = { ...op, id: this.#id(kind, op.id) };
      if (op.op === "remove") return renamed as unknown as DeltaOp;
      renamed["value"] = this.#node(kind, op.value as Members, op.op === "add");
      if (op.before !== undefined) renamed["before"] = this.#id(kind, op.before);
      else if (op.op === "add" && kind === "element" && this.#end !== undefined) renamed["before"] = this.#end;
      return renamed as unknown as DeltaOp;
    });
  }

  /** Whether a change of the page around it takes the frame away, or shows another document in it. */
  isBrokenBy(ops: readonly DeltaOp[]): boolean {
    return ops.some(({ op, kind, id }) => (kind === "element" && id === this.#hostId && op !== "update") ||
      (kind === "document" && id === this.documentId) || (kind === "element" && id === this.#end && op === "remove"));
  }

  /** What the frame itself calls an element of it. */
  innerId(instanceId: string): string | undefined {
    return instanceId.startsWith(this.#hostId + JOINT) ? instanceId.slice(this.#hostId.length + JOINT.length) : undefined;
  }

  /** What was decided about an element of the frame, in the words of the frame. */
  inner(deed: Deed): Deed {
    const { target = "", expected, ...rest } = deed;
    const own = (id: string): string => this.innerId(id) ?? id;
    if (!expected) return { ...rest, target: own(target) } as Deed;
    const documentId = expected.documentId === this.documentId ? this.#innerRootId : own(expected.documentId);
    const scopeId = expected.scopeId === undefined ? {} : { scopeId: own(expected.scopeId) };
    return { ...rest, target: own(target), expected: { ...expected, documentId, ...scopeId } } as Deed;
  }

  #id(kind: Kind, id: string): string {
    return kind === "document" && id === this.#innerRootId ? this.documentId : this.#hostId + JOINT + id;
  }

  #node(kind: Kind, node: Members, isWhole: boolean): Members {
    const renamed = { ...node };
    const own = kind === "element" ? "instanceId" : "id";
    const id = node[own];
    if (typeof id === "string") renamed[own] = this.#id(kind, id);
    for (const [member, of] of REFERENCES) {
      const value = node[member];
      if (typeof value === "string") renamed[member] = this.#id(of, value);
    }
    // What stands in nothing stands in the element that shows the frame.
    if (kind === "element" && (isWhole ? node["parentId"] === undefined : node["parentId"] === null)) renamed["parentId"] = this.#hostId;
    const { bbox } = node as { bbox?: Point };
    if (bbox) renamed["bbox"] = { ...bbox, x: bbox.x + this.#offset.x, y: bbox.y + this.#offset.y };
    if (kind === "document" && id === this.#innerRootId) this.#settleDocument(renamed);
    if (kind === "scope" && id === this.#innerPageId) this.#settleScope(renamed);
    return renamed;
  }

  /** The root of the frame is a document of the page. */
  #settleDocument(node: Members): void {
    const { origin } = node;
    node["boundary"] = { kind: "bridged-frame", opaque: false, ...(origin ? { origin } : {}), bridgeId: this.#hostId + JOINT + "bridge" };
    node["hostElementId"] = this.#hostId;
    if (this.#outerDocumentId !== undefined) node["parentDocumentId"] = this.#outerDocumentId;
  }

  /** The page of the frame is an area of the page. */
  #settleScope(node: Members): void {
    node["kind"] = "frame";
    node["elementId"] = this.#hostId;
    if (this.#hostScopeId !== undefined) node["parentScopeId"] = this.#hostScopeId;
  }
}
