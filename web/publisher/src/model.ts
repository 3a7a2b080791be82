// The page as it was last published, kept current by looking again only at what changed.
//
// `rebuild` looks at everything, `renew` at what a `Dirt` names. Both leave behind, in `changes`, the records they
// touched, each with what it was before, from which a delta is written.

import { Area } from "./area.js";
import type { Bound } from "./bindings.js";
import { documentElement, getRootNode, isConnected, isShadowRoot, localName, nodeType, parentNode, queryFirst, shadowRootOf } from "./dom.js";
import type { Root } from "./dom.js";
import type { ElementNode, ScopeNode } from "../../types/uiap.js";
import { isSame } from "./delta.js";
import type { Dirt } from "./dirt.js";
import { boxOf, isInViewport } from "./geometry.js";
import type { Identity } from "./identity.js";
import { CHANGED_MAX, TEXT_CHARS_MAX } from "./limits.js";
import { Maker, isMade } from "./maker.js";
import type { Wanted } from "./options.js";
import { unmoved } from "./order.js";
import { Reads } from "./readers.js";
import { tellReads } from "./reads.js";
import { Record, RecordList } from "./records.js";
import type { Made } from "./records.js";
import { PAGE_SCOPE } from "./scopes.js";
import { cut } from "./text.js";
import { below, firstAfter, shownIn } from "./tree.js";
import { isVisible } from "./visibility.js";
import { Full, Walk } from "./walk.js";
import type { Place } from "./walk.js";

/** How often what changed may lead to more that changed before everything is looked at. */
const ROUNDS_MAX = 5;

export class Model {
  readonly list = new RecordList();
  readonly reads = new Reads((element) => this.recordOf(element));
  /** Records that changed since the last revision. */
  changes: Record[] = [];
  /** Those of them that stand elsewhere now. */
  readonly moved = new Set<Record>();
  /** Open modal layers. */
  readonly modals = new Set<Record>();
  readonly frames = new Set<Record>();
  readonly routes = new Set<Record>();
  readonly secrets = new Set<Record>();
  truncated = false;
  error: string | undefined;
  maker: Maker;
  #records = new WeakMap<Element, Record>();
  #cuts = 0;
  #rootPlace: Place | undefined;

  constructor(
    readonly top: Document,
    readonly identity: Identity,
    public options: Wanted,
    readonly onRoot: (root: Root) => void,
    public binding: Bound | undefined,
  ) {
    this.maker = this.#newMaker();
  }

  recordOf = (element: Element): Record => {
    let record = this.#records.get(element);
    if (!record) {
      record = new Record(element, this.identity.elements.of(element));
      this.#records.set(element, record);
    }
    return record;
  };

  known(element: Element): Record | undefined {
    return this.#records.get(element);
  }

  /** Whether everything must be looked at again because parts of the page are not where the tree says. */
  isTangled(root: Root): boolean {
    return this.maker.knownArea(root)?.hasOwners === true;
  }

  /** Looks at everything. */
  rebuild(focused: Element | null, viewport: Maker["viewport"]): void {
    this.#build(focused, viewport, false);
    // What stands around a shadow root was named before anybody knew how that draws its letters.
    if (this.maker.letters.isRefuted) this.#build(focused, viewport, true);
  }

