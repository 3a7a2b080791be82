// The bindings of a bundle on the live page: which route it is, which elements the bundle means, and what it says
// about them.
//
// Start at `Bindings.on`. Matchers of a binding stand best first; the first that hits anything decides. Everything
// it hits gets the id, so that an id that is given twice is seen to be ambiguous: nothing is resolved to the first.

import type { BindingsManifest, ElementBinding, ElementNode, PageGraph, RouteState, ScopeNode } from "../../types/uiap.js";
import { lay } from "./bound.js";
import type { Laid } from "./bound.js";
import type { Root } from "./dom.js";
import { merge } from "./merge.js";
import type { Model } from "./model.js";
import { routesOf } from "./routes.js";
import type { RouteFacts, RouteHit } from "./routes.js";
import { Selectors } from "./selectors.js";
import type { Hit } from "./selectors.js";
import { isSecretClass, secretByBundle } from "./sensitive.js";
import { plain } from "./text.js";

/** A bundle that was loaded. */
export class Bindings {
  readonly #manifest: BindingsManifest;
  readonly #selectors: Selectors;

  constructor(json: string) {
    const value: unknown = JSON.parse(json);
    if (typeof value !== "object" || value === null || Array.isArray(value)) throw new TypeError("bindings are an object with routes, scopes and elements");
    this.#manifest = value;
    this.#selectors = new Selectors(this.#manifest.elements ?? []);
  }

  /** What cannot be used, in words. */
  get problems(): readonly string[] {
    return this.#selectors.problems;
  }

  /** What counts on the page as it is. */
  on(facts: RouteFacts): BoundPage {
    return new BoundPage(this.#manifest, routesOf(this.#manifest.routes ?? [], facts), this.#selectors);
  }
}

/** What binds the page at present; it is replaced when the page changes. */
export interface Bound {
  page: BoundPage;
}

/** What binds one graph. */
export class BoundPage {
  readonly #hits = new Map<Element, Hit[]>();
  readonly #elements: readonly ElementBinding[];

  constructor(
    readonly manifest: BindingsManifest,
    readonly routes: readonly RouteHit[],
    readonly selectors: Selectors,
  ) {
    const [route] = routes.length === 1 ? routes : [];
    this.#elements = (manifest.elements ?? []).filter(({ routeIds }) => !routeIds || (route !== undefined && routeIds.includes(route.id)));
  }

