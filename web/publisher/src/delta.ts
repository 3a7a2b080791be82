// Writes what changed between two revisions.

import type { DeltaOp, DocumentNode, Focus, Locale, NodeKind, PageGraph, RouteState, ScopeNode, WebStateDelta } from "../../types/uiap.js";
import { sameButNumbers } from "./ticks.js";
import type { Model } from "./model.js";
import type { Made, Record } from "./records.js";

/** Everything of a graph but its lists. */
export interface Head {
  readonly route: RouteState;
  readonly title: string | undefined;
  /** The numbers in the title change by themselves. */
  readonly titleTicks: boolean;
  readonly locale: Locale | undefined;
  readonly focus: Focus | undefined;
  readonly modalStack: readonly string[];
  readonly root: DocumentNode;
  /** Areas that are out of reach under a modal layer. */
  readonly blocked: ReadonlySet<string>;
  readonly truncated: boolean;
  readonly redacted: boolean;
  readonly metadata: PageGraph["metadata"] | undefined;
}

type Body = Omit<WebStateDelta, "baseRevision" | "revision" | "seq" | "at">;
type Node = { [member: string]: unknown };

/** A list of a graph: which node of a record is in it, and how it is called. */
interface Kind {
  readonly kind: NodeKind;
  readonly of: (made: Made | undefined, head: Head) => Node | undefined;
  readonly id: (node: Node) => string;
}

const KINDS: readonly Kind[] = [
  { kind: "document", of: (made) => made?.document as Node | undefined, id: ({ id }) => id as string },
  { kind: "scope", of: (made, head) => scopeIn(made?.scope, head) as Node | undefined, id: ({ id }) => id as string },
  { kind: "element", of: (made) => made?.node as Node | undefined, id: ({ instanceId }) => instanceId as string },
  { kind: "opaque", of: (made) => made?.opaque as Node | undefined, id: ({ id }) => id as string },
];

/** An area as it is published: what a modal layer covers cannot be used. */
export function scopeIn(scope: ScopeNode | undefined, { blocked }: Head): ScopeNode | undefined {
  return scope && blocked.has(scope.id) ? { ...scope, state: { ...scope.state, blocked: true } } : scope;
}

/** What leads from one head, and what the model was then, to another and what it is now; `undefined` if nothing does. */
export function bodyOf(model: Model, before: Head, now: Head, pageScope: (head: Head) => ScopeNode): Body | undefined {
  const ops: DeltaOp[] = [];
  for (const kind of KINDS) listOps(kind, model, before, now, ops);
  rootOps(before, now, pageScope, ops);
  coverOps(model, before, now, ops);
  const body: Body = { ops };
  if (!isSame(before.route, now.route)) body.route = now.route;
  if (isNewTitle(before, now)) body.title = now.title ?? "";
  if (before.locale !== now.locale) body.locale = now.locale ?? "und";
  if (!isSame(before.focus, now.focus)) body.focus = now.focus ?? {};
  if (!isSame(before.modalStack, now.modalStack)) body.modalStack = [...now.modalStack];
  if (before.truncated !== now.truncated) body.truncated = now.truncated;
  if (before.redacted !== now.redacted) body.redacted = now.redacted;
  if (!isSame(before.metadata, now.metadata)) body.metadata = now.metadata ?? {};
  return ops.length > 0 || Object.keys(body).length > 1 ? body : undefined;
}

/** Additions and moves name what they stand in front of, so they are written from the end. */
function listOps({ kind, of, id }: Kind, model: Model, before: Head, now: Head, ops: DeltaOp[]): void {
  const placed = new Map<Record, DeltaOp>();
  for (const record of model.changes) {
    const old = of(record.was, before);
    const node = record.listed ? of(record.made, now) : undefined;
    if (old && node && id(old) === id(node)) {
      const moves = model.moved.has(record);
      const value = difference(old, node);
      if (moves) placed.set(record, { op: "update", kind, id: id(node), value: value ?? {} });
      else if (value) ops.push({ op: "update", kind, id: id(node), value });
      continue;
    }
    if (old) ops.push({ op: "remove", kind, id: id(old) });
    if (node) placed.set(record, { op: "add", kind, id: id(node), value: node as never });
  }
  const nextOf = (record: Record): Record | undefined => {
    let next = record.next;
    while (next && !of(next.made, now)) next = next.next;
    return next;
  };
  for (const first of placed.keys()) {
    const run: { record: Record; next: Record | undefined }[] = [];
    for (let record: Record | undefined = first; record && placed.has(record) && !run.some((one) => one.record === record); ) {
      const next = nextOf(record);
      run.push({ record, next });
      record = next;
    }
    for (const { record, next } of run.reverse()) {
      const op = placed.get(record) as Exclude<DeltaOp, { op: "remove" }>;
      placed.delete(record);
      const landmark = next && of(next.made, now);
      if (landmark) op.before = id(landmark);
      // An update without a landmark stays where it is, so what goes to the end goes first.
      else if (op.op === "update") ops.push({ op: "remove", kind, id: op.id });
      ops.push(landmark || op.op === "add" ? op : { op: "add", kind, id: op.id, value: of(record.made, now) as never });
    }
  }
}

