import { WORKS, activate, button, html, withOutcome } from "../lib/case.js";

export default {
  about: "A button in a box that scrolls, outside of what it shows.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<div style="height:${chance.int(80, 160)}px;width:360px;overflow:auto;border:1px solid"><div style="height:${chance.int(400, 2000)}px"></div>${withOutcome(button(chance, name))}<div style="height:300px"></div></div>`,
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
