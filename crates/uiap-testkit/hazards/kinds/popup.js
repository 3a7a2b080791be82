import { activate, html } from "../lib/case.js";

export default {
  about: "A link or a button that opens another page.",
  make(chance) {
    const name = chance.noun();
    const link = chance.flag();
    return {
      markup: link ? html`<a class="it" target="_blank" href="answer?effect=done">${name}</a>` : html`<button type="button" class="it">${name}</button>`,
      its: { link },
      run(page, { link }) {
        if (!link) page.pressed(page.it, () => window.open("answer?effect=done"));
      },
      request: activate(name, link ? "link" : "button"),
      oracle: { ledger: { done: 1 } },
      honest: { effect: true, codes: ["verification_failed", "timeout", "user_activation_required"] },
    };
  },
};
