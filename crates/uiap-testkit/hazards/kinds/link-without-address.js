import { NOTHING_HAPPENED, activate, html } from "../lib/case.js";

export default {
  about: "A link that leads nowhere: to the top of the page, or to a script that does nothing.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<a class="it" href="${chance.one(["javascript:void 0", "#"])}">${name}</a>`,
      run(page) {
        page.it.addEventListener("click", (event) => event.preventDefault());
      },
      request: { ...activate(name, "link"), timeoutMs: 4000 },
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
