// The natives we use, captured once.
//
// Forms and documents let their content shadow their own members (`<input name="children">`), and a page that
// shares our world may replace prototypes. So everything is read through captured accessors.

const { getOwnPropertyDescriptor, getPrototypeOf } = Object;

type Args = readonly unknown[];
type Bound<T, A extends Args, R> = (self: T, ...args: A) => R;

/** A method as a function of its receiver. */
function method<T, A extends Args, R>(owner: object, name: string): Bound<T, A, R> {
  const native: unknown = getOwnPropertyDescriptor(owner, name)?.value;
  if (typeof native !== "function") throw new TypeError(`this browser has no ${name}`);
  return Function.prototype.call.bind(native) as Bound<T, A, R>;
}

/** An accessor as a function of its receiver; it may be declared further up. */
function getter<T, R>(owner: object, name: string): (self: T) => R {
  for (let at: object | null = owner; at; at = getPrototypeOf(at) as object | null) {
    const native = getOwnPropertyDescriptor(at, name)?.get;
    if (native) return Function.prototype.call.bind(native) as (self: T) => R;
  }
  throw new TypeError(`this browser has no ${name}`);
}

const HTML = "http://www.w3.org/1999/xhtml";
const element = Element.prototype;
const node = Node.prototype;
const documentProto = Document.prototype;

const plainName = getter<Element, string>(element, "localName");
export const namespace = getter<Element, string | null>(element, "namespaceURI");
const openRootOf = getter<Element, ShadowRoot | null>(element, "shadowRoot");
export const lastElementChild = getter<Element, Element | null>(element, "lastElementChild");
export const firstElementChild = getter<Element, Element | null>(element, "firstElementChild");
export const previousElementSibling = getter<Element, Element | null>(element, "previousElementSibling");
export const nextElementSibling = getter<Element, Element | null>(element, "nextElementSibling");
export const clientLeft = getter<Element, number>(element, "clientLeft");
export const clientTop = getter<Element, number>(element, "clientTop");
export const rect = method<Element, [], DOMRect>(element, "getBoundingClientRect");
export const checkVisibility = method<Element, [CheckVisibilityOptions], boolean>(element, "checkVisibility");
export const closest = method<Element, [string], Element | null>(element, "closest");
export const matches = method<Element, [string], boolean>(element, "matches");
const getAttribute = method<Element, [string], string | null>(element, "getAttribute");
const getAttributeNames = method<Element, [], string[]>(element, "getAttributeNames");
const anyAttributes = method<Element, [], boolean>(element, "hasAttributes");
const queryElement = method<Element, [string], NodeListOf<Element>>(element, "querySelectorAll");
const queryElementOnce = method<Element, [string], Element | null>(element, "querySelector");
const queryDocument = method<Document, [string], NodeListOf<Element>>(documentProto, "querySelectorAll");
const queryFragment = method<DocumentFragment, [string], NodeListOf<Element>>(DocumentFragment.prototype, "querySelectorAll");
export const childOf = getter<Node, Node | null>(node, "firstChild");
export const nextSibling = getter<Node, Node | null>(node, "nextSibling");
export const parentNode = getter<Node, Node | null>(node, "parentNode");
export const nodeType = getter<Node, number>(node, "nodeType");
export const textContent = getter<Node, string | null>(node, "textContent");
export const getRootNode = method<Node, [], Node>(node, "getRootNode");
const nodeValue = getter<Node, string | null>(node, "nodeValue");
export const contains = method<Node, [Node | null], boolean>(node, "contains");
export const tabIndex = getter<HTMLElement, number>(HTMLElement.prototype, "tabIndex");
const isEditable = getter<HTMLElement, boolean>(HTMLElement.prototype, "isContentEditable");
export const ownerDocument = getter<Node, Document | null>(node, "ownerDocument");
export const documentElement = getter<Document, Element | null>(documentProto, "documentElement");
export const documentTitle = getter<Document, string>(documentProto, "title");
export const documentUrl = getter<Document, string>(documentProto, "URL");
export const defaultView = getter<Document, (Window & typeof globalThis) | null>(documentProto, "defaultView");
export const styleSheets = getter<Document | ShadowRoot, StyleSheetList>(documentProto, "styleSheets");
const activeInDocument = getter<Document, Element | null>(documentProto, "activeElement");
const activeInShadow = getter<ShadowRoot, Element | null>(ShadowRoot.prototype, "activeElement");
const sheetsOfShadow = getter<ShadowRoot, StyleSheetList>(ShadowRoot.prototype, "styleSheets");
const adoptedOfDocument = getter<Document, CSSStyleSheet[]>(documentProto, "adoptedStyleSheets");
const adoptedOfShadow = getter<ShadowRoot, CSSStyleSheet[]>(ShadowRoot.prototype, "adoptedStyleSheets");
const idInDocument = method<Document, [string], Element | null>(documentProto, "getElementById");
const idInFragment = method<DocumentFragment, [string], Element | null>(DocumentFragment.prototype, "getElementById");
export const elementsFromPoint = method<Document, [number, number], Element[]>(documentProto, "elementsFromPoint");
const createExpression = method<Document, [string], XPathExpression>(documentProto, "createExpression");
const evaluateExpression = method<XPathExpression, [Node, number], XPathResult>(XPathExpression.prototype, "evaluate");
const snapshotItem = method<XPathResult, [number], Node | null>(XPathResult.prototype, "snapshotItem");
const snapshotLength = getter<XPathResult, number>(XPathResult.prototype, "snapshotLength");
export const assignedNodes = method<HTMLSlotElement, [], Node[]>(HTMLSlotElement.prototype, "assignedNodes");
export const assignedElements = method<HTMLSlotElement, [], Element[]>(HTMLSlotElement.prototype, "assignedElements");
export const assignedSlot = getter<Element, HTMLSlotElement | null>(element, "assignedSlot");
type Listen = [string, (event: Event) => void];
export const addListener = method<EventTarget, Listen, void>(EventTarget.prototype, "addEventListener");
export const removeListener = method<EventTarget, Listen, void>(EventTarget.prototype, "removeEventListener");
export const isConnected = getter<Node, boolean>(node, "isConnected");

