// Makes the published form of one element.
//
// Start at `Maker.make`. Everything it asks is in modules of its own; what it reads outside the element is told
// to `reads`.

import type { DOMRectLike, ElementNode } from "../../types/uiap.js";
import { affordancesOf } from "./affordances.js";
import { Annotations } from "./annotations.js";
import { Area } from "./area.js";
import type { Bound } from "./bindings.js";
import { candidateOf } from "./candidates.js";
import type { Candidate } from "./candidates.js";
import { collectionOf, optionsOf, validationOf } from "./collections.js";
import { derivedOptions } from "./derived.js";
import { frameDocument, foreignDocument, innerDocument, looksClosed, opaque } from "./documents.js";
import { firstElementChild, hasAttribute, hasAttributes, matches, shadowRootOf, word } from "./dom.js";
import type { Root } from "./dom.js";
import { boxOf, isInViewport } from "./geometry.js";
import type { Size } from "./geometry.js";
import { iconOf, isSaid } from "./icons.js";
import type { Identity } from "./identity.js";
import { Letters } from "./letters.js";
import { FRAMES_DEPTH_MAX, NAME_CHARS_MAX } from "./limits.js";
import type { Wanted } from "./options.js";
import type { Made, Record } from "./records.js";
import type { Kind } from "./roles.js";
import { Scopes, scopeKindOf } from "./scopes.js";
import { stateOf } from "./states.js";
import { isAriaHidden, isControlVisible, isRendered, isVisible } from "./visibility.js";
import type { Place } from "./walk.js";

const SKIPPED = new Set("script style template noscript head meta link title base datalist source track param".split(" "));
/** What acts as one: its parts are not told apart unless they act by themselves. */
const WHOLE = new Set("button link option tab menuitem checkbox radio switch slider spinbutton progress spinner image custom".split(" "));
const LEAF = new Set(["select", "textarea", "input", "canvas", "video", "audio", "svg"]);
const NAMED_BY_CONTENT = new Set(["custom", "label"]);
/** Named by what they hold, which is data rather than something to use. */
const DATA = new Set(["cell", "option", "treeitem"]);
/** Pressed, and without a name often nothing but a picture. */
const PICTURED = new Set(["button", "link", "menuitem", "tab", "custom"]);
/** Roles of what is there to change by itself. */
const VOLATILE = new Set(["timer", "marquee"]);
const LIVE = new Set(["status", "alert", "toast"]);

export class Maker {
  readonly annotations: Annotations;
  readonly scopes: Scopes;
  readonly letters = new Letters();
  focused: Element | null = null;
  viewport: Size = { width: 0, height: 0 };
  /** Everything is being looked at, so what the areas found out about their style sheets and elements holds. */
  isWhole = false;
  /** What would be published if it could be seen. */
  readonly hidden = new Set<Element>();
  readonly #areas = new WeakMap<Root, Area>();
  readonly #unsettled: Area[] = [];

  constructor(
    readonly identity: Identity,
    readonly options: Wanted,
    readonly recordOf: (element: Element) => Record,
    /** What a bundle says about the page. */
    readonly binding: Bound | undefined,
  ) {
    this.annotations = new Annotations(options.prefix);
    this.scopes = new Scopes(this.annotations);
  }

  areaOf(root: Root, documentId: string, frame: Area["frame"], host: Area | undefined): Area {
    let area = this.#areas.get(root);
    if (!area) {
      area = new Area(root, documentId, frame, host, this.annotations, this.options.derives, this.binding, this.letters);
      this.#areas.set(root, area);
      this.#unsettled.push(area);
    }
    return area;
  }

