// Who read what: to find, when something changes, the elements that were made from it.

import type { Reader } from "./reads.js";
import type { Record } from "./records.js";

export class Reads implements Reader {
  #readers = new WeakMap<Element, Set<Element>>();
  #ids = new WeakMap<Node, Map<string, Set<Element>>>();
  #element: Element | undefined;
  readonly #recordOf: (element: Element) => Record;

  constructor(recordOf: (element: Element) => Record) {
    this.#recordOf = recordOf;
  }

  /** What is told from now on was read for this element. */
  by(element: Element): Reader {
    this.#element = element;
    return this;
  }

  /** Everything is read anew. */
  forget(): void {
    this.#readers = new WeakMap();
    this.#ids = new WeakMap();
  }

  /** The elements that read another one. */
  of(element: Element): Iterable<Element> {
    return this.#readers.get(element) ?? NOBODY;
  }

  /** The elements that asked who has an id. */
  ofId(root: Node, id: string): Iterable<Element> {
    return this.#ids.get(root)?.get(id) ?? NOBODY;
  }

  content = (of: Element): void => {
    const element = this.#element as Element;
    if (of === element) this.#recordOf(element).readsContent = true;
    else add(this.#readers, of, element);
  };

  structure = (of: Element): void => {
    const element = this.#element as Element;
    if (of === element) this.#recordOf(element).readsStructure = true;
    else add(this.#readers, of, element);
  };

  volatile = (): void => {
    this.#recordOf(this.#element as Element).readsVolatile = true;
  };

  id = (root: Node, id: string): void => {
    let ids = this.#ids.get(root);
    if (!ids) this.#ids.set(root, (ids = new Map()));
    add(ids, id, this.#element as Element);
  };
}

const NOBODY: readonly Element[] = [];

function add<Key>(to: { get: (key: Key) => Set<Element> | undefined; set: (key: Key, value: Set<Element>) => unknown }, key: Key, element: Element): void {
  const readers = to.get(key);
  if (readers) readers.add(element);
  else to.set(key, new Set([element]));
}
