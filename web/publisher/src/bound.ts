// Lays what a bundle says over what was made of the page.

import type { ElementNode, PageGraph, RouteState, ScopeNode } from "../../types/uiap.js";
import type { BoundPage } from "./bindings.js";
import type { Model } from "./model.js";
import type { Record } from "./records.js";

/** What a bundle makes of the rest of the graph. */
export interface Laid {
  readonly route: RouteState;
  readonly metadata: PageGraph["metadata"] | undefined;
  /** Elements that turned out to hold secrets only now. */
  readonly learned: readonly Element[];
}

export function lay(page: BoundPage, model: Model, route: RouteState, pageScope: ScopeNode): Laid {
  const records: Record[] = [];
  const elements: ElementNode[] = [];
  const scopes: ScopeNode[] = [{ ...pageScope }];
  const scopeOf = new Map<Record, ScopeNode>();
  for (let record = model.list.first; record; record = record.next) {
    const { made } = record;
    if (!made) continue;
    const { node, scope } = made.plain ?? made;
    records.push(record);
    // Where it is was noted on the node that is published.
    elements.push(made.node.bbox ? { ...node, bbox: made.node.bbox } : { ...node });
    if (!scope) continue;
    const own = { ...scope };
    scopes.push(own);
    scopeOf.set(record, own);
  }
  const graph = { route: { ...route }, elements, scopes, metadata: undefined } as unknown as PageGraph;
  const learned = page.apply(graph, records.map(({ element }) => element));
  records.forEach((record, at) => { model.bind(record, elements[at] as ElementNode, scopeOf.get(record)); });
  return { route: graph.route, metadata: graph.metadata, learned };
}
