// Builds a PageGraph in one pass over the page.
//
// Start at `Publisher.snapshot`. `Builder` visits each element once; everything it asks is in modules of its own.

import type { DocumentNode, ElementNode, Locale, OpaqueRegion, PageGraph } from "../../types/uiap.js";
import { affordancesOf } from "./affordances.js";
import { Annotations } from "./annotations.js";
import { Area } from "./area.js";
import { Bindings } from "./bindings.js";
import type { BoundPage } from "./bindings.js";
import { candidateOf } from "./candidates.js";
import { derivedOptions } from "./derived.js";
import type { Candidate } from "./candidates.js";
import { collectionOf, optionsOf, validationOf } from "./collections.js";
import { frameDocument, foreignDocument, innerDocument, looksClosed, opaque, rootDocument } from "./documents.js";
import { activeElement, attribute, documentElement, documentTitle, documentUrl, firstElementChild, forget, hasAttribute, hasAttributes, localName, matches, queryAll, shadowRootOf, word } from "./dom.js";
import type { Root } from "./dom.js";
import { filter } from "./filter.js";
import { boxOf, innerOrigin, isInViewport } from "./geometry.js";
import type { Origin, Size } from "./geometry.js";
import { Identity } from "./identity.js";
import { FRAMES_DEPTH_MAX, NAME_CHARS_MAX, TEXT_CHARS_MAX } from "./limits.js";
import { Modals } from "./modals.js";
import type { Layer } from "./modals.js";
import { wanted } from "./options.js";
import type { Wanted } from "./options.js";
import type { Kind } from "./roles.js";
import type { RouteFacts } from "./routes.js";
import { Scopes, scopeKindOf } from "./scopes.js";
import { isModal, stateOf } from "./states.js";
import { cut, said } from "./text.js";
import { forgetVisibility, isAriaHidden, isControlVisible, isRendered, isVisible } from "./visibility.js";
import { Full, Walk } from "./walk.js";
import type { Place } from "./walk.js";

const SKIPPED = new Set("script style template noscript head meta link title base datalist source track param".split(" "));
/** What acts as one: its parts are not told apart unless they act by themselves. */
const WHOLE = new Set("button link option tab menuitem checkbox radio switch slider spinbutton progress spinner image custom".split(" "));
const LEAF = new Set(["select", "textarea", "input", "canvas", "video", "audio", "svg"]);
const NAMED_BY_CONTENT = new Set(["custom", "label"]);
const LIVE = new Set(["status", "alert", "toast"]);

class Builder {
  readonly elements: ElementNode[] = [];
  readonly nodes: Element[] = [];
  readonly documents: DocumentNode[] = [];
  readonly opaqueRegions: OpaqueRegion[] = [];
  readonly scopes: Scopes;
  readonly modals: Modals;
  readonly focused: Element | null;
  routeId: string | undefined;
  redacted = false;
  error: string | undefined;
  truncated = false;
  readonly #layers: (Layer | undefined)[] = [];
  readonly #annotations: Annotations;
  readonly #walk: Walk;

  constructor(
    readonly top: Document,
    readonly identity: Identity,
    readonly options: Wanted,
    readonly viewport: Size,
    readonly bound: BoundPage | undefined,
  ) {
    this.#annotations = new Annotations(options.prefix);
    this.scopes = new Scopes(this.#annotations);
    this.focused = deepActive(top);
    this.modals = new Modals(this.focused);
    this.#walk = new Walk((element, tag, place) => this.#visit(element, tag, place), (root, host) => this.#area(root, host.documentId, host.origin, host));
  }

  build(): void {
    const id = this.identity.documents.of(this.top);
    this.documents.push(rootDocument(this.top, id));
    this.#enter(this.top, id, { x: 0, y: 0 }, undefined);
    const complete = this.#walk.run((error) => this.fail(error));
    if (!complete) this.truncated = true;
    this.#block();
  }

  fail(error: unknown): void {
    this.truncated = true;
    this.error ??= cut(error instanceof Error ? `${error.name}: ${error.message}` : String(error), TEXT_CHARS_MAX);
  }

  /** Starts on a document, inside a frame or at the top. */
  #enter(document: Document, documentId: string, origin: Origin, frame: Place | undefined): void {
    const root = documentElement(document);
    if (!root) return;
    const area = this.#area(document, documentId, origin, undefined);
    const scopeId = frame?.scopeId ?? this.scopes.page(documentId);
    const place: Place = {
      area, parentId: frame?.parentId, scopeId, layer: frame?.layer, hidden: frame?.hidden ?? false, disabled: false,
      inert: frame?.inert ?? false, live: false, owner: false, framesDeep: frame ? frame.framesDeep + 1 : 0,
    };
    this.#walk.push(root, place);
  }