  #build(focused: Element | null, viewport: Maker["viewport"], redraws: boolean): void {
    this.maker = this.#newMaker();
    if (redraws) this.maker.letters.learn(true, true);
    this.maker.isWhole = true;
    this.maker.focused = focused;
    this.maker.viewport = viewport;
    this.reads.forget();
    this.truncated = false;
    this.error = undefined;
    const cut = this.#cut();
    let at = 0;
    for (let record = this.list.first; record; ) {
      const { next } = record;
      this.#take(record, cut, at);
      at += 1;
      record = next;
    }
    const root = documentElement(this.top);
    if (root) {
      const area = this.#areaOf(this.top, this.identity.documents.of(this.top), undefined, undefined);
      this.#rootPlace = {
        area, parentId: undefined, depth: 0, scopeId: PAGE_SCOPE, hidden: false, disabled: false, inert: false, live: false, owner: false, framesDeep: 0,
      };
      this.#walk(root, this.#rootPlace, undefined, cut);
    }
    this.maker.isWhole = false;
    this.maker.settle();
  }

  /**
   * Looks again at what changed; `false` if only `rebuild` can tell what became of the page. What is light needs no
   * layout, which may cost more than everything else: an element whose text changed is as visible as before, and
   * where it is now is seen with the next look.
   */
  renew(dirt: Dirt, focused: Element | null, viewport: Maker["viewport"], isLight: boolean): boolean {
    this.maker.focused = focused;
    this.maker.viewport = viewport;
    if (dirt.all || this.truncated || this.error !== undefined) return false;
    for (const node of dirt.removed) this.#takeAll(node, this.#cut());
    let { deep, shallow } = dirt;
    const done = new Set<Element>();
    for (let round = 0; deep.size > 0 || shallow.size > 0; round += 1) {
      for (const element of shallow) if (!this.#remake(element, isLight)) deep.add(element);
      const roots = round < ROUNDS_MAX ? this.#roots(deep) : undefined;
      if (!roots) return false;
      shallow.forEach((element) => done.add(element));
      const echoes = this.#renewAll(roots, done);
      deep = new Set();
      shallow = new Set([...echoes].filter((element) => !done.has(element)));
    }
    this.maker.settle();
    return !this.truncated && this.error === undefined && this.maker.scopes.contested.size === 0;
  }

  /** Looks again at whole parts of the page, and tells who else was made from what is in them. */
  #renewAll(roots: readonly Element[], done: Set<Element>): Set<Element> {
    const echoes = new Set<Element>();
    const visited = (element: Element): void => {
      done.add(element);
      for (const reader of this.reads.of(element)) echoes.add(reader);
    };
    const cuts = roots.map((root) => {
      const cut = this.#cut();
      this.#takeAll(root, cut);
      return cut;
    });
    roots.forEach((root, at) => {
      const place = this.#placeOf(root);
      if (place) this.#walk(root, place, this.#recordAfter(root), cuts[at] as number, visited);
    });
    return echoes;
  }

  /** What a bundle says about an element takes the place of what was made of it. */
  bind(record: Record, node: ElementNode, scope: ScopeNode | undefined): void {
    const { made } = record;
    if (!made || (isSame(made.node, node) && isSame(made.scope, scope))) return;
    this.#touch(record);
    record.made = { ...made, node, scope, plain: made.plain ?? { node: made.node, scope: made.scope } };
  }

  /** What could not be seen when it was looked at, and can be seen now. */
  *shown(): Generator<Element> {
    const { hidden } = this.maker;
    for (const element of hidden) {
      const connected = isConnected(element);
      if (connected && !isVisible(element)) continue;
      hidden.delete(element);
      if (connected) yield element;
    }
  }

  /** Notes where everything is now, and tells what cannot be seen there any more. */
  *boxes(viewport: Maker["viewport"]): Generator<Element> {
    for (let record = this.list.first; record; record = record.next) {
      const { element, made, place } = record;
      if (!made || !place) continue;
      const { node } = made;
      const box = boxOf(element, place.area.origin);
      const hasBox = box.width > 0 && box.height > 0;
      const had = node.bbox !== undefined && node.bbox.width > 0 && node.bbox.height > 0;
      node.bbox = box;
      node.state.inViewport = node.state.visible === true && isInViewport(box, viewport);
      if (made.opaque) made.opaque.bbox = box;
      if (hasBox !== had || (!place.area.showsItsBoxes && !place.hidden && !isVisible(element))) yield element;
    }
  }

  /** A revision was published: what is different from now on is a change. */
  published(): void {
    for (const record of this.changes) {
      record.touched = false;
      record.was = undefined;
    }
    this.changes = [];
    this.moved.clear();
  }

  #newMaker(): Maker {
    return new Maker(this.identity, this.options, this.recordOf, this.binding);
  }

  #areaOf(root: Root, documentId: string, frame: Area["frame"], host: Area | undefined): Area {
    this.onRoot(root);
    return this.maker.areaOf(root, documentId, frame, host);
  }

  #cut(): number {
    this.#cuts += 1;
    return this.#cuts;
  }

  #touch(record: Record): void {
    if (record.touched) return;
    record.touched = true;
    record.was = record.listed ? record.made : undefined;
    this.changes.push(record);
  }

  /** Takes a record out of the list; whether for good turns out later. */
  #take(record: Record, cut: number, index: number): void {
    this.#touch(record);
    this.list.remove(record);
    record.cut = cut;
    record.cutIndex = index;
    const { made } = record;
    if (!made) return;
    if (made.modal) this.modals.delete(record);
    if (made.document) this.frames.delete(record);
    if (made.routeId !== undefined) this.routes.delete(record);
    if (made.sensitive) this.secrets.delete(record);
    if (made.scope) this.maker.scopes.release(record.element, made.scope.id);
  }

  /** Takes out everything that was published inside an element, itself included. */
  #takeAll(top: Element, cut: number): void {
    let index = 0;
    const waiting: Element[] = [top];
    for (let element = waiting.pop(); element; element = waiting.pop()) {
      const record = this.#records.get(element);
      if (record?.listed) {
        const { depth } = record;
        let at: Record | undefined = record;
        do {
          const next: Record | undefined = at.next;
          this.#take(at, cut, index);
          index += 1;
          at = next;
        } while (at && at.depth > depth);
        continue;
      }
      const inner = [...below(element)];
      for (let at = inner.length - 1; at >= 0; at -= 1) waiting.push(inner[at] as Element);
    }
  }

  /** Makes one record anew where it stands, with its looks as they were if it is light; `false` if what is inside is concerned. */
  #remake(element: Element, isLight: boolean): boolean {
    const record = this.#records.get(element);
    if (!record?.listed || !record.made || !record.place) return !isConnected(element);
    const before = record.made;
    if (before.scope) this.maker.scopes.release(element, before.scope.id);
    const made = this.#make(element, localName(element), record.place, isLight ? before.node : undefined);
    if (!made || !isMade(made) || made.inner !== before.inner || !isSameInside(made.inside, before.inside)) return false;
    this.#touch(record);
    this.#settle(record, { ...made, inside: before.inside }, record.place);
    return true;
  }

  #make(element: Element, tag: string, place: Place, looks?: ElementNode): Made | Place | undefined {
    tellReads(this.reads.by(element));
    return this.maker.make(element, tag, place, looks);
  }

  #settle(record: Record, made: Made, place: Place): void {
    record.made = made;
    record.place = place;
    record.depth = place.depth;
    if (made.modal) this.modals.add(record);
    else if (this.modals.size > 0) this.modals.delete(record);
    if (made.document) this.frames.add(record);
    if (made.routeId !== undefined) this.routes.add(record);
    else if (this.routes.size > 0) this.routes.delete(record);
    if (made.sensitive) this.secrets.add(record);
    else if (this.secrets.size > 0) this.secrets.delete(record);
  }

  /** Publishes what is inside an element, itself included, in front of a record. */
  #walk(top: Element, place: Place, before: Record | undefined, cut: number, visited?: (element: Element) => void): void {
    const seen: Record[] = [];
    const walk: Walk = new Walk((element, tag, at) => {
      visited?.(element);
      const found = this.#make(element, tag, at);
      if (!found || !isMade(found)) return found;
      if (this.list.size >= this.options.elementsMax) throw new Full();
      const record = this.recordOf(element);
      // An element that two slots or owners claim is published once.
      if (record.listed) return undefined;
      this.#touch(record);
      this.#settle(record, found, at);
      this.list.insert(record, before);
      seen.push(record);
      if (!found.inner) return found.inside;
      const root = documentElement(found.inner);
      this.onRoot(found.inner);
      if (root && found.inside) walk.push(root, found.inside);
      return undefined;
    }, (root, host) => this.#areaOf(root, host.documentId, undefined, host));
    walk.push(top, place);
    if (!walk.run((error) => this.#fail(error))) this.truncated = true;
    const stayed = unmoved(seen.map((record) => (record.cut === cut ? record.cutIndex : -1)));
    seen.forEach((record, at) => {
      if (!stayed.has(at)) this.moved.add(record);
    });
  }

  #fail(error: unknown): void {
    this.truncated = true;
    this.error ??= cut(error instanceof Error ? `${error.name}: ${error.message}` : String(error), TEXT_CHARS_MAX);
  }

  /** The outermost of these elements, each the top of what must be looked at again; `undefined` if that is everything. */
  #roots(deep: ReadonlySet<Element>): Element[] | undefined {
    if (deep.size > CHANGED_MAX) return undefined;
    const raised = new Set<Element>();
    for (const element of deep) {
      if (!isConnected(element)) continue;
      if (this.isTangled(getRootNode(element) as Root)) return undefined;
      raised.add(raise(element));
    }
    const outermost = [...raised].filter((element) => {
      for (let at = shownIn(element); at; at = shownIn(at)) if (raised.has(at)) return false;
      return true;
    });
    return outermost;
  }

  /** Where an element stands; `undefined` if nothing there is published. */
  #placeOf(element: Element): Place | undefined {
    const chain: Element[] = [element];
    let place: Place | undefined;
    for (;;) {
      const inner = chain[chain.length - 1] as Element;
      const outer = shownIn(inner);
      if (!outer) {
        place = parentNode(inner) === this.top ? this.#rootPlace : undefined;
        break;
      }
      const record = this.#records.get(outer);
      if (record?.listed) {
        place = this.#enter(record.made?.inside, inner, outer);
        break;
      }
      chain.push(outer);
    }
    while (place && chain.length > 1) {
      const outer = chain.pop() as Element;
      const found = this.#make(outer, localName(outer), place);
      place = this.#enter(found && !isMade(found) ? found : undefined, chain[chain.length - 1] as Element, outer);
    }
    return place;
  }

  /** The place of a child, given the place inside its parent in the tree that is shown. */
  #enter(inside: Place | undefined, child: Element, parent: Element): Place | undefined {
    if (!inside) return undefined;
    const container = parentNode(child);
    // What is in a frame is told only with the frame.
    if (container && nodeType(container) === 9 && !this.#records.get(parent)?.listed) return undefined;
    if (container && isShadowRoot(container) && container.host === parent) return { ...inside, area: this.#areaOf(container, inside.area.documentId, undefined, inside.area) };
    // What a slot was given belongs to where it was written.
    if (container !== parent && nodeType(container as Node) === 1) return { ...inside, area: inside.area.host ?? inside.area };
    return inside;
  }

  #recordAfter(element: Element): Record | undefined {
    return firstAfter(element, (other) => {
      const record = this.#records.get(other);
      return record?.listed ? record : undefined;
    });
  }
}

function isSameInside(one: Place | undefined, other: Place | undefined): boolean {
  if (!one || !other) return one === other;
  return one.area === other.area && one.scopeId === other.scopeId && one.hidden === other.hidden && one.disabled === other.disabled &&
    one.inert === other.inert && one.live === other.live && one.owner === other.owner;
}

/** Slots may give and take anywhere in their host, so the host is looked at. */
function raise(element: Element): Element {
  let top = element;
  for (;;) {
    const parent = parentNode(top);
    if (!parent) return top;
    if (nodeType(parent) === 1 && shadowRootOf(parent as Element)) {
      top = parent as Element;
      continue;
    }
    const root = getRootNode(top);
    if (isShadowRoot(root) && (localName(top) === "slot" || queryFirst(top, "slot"))) {
      top = root.host;
      continue;
    }
    return top;
  }
}