  /** Looks for the elements of a document or shadow root before it is walked. */
  enter(root: Root): void {
    const counts = new Set(this.#elements);
    for (const [element, hits] of this.selectors.in(root, (binding) => counts.has(binding))) {
      this.#hits.set(element, hits);
      if (hits.some(({ binding }) => isSecret(binding))) secretByBundle.add(element);
    }
  }

  /** Elements that one state of the page has named and another has not. */
  renamed(now: BoundPage): Element[] {
    const differ = (one: BoundPage, other: BoundPage): Element[] => [...one.#hits.keys()].filter((element) => !other.names(element));
    return [...differ(this, now), ...differ(now, this)];
  }

  /** The bundle means this element, so it is published whatever it is. */
  names(element: Element): boolean {
    return this.#hits.has(element);
  }

  /** The bundle says that it holds a secret. */
  isSecret(element: Element): boolean {
    return secretByBundle.has(element);
  }

  /** Lays what the bundle says over what was made of the page. */
  lay(model: Model, route: RouteState, pageScope: ScopeNode): Laid {
    return lay(this, model, route, pageScope);
  }

  /** Writes what the bundle says into the graph; answers with elements whose secret was not known before. */
  apply(graph: PageGraph, nodes: readonly Element[]): Element[] {
    this.#route(graph);
    const claims = new Map<number, ElementBinding[]>();
    const index = new Index(graph, nodes, this.#hits);
    const bind = (bindings: readonly ElementBinding[]): void => {
      for (const binding of bindings) {
        for (const at of index.meant(binding)) {
          claims.set(at, [...(claims.get(at) ?? []), binding]);
          const [only, second] = claims.get(at) as ElementBinding[];
          identify(graph.elements[at] as ElementNode, second ? undefined : only);
        }
      }
    };
    // Areas are recognised by elements, and elements by areas.
    bind(this.#elements.filter(({ scopeId }) => scopeId === undefined));
    this.#scopes(graph);
    bind(this.#elements.filter(({ scopeId }) => scopeId !== undefined));
    report(graph, claims, this.routes);
    return this.#merge(graph, nodes, claims);
  }

  #route(graph: PageGraph): void {
    const [only, second] = this.routes;
    if (!only || second) return;
    graph.route.routeId = only.id;
    if (Object.keys(only.params).length > 0) graph.route.params = only.params;
  }

  /** Areas that the bundle recognises by an element carry the id that it gives them. */
  #scopes({ scopes, elements }: PageGraph): void {
    const stableIds = new Map(elements.map(({ instanceId, stableId }) => [instanceId, stableId]));
    for (const { id, stableIds: wanted = [] } of this.manifest.scopes ?? []) {
      for (const scope of scopes) {
        const own = scope.stableId ?? (scope.elementId === undefined ? undefined : stableIds.get(scope.elementId));
        if (own !== undefined && wanted.includes(own)) scope.stableId = id;
      }
    }
  }

  #merge({ elements }: PageGraph, nodes: readonly Element[], claims: ReadonlyMap<number, ElementBinding[]>): Element[] {
    const learned: Element[] = [];
    for (const [at, bindings] of claims) {
      for (const binding of bindings) merge(elements[at] as ElementNode, binding);
      const node = nodes[at] as Element;
      if (!bindings.some(isSecret) || secretByBundle.has(node)) continue;
      secretByBundle.add(node);
      learned.push(node);
    }
    return learned;
  }
}

const isSecret = ({ dataClasses }: ElementBinding): boolean => dataClasses?.some(isSecretClass) ?? false;

/** An id that the application wrote stays; one of the bundle is given only if no other binding claims the element. */
function identify(node: ElementNode, binding: ElementBinding | undefined): void {
  if (node.source === "binding" || node.stableId === undefined) {
    delete node.stableId;
    if (binding) node.stableId = binding.id;
    node.source = "binding";
  }
}

/** Finds elements of a graph by what matchers ask for. */
class Index {
  readonly #elements: readonly ElementNode[];
  readonly #scopes: ReadonlyMap<string, ScopeNode>;
  readonly #stableIds = new Map<string, number[]>();
  readonly #names = new Map<string, number[]>();
  readonly #texts = new Map<string, number[]>();
  readonly #roles = new Map<string, number[]>();
  readonly #selected = new Map<ElementBinding, Map<number, number[]>>();

  constructor({ elements, scopes }: PageGraph, nodes: readonly Element[], hits: ReadonlyMap<Element, readonly Hit[]>) {
    this.#elements = elements;
    this.#scopes = new Map(scopes.map((scope) => [scope.id, scope]));
    elements.forEach(({ stableId, name, role, state }, at) => {
      note(this.#stableIds, stableId, at);
      note(this.#names, name === undefined ? undefined : plain(name), at);
      note(this.#texts, state.textValue === undefined || state.editable !== undefined ? undefined : plain(state.textValue), at);
      note(this.#roles, role, at);
      for (const { binding, rank } of hits.get(nodes[at] as Element) ?? []) {
        const ranks = this.#selected.get(binding) ?? new Map<number, number[]>();
        this.#selected.set(binding, ranks);
        note(ranks, rank, at);
      }
    });
  }

  /** Where a binding points: to what carries its id, and to what its best matcher hits. */
  meant(binding: ElementBinding): Set<number> {
    const { id, scopeId, match } = binding;
    const fits = (at: number): boolean => scopeId === undefined || this.#isInScope(at, scopeId);
    const meant = new Set((this.#stableIds.get(id) ?? []).filter(fits));
    for (const [rank, matcher] of match.entries()) {
      const hits = [...this.#hits(matcher), ...(this.#selected.get(binding)?.get(rank) ?? [])].filter(fits);
      for (const at of hits) meant.add(at);
      if (hits.length > 0) break;
    }
    return meant;
  }

  /** What a matcher about meaning hits. Adapters are code of the application, which is not asked here. */
  #hits(matcher: ElementBinding["match"][number]): number[] {
    switch (matcher.by) {
      case "semantic": {
        const { name, role, scopeId } = matcher;
        const found = name === undefined ? this.#roles.get(role ?? "") : this.#names.get(plain(name));
        return (found ?? []).filter((at) => (role === undefined || this.#elements[at]?.role === role) && (scopeId === undefined || this.#isInScope(at, scopeId)));
      }
      case "label":
        // Only what can be used is labelled.
        return (this.#names.get(plain(matcher.text)) ?? []).filter((at) => this.#elements[at]?.state.enabled !== undefined);
      case "text":
        return [...new Set([...(this.#names.get(plain(matcher.text)) ?? []), ...(this.#texts.get(plain(matcher.text)) ?? [])])];
      default:
        return [];
    }
  }

  #isInScope(at: number, wanted: string): boolean {
    let id = this.#elements[at]?.scopeId;
    for (let steps = 0; id !== undefined && steps <= this.#scopes.size; steps += 1) {
      const scope = this.#scopes.get(id);
      if (id === wanted || scope?.stableId === wanted) return true;
      id = scope?.parentScopeId;
    }
    return false;
  }
}

function note<K>(map: Map<K, number[]>, key: K | undefined, at: number): void {
  if (key === undefined) return;
  const known = map.get(key);
  if (known) known.push(at);
  else map.set(key, [at]);
}

/** Says in the graph what could not be told apart. */
function report(graph: PageGraph, claims: ReadonlyMap<number, ElementBinding[]>, routes: readonly RouteHit[]): void {
  const byId = new Map<string, string[]>();
  const contested: { element: string; bindings: string[] }[] = [];
  for (const [at, bindings] of [...claims].sort(([one], [other]) => one - other)) {
    const { instanceId } = graph.elements[at] as ElementNode;
    if (bindings.length > 1) contested.push({ element: instanceId, bindings: bindings.map(({ id }) => id) });
    for (const { id } of bindings) byId.set(id, [...(byId.get(id) ?? []), instanceId]);
  }
  const ambiguous = [...byId].filter(([, hits]) => hits.length > 1).map(([id, hits]) => ({ binding: id, elements: hits }));
  const found = { ...(routes.length > 1 && { routes: routes.map(({ id }) => id) }), ...(ambiguous.length > 0 && { ambiguous }), ...(contested.length > 0 && { contested }) };
  if (Object.keys(found).length > 0) graph.metadata = { ...graph.metadata, bindings: found };
}
