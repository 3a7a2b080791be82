// Keeps the parts of a graph that were asked for, with no reference to what is gone.

import type { PageGraph, ScopeNode } from "../../types/uiap.js";
import type { Wanted } from "./options.js";

export function filter(graph: PageGraph, { scopes, documents }: Wanted): void {
  if (!scopes && !documents) return;
  const inside = scopes ? insideOf(graph.scopes, scopes) : undefined;
  const fits = (documentId: string, scopeId: string | undefined): boolean =>
    (!documents || documents.has(documentId)) && (!inside || (scopeId !== undefined && inside.has(scopeId)));
  graph.scopes = graph.scopes.filter(({ id, documentId }) => fits(documentId, id));
  const hosts = new Set(graph.scopes.map(({ elementId }) => elementId));
  graph.elements = graph.elements.filter(({ documentId, scopeId, instanceId }) => fits(documentId, scopeId) || hosts.has(instanceId));
  repair(graph);
}

/** The wanted areas and everything in them. */
function insideOf(nodes: ScopeNode[], scopes: ReadonlySet<string>): Set<string> {
  const inside = new Set(scopes);
  // Areas stand before what they contain.
  for (const { id, parentScopeId } of nodes) if (parentScopeId !== undefined && inside.has(parentScopeId)) inside.add(id);
  return inside;
}

/** A node without the members that name what is gone. The node itself belongs to the model and stays as it is. */
function without<T extends object>(node: T, known: { [Member in keyof T]?: ReadonlySet<unknown> }): T {
  const kept = { ...node };
  for (const member in known) if (member in kept && !known[member]?.has(kept[member])) delete kept[member];
  return kept;
}

/** Drops references that lead nowhere. */
function repair(graph: PageGraph): void {
  const elements = new Set(graph.elements.map(({ instanceId }) => instanceId));
  const scopes = new Set(graph.scopes.map(({ id }) => id));
  graph.elements = graph.elements.map((element) => without(element, { parentId: elements, scopeId: scopes }));
  graph.scopes = graph.scopes.map((scope) => without(scope, { elementId: elements, parentScopeId: scopes }));
  graph.documents = graph.documents.map((document) => without(document, { hostElementId: elements }));
  if (graph.focus?.target !== undefined && !elements.has(graph.focus.target)) delete graph.focus.target;
  if (graph.modalStack) graph.modalStack = graph.modalStack.filter((id) => scopes.has(id));
  if (graph.opaqueRegions) graph.opaqueRegions = graph.opaqueRegions.filter(({ hostElementId }) => hostElementId === undefined || elements.has(hostElementId));
}
