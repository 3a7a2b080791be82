// Before and after a deed: whether the element may be touched at all, and how it is then.

import type { Directory } from "./check.js";
import { Refused } from "./deed.js";
import type { Act, Deed, Receipt } from "./deed.js";
import { documentElement, localName } from "./dom.js";
import { stateNow } from "./facts.js";
import type { Meant } from "./meant.js";
import type { Effect } from "./semantic.js";

/** Deeds that change nothing about the element, so that it need not be usable. */
const HARMLESS = new Set<Act["act"]>(["reveal", "scroll", "hover"]);
const WRITING = new Set<Act["act"]>(["enter_text", "set_value"]);
const ANYWHERE = new Set<Act["act"]>(["scroll", "keys", "pinch"]);

/** The element of a deed. Never one that is disabled, read-only or out of reach. */
export function readyFor(deed: Deed, meant: Meant, directory: Directory, top: Document): Element {
  const element = deed.target === undefined ? (ANYWHERE.has(deed.act) ? documentElement(top) : null) : directory.node(deed.target);
  if (!element?.isConnected) throw new Refused("gone");
  meant.sure();
  if (HARMLESS.has(deed.act)) return element;
  const { enabled, readonly, blocked } = stateNow(element);
  if (blocked) throw new Refused("blocked");
  if (enabled === false) throw new Refused("disabled");
  if (readonly && WRITING.has(deed.act)) throw new Refused("readonly");
  return element;
}

export function receiptOf(element: Element, { holds, scrolled }: Effect): Receipt {
  const receipt: Receipt = {};
  if (holds) receipt.asWanted = holds();
  if (scrolled) receipt.scrolled = scrolled;
  if (!element.isConnected) return receipt;
  receipt.state = stateNow(element);
  if (localName(element) === "select" && !receipt.state.sensitive) receipt.selected = [...(element as HTMLSelectElement).selectedOptions].map(({ value }) => value);
  return receipt;
}
