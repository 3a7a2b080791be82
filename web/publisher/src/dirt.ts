// What must be looked at again, worked out from what the browser says changed.
//
// Wrong in one direction only: an element may be looked at for nothing, but none that changed may be missed.

import { assignedSlot, attribute, byId, closest, forget, getRootNode, isShadowRoot, localName, matches, nodeType, parentNode, queryAll, queryFirst, shadowRootOf, text } from "./dom.js";
import type { Root } from "./dom.js";
import { rareIn } from "./area.js";
import { mayDerive } from "./derived.js";
import { REDRAWN_INLINE } from "./letters.js";
import { BOUNDARIES_MAX } from "./limits.js";
import type { Model } from "./model.js";
import { iconIn } from "./icons.js";
import { classMatters } from "./roles.js";
import type { Trigger } from "./rules.js";

export class Dirt {
  /** Everything. */
  all = false;
  /** These elements and what is inside them. */
  deep = new Set<Element>();
  /** Only these elements themselves. */
  shallow = new Set<Element>();
  /** What was taken out of the tree, or moved within it. */
  removed: Element[] = [];
  /** What may have changed the looks of elements elsewhere. */
  triggers = new Set<Trigger>();
  /** Form controls may have other values. */
  values = false;

  /** Only texts and states changed: to look at it needs no style and no layout. */
  get isLight(): boolean {
    return !this.all && this.deep.size === 0 && this.removed.length === 0 && !this.values;
  }

  get isEmpty(): boolean {
    return !this.all && this.deep.size === 0 && this.shallow.size === 0 && this.removed.length === 0 && this.triggers.size === 0 && !this.values;
  }
}

/** Attributes that concern only the element that has them, and whoever is named by it. */
const OWN = new Set(("aria-activedescendant aria-atomic aria-autocomplete aria-braillelabel aria-checked aria-colcount aria-colindex aria-current aria-describedby " +
  "aria-description aria-details aria-errormessage aria-expanded aria-haspopup aria-invalid aria-keyshortcuts aria-label aria-labelledby " +
  "aria-level aria-multiselectable aria-orientation aria-placeholder aria-posinset aria-pressed aria-readonly aria-relevant aria-required " +
  "aria-roledescription aria-rowcount aria-rowindex aria-selected aria-sort aria-valuemax aria-valuemin aria-valuenow aria-valuetext alt " +
  "autocomplete checked formnovalidate high indeterminate label list low max maxlength min minlength optimum pattern placeholder " +
  "readonly required selected step title value").split(" "));
/** Attributes that say what an element is or whether it counts; they concern what is inside too. */
const INNER = new Set(("aria-busy aria-disabled aria-hidden aria-live aria-modal aria-multiline contenteditable controls disabled hidden href inert lang multiple " +
  "name onclick open popover role size slot src srcdoc switch tabindex type usemap xlink:href").split(" "));
/** Attributes by which other elements find this one, or things inside count it. */
const COUNTED = new Set(["aria-setsize", "aria-rowcount", "role", "tabindex", "onclick", "href"]);
const STYLE = /display|visibility|content|cursor|text-transform|\ball\b/;

export class Soiler {
  readonly #rare: string;

  constructor(
    readonly dirt: Dirt,
    readonly model: Model,
  ) {
    this.#rare = rareIn(model.maker.annotations);
  }

  mutation({ type, target, attributeName, oldValue, addedNodes, removedNodes }: MutationRecord): void {
    if (type === "attributes") this.#attribute(target as Element, attributeName as string, oldValue);
    else if (type === "characterData") this.#text(target, oldValue);
    else this.#children(target, addedNodes, removedNodes);
  }

  /** An element may look different, with all that is inside. */
  deep(element: Element): void {
    this.dirt.deep.add(element);
    this.climb(element, true);
  }

  /** The state of an element may be different. */
  shallow(element: Element): void {
    this.dirt.shallow.add(element);
    this.climb(element, false);
  }