  #area(root: Root, documentId: string, origin: Origin, host: Area | undefined): Area {
    return new Area(root, documentId, origin, host, this.#annotations, this.options.derives, this.bound);
  }

  #visit(element: Element, tag: string, at: Place): Place | undefined {
    if (SKIPPED.has(tag)) return undefined;
    let place = at;
    if (hasAttributes(element)) {
      if (this.#annotations.any(element)) {
        if (this.#annotations.ignores(element)) return undefined;
        this.routeId ??= this.#annotations.routeId(element);
      }
      if (isAriaHidden(element)) {
        if (!this.options.includeHidden) return undefined;
        place = { ...place, hidden: true };
      }
      if (hasAttribute(element, "inert")) place = { ...place, inert: true };
      if (word(element, "aria-disabled") === "true") place = { ...place, disabled: true };
    }
    const candidate = candidateOf(element, tag, place, this.#annotations);
    if (!candidate) return this.#plain(element, tag, place);
    const visible = !place.hidden && (tag === "area" || (tag === "input" ? isControlVisible(element) : isVisible(element)));
    if (!visible && !this.options.includeHidden) return LEAF.has(tag) || !isRendered(element) ? undefined : place;
    return this.#publish(element, tag, candidate, place, visible);
  }

  /** An element that is not published; it may still hide something. */
  #plain(element: Element, tag: string, place: Place): Place | undefined {
    if (tag.includes("-") && looksClosed(element, tag) && isVisible(element)) {
      const { width, height } = boxOf(element, place.area.origin);
      if (width > 0 && height > 0) return this.#publish(element, tag, { kind: { role: "custom", aria: "", source: "heuristic" }, clickable: false }, place, true);
    }
    return LEAF.has(tag) && tag !== "svg" ? undefined : place;
  }

  #publish(element: Element, tag: string, candidate: Candidate, place: Place, visible: boolean): Place | undefined {
    if (this.elements.length >= this.options.elementsMax) throw new Full();
    const { kind, clickable } = candidate;
    const { area } = place;
    const instanceId = this.identity.elements.of(element);
    const sensitive = area.secrets.isSensitive(element, tag);
    if (sensitive) this.redacted = true;
    const focused = element === this.focused;
    const state = stateOf(element, tag, kind, { visible, disabled: place.disabled, blocked: place.inert, clickable, sensitive, focused }, area.names);
    const node: ElementNode = { instanceId, documentId: area.documentId, scopeId: place.scopeId, role: kind.role, state };
    const stableId = this.#annotations.stableId(element);
    if (stableId) node.stableId = stableId;
    if (place.parentId !== undefined) node.parentId = place.parentId;
    const name = this.#name(element, tag, candidate, area, sensitive);
    if (name) node.name = name;
    const description = area.names.description(element, tag, name);
    if (description) node.description = description;
    if (this.#annotations.any(element)) this.#annotations.apply(element, node);
    const affordances = affordancesOf(element, tag, node, clickable, kind.rule);
    if (affordances.length > 0) node.affordances = affordances;
    this.#extras(element, tag, node, kind, area, sensitive);
    if (area.host) node.shadow = "open";
    // What HTML itself says is the rule; the rest is worth a word.
    if (kind.source !== "html") node.source = kind.source;
    if (kind.rule) node.derivedBy = kind.rule;
    this.elements.push(node);
    this.nodes.push(element);
    this.#layers.push(place.layer);
    return this.#inside(element, tag, candidate, place, node);
  }

