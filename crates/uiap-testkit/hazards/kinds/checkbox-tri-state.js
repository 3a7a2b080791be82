import { ask, html } from "../lib/case.js";

export default {
  about: "A box that is neither on nor off; a press can only turn it on.",
  make(chance) {
    const name = chance.noun();
    const to = chance.flag();
    return {
      markup: html`<label><input type="checkbox" class="it"> ${name}</label>`,
      run(page) {
        page.it.indeterminate = true;
      },
      request: ask("ui.toggle", "checkbox", name, { to }),
      oracle: { page: `page.it.checked === ${to} && !page.it.indeterminate` },
      honest: { effect: to || undefined, codes: ["verification_failed", "timeout"] },
    };
  },
};
