import { WORKS, activate, button, html, withOutcome } from "../lib/case.js";

export default {
  about: "The button is scrolled under a header that stays.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<div style="position:fixed;top:0;left:0;right:0;height:${chance.int(60, 120)}px;background:#def"></div><div style="height:300px"></div>${withOutcome(button(chance, name))}<div style="height:2400px"></div>`,
      loose: false,
      its: { text: chance.success() },
      run(page, { text }) {
        page.it.scrollIntoView({ block: "start" });
        page.pressed(page.it, async () => await page.post("done") && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
