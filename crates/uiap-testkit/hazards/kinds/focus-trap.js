import { WORKS, activate, html, plainButton, withOutcome } from "../lib/case.js";

export default {
  about: "A dialog that holds the focus; the button is inside.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<div class="layer" role="dialog" aria-modal="true" aria-label="${chance.noun()}" style="position:fixed;top:40px;left:40px;background:#fff;border:1px solid;z-index:9">${withOutcome(plainButton(name))}<button type="button" class="last">${chance.command()}</button></div>`,
      its: { text: chance.success() },
      run(page, { text }) {
        page.find(".last").focus();
        document.addEventListener("focusin", ({ target }) => target.closest(".layer") || page.find(".last").focus());
        page.pressed(page.it, async () => await page.post("done") && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