  #name(element: Element, tag: string, { kind, clickable }: Candidate, area: Area, sensitive: boolean): string | undefined {
    const given = this.#annotations.name(element);
    if (given) return given;
    const { names } = area;
    if (sensitive && (kind.aria === "" || kind.role === "cell")) return undefined;
    const name = names.name(element, tag, kind.aria);
    if (name || sensitive) return name;
    return NAMED_BY_CONTENT.has(kind.role) || (clickable && kind.role !== "listitem") ? names.content(element, NAME_CHARS_MAX) : undefined;
  }

  #extras(element: Element, tag: string, node: ElementNode, kind: Kind, area: Area, sensitive: boolean): void {
    const { role, state } = node;
    if (this.options.includeBBox) {
      const box = boxOf(element, area.origin);
      node.bbox = box;
      state.inViewport = state.visible === true && isInViewport(box, this.viewport);
    }
    if (!sensitive && kind.rule === "segmented_control") node.options = derivedOptions(element, area.names);
    const collection = collectionOf(element, role);
    if (collection) node.collection = collection;
    if (!sensitive && (role === "combobox" || role === "listbox")) {
      const options = optionsOf(element, tag, area.names);
      if (options) node.options = options;
    }
    const validation = validationOf(element, tag, state, area.names);
    if (validation) node.validation = validation;
  }

  /** What is inside a published element. */
  #inside(element: Element, tag: string, { kind }: Candidate, place: Place, node: ElementNode): Place | undefined {
    const { instanceId, documentId, name, role, state, bbox } = node;
    const hides = this.#annotations.hides(element);
    if (tag === "canvas" || hides || (tag.includes("-") && looksClosed(element, tag))) {
      this.opaqueRegions.push(opaque(tag === "canvas" ? "canvas" : hides ? "custom" : "closed_shadow", instanceId, name, bbox));
      return undefined;
    }
    let { scopeId, layer } = place;
    const scopeKind = scopeKindOf(element, kind, this.#annotations);
    if (scopeKind) {
      scopeId = this.scopes.add(element, { kind: scopeKind, documentId, parentScopeId: scopeId, elementId: instanceId, name, state });
      if (state.modal && state.open && state.visible) {
        layer = { element, documentId, outer: layer };
        this.modals.add(layer, scopeId, tag === "dialog" && matches(element, ":modal"));
      }
    }
    if (kind.aria !== "x-frame" && isLeaf(element, tag)) return undefined;
    const inside: Place = {
      ...place, parentId: instanceId, scopeId, layer, live: place.live || LIVE.has(role), owner: place.owner || (WHOLE.has(role) && shadowRootOf(element) === null && !isCard(node)),
    };
    if (kind.aria === "x-frame") return this.#frame(element, node, inside);
    return inside;
  }

  #frame(frame: Element, { instanceId, documentId, name, bbox, state }: ElementNode, inside: Place): undefined {
    const document = innerDocument(frame);
    if (document && inside.framesDeep < FRAMES_DEPTH_MAX) {
      const id = this.identity.documents.of(document);
      this.documents.push(frameDocument(document, id, documentId, instanceId));
      if (state.visible || this.options.includeHidden) this.#enter(document, id, innerOrigin(frame, inside.area.origin), inside);
      return undefined;
    }
    this.documents.push(foreignDocument(frame, `doc_${instanceId}`, documentId, instanceId));
    this.opaqueRegions.push(opaque("cross_origin_frame", instanceId, name, bbox));
    return undefined;
  }

  /** What a modal layer covers is there but cannot be used. */
  #block(): void {
    const isBlocked = this.modals.reach();
    if (!isBlocked) return;
    const blocked = new Set<string>();
    for (let at = 0; at < this.elements.length; at += 1) {
      const element = this.elements[at] as ElementNode;
      const own = this.nodes[at];
      const layer = this.#layers[at];
      if (this.modals.isLayer(own) ? this.modals.isCovered(own) : isBlocked(element.documentId, layer)) {
        element.state.blocked = true;
        blocked.add(element.instanceId);
      }
    }
    for (const scope of this.scopes.nodes) if (scope.elementId !== undefined && blocked.has(scope.elementId)) (scope.state ??= {}).blocked = true;
  }
}

/** Nothing inside can be told apart. */
function isLeaf(element: Element, tag: string): boolean {
  if (LEAF.has(tag)) return tag !== "svg";
  return firstElementChild(element) === null && shadowRootOf(element) === null && tag !== "slot" && !hasAttribute(element, "aria-owns");
}

/** A container that happens to be clickable keeps its parts. */
function isCard({ role, affordances }: ElementNode): boolean {
  return role === "custom" && affordances?.includes("activate") !== true;
}

/** What has the focus, inside frames and open shadow roots. */
function deepActive(top: Document): Element | null {
  let active = activeElement(top);
  for (let depth = 0; active && depth < FRAMES_DEPTH_MAX * 10; depth += 1) {
    const shadow = shadowRootOf(active);
    const inner: Root | null | undefined = shadow ?? (localName(active) === "iframe" ? innerDocument(active) : null);
    const next = inner ? activeElement(inner) : null;
    if (!next || localName(next) === "body") break;
    active = next;
  }
  return active;
}

