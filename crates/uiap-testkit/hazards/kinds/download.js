import { activate, html } from "../lib/case.js";

export default {
  about: "A link that hands over a file.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<a class="it" href="answer?effect=done&file=report.csv&wait=${chance.int(0, 400)}">${name}</a>`,
      request: activate(name, "link"),
      oracle: { ledger: { done: 1 } },
      honest: { effect: true, codes: ["verification_failed", "timeout"] },
    };
  },
};
