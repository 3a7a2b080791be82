// Publishes one page: snapshots when asked, and between them what changed.
//
// Start at `Publisher.snapshot` and `Publisher.changes`. A revision is a state that was published; it advances
// only when something that counts is different.

import type { ElementNode, Locale, PageGraph, RouteState, ScopeNode, WebSignal, WebStateDelta } from "../../types/uiap.js";
import type { Described } from "./check.js";
import { bodyOf, scopeIn } from "./delta.js";
import type { Head } from "./delta.js";
import type { Bindings } from "./bindings.js";
import { innerDocument, rootDocument } from "./documents.js";
import { activeElement, admit, attribute, documentElement, documentTitle, documentUrl, forget, localName, queryAll, shadowRootOf } from "./dom.js";
import type { Root } from "./dom.js";
import { readAnnotations } from "./facts.js";
import { filter } from "./filter.js";
import type { Size } from "./geometry.js";
import { outward } from "./hit.js";
import { Identity } from "./identity.js";
import { AROUND_MAX, FOLLOWED_MAX_MS, FRAMES_DEPTH_MAX, HOSTS_MAX, NAME_CHARS_MAX } from "./limits.js";
import { Looks } from "./looks.js";
import { stackOf } from "./modals.js";
import { Model } from "./model.js";
import { Watcher } from "./observe.js";
import { isPlain, isPrefix, wanted } from "./options.js";
import type { Wanted } from "./options.js";
import type { Record } from "./records.js";
import type { RouteFacts } from "./routes.js";
import { PAGE_SCOPE } from "./scopes.js";
import { Soiler } from "./dirt.js";
import { Messages, happenings } from "./signals.js";
import type { Happening } from "./signals.js";
import { said } from "./text.js";
import { Ticks } from "./ticks.js";
import { toJson } from "./json.js";
import { Values } from "./values.js";
import { forgetVisibility } from "./visibility.js";

/**
 * How thoroughly to look: at what the browser told of (`flush`), also at what it does not tell of (`pull`), also at
 * whether everything is still to be seen and where (`look`), or at everything from the start (`whole`).
 */
type How = "flush" | "pull" | "look" | "whole";

/** A revision that was published, as JSON, and what happened on the way to it. */
export interface News {
  readonly delta: string | undefined;
  readonly signals: readonly WebSignal[];
}

export class Publisher {
  readonly #top: Document;
  readonly #identity: Identity;
  readonly #looks = new Looks();
  readonly #ticks = new Ticks();
  readonly #values = new Values();
  readonly #messages = new Messages();
  protected readonly model: Model;
  protected readonly watcher: Watcher;
  #head: Head | undefined;
  #seq = 0;
  #wholeAtMs = Number.NEGATIVE_INFINITY;
  #signals = 0;
  #bindings: Bindings | undefined;
  #signalled: string | undefined;
  #routeOf: (() => string | undefined) | undefined;
  readonly #onNews: (news: News) => void;
  protected readonly onDirt: (atOnce: boolean) => void;

  /** `onNews` hears of each new revision and of what happened; `onDirt` that `flush` may find something, and may at once. */
  constructor(top: Document, loadedAtMs: number, onNews: (news: News) => void, onDirt: (atOnce: boolean) => void) {
    this.#top = top;
    this.#identity = new Identity(top, loadedAtMs);
    this.#onNews = onNews;
    this.onDirt = onDirt;
    [this.model, this.watcher] = this.#start(wanted(undefined));
  }

