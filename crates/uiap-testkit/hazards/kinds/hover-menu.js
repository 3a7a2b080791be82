import { ask, html } from "../lib/case.js";

export default {
  about: "A menu that opens while something is pointed at; some close again at once.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<button type="button" class="it">${name}</button><div class="menu" role="menu" aria-label="${chance.noun()}" hidden><button type="button" role="menuitem">${chance.command()}</button></div>`,
      its: { delay: chance.int(0, 400) },
      run(page, { delay }) {
        let timer;
        page.it.addEventListener("mouseenter", () => { timer = setTimeout(() => { page.find(".menu").hidden = false; }, delay); });
        page.it.addEventListener("mouseleave", () => clearTimeout(timer));
      },
      request: ask("ui.hover", "button", name),
      oracle: { page: 'page.it.matches(":hover")' },
      honest: { effect: true, codes: ["verification_failed"] },
    };
  },
};
