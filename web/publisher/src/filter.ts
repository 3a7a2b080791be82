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

/** Drops references that lead nowhere. */
export function repair(graph: PageGraph): void {
  const elements = new Set(graph.elements.map(({ instanceId }) => instanceId));
  const scopes = new Set(graph.scopes.map(({ id }) => id));
  for (const element of graph.elements) {
    if (element.parentId !== undefined && !elements.has(element.parentId)) delete element.parentId;
    if (element.scopeId !== undefined && !scopes.has(element.scopeId)) delete element.scopeId;
  }
  for (const scope of graph.scopes) {
    if (scope.elementId !== undefined && !elements.has(scope.elementId)) delete scope.elementId;
    if (scope.parentScopeId !== undefined && !scopes.has(scope.parentScopeId)) delete scope.parentScopeId;
  }
  for (const document of graph.documents) {
    if (document.hostElementId !== undefined && !elements.has(document.hostElementId)) delete document.hostElementId;
  }
  if (graph.focus?.target !== undefined && !elements.has(graph.focus.target)) delete graph.focus.target;
  if (graph.modalStack) graph.modalStack = graph.modalStack.filter((id) => scopes.has(id));
  if (graph.opaqueRegions) graph.opaqueRegions = graph.opaqueRegions.filter(({ hostElementId }) => hostElementId === undefined || elements.has(hostElementId));
}
