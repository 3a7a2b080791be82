import { WORKS, activate, button, html, withOutcome } from "../lib/case.js";

export default {
  about: "A button far below, or far to the right.",
  make(chance) {
    const name = chance.command();
    const far = `${chance.int(1500, 6000)}px`;
    const below = chance.flag(0.7);
    return {
      markup: below ? html`<div style="height:${far}"></div>${withOutcome(button(chance, name))}` : html`<div style="margin-left:${far};width:300px;direction:ltr">${withOutcome(button(chance, name))}</div>`,
      loose: below,
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
