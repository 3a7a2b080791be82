import { WORKS, activate, button, html, withOutcome } from "../lib/case.js";

export default {
  about: "What lies over the button goes away after 0.2 to 1.2 s.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`${withOutcome(button(chance, name))}<div class="cover" style="position:fixed;inset:0;background:#0006"></div>`,
      its: { text: chance.success(), after: chance.int(200, 1200) },
      run(page, { text, after }) {
        page.begins(after, () => page.find(".cover").remove());
        page.pressed(page.it, async () => await page.post("done") && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
