import { WORKS, activate, html } from "../lib/case.js";

export default {
  about: "A link to another document, which may take a while.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<a class="it" href="answer?effect=done&wait=${chance.int(0, 900)}&text=${encodeURIComponent(chance.success())}">${name}</a>`,
      request: activate(name, "link"),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
