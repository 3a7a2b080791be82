// What is shared by the elements of one document or shadow root.

import type { Annotations } from "./annotations.js";
import type { BoundPage } from "./bindings.js";
import { attribute, byId, queryAll } from "./dom.js";
import type { Root } from "./dom.js";
import type { Origin } from "./geometry.js";
import { Names } from "./names.js";
import { Secrets } from "./sensitive.js";

export class Area {
  readonly names: Names;
  readonly secrets: Secrets;
  /** Elements that aria-owns puts elsewhere, with their new parents. */
  readonly owned: ReadonlyMap<Element, Element>;

  constructor(
    readonly root: Root,
    readonly documentId: string,
    readonly origin: Origin,
    /** The area of the host, for an open shadow root. */
    readonly host: Area | undefined,
    annotations: Annotations,
    /** Whether boxes that are used like controls are published as such. */
    readonly derives: boolean,
    /** What a bundle says about the page. */
    readonly bound: BoundPage | undefined,
  ) {
    bound?.enter(root);
    // One search for all the rare attributes: most pages have none of them.
    const rare = queryAll(root, `[aria-owns],${annotations.secretSelector}`);
    this.owned = owners(root, rare);
    this.secrets = new Secrets(annotations, root, rare.length > 0, bound && ((element) => bound.isSecret(element)));
    this.names = new Names(root, this.owned.size > 0, (element) => this.secrets.withholds(element));
  }
}

function owners(root: Root, list: NodeListOf<Element>): Map<Element, Element> {
  const found = new Map<Element, Element>();
  for (let at = 0; at < list.length; at += 1) {
    const owner = list[at] as Element;
    for (const id of (attribute(owner, "aria-owns") ?? "").split(/\s+/)) {
      const child = id ? byId(root, id) : null;
      if (child && child !== owner && !child.contains(owner) && !found.has(child)) found.set(child, owner);
    }
  }
  return found;
}

/** The elements an element owns, in the order it names them. */
export function ownedBy(owner: Element, area: Area): Element[] {
  if (area.owned.size === 0) return [];
  const ids = attribute(owner, "aria-owns");
  if (!ids) return [];
  return ids.split(/\s+/).map((id) => (id ? byId(area.root, id) : null)).filter((child) => child !== null && area.owned.get(child) === owner) as Element[];
}
