// The bindings of a bundle on the live page: which route it is, which elements the bundle means, and what it says
// about them.
//
// Start at `Bindings.begin`, which every look calls first, and `Bindings.apply`, which it calls last. Matchers of a
// binding stand best first; the first that hits anything decides. Everything it hits gets the id, so that an id that
// is given twice is seen to be ambiguous: nothing is resolved to the first.

import type { BindingsManifest, ElementBinding, ElementNode, RouteState, ScopeNode } from "../../types/uiap.js";
import type { Root } from "./dom.js";
import { merge } from "./merge.js";
import type { Model } from "./model.js";
import type { Made, Record } from "./records.js";
import { routesOf } from "./routes.js";
import type { RouteFacts, RouteHit } from "./routes.js";
import { Selectors } from "./selectors.js";
import type { Hit } from "./selectors.js";
import { isSecretClass, markSecret } from "./sensitive.js";
import { plain } from "./text.js";

/** What could not be told apart. */
export interface Unclear {
  /** The page is on all of these routes. */
  routes?: string[];
  /** One binding, several elements. */
  ambiguous?: { binding: string; elements: string[] }[];
  /** One element, several bindings. */
  contested?: { element: string; bindings: string[] }[];
}

/** What a bundle says about one record. */
interface Claim {
  readonly bindings: ElementBinding[];
  scopeId: string | undefined;
}

type Matcher = ElementBinding["match"][number];

/** A bundle that was loaded. */
export class Bindings {
  readonly #manifest: BindingsManifest;
  readonly #selectors: Selectors;
  #routes: readonly RouteHit[] = [];
  #active: ReadonlySet<ElementBinding> = new Set();
  #hits = new Map<Element, Hit[]>();
  #hitBefore: ReadonlyMap<Element, Hit[]> = new Map();
  #unclear: Unclear = {};

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