  /** Everything was looked at; from now on the page may change. */
  settle(): void {
    for (const area of this.#unsettled.splice(0)) area.names.hints.settle();
    this.letters.settle();
  }

  knownArea(root: Root): Area | undefined {
    return this.#areas.get(root);
  }

  /**
   * What is made of an element: something to publish, or the place of its children if only they may be
   * published, or nothing. With the looks of a node it is taken to be where that was, and as visible.
   */
  make(element: Element, tag: string, at: Place, looks?: ElementNode): Made | Place | undefined {
    const place = this.pass(element, tag, at);
    if (!place) return undefined;
    const candidate = candidateOf(element, tag, place, this.annotations);
    if (!candidate) return this.#plain(element, tag, place);
    const box = looks ? looks.bbox : this.options.includeBBox ? boxOf(element, place.area.origin) : undefined;
    const visible = looks ? looks.state.visible === true : !place.hidden && this.#isVisible(element, tag, place.area, box);
    if (!visible) this.hidden.add(element);
    if (!visible && !this.options.includeHidden) return LEAF.has(tag) || !isRendered(element) ? undefined : place;
    return this.#publish(element, tag, candidate, place, visible, box);
  }

  #isVisible(element: Element, tag: string, area: Area, box: DOMRectLike | undefined): boolean {
    if (tag === "area") return true;
    // A box is seen, unless it can be made invisible; to find that out costs more than the box.
    if (this.isWhole && box && box.width > 0 && box.height > 0 && area.showsItsBoxes) return true;
    return tag === "input" ? isControlVisible(element) : isVisible(element);
  }

  /** The place inside an element that is not published itself. */
  pass(element: Element, tag: string, at: Place): Place | undefined {
    if (SKIPPED.has(tag)) return undefined;
    if (!hasAttributes(element)) return at;
    if (this.annotations.any(element) && this.annotations.ignores(element)) return undefined;
    let place = at;
    if (isAriaHidden(element)) {
      if (!this.options.includeHidden) return undefined;
      place = { ...place, hidden: true };
    }
    if (hasAttribute(element, "inert")) place = { ...place, inert: true };
    if (word(element, "aria-disabled") === "true") place = { ...place, disabled: true };
    return place;
  }

