import { activate, html } from "../lib/case.js";

export default {
  about: "The page asks whether to leave it.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<input aria-label="${chance.noun()}"><a class="it" href="answer?effect=done">${name}</a>`,
      run() {
        addEventListener("beforeunload", (event) => event.preventDefault());
      },
      request: { ...activate(name, "link"), timeoutMs: 8000 },
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["verification_failed", "timeout"] },
    };
  },
};
