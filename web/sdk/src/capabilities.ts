// What every page with the SDK shows and what can be done on it. A test of `uiap-web` holds it against the runtime.

import type { ActionDescriptor, CapabilityDocument } from "../../types/uiap.js";
import all from "./capabilities.json" with { type: "json" };

/** With what the application itself offers. */
export function capabilitiesWith(offered: readonly ActionDescriptor[]): CapabilityDocument {
  const document = structuredClone(all) as unknown as CapabilityDocument;
  return { ...document, actions: [...document.actions, ...offered] };
}
