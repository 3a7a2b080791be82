import { NOTHING_HAPPENED, ask, html } from "../lib/case.js";

export default {
  about: "The page itself keeps a form back and writes what is wrong beside the field.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<form class="form" novalidate><label>${chance.noun()} <input class="field" name="a"></label><p class="complaint" id="why"></p><button class="it">${name}</button></form>`,
      its: { text: chance.failure(), focus: chance.flag(), delay: chance.int(0, 300) },
      run(page, { text, focus, delay }) {
        page.find(".form").addEventListener("submit", (event) => {
          event.preventDefault();
          page.later(delay, () => {
            const field = page.find(".field");
            field.setAttribute("aria-invalid", "true");
            field.setAttribute("aria-describedby", "why");
            page.find(".complaint").textContent = text;
            if (focus) field.focus();
          });
        });
      },
      request: { ...ask(chance.one(["ui.submit", "ui.activate"]), "button", name), timeoutMs: 5000 },
      oracle: { ledger: { done: 1 } },
      honest: { ...NOTHING_HAPPENED, asks: undefined },
    };
  },
};
