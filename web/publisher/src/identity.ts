// Ids of nodes: the same while a node lives, never given to another.

/** Gives ids of one kind to nodes. */
export class Ids<T extends WeakKey> {
  readonly #known = new WeakMap<T, string>();
  readonly #start: string;
  #next = 1;

  constructor(start: string) {
    this.#start = start;
  }

  of(node: T): string {
    let id = this.#known.get(node);
    if (id === undefined) {
      id = this.#start + this.#next.toString(36);
      this.#next += 1;
      this.#known.set(node, id);
    }
    return id;
  }

  set(node: T, id: string): void {
    this.#known.set(node, id);
  }
}

/** Milliseconds until load times repeat: most of a day, in five characters. */
const LOADS = 36 ** 5;

/**
 * The ids of this publisher. The load time of the page is part of them, so that the ids of a page and of the
 * page that replaces it differ within a session.
 */
export class Identity {
  readonly elements: Ids<Element>;
  readonly documents: Ids<Document>;
  /** How the ids of elements begin, and of areas that have no other name; a number follows. */
  readonly starts: readonly [string, string];
  readonly #load: string;

  constructor(top: Document, loadedAtMs: number) {
    const load = Math.round(loadedAtMs % LOADS).toString(36);
    this.starts = [`el_${load}_`, `scope_${load}_`];
    this.elements = new Ids(this.starts[0]);
    this.documents = new Ids(`doc_${load}_`);
    this.documents.set(top, "doc_root");
    this.#load = load;
  }

  /** The name of the how manyth thing that happened. */
  signal(count: number): string {
    return `sig_${this.#load}_${count}`;
  }

  /** The name of the how manyth state of the page. */
  revision(seq: number): string {
    return `rev_${this.#load}_${seq}`;
  }
}
