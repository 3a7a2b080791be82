import { activate, html } from "../lib/case.js";

export default {
  about: "Rows that change places all the time; each has a button of its own name.",
  make(chance) {
    const rows = chance.nouns(chance.int(3, 7));
    const wanted = chance.int(0, rows.length - 1);
    return {
      markup: html`<ul class="rows">${rows.map((row, index) => html`<li><button type="button" data-row="${index}">${row}</button></li>`)}</ul><p class="said" role="status"></p>`,
      its: { wanted, text: chance.success(), every: chance.int(250, 900) },
      run(page, { wanted, text, every }) {
        const list = page.find(".rows");
        for (const button of list.querySelectorAll("button")) {
          page.pressed(button, async () => await page.post(Number(button.dataset.row) === wanted ? "done" : "wrong") && page.show(text, "status"));
        }
        setInterval(() => list.append(list.children[Math.floor(Math.random() * (list.children.length - 1))]), every);
      },
      request: activate(rows[wanted]),
      oracle: { ledger: { done: 1 } },
      never: ["wrong"],
      // A target is looked for once more and no further (ACT 8.3); whoever is unlucky twice says so.
      honest: { codes: ["stale_target"] },
    };
  },
};