export type Root = Document | ShadowRoot;

let admitted: WeakMap<Element, ShadowRoot> | undefined;

/** The shadow root of an element, if we may look into it: an open one, or a closed one that was handed to us. */
export function shadowRootOf(of: Element): ShadowRoot | null {
  return openRootOf(of) ?? admitted?.get(of) ?? null;
}

/** Hands us a closed shadow root; `false` if we have it already. */
export function admit(host: Element, root: ShadowRoot): boolean {
  admitted ??= new WeakMap();
  if (admitted.get(host) === root) return false;
  admitted.set(host, root);
  return true;
}

const NONE: readonly string[] = [];
let latest: Element | undefined;
let latestNames = NONE;
let earlier: Element | undefined;
let earlierNames = NONE;

/**
 * The attributes an element has. An element is asked for dozens of attributes and has a few, so their names are
 * fetched once and kept until `forget`.
 */
export function attributeNames(of: Element): readonly string[] {
  if (of === latest) return latestNames;
  if (of === earlier) return earlierNames;
  earlier = latest;
  earlierNames = latestNames;
  latest = of;
  latestNames = anyAttributes(of) ? getAttributeNames(of) : NONE;
  return latestNames;
}

let times = 0;

/** The page may have changed. */
export function forget(): void {
  latest = undefined;
  earlier = undefined;
  rooted = undefined;
  times += 1;
}

/** Tells moments apart between which the page may have changed. */
export function epoch(): number {
  return times;
}

let rooted: Element | undefined;
let itsRoot: Node | undefined;

/** The document or shadow root an element is in; kept for the last one asked, until `forget`. */
export function rootOf(of: Element): Node {
  if (of === rooted && itsRoot) return itsRoot;
  rooted = of;
  itsRoot = getRootNode(of);
  return itsRoot;
}

export function hasAttribute(of: Element, name: string): boolean {
  return attributeNames(of).includes(name);
}

