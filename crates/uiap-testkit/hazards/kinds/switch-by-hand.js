import { WORKS, ask, html, withOutcome } from "../lib/case.js";

export default {
  about: "A switch made by hand that asks the server before it moves.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: withOutcome(html`<button type="button" class="it" role="switch" aria-checked="false" aria-label="${name}">○</button>`),
      its: { wait: chance.int(0, 900) },
      run(page, { wait }) {
        page.it.addEventListener("click", async () => {
          if (await page.post("done", { wait })) page.it.setAttribute("aria-checked", "true");
        });
      },
      request: ask("ui.toggle", "switch", name, { to: true }),
      oracle: { ledger: { done: 1 }, page: 'page.it.getAttribute("aria-checked") === "true"' },
      honest: WORKS,
    };
  },
};