  #start(options: Wanted): [Model, Watcher] {
    const model: Model = new Model(this.#top, this.#identity, options, (root) => { watcher.observe(root); }, undefined);
    const watcher: Watcher = new Watcher(model, (records) => {
      this.#ticks.hear(records);
      this.#messages.hear(records);
    }, () => { this.#ticks.acted(); }, this.onDirt);
    return [model, watcher];
  }

  #wanted(optionsJson: string | undefined): Wanted {
    return wanted(optionsJson, this.model.options);
  }

  /** How the ids of elements begin, and those of areas. */
  protected get starts(): readonly [string, string] {
    return this.#identity.starts;
  }

  /** Whether the page was published at all. */
  protected get isPublished(): boolean {
    return this.#head !== undefined;
  }

  /** Whether a look with these options is at the whole page in the way it is followed. */
  protected isFollowed(optionsJson: string | undefined): boolean {
    const options = this.#wanted(optionsJson);
    return isPlain(options, this.model.options) && !options.scopes && !options.documents;
  }

  /** Everything that is published was made anew. */
  protected rebuilt(): void {}

  /** A delta on top of a revision was published. */
  protected told(_base: string, _json: string): void {}

  /** The route that was published last. */
  get routeId(): string | undefined {
    return this.#head?.route.routeId;
  }

  get revision(): string {
    return this.#identity.revision(this.#seq);
  }

  /** The page as it is now. Never throws: what goes wrong is said in the graph. */
  snapshot(optionsJson?: string): PageGraph {
    const options = this.#wanted(optionsJson);
    if (isPlain(options, this.model.options)) {
      this.#renew(options.fresh || performance.now() - this.#wholeAtMs > FOLLOWED_MAX_MS ? "whole" : "look");
      const graph = this.#graph(this.model, this.#head as Head);
      filter(graph, options);
      return graph;
    }
    if (!this.#head) this.#renew("whole");
    return this.#apart(options);
  }

  /** A look with other options than those the page is followed with. */
  #apart(options: Wanted): PageGraph {
    this.#begin();
    const page = this.#bindings?.on(this.#facts());
    const model = new Model(this.#top, this.#identity, options, () => undefined, page && { page });
    const graph = this.#graph(model, this.#rebuild(model));
    filter(graph, options);
    return graph;
  }

  /** Binds the page to a bundle from now on; answers with what of it cannot be used, a line each. */
  bind(bindings: Bindings): string {
    this.#bindings = bindings;
    this.#lookAnew();
    return bindings.problems.join("\n");
  }

  /** Reads annotations whose names begin so, from now on and no others; says whether they can. */
  annotate(prefix: string): boolean {
    if (!isPrefix(prefix)) return false;
    readAnnotations(prefix);
    this.model.options = { ...this.model.options, prefix };
    this.#lookAnew();
    return true;
  }

  /** Shows no more elements than this, from now on. */
  limit(elementsMax: number): void {
    this.model.options = wanted(toJson({ maxElements: elementsMax }), this.model.options);
    this.#lookAnew();
  }

  #lookAnew(): void {
    this.watcher.dirt.all = true;
    this.onDirt(false);
  }

  /** The application says itself on which route it is, in place of what the page says. */
  provideRoute(routeOf: (() => string | undefined) | undefined): void {
    this.#routeOf = routeOf;
    this.watcher.moved();
  }

  /** The application said something; a route may be recognised by it. */
  signal(name: string): void {
    this.#signalled = name;
    this.watcher.moved();
  }

  /** What the application says, as a signal on the present revision. */
  hear(said: Happening): WebSignal {
    if (said.kind === "custom") this.signal((said as { name: string }).name);
    const { revision, ...signal } = this.#signal(said, now());
    return this.#head ? { ...signal, revision } as WebSignal : (signal as WebSignal);
  }

  #facts(): RouteFacts {
    const { prefix } = this.model.options;
    const marked = queryAll(this.#top, `[${prefix}route]`)[0];
    return { routeId: this.#routeOf?.() ?? (marked && attribute(marked, `${prefix}route`)?.trim()), url: documentUrl(this.#top), title: documentTitle(this.#top), signal: this.#signalled };
  }

  /** Looks at what changed since the last time, and publishes it. */
  flush(): void {
    if (this.#head) this.#renew("flush");
  }

  /** Looks also at what the browser does not tell of, such as a value that a script has set. */
  pull(): void {
    if (this.#head) this.#renew("pull");
  }

  /** How long nothing on the page has moved or changed, as far as the browser tells. */
  quietMs(): number {
    this.watcher.catchUp();
    return performance.now() - this.watcher.stirredAtMs;
  }

  /** The node of an element that is published. */
  node(instanceId: string): Element | undefined {
    for (let record = this.model.list.first; record; record = record.next) if (record.instanceId === instanceId) return record.element;
    return undefined;
  }

  /** What a published element is, once everything that changed is taken in. */
  described(instanceId: string): Described | undefined {
    this.flush();
    const element = this.node(instanceId);
    const record = element && this.model.known(element);
    if (!record?.made) return undefined;
    const around: ElementNode[] = [];
    for (let outer = this.#outer(record); outer?.made && around.length < AROUND_MAX; outer = this.#outer(outer)) around.push(outer.made.node);
    return { ...record.made.node, around };
  }

  /** What a published element stands in: in most cases something around it in the page. */
  #outer({ element, made }: Record): Record | undefined {
    const parentId = made?.node.parentId;
    if (parentId === undefined) return undefined;
    for (let at = outward(element); at; at = outward(at)) {
      const record = this.model.known(at);
      if (record?.instanceId === parentId) return record;
    }
    const parent = this.node(parentId);
    return parent && this.model.known(parent);
  }

  /** The id of an element, if it is published. */
  id(element: Element): string | undefined {
    const record = this.model.known(element);
    return record?.listed ? record.instanceId : undefined;
  }

  /** Elements that match a selector and have no shadow root that we may look into. */
  hosts(selector: string): Element[] {
    const found: Element[] = [];
    for (const root of this.watcher.roots) for (const host of queryAll(root, selector)) if (shadowRootOf(host) === null) found.push(host);
    return found.slice(0, HOSTS_MAX);
  }

  /** A closed shadow root that we may look into from now on. */
  admit(host: Element, root: ShadowRoot): void {
    if (!admit(host, root)) return;
    this.watcher.dirt.deep.add(host);
    this.onDirt(false);
  }

  #begin(): void {
    forget();
    forgetVisibility();
  }

  #renew(how: How): void {
    const model = this.model;
    const watcher = this.watcher;
    this.#begin();
    let head = this.#head && how !== "whole" ? this.#follow(how) : undefined;
    if (!head) {
      if (this.#head) watcher.catchUp();
      watcher.take();
      const page = this.#bindings?.on(this.#facts());
      model.binding = page && { page };
      head = this.#rebuild(model);
      this.rebuilt();
      this.#looks.remember(model.maker, watcher.roots);
      this.#wholeAtMs = performance.now();
    }
    this.#commit(head);
  }

  #rebuild(model: Model): Head {
    const focused = deepActive(this.#top);
    model.rebuild(focused, viewportSize());
    const head = this.#headOf(model);
    if (head.learned === 0) return head;
    // What only the graph could show to be secret is known now, wherever else its value would appear.
    model.rebuild(focused, viewportSize());
    return this.#headOf(model);
  }

  /** Brings the model up to date by what changed; nothing if that is not enough. */
  #follow(how: How): Head | undefined {
    const model = this.model;
    this.watcher.catchUp();
    const dirt = this.watcher.take();
    if (how !== "flush") dirt.values = true;
    const focused = deepActive(this.#top);
    const viewport = viewportSize();
    const soiler = new Soiler(dirt, model);
    this.#soil(soiler, focused);
    if (how !== "flush") for (const element of model.shown()) soiler.deep(element);
    for (const element of this.#ticks.rested()) soiler.shallow(element);
    if (dirt.all) return undefined;
    if (how === "look") for (const element of model.boxes(viewport)) soiler.deep(element);
    if (!model.renew(dirt, focused, viewport, how === "flush" && dirt.isLight)) return undefined;
    const head = this.#headOf(model);
    return head.learned === 0 ? head : undefined;
  }

  /** What the bundle names on the page as it is now. */
  #rebind(soiler: Soiler): void {
    const { binding } = this.model;
    if (!binding || !this.#bindings) return;
    const page = this.#bindings.on(this.#facts());
    for (const root of this.watcher.roots) page.enter(root);
    for (const element of binding.page.renamed(page)) soiler.deep(element);
    binding.page = page;
  }

  /** What changed without a mutation. */
  #soil(soiler: Soiler, focused: Element | null): void {
    const { dirt } = soiler;
    const { maker, frames } = this.model;
    for (const root of this.watcher.roots) if (maker.knownArea(root)?.names.hints.isCurrent() === false) dirt.all = true;
    for (const { element, made } of frames) if (made?.inner && innerDocument(element) !== made.inner) soiler.deep(element);
    if (maker.focused !== focused) for (const one of [maker.focused, focused]) if (one) soiler.shallow(one);
    this.#rebind(soiler);
    if (dirt.values) this.#values.changed((element) => { soiler.shallow(element); });
    this.#looks.changed(maker, this.watcher.roots, dirt.triggers, (element) => { soiler.deep(element); });
  }

  #commit(head: Head): void {
    const model = this.model;
    const before = this.#head;
    this.#head = head;
    const body = before ? bodyOf(model, before, head, pageScope) : undefined;
    const happened = happenings(model, before, head, this.#messages);
    this.#values.remember(model.changes);
    model.published();
    const base = this.revision;
    const at = now();
    let delta: string | undefined;
    if (!before || body) this.#seq += 1;
    if (body) {
      const whole: WebStateDelta = { baseRevision: base, revision: this.revision, seq: this.#seq, at, ...body };
      delta = toJson(whole);
      this.told(base, delta);
    }
    const signals = happened.map((one) => this.#signal(one, at));
    if (delta !== undefined || signals.length > 0) this.#onNews({ delta, signals });
  }

  #signal(happening: Happening, at: string): WebSignal {
    this.#signals += 1;
    return { id: this.#identity.signal(this.#signals), at, revision: this.revision, ...happening } as WebSignal;
  }

  #headOf(model: Model): Head & { readonly learned: number } {
    const focus = model.maker.focused ? model.known(model.maker.focused) : undefined;
    const open = inOrder(model.modals, model);
    const frameScopeOf = (documentId: string): string | undefined => {
      for (const { made } of model.frames) if (made?.document?.id === documentId) return made.scope?.id;
      return undefined;
    };
    const { scopeIds, blocked } = stackOf(open, model.maker.focused, frameScopeOf);
    const routeId = this.#routeOf?.() ?? inOrder(model.routes, model)[0]?.made?.routeId;
    const plain: RouteState = { ...(routeId === undefined ? {} : { routeId }), url: documentUrl(this.#top), path: location.pathname };
    const root = rootDocument(this.#top, this.#identity.documents.of(this.#top));
    const { route, metadata, learned } = model.binding?.page.lay(model, plain, scopeOfPage(root.id)) ?? { route: plain, metadata: undefined, learned: [] };
    return {
      route, metadata: model.error === undefined ? metadata : { ...metadata, error: model.error }, learned: learned.length,
      title: said(documentTitle(this.#top), NAME_CHARS_MAX),
      titleTicks: this.#ticks.inTitle(this.#top),
      locale: localeOf(this.#top),
      focus: focus?.listed ? { target: focus.instanceId, documentId: focus.made?.node.documentId as string } : undefined,
      modalStack: scopeIds, root, blocked,
      truncated: model.truncated, redacted: model.secrets.size > 0,
    };
  }

  #graph(model: Model, head: Head): PageGraph {
    const graph: PageGraph = {
      modelVersion: "0.1", profile: "web@0.1", revision: this.revision, seq: this.#seq, capturedAt: now(), route: head.route, viewport: viewportOf(),
      documents: [head.root], scopes: [pageScope(head)], elements: [],
    };
    if (head.title !== undefined) graph.title = head.title;
    if (head.locale !== undefined) graph.locale = head.locale;
    if (head.focus) graph.focus = { ...head.focus };
    if (head.modalStack.length > 0) graph.modalStack = [...head.modalStack];
    const regions = [];
    for (let record = model.list.first; record; record = record.next) {
      const { made } = record;
      if (!made) continue;
      graph.elements.push(made.node);
      const scope = scopeIn(made.scope, head);
      if (scope) graph.scopes.push(scope);
      if (made.document) graph.documents.push(made.document);
      if (made.opaque) regions.push(made.opaque);
    }
    if (regions.length > 0) graph.opaqueRegions = regions;
    if (head.truncated) graph.truncated = true;
    if (head.redacted) graph.redacted = true;
    if (head.metadata) graph.metadata = head.metadata;
    return graph;
  }
}

function now(): string {
  return new Date().toISOString();
}

function scopeOfPage(documentId: string): ScopeNode {
  return { id: PAGE_SCOPE, kind: "page", documentId, state: { visible: true } };
}

function pageScope(head: Head): ScopeNode {
  return scopeIn(scopeOfPage(head.root.id), head) as ScopeNode;
}

/** Few records in document order. */
function inOrder(few: ReadonlySet<Record>, { list }: Model): Record[] {
  if (few.size < 2) return [...few];
  const found: Record[] = [];
  for (let record = list.first; record && found.length < few.size; record = record.next) if (few.has(record)) found.push(record);
  return found;
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

function viewportSize(): Size {
  return { width: innerWidth, height: innerHeight };
}

/** How far it is scrolled takes a layout. */
function viewportOf(): Size & { scrollX: number; scrollY: number } {
  return { ...viewportSize(), scrollX: Math.round(scrollX), scrollY: Math.round(scrollY) };
}

function localeOf(document: Document): Locale | undefined {
  const root = documentElement(document);
  const text = root ? attribute(root, "lang")?.trim() : undefined;
  return text && text.length <= 128 && /^[A-Za-z]{2,3}(-[A-Za-z0-9]{1,8})*$/.test(text) ? text : undefined;
}