/** Publishes one page. */
export class Publisher {
  readonly #top: Document;
  readonly #identity: Identity;
  #seq = 0;
  #bindings: Bindings | undefined;
  #signal: string | undefined;
  #last: { elements: ElementNode[]; nodes: Element[] } = { elements: [], nodes: [] };

  constructor(top: Document, loadedAtMs: number) {
    this.#top = top;
    this.#identity = new Identity(top, loadedAtMs);
  }

  /** The page as it is now. Never throws: what goes wrong is said in the graph. */
  snapshot(optionsJson?: string): PageGraph {
    this.#seq += 1;
    const { graph, learned } = this.#look(optionsJson);
    // What only the graph could show to be secret is known now, wherever else its value would appear.
    return learned > 0 ? this.#look(optionsJson).graph : graph;
  }

  #look(optionsJson?: string): { graph: PageGraph; learned: number } {
    forget();
    forgetVisibility();
    const options = wanted(optionsJson);
    const viewport = viewportOf();
    const graph = this.#frame(viewport);
    let builder: Builder | undefined;
    try {
      builder = new Builder(this.#top, this.#identity, options, viewport, this.#bindings?.on(this.#facts(options.prefix)));
      builder.build();
    } catch (error) {
      if (builder) builder.fail(error);
      else this.#tell(graph, error);
    }
    let learned = 0;
    if (builder) {
      this.#fill(graph, builder);
      learned = builder.bound?.apply(graph, builder.nodes).length ?? 0;
      this.#last = { elements: builder.elements, nodes: builder.nodes };
      filter(graph, options);
    }
    return { graph, learned };
  }

  /** Binds the page to a bundle from now on; answers with what of it cannot be used, a line each. */
  bind(json: string): string {
    this.#bindings = new Bindings(json);
    return this.#bindings.problems.join("\n");
  }

  /** The application said something; a route may be recognised by it. */
  signal(name: string): void {
    this.#signal = name;
  }

  #facts(prefix: string): RouteFacts {
    const marked = queryAll(this.#top, `[${prefix}route]`)[0];
    return { routeId: marked && attribute(marked, `${prefix}route`)?.trim(), url: documentUrl(this.#top), title: documentTitle(this.#top), signal: this.#signal };
  }

  /** The node of an element of the last snapshot. */
  node(instanceId: string): Element | undefined {
    const at = this.#last.elements.findIndex((element) => element.instanceId === instanceId);
    return this.#last.nodes[at];
  }

  #frame(viewport: Size & { scrollX: number; scrollY: number }): PageGraph {
    const url = documentUrl(this.#top);
    const graph: PageGraph = {
      modelVersion: "0.1", profile: "web@0.1", revision: `rev_${this.#seq}`, seq: this.#seq, capturedAt: new Date().toISOString(),
      route: { url, path: location.pathname }, viewport, documents: [], scopes: [], elements: [],
    };
    const title = said(documentTitle(this.#top), NAME_CHARS_MAX);
    if (title) graph.title = title;
    const locale = localeOf(this.#top);
    if (locale) graph.locale = locale;
    return graph;
  }

  #fill(graph: PageGraph, builder: Builder): void {
    graph.documents = builder.documents;
    graph.scopes = builder.scopes.nodes;
    graph.elements = builder.elements;
    if (builder.routeId) graph.route.routeId = builder.routeId;
    const stack = builder.modals.scopeIds();
    if (stack.length > 0) graph.modalStack = stack;
    if (builder.opaqueRegions.length > 0) graph.opaqueRegions = builder.opaqueRegions;
    const at = builder.focused ? builder.nodes.indexOf(builder.focused) : -1;
    const focused = builder.elements[at];
    if (focused) graph.focus = { target: focused.instanceId, documentId: focused.documentId };
    if (builder.truncated) graph.truncated = true;
    if (builder.redacted) graph.redacted = true;
    if (builder.error) graph.metadata = { ...graph.metadata, error: builder.error };
  }

  #tell(graph: PageGraph, error: unknown): void {
    graph.truncated = true;
    graph.metadata = { error: cut(String(error), TEXT_CHARS_MAX) };
  }
}

function viewportOf(): Size & { scrollX: number; scrollY: number } {
  return { width: innerWidth, height: innerHeight, scrollX: Math.round(scrollX), scrollY: Math.round(scrollY) };
}

function localeOf(document: Document): Locale | undefined {
  const root = documentElement(document);
  const text = root ? attribute(root, "lang")?.trim() : undefined;
  return text && text.length <= 128 && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(text) ? text : undefined;
}
