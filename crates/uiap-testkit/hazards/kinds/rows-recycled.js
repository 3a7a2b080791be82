import { activate, html } from "../lib/case.js";

export default {
  about: "A list that uses its nodes again for other rows, at some moment.",
  make(chance) {
    const rows = chance.nouns(6);
    return {
      markup: html`<ul class="rows"><li><button type="button"></button></li><li><button type="button"></button></li><li><button type="button"></button></li></ul><p class="said" role="status"></p>`,
      its: { rows, text: chance.success(), after: chance.int(0, 250) },
      run(page, { rows, text, after }) {
        const buttons = [...document.querySelectorAll(".rows button")];
        const fill = (first) => buttons.forEach((button, index) => { button.textContent = rows[first + index]; });
        fill(0);
        page.begins(after, () => fill(3));
        for (const button of buttons) {
          page.pressed(button, async () => await page.post(button.textContent === rows[1] ? "done" : "wrong") && page.show(text, "status"));
        }
      },
      request: activate(rows[1]),
      oracle: { ledger: { done: 1 } },
      never: ["wrong"],
      honest: { codes: ["target_not_found", "stale_target", "verification_failed"] },
    };
  },
};
