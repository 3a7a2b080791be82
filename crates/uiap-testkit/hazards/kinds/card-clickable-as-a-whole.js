import { WORKS, activate, html, withOutcome } from "../lib/case.js";

export default {
  about: "A card that is pressed as a whole, with texts and pictures inside.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: withOutcome(html`<div class="it card" role="button" tabindex="0" aria-label="${name}" style="width:${chance.int(160, 400)}px"><svg width="40" height="30" aria-hidden="true"><rect width="40" height="30"/></svg><h3>${name}</h3><p>${chance.int(1, 99)} %</p></div>`),
      its: { text: chance.success() },
      run(page, { text }) {
        page.pressed(page.it, async () => await page.post("done") && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
