// Which routes of a bundle the page is on.
//
// Patterns: `:name` and `*` are one segment, `**` is any rest; query and hash count only if the pattern has them.

import type { RouteBinding, RouteMatcher } from "../../types/uiap.js";
import { escapeRegExp, sameText } from "./text.js";

/** What a page says about where it is. */
export interface RouteFacts {
  /** The id that the application publishes. */
  routeId: string | undefined;
  url: string;
  title: string;
  /** The last signal of the application. */
  signal: string | undefined;
}

export interface RouteHit {
  id: string;
  params: Record<string, string>;
}

/** Every route that the page is on; a route that another hit belongs to is not counted beside it. */
export function routesOf(routes: readonly RouteBinding[], facts: RouteFacts): RouteHit[] {
  const hits: RouteHit[] = [];
  for (const { id, match } of routes) {
    const params = match.map((matcher) => matched(matcher, facts)).find((found) => found !== undefined);
    if (params && !hits.some((hit) => hit.id === id)) hits.push({ id, params });
  }
  const parents = new Set(hits.flatMap(({ id }) => ancestorsOf(id, routes)));
  return hits.filter(({ id }) => !parents.has(id));
}

function ancestorsOf(id: string, routes: readonly RouteBinding[]): string[] {
  const found: string[] = [];
  for (let at = id; found.length <= routes.length; ) {
    const parent = routes.find((route) => route.id === at)?.parentRouteId;
    if (parent === undefined || parent === id || found.includes(parent)) break;
    found.push(parent);
    at = parent;
  }
  return found;
}

function matched({ kind, value }: RouteMatcher, { routeId, url, title, signal }: RouteFacts): Record<string, string> | undefined {
  switch (kind) {
    case "routeId":
      return routeId === value ? {} : undefined;
    case "title":
      return sameText(title, value) ? {} : undefined;
    case "signal":
      return signal === value ? {} : undefined;
    case "path":
      return matchAddress(value, url, false);
    case "urlPattern":
      return matchAddress(value, url, !value.startsWith("/"));
  }
}

/** The variable parts of an address, if it has the form of the pattern. */
function matchAddress(pattern: string, url: string, whole: boolean): Record<string, string> | undefined {
  const [address = "", query, hash] = split(url);
  const [wanted = "", wantedQuery, wantedHash] = split(pattern);
  if (wantedQuery !== undefined && wantedQuery !== query) return undefined;
  if (wantedHash !== undefined && wantedHash !== hash) return undefined;
  const [origin, path] = parted(address);
  const [wantedOrigin, wantedPath] = parted(wanted);
  if (whole && !new RegExp(`^${escapeRegExp(wantedOrigin).replaceAll("\\*", "[^/]*")}$`, "i").test(origin)) return undefined;
  return matchPath(wantedPath, path);
}

/** Address, query and hash. A `:name` may hold no question mark, so the first one starts the query. */
function split(text: string): [string, string | undefined, string | undefined] {
  const [beforeHash = "", ...hash] = text.split("#");
  const [address = "", ...query] = beforeHash.split("?");
  return [address, query.length > 0 ? query.join("?") : undefined, hash.length > 0 ? hash.join("#") : undefined];
}

function parted(address: string): [string, string] {
  const [, origin = "", path = ""] = /^([a-z*][a-z0-9+.*-]*:\/\/[^/]*)?(.*)$/i.exec(address) ?? [];
  return [origin, path];
}

const segmentsOf = (path: string): string[] => path.split("/").filter((segment) => segment !== "");

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = segmentsOf(pattern);
  const given = segmentsOf(path);
  const params: Record<string, string> = {};
  for (const [at, segment] of wanted.entries()) {
    if (segment === "**") return params;
    const value = given[at];
    if (value === undefined) return undefined;
    if (segment.startsWith(":")) params[segment.slice(1)] = decoded(value);
    else if (segment !== "*" && decoded(value) !== decoded(segment)) return undefined;
  }
  return given.length === wanted.length ? params : undefined;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}
