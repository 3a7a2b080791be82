import { activate, html } from "../lib/case.js";

export default {
  about: "The wanted row leaves at some moment, and the next one takes its place on the screen.",
  make(chance) {
    const rows = chance.nouns(4);
    return {
      markup: html`<ul class="rows">${rows.map((row, index) => html`<li><button type="button" data-row="${index}">${row}</button></li>`)}</ul><p class="said" role="status"></p>`,
      its: { text: chance.success(), after: chance.int(0, 250) },
      run(page, { text, after }) {
        const list = page.find(".rows");
        for (const button of list.querySelectorAll("button")) {
          page.pressed(button, async () => await page.post(button.dataset.row === "1" ? "done" : "wrong") && page.show(text, "status"));
        }
        page.begins(after, () => list.children[1].remove());
      },
      request: activate(rows[1]),
      oracle: { ledger: { done: 1 } },
      never: ["wrong"],
      honest: { codes: ["target_not_found", "stale_target", "verification_failed"] },
    };
  },
};