  /** Whoever was made from what is inside a node, or from the node itself. */
  climb(from: Node | null, structure: boolean): void {
    const { model, dirt } = this;
    for (let at: Node | null = from; at; ) {
      if (nodeType(at) === 1) {
        const element = at as Element;
        const record = model.known(element);
        if (record && (record.readsContent || (structure && record.readsStructure))) dirt.shallow.add(element);
        for (const reader of model.reads.of(element)) dirt.shallow.add(reader);
        // The way through a slot leads to the host as well.
        at = assignedSlot(element) ?? parentNode(at);
      } else {
        at = isShadowRoot(at) ? at.host : null;
      }
    }
  }

  #text(target: Node, old: string | null): void {
    const parent = parentNode(target);
    if (!parent) return;
    // An element with nothing but an empty text is `:empty`.
    if ((old === "") !== (text(target) === "")) this.dirt.triggers.add("structure");
    if (nodeType(parent) === 1) {
      const element = parent as Element;
      if (localName(element) === "style") this.dirt.all = true;
      if (localName(element) === "textarea") this.dirt.shallow.add(element);
      if (shadowRootOf(element)) this.deep(element);
    }
    this.climb(parent, false);
  }

  #children(target: Node, added: NodeList, removed: NodeList): void {
    const { dirt } = this;
    const root = getRootNode(target) as Root;
    let elements = false;
    for (let at = 0; at < removed.length; at += 1) {
      const node = removed[at] as Node;
      if (nodeType(node) !== 1) continue;
      elements = true;
      dirt.removed.push(node as Element);
      this.#tree(node as Element, root, true);
    }
    for (let at = 0; at < added.length; at += 1) {
      const node = added[at] as Node;
      if (nodeType(node) !== 1) continue;
      elements = true;
      dirt.deep.add(node as Element);
      this.#tree(node as Element, root, false);
    }
    const parent = nodeType(target) === 1 ? (target as Element) : isShadowRoot(target) ? target.host : undefined;
    if (parent) this.#parent(parent, elements);
    // What left a secret place may be none any more, with all that is shown in it.
    if (parent && removed.length > 0 && this.#isInRare(parent)) dirt.all = true;
    dirt.triggers.add("structure");
    this.climb(target, elements);
  }

  /** The element whose children changed. */
  #parent(parent: Element, elements: boolean): void {
    const tag = localName(parent);
    if (tag === "style") this.dirt.all = true;
    if (shadowRootOf(parent) || tag === "details" || tag.includes("-")) this.dirt.deep.add(parent);
    if (tag === "textarea" || tag === "select") this.dirt.shallow.add(parent);
    const isDerived = this.model.known(parent)?.made?.node.derivedBy !== undefined;
    if (mayDerive(parent, tag) !== isDerived) this.dirt.deep.add(parent);
    // It may have become, or no longer be, something with parts.
    if (elements && this.model.known(parent)?.listed) this.dirt.shallow.add(parent);
    if (elements) this.#labels(closest(parent, "label"));
  }

  #isInRare(element: Element): boolean {
    let at: Element | undefined = element;
    for (let boundaries = 0; at && boundaries < BOUNDARIES_MAX; boundaries += 1) {
      if (closest(at, this.#rare)) return true;
      const root = getRootNode(at);
      at = isShadowRoot(root) ? root.host : undefined;
    }
    return false;
  }

  /** A part of the tree that came or went: what it says about elements elsewhere. */
  #tree(top: Element, root: Root, gone: boolean): void {
    const tag = localName(top);
    if (tag === "style" || tag === "link" || queryFirst(top, "style,link")) this.dirt.all = true;
    // What areas know about all their elements is found out once.
    if (!gone && (this.#isInRare(top) || queryFirst(top, this.#rare))) this.dirt.all = true;
    if (!gone && (matches(top, REDRAWN_INLINE) || queryFirst(top, REDRAWN_INLINE))) this.model.maker.letters.learn(true, true);
    this.#member(top, root, gone);
    const inner = queryAll(top, gone ? "*" : "[id],label");
    for (let at = 0; at < inner.length; at += 1) this.#member(inner[at] as Element, root, gone);
  }

  #member(element: Element, root: Root, gone: boolean): void {
    const id = attribute(element, "id");
    if (id) this.#id(root, id);
    if (localName(element) === "label") this.#labels(element);
    if (gone) for (const reader of this.model.reads.of(element)) this.dirt.shallow.add(reader);
  }

  /** A label that may belong to another control now. */
  #labels(label: Element | null): void {
    if (!label) return;
    this.model.maker.knownArea(getRootNode(label) as Root)?.names.forgetLabels();
    for (const reader of this.model.reads.of(label)) this.dirt.shallow.add(reader);
    const { control } = label as HTMLLabelElement;
    if (control) this.dirt.shallow.add(control);
  }

  /** Another element may have this id now. */
  #id(root: Root, id: string): void {
    for (const reader of this.model.reads.ofId(root, id)) this.dirt.shallow.add(reader);
    this.model.maker.knownArea(root)?.names.forgetLabels();
    if (this.model.isTangled(root)) this.dirt.all = true;
    const now = nodeType(root) === 9 || isShadowRoot(root) ? byId(root, id) : null;
    if (now) this.dirt.shallow.add(now);
  }

  #attribute(element: Element, name: string, old: string | null): void {
    // The names of its attributes may be remembered from before.
    forget();
    const { dirt } = this;
    const root = getRootNode(element) as Root;
    const hints = this.model.maker.knownArea(root)?.names.hints;
    if (name === "style") {
      const now = attribute(element, "style") ?? "";
      if (now.includes("text-transform")) this.model.maker.letters.learn(true, true);
      if (STYLE.test(old ?? "") || STYLE.test(now)) this.deep(element);
      // How far a thumb is along its track is the value of a slider.
      else if ((old ?? "").includes("%") || now.includes("%")) this.climb(element, false);
      if (hints?.asksForAttribute("style")) this.#elsewhere(element, hints.isBlind);
      return;
    }
    if (name === "class") {
      this.#class(element, old ?? "", attribute(element, "class") ?? "", hints);
      return;
    }
    if (name === "id") {
      if (old) this.#id(root, old);
      const now = attribute(element, "id");
      if (now) this.#id(root, now);
      this.shallow(element);
    } else if (name === "for") {
      this.#labels(element);
      this.dirt.shallow.add(element);
    } else if (name.startsWith(this.model.options.prefix)) {
      this.deep(element);
      if (name.endsWith("sensitive") || name.endsWith("data-class")) dirt.all = true;
    } else if (name === "aria-owns" || (localName(element) === "link" && (name === "href" || name === "rel" || name === "media" || name === "disabled"))) {
      dirt.all = true;
    } else if (OWN.has(name)) {
      this.dirt.shallow.add(element);
      this.climb(element, COUNTED.has(name));
      dirt.triggers.add("form");
    } else if (INNER.has(name)) {
      this.deep(element);
      if (name === "slot" || name === "name") this.#host(element);
      dirt.triggers.add("form");
    }
    if (hints?.asksForAttribute(name)) {
      this.deep(element);
      this.#elsewhere(element, hints.isBlind);
    }
  }

  /** Slots of the host may give and take. */
  #host(element: Element): void {
    const parent = parentNode(element);
    const root = getRootNode(element);
    if (parent && nodeType(parent) === 1 && shadowRootOf(parent as Element)) this.deep(parent as Element);
    if (isShadowRoot(root) && localName(element) === "slot") this.deep(root.host);
  }

  #class(element: Element, old: string, now: string, hints: { isBlind: boolean; asksForClass: (name: string) => boolean; asksForAttribute: (name: string) => boolean } | undefined): void {
    if (old === now) return;
    const before = new Set(old.split(/\s+/));
    const after = new Set(now.split(/\s+/));
    const changed = [...before].filter((name) => !after.has(name)).concat([...after].filter((name) => !before.has(name)));
    const styled = !hints || hints.asksForAttribute("class") || changed.some((name) => name !== "" && hints.asksForClass(name));
    if (styled || classMatters(old, now) || iconIn(old) !== iconIn(now)) this.deep(element);
    if (styled) this.#elsewhere(element, hints?.isBlind ?? true);
  }

  /** Rules may lead from here to elements beside or around. */
  #elsewhere(element: Element, blind: boolean): void {
    this.dirt.triggers.add("structure");
    const parent = blind ? parentNode(element) : null;
    if (parent && nodeType(parent) === 1) this.deep(parent as Element);
  }
}