  /** An element that is not published; it may still hide something. */
  #plain(element: Element, tag: string, place: Place): Made | Place | undefined {
    if (tag.includes("-") && looksClosed(element, tag) && isVisible(element)) {
      const box = boxOf(element, place.area.origin);
      if (box.width > 0 && box.height > 0) return this.#publish(element, tag, { kind: { role: "custom", aria: "", source: "heuristic" }, clickable: false }, place, true, box);
    }
    return LEAF.has(tag) && tag !== "svg" ? undefined : place;
  }

  #publish(element: Element, tag: string, candidate: Candidate, place: Place, visible: boolean, box: DOMRectLike | undefined): Made {
    const { kind, clickable } = candidate;
    const { area } = place;
    const record = this.recordOf(element);
    const { instanceId } = record;
    record.readsVolatile = VOLATILE.has(kind.aria);
    const sensitive = area.secrets.isSensitive(element, tag);
    const focused = element === this.focused;
    const state = stateOf(element, tag, kind, { visible, disabled: place.disabled, blocked: place.inert, clickable, sensitive, focused }, area.names);
    const node: ElementNode = { instanceId, documentId: area.documentId, scopeId: place.scopeId, role: kind.role, state };
    const annotated = this.annotations.any(element);
    const stableId = annotated ? this.annotations.stableId(element) : undefined;
    if (stableId) node.stableId = stableId;
    if (place.parentId !== undefined) node.parentId = place.parentId;
    const name = this.#name(element, tag, candidate, area, sensitive);
    if (name) node.name = name;
    const description = area.names.description(element, tag, name);
    if (description) node.description = description;
    const icon = PICTURED.has(kind.role) && !isSaid(name) ? iconOf(element) : undefined;
    if (icon) node.icon = icon;
    if (annotated) this.annotations.apply(element, node);
    const affordances = affordancesOf(element, tag, node, clickable, kind.rule);
    if (affordances.length > 0) node.affordances = affordances;
    if (box && this.options.includeBBox) {
      node.bbox = box;
      state.inViewport = visible && isInViewport(box, this.viewport);
    }
    this.#extras(element, tag, node, kind, area, sensitive);
    if (area.host) node.shadow = (area.root as ShadowRoot).mode === "closed" ? "closed-bridged" : "open";
    // What HTML itself says is the rule; the rest is worth a word.
    if (kind.source !== "html") node.source = kind.source;
    if (kind.rule) node.derivedBy = kind.rule;
    if (record.readsVolatile) node.volatile = true;
    return this.#inside(element, tag, candidate, place, node, sensitive, annotated ? this.annotations.routeId(element) : undefined);
  }

  #name(element: Element, tag: string, { kind, clickable }: Candidate, area: Area, sensitive: boolean): string | undefined {
    const given = this.annotations.name(element);
    if (given) return given;
    const { names } = area;
    if (sensitive && (kind.aria === "" || DATA.has(kind.role))) return undefined;
    const name = names.name(element, tag, kind.aria);
    if (name || sensitive) return name;
    return NAMED_BY_CONTENT.has(kind.role) || (clickable && kind.role !== "listitem") ? names.content(element, NAME_CHARS_MAX) : undefined;
  }

  #extras(element: Element, tag: string, node: ElementNode, kind: Kind, area: Area, sensitive: boolean): void {
    const { role, state } = node;
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
  #inside(element: Element, tag: string, { kind }: Candidate, place: Place, node: ElementNode, sensitive: boolean, routeId: string | undefined): Made {
    const { instanceId, documentId, name, role, state, bbox } = node;
    const whole: { -readonly [Key in keyof Made]: Made[Key] } = {
      node, plain: undefined, scope: undefined, opaque: undefined, document: undefined, inner: undefined, inside: undefined, sensitive, routeId, modal: undefined,
    };
    const hides = this.annotations.hides(element);
    if (tag === "canvas" || hides || (tag.includes("-") && looksClosed(element, tag))) {
      whole.opaque = opaque(tag === "canvas" ? "canvas" : hides ? "custom" : "closed_shadow", instanceId, name, bbox);
      return whole;
    }
    const scopeKind = scopeKindOf(element, kind, this.annotations);
    if (scopeKind) {
      whole.scope = this.scopes.make(element, { kind: scopeKind, documentId, parentScopeId: place.scopeId, elementId: instanceId, name, state });
      if (state.modal && state.open && state.visible) whole.modal = tag === "dialog" && matches(element, ":modal") ? "native" : "aria";
    }
    const isFrame = kind.aria === "x-frame";
    if (!isFrame && isLeaf(element, tag)) return whole;
    whole.inside = {
      ...place, parentId: instanceId, depth: place.depth + 1, scopeId: whole.scope?.id ?? place.scopeId, live: place.live || LIVE.has(role),
      owner: place.owner || (WHOLE.has(role) && shadowRootOf(element) === null && !isCard(node)),
    };
    if (isFrame) this.#frame(element, whole, whole.inside);
    return whole;
  }

  #frame(frame: Element, whole: { -readonly [Key in keyof Made]: Made[Key] }, inside: Place): void {
    const { instanceId, documentId, name, bbox, state } = whole.node;
    whole.inside = undefined;
    const document = inside.framesDeep < FRAMES_DEPTH_MAX ? innerDocument(frame) : undefined;
    if (document) {
      const id = this.identity.documents.of(document);
      whole.document = frameDocument(document, id, documentId, instanceId);
      if (!state.visible && !this.options.includeHidden) return;
      whole.inner = document;
      whole.inside = {
        ...inside, area: this.areaOf(document, id, { element: frame, area: inside.area }, undefined), disabled: false, live: false, owner: false,
        framesDeep: inside.framesDeep + 1,
      };
      return;
    }
    whole.document = foreignDocument(frame, `doc_${instanceId}`, documentId, instanceId);
    whole.opaque = opaque("cross_origin_frame", instanceId, name, bbox);
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

export function isMade(found: Made | Place): found is Made {
  return "node" in found;
}
