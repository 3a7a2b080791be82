// What the report is about, and how its parts hang together.

import type { DiscoveredElement, DiscoveryPackage, DiscoveryStateNode, DiscoveryTransition, EvidenceRecord } from "../../types/uiap.js";

/** What is different between two packages, under a title. */
export interface Difference {
  title: string;
  changes: { class: string; subject: string; id: string; message: string }[];
}

/** Everything that the page carries. */
export interface Enclosed {
  package: DiscoveryPackage;
  /** Pictures as data addresses, by the id of their record. */
  pictures: Record<string, string>;
  differences: Difference[];
}

export class Data {
  readonly package: DiscoveryPackage;
  readonly pictures: Record<string, string>;
  readonly differences: Difference[];
  readonly states: ReadonlyMap<string, DiscoveryStateNode>;
  readonly records: ReadonlyMap<string, EvidenceRecord>;
  readonly into: ReadonlyMap<string, DiscoveryTransition[]>;
  readonly out: ReadonlyMap<string, DiscoveryTransition[]>;

  constructor({ package: found, pictures, differences }: Enclosed) {
    this.package = found;
    this.pictures = pictures;
    this.differences = differences;
    const { states, edges } = found.transitionGraph;
    this.states = new Map(states.map((state) => [state.stateId, state]));
    this.records = new Map((found.evidenceIndex?.records ?? []).map((record) => [record.refId, record]));
    this.into = by(edges, ({ toStateId }) => toStateId);
    this.out = by(edges, ({ fromStateId }) => fromStateId);
  }

  /** What a state is called: its route, and the dialog that is open. */
  name(state: DiscoveryStateNode): string {
    const dialog = this.dialog(state);
    return dialog === undefined ? (state.routeId ?? state.stateId) : `${state.routeId ?? state.stateId}: ${dialog}`;
  }

  /** The dialog on top, as people call it. */
  dialog({ modalStack }: DiscoveryStateNode): string | undefined {
    const top = modalStack?.at(-1)?.split("/").at(-1);
    return top?.replace(/^[a-z]+:/, "");
  }

  /** The elements that belong to a state by its route and its areas. */
  elements(state: DiscoveryStateNode): DiscoveredElement[] {
    const areas = new Set(state.scopeIds ?? []);
    return this.package.elementCatalog.elements.filter(
      ({ routes, scopes }) => state.routeId !== undefined && routes?.includes(state.routeId) === true && (!scopes?.length || scopes.some((scope) => areas.has(scope))),
    );
  }

  /** Writes that were held back, with what they belong to. */
  get held(): EvidenceRecord[] {
    return [...this.records.values()].filter(({ source, data }) => source === "network" && typeof data?.["held"] === "string");
  }

  /** What something of the mapper says, as a number. */
  static number(metadata: Record<string, unknown> | undefined, name: string): number | undefined {
    const value = metadata?.[name];
    return typeof value === "number" ? value : undefined;
  }
}

function by<T>(items: readonly T[], key: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const known = groups.get(key(item));
    if (known) known.push(item);
    else groups.set(key(item), [item]);
  }
  return groups;
}

/** A path in the folder of the report; anything else is not followed. */
export function relative(uri: string | undefined): string | undefined {
  return uri !== undefined && /^[\w-][\w./-]*$/.test(uri) && !uri.includes("..") ? uri : undefined;
}

/** A name of the protocol as people read it. */
export const spaced = (word: string): string => word.replaceAll("_", " ");