/** Whether the title says something else, or does so for good. */
function isNewTitle(before: Head, now: Head): boolean {
  if (before.titleTicks !== now.titleTicks) return true;
  return now.titleTicks ? !sameButNumbers(before.title, now.title) : before.title !== now.title;
}

function rootOps(before: Head, now: Head, pageScope: (head: Head) => ScopeNode, ops: DeltaOp[]): void {
  const old = { ...before.root };
  // Whoever follows may know an older title than the last one that was seen.
  if (before.titleTicks) delete old.title;
  if (!isNewTitle(before, now) && now.root.title !== undefined) old.title = now.root.title;
  const document = difference(old as never, now.root as never);
  if (document) ops.push({ op: "update", kind: "document", id: now.root.id, value: document });
  const scope = pageScope(now);
  const value = difference(pageScope(before) as never, scope as never);
  if (value) ops.push({ op: "update", kind: "scope", id: scope.id, value });
}

/** Areas that came under a modal layer, or out from under it, and are otherwise unchanged. */
function coverOps(model: Model, before: Head, now: Head, ops: DeltaOp[]): void {
  for (const record of [...model.modals, ...model.frames]) {
    const scope = record.made?.scope;
    if (!scope || record.touched || before.blocked.has(scope.id) === now.blocked.has(scope.id)) continue;
    const value = difference(scopeIn(scope, before) as never, scopeIn(scope, now) as never);
    if (value) ops.push({ op: "update", kind: "scope", id: scope.id, value });
  }
}

/** Where things are is told with other news, but is none. */
const QUIET = new Set(["bbox"]);
/** Members with text that may change by itself. */
const SPOKEN = new Set(["name", "description"]);

/** Whether a member of a node that changes by itself is the same but for its numbers. */
function isSameButNumbers(member: string, old: unknown, now: unknown): boolean {
  if (SPOKEN.has(member)) return sameButNumbers(old as string | undefined, now as string | undefined);
  if (member !== "state") return false;
  const [one, other] = [old, now] as [Node, Node];
  return sameButNumbers(one["textValue"] as string | undefined, other["textValue"] as string | undefined) && isSame({ ...one, textValue: null }, { ...other, textValue: null });
}

/** Members that are different; `undefined` if none that counts is. */
function difference(old: Node, now: Node): { [member: string]: never } | undefined {
  const changed: Node = {};
  let counts = false;
  const wasVolatile = old["volatile"] === true;
  const isVolatile = wasVolatile && now["volatile"] === true;
  for (const member in now) {
    // Whoever follows may know an older text than the last one that was seen.
    if (QUIET.has(member) || (isVolatile && isSameButNumbers(member, old[member], now[member]))) changed[member] = now[member];
    else if (wasVolatile && (SPOKEN.has(member) || member === "state")) {
      changed[member] = now[member];
      counts ||= !isSame(old[member], now[member]);
    }
    else if (!isSame(old[member], now[member])) {
      changed[member] = now[member];
      counts = true;
    }
  }
  for (const member in old) {
    if (member in now) continue;
    changed[member] = null;
    counts ||= !QUIET.has(member);
  }
  return counts ? (changed as { [member: string]: never }) : undefined;
}

export function isSame(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return false;
  if (Array.isArray(one)) return Array.isArray(other) && one.length === other.length && one.every((item, at) => isSame(item, other[at]));
  let members = 0;
  for (const member in one) {
    if (member === "inViewport") continue;
    members += 1;
    if (!isSame((one as Node)[member], (other as Node)[member])) return false;
  }
  for (const member in other) if (member !== "inViewport") members -= 1;
  return members === 0;
}

