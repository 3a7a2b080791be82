// What is shared by the elements of one document or shadow root.

import type { Annotations } from "./annotations.js";
import type { Bound } from "./bindings.js";
import { attribute, byId, contains, epoch, queryAll } from "./dom.js";
import type { Root } from "./dom.js";
import { innerOrigin } from "./geometry.js";
import type { Origin } from "./geometry.js";
import type { Letters } from "./letters.js";
import { Names } from "./names.js";
import { Secrets } from "./sensitive.js";

export class Area {
  readonly names: Names;
  readonly secrets: Secrets;
  /** Elements that aria-owns puts elsewhere, with their new parents. */
  readonly owned: ReadonlyMap<Element, Element>;
  /** Something wants to own others, whether they exist or not. */
  readonly hasOwners: boolean;
  /** Nothing here, style sheet or element, can make something invisible that has a box. */
  readonly showsItsBoxes: boolean;
  #origin: Origin = { x: 0, y: 0 };
  #originEpoch = -1;

  constructor(
    readonly root: Root,
    readonly documentId: string,
    /** The frame around a document, and the area it stands in. */
    readonly frame: { element: Element; area: Area } | undefined,
    /** The area of the host, for an open shadow root. */
    readonly host: Area | undefined,
    annotations: Annotations,
    /** Whether boxes that are used like controls are published as such. */
    readonly derives: boolean,
    /** What a bundle says about the page. */
    readonly binding: Bound | undefined,
    letters: Letters,
  ) {
    binding?.page.enter(root);
    // One search for all the rare attributes: most pages have none of them.
    const rare = queryAll(root, rareIn(annotations));
    this.owned = owners(root, rare);
    this.hasOwners = Array.prototype.some.call(rare, (element: Element) => attribute(element, "aria-owns") !== undefined);
    this.secrets = new Secrets(annotations, root, rare.length > 0, binding && ((element) => binding.page.isSecret(element)));
    this.names = new Names(root, this.owned.size > 0, (element) => this.secrets.withholds(element), letters);
    const around = host ?? frame?.area;
    this.showsItsBoxes = around?.showsItsBoxes !== false && !this.names.hints.mayHide && queryAll(root, HIDING).length === 0;
  }

  /** Where it begins in the viewport of the page; frames move. */
  get origin(): Origin {
    if (this.host) return this.host.origin;
    if (this.frame && this.#originEpoch !== epoch()) {
      this.#origin = innerOrigin(this.frame.element, this.frame.area.origin);
      this.#originEpoch = epoch();
    }
    return this.#origin;
  }
}

/** What makes things invisible by itself. */
const HIDING = "[style*=visibility],details:not([open]),[hidden=until-found]";

/** Attributes that most pages have nowhere, and that concern more than the element that has them. */
export function rareIn({ secretSelector }: Annotations): string {
  return `[aria-owns],${secretSelector}`;
}

function owners(root: Root, list: NodeListOf<Element>): Map<Element, Element> {
  const found = new Map<Element, Element>();
  for (let at = 0; at < list.length; at += 1) {
    const owner = list[at] as Element;
    for (const id of (attribute(owner, "aria-owns") ?? "").split(/\s+/)) {
      const child = id ? byId(root, id) : null;
      if (child && child !== owner && !contains(child, owner) && !found.has(child)) found.set(child, owner);
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
