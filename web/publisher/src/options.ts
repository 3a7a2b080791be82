// What a caller may ask for. Options arrive as text and may be wrong; what is not understood does not count.

import type { SnapshotOptions } from "../../types/uiap.js";
import { PREFIX_DEFAULT } from "./annotations.js";
import { ELEMENTS_MAX } from "./limits.js";

export interface Wanted {
  scopes: ReadonlySet<string> | undefined;
  documents: ReadonlySet<string> | undefined;
  includeHidden: boolean;
  includeBBox: boolean;
  elementsMax: number;
  prefix: string;
  derives: boolean;
  /** Go over everything, whatever is known already. */
  fresh: boolean;
}

/** Three are ours: an application may annotate under another name, inference can be switched off, and a test may doubt. */
type Given = SnapshotOptions & { annotationPrefix?: string; derive?: boolean; fresh?: boolean };

/** Whether the names of annotations may begin so. */
export function isPrefix(text: unknown): text is string {
  return typeof text === "string" && /^data-[a-z0-9-]+-$/.test(text);
}

/** How a page is followed where nothing else is asked for. */
export interface Usual {
  /** How annotations begin. */
  readonly prefix: string;
  readonly elementsMax: number;
}

const USUAL: Usual = { prefix: PREFIX_DEFAULT, elementsMax: ELEMENTS_MAX };

/** What was asked for, beside what is usual. */
export function wanted(json: string | undefined, { prefix, elementsMax }: Usual = USUAL): Wanted {
  const given = parse(json);
  const limit = given.maxElements;
  return {
    scopes: listed(given.scopes),
    documents: listed(given.documents),
    includeHidden: given.includeHidden === true,
    includeBBox: given.includeBBox !== false,
    elementsMax: typeof limit === "number" && limit >= 0 ? Math.min(Math.floor(limit), elementsMax) : elementsMax,
    prefix: isPrefix(given.annotationPrefix) ? given.annotationPrefix : prefix,
    derives: given.derive !== false,
    fresh: given.fresh === true,
  };
}

function parse(json: string | undefined): Given {
  if (!json) return {};
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

function listed(ids: unknown): ReadonlySet<string> | undefined {
  return Array.isArray(ids) ? new Set(ids.filter((id): id is string => typeof id === "string")) : undefined;
}

/** Whether the whole page was asked for in the way it is followed; parts of it are cut out afterwards. */
export function isPlain({ includeHidden, includeBBox, elementsMax, prefix, derives }: Wanted, followed: Wanted): boolean {
  return !includeHidden && includeBBox && elementsMax === followed.elementsMax && prefix === followed.prefix && derives;
}
