// What an application registers and what its handlers return, as texts of bounded length.

import { toJson } from "./json.js";
import { DESCRIPTOR_CHARS_MAX, ERROR_CHARS_MAX, RETURN_CHARS_MAX } from "./registered.js";

/** One registered action: its descriptor as JSON, or why it has none. */
export type Told = { json: string } | { id: string; error: string };

/** The id of a descriptor, or nothing. */
export function idOf(descriptor: unknown): string {
  try {
    const { id } = (descriptor ?? {}) as { id?: unknown };
    return typeof id === "string" ? id : "";
  } catch {
    return "";
  }
}

export function told(id: string, descriptor: unknown): Told {
  try {
    const json: unknown = toJson(descriptor);
    if (typeof json !== "string") return { id: cut(id), error: "it cannot be written as JSON" };
    if (json.length > DESCRIPTOR_CHARS_MAX) return { id: cut(id), error: `it is longer than ${DESCRIPTOR_CHARS_MAX} characters` };
    return { json };
  } catch (error) {
    return { id: cut(id), error: spoken(error) };
  }
}

/** What a handler returned, as the JSON text of an outcome. */
export function returned(value: unknown): string {
  if (value === undefined) return '{"outcome":"returned"}';
  try {
    const json: unknown = toJson(value);
    if (typeof json === "string") return json.length > RETURN_CHARS_MAX ? '{"outcome":"returned","withheld":"too_long"}' : toJson({ outcome: "returned", json });
  } catch {
    // Such as a value that contains itself.
  }
  return '{"outcome":"returned","withheld":"unwritable"}';
}

/** What was thrown. */
export function spoken(error: unknown): string {
  try {
    return cut(String(error));
  } catch {
    return "something that cannot be written was thrown";
  }
}

const cut = (text: string): string => text.slice(0, ERROR_CHARS_MAX);
