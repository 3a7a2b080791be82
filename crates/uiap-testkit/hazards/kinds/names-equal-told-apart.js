import { WORKS, html } from "../lib/case.js";

export default {
  about: "Rows with buttons of the same name; the wanted one has an identity of its own.",
  make(chance) {
    const name = chance.command();
    const rows = chance.nouns(chance.int(2, 6));
    const wanted = chance.int(0, rows.length - 1);
    return {
      markup: html`<table><tbody>${rows.map((row, index) => html`<tr><th scope="row">${row}</th><td><button type="button" class="row" data-uiap-id="row.${index}.open">${name}</button></td></tr>`)}</tbody></table><p class="said" role="status"></p>`,
      its: { wanted, text: chance.success() },
      run(page, { wanted, text }) {
        for (const [index, button] of [...document.querySelectorAll(".row")].entries()) {
          page.pressed(button, async () => await page.post(index === wanted ? "done" : "wrong") && page.show(text, "status"));
        }
      },
      request: { actionId: "ui.activate", target: { ref: { by: "stableId", value: `row.${wanted}.open` }, expectedName: name } },
      oracle: { ledger: { done: 1 } },
      never: ["wrong"],
      honest: WORKS,
    };
  },
};
