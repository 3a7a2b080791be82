// Accessible names and descriptions by "Accessible Name and Description Computation 1.2".
//
// Start at `Names.name`. Text is gathered with a budget, so that no page can make one name expensive.

import { assignedNodes, attribute, byId, childOf, firstElementChild, getRootNode, hasAttribute, isShadowRoot, isSlot, localName, nextElementSibling, nextSibling, nodeType, queryAll, shadowRootOf, styleOf, text, textContent } from "./dom.js";
import type { Root } from "./dom.js";
import { Labels } from "./labels.js";
import { drawn } from "./letters.js";
import type { Letters } from "./letters.js";
import { NAME_CHARS_MAX, NAME_DEPTH_MAX, NAME_NODES_MAX, TEXT_CHARS_MAX } from "./limits.js";
import { readContent, readId, readStructure, readVolatile } from "./reads.js";
import { ariaRole } from "./roles.js";
import { StyleHints } from "./sheets.js";
import { isBlank, said } from "./text.js";
import { isVolatile } from "./ticks.js";
import { isAriaHidden, isRendered, isVisible } from "./visibility.js";

/** Roles that are called by what they contain. */
const FROM_CONTENT = new Set(("button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio " +
  "rowheader switch tab tooltip treeitem x-label").split(" "));
/** Roles that add nothing of their content to the name around them: whoever hears the name does not expect a whole menu in it. */
const MUTE_INSIDE = new Set(("alert alertdialog application article banner blockquote combobox complementary contentinfo dialog document feed figure " +
  "form grid group img image listbox log main marquee menu menubar meter navigation note progressbar radiogroup search separator status " +
  "tablist tabpanel timer toolbar tree treegrid").split(" "));
/** Tags whose native role matters inside a name. */
const ROLED_INSIDE = new Set("article aside button dialog fieldset figure form header input main meter nav output progress select textarea".split(" "));
const SKIPPED = new Set("script style template noscript head meta link datalist".split(" "));
const LABELABLE = new Set("button input meter output progress select textarea".split(" "));
/** What these are called is no secret, even if what they do needs care. */
const PUBLIC_NAMES = new Set(["a", "button", "label", "legend", "caption"]);
const TEXT_INPUTS = new Set("text search tel url email password number date month week time datetime-local".split(" "));

interface Gathering {
  /** Few, so a list is cheaper than a set. */
  visited: Element[];
  nodes: number;
  chars: number;
  /** Inside a reference or label: no further references, and everything gives its content. */
  referenced: boolean;
  /** What was referred to is hidden, so hidden content counts. */
  hiddenCounts: boolean;
  /** Whose name is sought; a reference back to it means its label, not its value. */
  named: Element | undefined;
  /** The letter before the next text, if nothing stands between them. */
  last: string;
}

const fresh = (named?: Element): Gathering => ({ visited: [], nodes: 0, chars: 0, referenced: false, hiddenCounts: false, named, last: "" });

/** Names the elements of one document or shadow root. */
export class Names {
  readonly hints: StyleHints;
  #labels: Labels | undefined;
  readonly #root: Root;
  readonly #owned: boolean;

  readonly #withholds: (element: Element) => boolean;
  readonly #letters: Letters;
  readonly #entered = new WeakSet<ShadowRoot>();
  readonly #differs: ((element: Element) => boolean) | undefined;

  constructor(root: Root, owns: boolean, withholds: (element: Element) => boolean, letters: Letters) {
    this.#root = root;
    this.#withholds = withholds;
    this.hints = new StyleHints(root);
    this.#letters = letters;
    letters.learn(...this.hints.redraws());
    // What a slot was given is drawn as the slot is, which the sheets of a shadow root do not tell.
    this.#differs = isShadowRoot(root) ? undefined : (element) => this.hints.letters(element);
    this.#owned = owns;
  }

