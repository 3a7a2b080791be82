// Whether a page still builds itself after it has loaded.

import { queryAll, shadowRootOf } from "./dom.js";
import type { Root } from "./dom.js";

const CHANGES: MutationObserverInit = { subtree: true, childList: true, attributes: true, characterData: true };

/** Every tree of a document that mutations are told of apart: itself, and the shadow roots that we may look into. */
function* trees(root: Root): Generator<Root> {
  yield root;
  for (const element of queryAll(root, "*")) {
    const shadow = shadowRootOf(element);
    if (shadow) yield* trees(shadow);
  }
}

/** Waits until nothing has changed in a document for so many milliseconds. Some never come to that. */
export function calm(top: Document, quietMs: number): Promise<void> {
  return new Promise((resolve) => {
    const seen = new Set<Root>();
    let timer = 0;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(quiet, quietMs);
    };
    const observer = new MutationObserver(wait);
    const observe = (): void => {
      for (const root of trees(top)) {
        if (seen.has(root)) continue;
        seen.add(root);
        observer.observe(root, CHANGES);
      }
    };
    const quiet = (): void => {
      const known = seen.size;
      observe();
      // A shadow root is attached without a word; what it holds has just come.
      if (seen.size > known) {
        wait();
        return;
      }
      observer.disconnect();
      resolve();
    };
    observe();
    wait();
  });
}