  get unclear(): Unclear | undefined {
    return Object.keys(this.#unclear).length > 0 ? this.#unclear : undefined;
  }

  /** The route, if there is one and only one. */
  get route(): Partial<RouteState> | undefined {
    const [only, second] = this.#routes;
    if (!only || second) return undefined;
    return Object.keys(only.params).length > 0 ? { routeId: only.id, params: only.params } : { routeId: only.id };
  }

  /** A look begins: finds out what counts on the page as it is. */
  begin(facts: RouteFacts): void {
    this.#routes = routesOf(this.#manifest.routes ?? [], facts);
    const routeId = this.route?.routeId;
    this.#active = new Set((this.#manifest.elements ?? []).filter(({ routeIds }) => !routeIds || (routeId !== undefined && routeIds.includes(routeId))));
    this.#hitBefore = this.#hits;
    this.#hits = new Map();
  }

  /** Looks for the elements that selectors name in a document or shadow root. */
  enter(root: Root): void {
    for (const [element, hits] of this.#selectors.in(root, (binding) => this.#active.has(binding))) {
      this.#hits.set(element, hits);
      if (hits.some(({ binding }) => isSecret(binding))) markSecret(element);
    }
  }

  /** The same in roots that are known; tells which elements are named now and were not, or the other way round. */
  refresh(roots: Iterable<Root>): Element[] {
    for (const root of roots) this.enter(root);
    const came = [...this.#hits.keys()].filter((element) => !this.#hitBefore.has(element));
    return [...came, ...[...this.#hitBefore.keys()].filter((element) => !this.#hits.has(element))];
  }

  /** The bundle means this element, so it is published whatever it is. */
  names(element: Element): boolean {
    return this.#hits.has(element);
  }

  /** Writes what the bundle says into what is published; `true` if something proved secret that was not known to be. */
  apply(model: Model): boolean {
    const index = new Index(model, this.#hits);
    const claims = new Map<Record, Claim>();
    const claim = (record: Record): Claim => {
      let known = claims.get(record);
      if (!known) claims.set(record, (known = { bindings: [], scopeId: undefined }));
      return known;
    };
    const bind = (bindings: readonly ElementBinding[]): void => {
      for (const binding of bindings) for (const record of index.meant(binding)) claim(record).bindings.push(binding);
    };
    // Areas are recognised by elements, and elements by areas.
    const active = [...this.#active];
    bind(active.filter(({ scopeId }) => scopeId === undefined));
    for (const [record, scopeId] of this.#scopes(index, claims)) {
      claim(record).scopeId = scopeId;
      index.rename(record, scopeId);
    }
    bind(active.filter(({ scopeId }) => scopeId !== undefined));
    this.#unclear = unclearOf(model, claims, this.#routes);
    write(model, claims);
    const secrets = [...claims].filter(([, { bindings }]) => bindings.some(isSecret));
    return secrets.filter(([{ element }]) => markSecret(element)).length > 0;
  }

  /** Areas that the bundle recognises by an element. */
  *#scopes(index: Index, claims: ReadonlyMap<Record, Claim>): Generator<[Record, string]> {
    for (const { id, stableIds = [] } of this.#manifest.scopes ?? []) {
      for (const record of index.areas) {
        const own = [record.raw?.node.stableId, ...(claims.get(record)?.bindings ?? []).map((binding) => binding.id)];
        if (own.some((one) => one !== undefined && stableIds.includes(one))) yield [record, id];
      }
    }
  }
}

const isSecret = ({ dataClasses }: ElementBinding): boolean => dataClasses?.some(isSecretClass) ?? false;

/** Publishes what is claimed, and what is claimed no longer as it was made. */
function write(model: Model, claims: ReadonlyMap<Record, Claim>): void {
  for (let record = model.list.first; record; record = record.next) {
    const { raw, made } = record;
    const claim = claims.get(record);
    if (!raw || !made || (!claim && record.bound.length === 0)) continue;
    const bound = claim ? [...claim.bindings.map(({ id }) => id), `scope ${claim.scopeId ?? ""}`] : [];
    if (bound.join("\n") === record.bound.join("\n")) continue;
    record.bound = bound;
    // Boxes are kept current in what is published.
    const node: ElementNode = { ...raw.node, ...(made.node.bbox && { bbox: made.node.bbox }) };
    model.replace(record, claim ? boundAs({ ...raw, node }, claim) : { ...raw, node });
  }
}

/** An id that the application wrote stays; one of the bundle is given only if no other binding claims the element. */
function boundAs(made: Made, { bindings, scopeId }: Claim): Made {
  const { node, scope } = made;
  const [only, second] = bindings;
  if (only && node.stableId === undefined) {
    if (!second) node.stableId = only.id;
    node.source = "binding";
  }
  for (const binding of bindings) merge(node, binding);
  return scope && scopeId !== undefined ? { ...made, scope: { ...scope, stableId: scopeId } } : made;
}

/** Finds records by what matchers ask for. */
class Index {
  readonly areas: Record[] = [];
  readonly #scopes = new Map<string, ScopeNode>();
  readonly #stableIds = new Map<string, Record[]>();
  readonly #names = new Map<string, Record[]>();
  readonly #texts = new Map<string, Record[]>();
  readonly #roles = new Map<string, Record[]>();
  readonly #selected = new Map<ElementBinding, Map<number, Record[]>>();

  constructor({ list }: Model, hits: ReadonlyMap<Element, readonly Hit[]>) {
    for (let record = list.first; record; record = record.next) {
      if (!record.raw) continue;
      const { node, scope } = record.raw;
      const { textValue, editable } = node.state;
      note(this.#stableIds, node.stableId, record);
      note(this.#names, node.name === undefined ? undefined : plain(node.name), record);
      note(this.#texts, textValue === undefined || editable !== undefined ? undefined : plain(textValue), record);
      note(this.#roles, node.role, record);
      if (scope) {
        this.#scopes.set(scope.id, scope);
        this.areas.push(record);
      }
      for (const { binding, rank } of hits.get(record.element) ?? []) {
        const ranks = this.#selected.get(binding) ?? new Map<number, Record[]>();
        this.#selected.set(binding, ranks);
        note(ranks, rank, record);
      }
    }
  }

  /** The bundle calls this area otherwise. */
  rename({ raw }: Record, stableId: string): void {
    if (raw?.scope) this.#scopes.set(raw.scope.id, { ...raw.scope, stableId });
  }

  /** Where a binding points: to what carries its id, and to what its best matcher hits. */
  meant(binding: ElementBinding): Set<Record> {
    const { id, scopeId, match } = binding;
    const fits = (record: Record): boolean => scopeId === undefined || this.#isIn(record, scopeId);
    const meant = new Set((this.#stableIds.get(id) ?? []).filter(fits));
    for (const [rank, matcher] of match.entries()) {
      const hits = [...this.#hits(matcher), ...(this.#selected.get(binding)?.get(rank) ?? [])].filter(fits);
      for (const record of hits) meant.add(record);
      if (hits.length > 0) break;
    }
    return meant;
  }

  /** What a matcher about meaning hits. Adapters are code of the application, which is not asked here. */
  #hits(matcher: Matcher): readonly Record[] {
    switch (matcher.by) {
      case "semantic": {
        const { name, role, scopeId } = matcher;
        const found = name === undefined ? this.#roles.get(role ?? "") : this.#names.get(plain(name));
        return (found ?? []).filter((record) => (role === undefined || record.raw?.node.role === role) && (scopeId === undefined || this.#isIn(record, scopeId)));
      }
      case "label":
        // Only what can be used is labelled.
        return (this.#names.get(plain(matcher.text)) ?? []).filter(({ raw }) => raw?.node.state.enabled !== undefined);
      case "text":
        return [...(this.#names.get(plain(matcher.text)) ?? []), ...(this.#texts.get(plain(matcher.text)) ?? [])];
      default:
        return [];
    }
  }

  #isIn({ raw }: Record, wanted: string): boolean {
    let id = raw?.node.scopeId;
    for (let steps = 0; id !== undefined && steps <= this.#scopes.size; steps += 1) {
      const scope = this.#scopes.get(id);
      if (id === wanted || scope?.stableId === wanted) return true;
      id = scope?.parentScopeId;
    }
    return false;
  }
}

function note<K>(map: Map<K, Record[]>, key: K | undefined, record: Record): void {
  if (key === undefined) return;
  const known = map.get(key);
  if (known) known.push(record);
  else map.set(key, [record]);
}

/** In the order of the page. */
function unclearOf({ list }: Model, claims: ReadonlyMap<Record, Claim>, routes: readonly RouteHit[]): Unclear {
  const byId = new Map<string, string[]>();
  const contested: { element: string; bindings: string[] }[] = [];
  for (let record = list.first; record && claims.size > 0; record = record.next) {
    const { instanceId } = record;
    const bindings = claims.get(record)?.bindings ?? [];
    if (bindings.length > 1) contested.push({ element: instanceId, bindings: bindings.map(({ id }) => id) });
    for (const { id } of bindings) byId.set(id, [...(byId.get(id) ?? []), instanceId]);
  }
  const ambiguous = [...byId].filter(([, elements]) => elements.length > 1).map(([binding, elements]) => ({ binding, elements }));
  return {
    ...(routes.length > 1 && { routes: routes.map(({ id }) => id) }), ...(ambiguous.length > 0 && { ambiguous }), ...(contested.length > 0 && { contested }),
  };
}