  /** How an element is called, given its ARIA role. */
  name(element: Element, tag: string, aria: string): string | undefined {
    return said(this.#compute(element, tag, aria, fresh(element), 0), NAME_CHARS_MAX);
  }

  /** What is said about an element besides its name. */
  description(element: Element, tag: string, name: string | undefined): string | undefined {
    const ids = attribute(element, "aria-describedby");
    if (ids) {
      const found = said(this.references(element, ids), TEXT_CHARS_MAX);
      if (found) return found;
    }
    const direct = said(attribute(element, "aria-description"), TEXT_CHARS_MAX);
    if (direct) return direct;
    // The tooltip of a secret text is the secret in all likelihood.
    if (!LABELABLE.has(tag) && this.#withholds(element)) return undefined;
    const title = said(attribute(element, "title"), TEXT_CHARS_MAX);
    return title !== undefined && title !== name && tag !== "iframe" ? title : undefined;
  }

  /** Whether the text of an element may not be told. */
  withholds(element: Element): boolean {
    return this.#withholds(element);
  }

  /** The text an element shows. */
  content(element: Element, limit = TEXT_CHARS_MAX): string | undefined {
    return said(this.#content(element, { ...fresh(), referenced: true }, 0), limit);
  }

  /** Labels may have come or gone. */
  forgetLabels(): void {
    this.#labels = undefined;
  }

  labelsOf(control: Element): readonly HTMLLabelElement[] {
    this.#labels ??= new Labels(this.#root);
    return this.#labels.of(control);
  }

  /** The texts of the elements that a list of ids names. */
  references(element: Element, ids: string, gathering = fresh()): string {
    const root = getRootNode(element);
    const parts: string[] = [];
    for (const id of ids.split(/\s+/)) {
      if (id) readId(root, id);
      const target = id ? byId(root, id) : null;
      if (target) readContent(target);
      if (!target || (target !== gathering.named && !PUBLIC_NAMES.has(localName(target)) && this.#withholds(target))) continue;
      // An element may name itself (its own aria-label), so each reference starts with its own memory.
      const inner: Gathering = { ...gathering, visited: gathering.visited.filter((one) => one !== target), referenced: true, hiddenCounts: !isVisible(target) };
      parts.push(this.#compute(target, localName(target), ariaRole(target, localName(target)), inner, 1));
    }
    return parts.join(" ");
  }

  #compute(element: Element, tag: string, aria: string, gathering: Gathering, depth: number): string {
    if (gathering.visited.includes(element) || depth > NAME_DEPTH_MAX) return "";
    gathering.visited.push(element);
    const given = this.#given(element, tag, aria, gathering, depth);
    if (given !== undefined) return given;
    if (FROM_CONTENT.has(aria) || gathering.referenced || depth > 0) {
      const content = this.#content(element, gathering, depth);
      if (depth > 0 || !isBlank(content)) return content;
    }
    const title = attribute(element, "title");
    if (title && !isBlank(title)) return title;
    return depth === 0 ? lastResort(element) : "";
  }

  /** What its author or its value says about an element, before its content is asked. */
  #given(element: Element, tag: string, aria: string, gathering: Gathering, depth: number): string | undefined {
    if (!gathering.referenced) {
      const ids = attribute(element, "aria-labelledby");
      if (ids) {
        const found = this.references(element, ids, gathering);
        if (!isBlank(found)) return found;
      }
    }
    if (depth > 0 && element !== gathering.named) {
      const value = embeddedValue(element, tag, aria, () => this.#ownedBy(element), this.#withholds);
      if (value !== undefined) return this.#withholds(element) ? "" : value;
    }
    const label = attribute(element, "aria-label");
    if (label && !isBlank(label)) return label;
    const native = this.#native(element, tag, aria, gathering, depth);
    return native !== undefined && !isBlank(native) ? native : undefined;
  }

  /** What HTML and SVG say about the name of an element; `undefined` if they say nothing. */
  #native(element: Element, tag: string, aria: string, gathering: Gathering, depth: number): string | undefined {
    switch (tag) {
      case "input":
      case "textarea":
      case "select":
      case "meter":
      case "progress":
      case "output":
      case "button":
        return this.#control(element, tag, gathering, depth);
      case "img":
      case "area":
        return attribute(element, "alt");
      case "fieldset":
        return this.#child(element, "legend", gathering, depth);
      case "table":
        return this.#child(element, "caption", gathering, depth);
      case "figure":
        return this.#child(element, "figcaption", gathering, depth);
      case "svg":
        return this.#child(element, "title", gathering, depth);
      case "option":
      case "optgroup":
        return attribute(element, "label");
      default:
        return aria === "link" && tag === "a" && attribute(element, "xlink:title") ? attribute(element, "xlink:title") : undefined;
    }
  }

  #control(element: Element, tag: string, gathering: Gathering, depth: number): string | undefined {
    if (!gathering.referenced && LABELABLE.has(tag)) {
      const labels = this.labelsOf(element);
      if (labels.length > 0) {
        labels.forEach(readContent);
        const texts = labels.map((label) => this.#compute(label, "label", "x-label", { ...gathering, referenced: true, hiddenCounts: false }, depth + 1));
        const found = texts.join(" ");
        if (!isBlank(found)) return found;
      }
    }
    if (tag !== "input") return undefined;
    const input = element as HTMLInputElement;
    switch (input.type) {
      case "submit":
      case "reset":
      case "button": {
        const value = attribute(input, "value");
        if (value !== undefined) return value;
        return input.type === "submit" ? "Submit" : input.type === "reset" ? "Reset" : undefined;
      }
      case "image":
        return attribute(input, "alt") ?? attribute(input, "value") ?? attribute(input, "title") ?? "Submit";
      default:
        return undefined;
    }
  }

  #child(element: Element, tag: string, gathering: Gathering, depth: number): string | undefined {
    readStructure(element);
    for (let child = firstElementChild(element); child; child = nextElementSibling(child)) {
      if (localName(child) !== tag) continue;
      readContent(child);
      return this.#compute(child, tag, "", { ...gathering, referenced: true }, depth + 1);
    }
    return undefined;
  }

  /** Text of the content, with the text that style sheets add. */
  #content(element: Element, gathering: Gathering, depth: number): string {
    // Whoever reads an element reads what is inside.
    if (depth === 0) readContent(element);
    if (isVolatile(element)) readVolatile();
    const shadow = shadowRootOf(element);
    if (shadow && gathering.referenced) this.#enter(shadow);
    const plain = firstElementChild(element) === null && shadow === null && !this.#owned && localName(element) !== "slot";
    const letters = this.#lettersOf(element, gathering);
    if (plain && this.hints.generatesNothing) return count(textOf(element), element, letters, gathering);
    const [before, after] = this.hints.generated(element);
    if (plain) return before + count(textOf(element), element, letters, gathering) + after;
    if (depth >= NAME_DEPTH_MAX) return textContent(element)?.slice(0, TEXT_CHARS_MAX) ?? "";
    const parts = [before];
    for (let child = firstChildShown(element); child.next; ) {
      const node = child.next;
      if (nodeType(node) === 3) parts.push(count(text(node), element, letters, gathering));
      else if (nodeType(node) === 1) parts.push(this.#inner(node as Element, gathering, depth + 1));
      if (gathering.nodes > NAME_NODES_MAX || gathering.chars > TEXT_CHARS_MAX * 2) break;
      child = child.after(node);
    }
    for (const owned of this.#ownedBy(element)) parts.push(" ", this.#inner(owned, gathering, depth + 1), " ");
    parts.push(after);
    return parts.join("");
  }

  /** What is referred to may be where nobody else looks, such as behind `aria-hidden`, and draw its own letters there. */
  #enter(shadow: ShadowRoot): void {
    if (this.#entered.has(shadow)) return;
    this.#entered.add(shadow);
    this.#letters.learn(...new StyleHints(shadow).redraws());
  }

  /** How the text of an element is drawn. What is not drawn at all is read as it is written. */
  #lettersOf(element: Element, gathering: Gathering): string | undefined {
    const letters = this.#letters.of(element, this.#differs);
    if (letters === undefined || (gathering.hiddenCounts && !isRendered(element))) return undefined;
    // A word does not go on into another block.
    if (!isInLine(styleOf(element).display)) gathering.last = "";
    return letters;
  }

  #ownedBy(element: Element): Element[] {
    const ids = this.#owned ? attribute(element, "aria-owns") : undefined;
    if (!ids) return [];
    const root = getRootNode(element);
    return ids.split(/\s+/).map((id) => (id ? byId(root, id) : null)).filter((one) => one !== null);
  }

  /** What a child adds: nothing if it is hidden, spaces around it if it stands on its own lines. */
  #inner(child: Element, gathering: Gathering, depth: number): string {
    gathering.nodes += 1;
    const tag = localName(child);
    // The browser reads a place where a line may break like a break.
    if (tag === "br" || tag === "wbr") {
      gathering.last = "";
      return " ";
    }
    if (SKIPPED.has(tag)) return "";
    if (!gathering.hiddenCounts && (isAriaHidden(child) || !isVisible(child))) return this.#seenInside(child, gathering, depth);
    if (!PUBLIC_NAMES.has(tag) && this.#withholds(child)) return LABELABLE.has(tag) ? " " : "";
    const aria = hasAttribute(child, "role") || ROLED_INSIDE.has(tag) ? ariaRole(child, tag) : "";
    const inner = MUTE_INSIDE.has(aria) ? this.#muted(child, tag, aria, gathering, depth) : this.#compute(child, tag, aria, gathering, depth);
    // A control stands apart from the words around it, even if it adds none.
    if (inner === "" && LABELABLE.has(tag)) return " ";
    if (inner === "" || gathering.hiddenCounts) return inner;
    if (isInLine(styleOf(child).display)) return inner;
    gathering.last = "";
    return ` ${inner} `;
  }

  #muted(child: Element, tag: string, aria: string, gathering: Gathering, depth: number): string {
    if (gathering.visited.includes(child)) return "";
    gathering.visited.push(child);
    return this.#given(child, tag, aria, gathering, depth) ?? attribute(child, "title") ?? "";
  }

  /** What is invisible by `visibility` may contain what is visible again. */
  #seenInside(hidden: Element, gathering: Gathering, depth: number): string {
    if (depth >= NAME_DEPTH_MAX || firstElementChild(hidden) === null || isAriaHidden(hidden) || !isRendered(hidden)) return "";
    const parts: string[] = [];
    for (let child = firstElementChild(hidden); child && gathering.nodes <= NAME_NODES_MAX; child = nextElementSibling(child)) parts.push(this.#inner(child, gathering, depth + 1));
    return parts.join("");
  }
}

const isInLine = (display: string): boolean => display === "inline" || display === "contents" || display.startsWith("ruby");

/** A huge text node is read only as far as a name can be long. */
function count(data: string, element: Element, letters: string | undefined, gathering: Gathering): string {
  const piece = data.length > TEXT_CHARS_MAX * 8 ? data.slice(0, TEXT_CHARS_MAX * 8) : data;
  gathering.nodes += 1;
  gathering.chars += piece.length;
  const { last } = gathering;
  if (piece !== "") gathering.last = piece.charAt(piece.length - 1);
  return letters === undefined ? piece : drawn(piece, letters, element, last);
}

/** The text of an element that contains no other. */
function textOf(element: Element): string {
  let all = "";
  for (let child = childOf(element); child && all.length <= TEXT_CHARS_MAX * 8; child = nextSibling(child)) if (nodeType(child) === 3) all += text(child);
  return all;
}

interface Children {
  next: Node | null | undefined;
  after: (node: Node) => Children;
}

/** The children that are shown: those of an open shadow root, those a slot was given, or its own. */
function firstChildShown(element: Element): Children {
  if (isSlot(element, localName(element))) {
    const assigned = assignedNodes(element);
    if (assigned.length > 0) return listed(assigned, 0);
  }
  return linked(childOf(shadowRootOf(element) ?? element));
}

const linked = (next: Node | null): Children => ({ next, after: (node) => linked(nextSibling(node)) });
const listed = (nodes: Node[], at: number): Children => ({ next: nodes[at], after: () => listed(nodes, at + 1) });

/** A control inside a name says its value. */
function embeddedValue(element: Element, tag: string, aria: string, owned: () => Element[], withholds: (element: Element) => boolean): string | undefined {
  switch (aria) {
    case "textbox":
    case "searchbox":
      if (tag === "input") return (element as HTMLInputElement).value;
      return tag === "textarea" ? (element as HTMLTextAreaElement).value : undefined;
    case "combobox":
    case "listbox":
      if (tag === "select") return chosen(element as HTMLSelectElement);
      return tag === "input" ? (element as HTMLInputElement).value : selectedText([element, ...owned()], withholds);
    case "slider":
    case "spinbutton":
    case "scrollbar":
      return attribute(element, "aria-valuetext") ?? attribute(element, "aria-valuenow") ?? (tag === "input" ? (element as HTMLInputElement).value : undefined);
    default:
      return undefined;
  }
}

function chosen(select: HTMLSelectElement): string {
  const texts: string[] = [];
  for (let at = 0; at < select.selectedOptions.length; at += 1) texts.push(select.selectedOptions[at]?.label ?? "");
  return texts.join(" ");
}

function selectedText(lists: Element[], withholds: (element: Element) => boolean): string | undefined {
  const texts: string[] = [];
  for (const one of lists) {
    const list = queryAll(one, '[role="option"][aria-selected="true"]');
    for (let at = 0; at < list.length; at += 1) if (!withholds(list[at] as Element)) texts.push(textContent(list[at] as Element) ?? "");
  }
  return texts.length > 0 ? texts.join(" ") : undefined;
}

/** What is left when nobody named the element. */
function lastResort(element: Element): string {
  const tag = localName(element);
  if (tag === "textarea" || (tag === "input" && TEXT_INPUTS.has((element as HTMLInputElement).type))) {
    const placeholder = attribute(element, "placeholder") ?? attribute(element, "aria-placeholder");
    if (placeholder) return placeholder;
  }
  return "";
}
