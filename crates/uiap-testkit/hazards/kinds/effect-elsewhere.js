import { WORKS, activate, button, expecting, html, signal } from "../lib/case.js";

export default {
  about: "What comes of it shows in another part of the page; the request says what to look for.",
  make(chance) {
    const name = chance.command();
    const item = chance.noun();
    return {
      markup: html`${button(chance, name)}</div></main><aside class="there" aria-label="${chance.noun()}"></aside><main><div>`,
      loose: false,
      its: { item, delay: chance.int(0, 400) },
      run(page, { item, delay }) {
        page.pressed(page.it, async () => {
          if (!await page.post("done", { wait: delay })) return;
          const link = document.createElement("button");
          link.textContent = item;
          page.find(".there").append(link);
        });
      },
      request: expecting(activate(name), signal("element.appeared", { target: { by: "semantic", role: "button", name: item } })),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
