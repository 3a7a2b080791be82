// What a published node was made from besides the element itself.
//
// While an element is looked at, whoever reads another element, or what is inside this one, says so here. When
// something changes later, the model asks who read it.

/** Hears what is read. */
export interface Reader {
  /** The text, state or attributes of anything inside an element, itself included. */
  content: (of: Element) => void;
  /** Which elements there are inside an element. */
  structure: (of: Element) => void;
  /** A text that changes by itself. */
  volatile: () => void;
  /** Which element has an id. */
  id: (root: Node, id: string) => void;
}

let reader: Reader | undefined;

/** Whom to tell from now on. */
export function tellReads(to: Reader | undefined): void {
  reader = to;
}

export function readContent(of: Element): void {
  reader?.content(of);
}

export function readStructure(of: Element): void {
  reader?.structure(of);
}

export function readVolatile(): void {
  reader?.volatile();
}

export function readId(root: Node, id: string): void {
  reader?.id(root, id);
}
