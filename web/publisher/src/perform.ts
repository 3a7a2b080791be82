// Doing something to an element from inside the page, once, and telling whether it reached it.

import type { Directory } from "./check.js";
import { Refused, Strayed } from "./deed.js";
import type { Deed, Outcome } from "./deed.js";
import { refresh } from "./facts.js";
import { TEXT_CHARS_MAX } from "./limits.js";
import { Meant } from "./meant.js";
import { readyFor, receiptOf } from "./receipts.js";
import type { Effect } from "./semantic.js";
import { cut } from "./text.js";

/** The means by which it is done. */
export type CarryOut = (element: Element, deed: Deed, top: Document, meant: Meant) => Effect;

export async function perform(deed: Deed, directory: Directory, top: Document, carryOut: CarryOut): Promise<Outcome> {
  refresh();
  try {
    const meant = new Meant(deed, directory);
    const element = readyFor(deed, meant, directory, top);
    const effect = carryOut(element, deed, top, meant);
    // Frameworks render what they learnt before this continues, and no other task comes in between.
    await undefined;
    refresh();
    const receipt = receiptOf(element, effect);
    directory.pull();
    return { delivery: "delivered", receipt };
  } catch (error) {
    if (error instanceof Refused) return error.cover ? { delivery: "none", why: error.why, cover: error.cover } : { delivery: "none", why: error.why };
    if (error instanceof Strayed) return { delivery: "strayed" };
    return { delivery: "unknown", error: cut(String(error), TEXT_CHARS_MAX) };
  }
}
