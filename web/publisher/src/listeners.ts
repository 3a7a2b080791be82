// Elements that the page listens to presses and keys on.
//
// Our world does not see the listeners of the page. The browser shows all of them to the driver, each with a node that
// only the browser can name. So elements are marked for a moment with listeners of ours, which the driver sees beside
// those of the page: a mark is an event that never happens, and says which element it is on. No object passes from one
// world to another.

import { addListener, queryAll, removeListener } from "./dom.js";
import type { Root } from "./dom.js";
import { ears } from "./ears.js";
import { MARKED_MAX } from "./limits.js";

/** What the event of a mark is called, in front of its number. */
const MARK = "uiap:";
/** What is no control whoever listens, or is one without a listener; and what is inside a control. */
const UNMARKED = "html,body,head,head *,script,style,template,br,hr,input,select,select *,textarea,button,button *,a[href],a[href] *,svg *,iframe,[onclick]";

const never = (): void => undefined;

/** The tag and the class of an element. */
export type ElementKind = readonly [tag: string, className: string | null];

const selectorOf = ([tag, className]: ElementKind): string => `${CSS.escape(tag)}${className === null ? ":not([class])" : `[class="${CSS.escape(className)}"]`}`;

export class Listeners {
  #next = 1;
  /** What is marked now, by the number of its mark. */
  #marked = new Map<number, Element>();
  /** What listens, by the number of the mark that showed it. */
  readonly #heard = new Map<number, WeakRef<Element>>();

  /** Marks what may be a control by its listeners alone, or only what is of some kinds; tells how many there are. */
  mark(roots: Iterable<Root>, kinds: readonly ElementKind[] | undefined): number {
    this.#unmark();
    const alike = kinds ? `:is(${kinds.map(selectorOf).join(",")})` : "";
    for (const root of roots) {
      const list = queryAll(root, `${alike}:not(${UNMARKED})`);
      for (let at = 0; at < list.length && this.#marked.size < MARKED_MAX; at += 1) {
        const element = list[at] as Element;
        if (ears.has(element)) continue;
        addListener(element, MARK + String(this.#next), never);
        this.#marked.set(this.#next, element);
        this.#next += 1;
      }
    }
    return this.#marked.size;
  }

  #unmark(): void {
    for (const [number, element] of this.#marked) removeListener(element, MARK + String(number), never);
    this.#marked = new Map();
  }

  /** Takes the marks away and notes what they showed: those that listen, and those that do no more. Tells whom it concerns. */
  hear(press: readonly number[], keys: readonly number[], silent: readonly number[]): Element[] {
    const concerned = new Set<Element>();
    const pressed = new Set(press);
    const keyed = new Set(keys);
    for (const number of new Set([...press, ...keys])) {
      const element = this.#marked.get(number) ?? this.#heard.get(number)?.deref();
      if (!element) continue;
      ears.set(element, { press: pressed.has(number), keys: keyed.has(number) });
      this.#heard.set(number, new WeakRef(element));
      concerned.add(element);
    }
    for (const number of silent) {
      const element = this.#heard.get(number)?.deref();
      this.#heard.delete(number);
      if (element && ears.delete(element)) concerned.add(element);
    }
    this.#unmark();
    return [...concerned];
  }
}