export function hasAttributes(of: Element): boolean {
  return attributeNames(of).length > 0;
}

/** The text of an attribute; `undefined` if it is not there. */
export function attribute(of: Element, name: string): string | undefined {
  return attributeNames(of).includes(name) ? (getAttribute(of, name) ?? undefined) : undefined;
}

/** An attribute trimmed and in lower case, as ARIA words are compared. */
export function word(of: Element, name: string): string | undefined {
  return attribute(of, name)?.trim().toLowerCase();
}

/** An attribute as a finite number. */
export function numberAttribute(of: Element, name: string): number | undefined {
  const text = attribute(of, name);
  if (text === undefined || text.trim() === "") return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}

export function isShadowRoot(root: Node): root is ShadowRoot {
  return nodeType(root) === 11;
}

export function queryAll(of: Root | Element, selector: string): NodeListOf<Element> {
  const type = nodeType(of);
  if (type === 9) return queryDocument(of as Document, selector);
  return type === 11 ? queryFragment(of as ShadowRoot, selector) : queryElement(of as Element, selector);
}

/** The elements that an XPath expression names in a document, up to a limit; throws if it cannot be read. */
export function xpathAll(of: Document, expression: string, limit: number): Element[] {
  const result = evaluateExpression(createExpression(of, expression), of, XPathResult.ORDERED_NODE_SNAPSHOT_TYPE);
  const found: Element[] = [];
  for (let at = 0; at < snapshotLength(result) && at < limit; at += 1) {
    const node = snapshotItem(result, at);
    if (node && nodeType(node) === 1) found.push(node as Element);
  }
  return found;
}

/** The first match inside an element. */
export function queryFirst(of: Element, selector: string): Element | null {
  return queryElementOnce(of, selector);
}

export function byId(root: Node, id: string): Element | null {
  if (nodeType(root) === 9) return idInDocument(root as Document, id);
  return isShadowRoot(root) ? idInFragment(root, id) : null;
}

export function activeElement(root: Root): Element | null {
  return isShadowRoot(root) ? activeInShadow(root) : activeInDocument(root);
}

/** Author style sheets of a document or shadow root. */
export function sheetsOf(root: Root): CSSStyleSheet[] {
  const found: CSSStyleSheet[] = [];
  const list = isShadowRoot(root) ? sheetsOfShadow(root) : styleSheets(root);
  for (let at = 0; at < list.length; at += 1) found.push(list[at] as CSSStyleSheet);
  const adopted = isShadowRoot(root) ? adoptedOfShadow(root) : adoptedOfDocument(root);
  for (let at = 0; at < adopted.length; at += 1) found.push(adopted[at] as CSSStyleSheet);
  return found;
}

/** The data of a text node. */
export function text(of: Node): string {
  return nodeValue(of) ?? "";
}

/** Names that mean in SVG what they mean in HTML, or that only SVG has. */
const SVG_NAMES = new Set(["a", "svg", "title"]);

/** What an element is called. A `<select>` in SVG or MathML is none: it has none of the members that HTML gives it. */
export function localName(of: Element): string {
  const name = plainName(of);
  return namespace(of) === HTML || SVG_NAMES.has(name) ? name : `:${name}`;
}

/** An element in the HTML namespace, of whatever window. */
export function isHtml(of: Element): of is HTMLElement {
  return namespace(of) === HTML;
}

export function isContentEditable(of: Element): boolean {
  return isHtml(of) && isEditable(of);
}

/** Whether the element itself starts an editable area. */
export function isEditingHost(of: Element): boolean {
  const value = word(of, "contenteditable");
  return value !== undefined && value !== "false" && value !== "inherit" && isHtml(of);
}

const getComputedStyle = window.getComputedStyle.bind(window);

/** An element that shows what it is given; the same name means nothing in SVG. */
export function isSlot(of: Element, tag: string): of is HTMLSlotElement {
  return tag === "slot" && isHtml(of);
}

/** The computed style of an element of any document we may look into. */
export function styleOf(of: Element, pseudo?: string): CSSStyleDeclaration {
  return getComputedStyle(of, pseudo);
}
