import { activate, html } from "../lib/case.js";

export default {
  about: "A button that is only painted.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<canvas class="it" width="200" height="60"></canvas>`,
      its: { name },
      run(page, { name }) {
        const context = page.it.getContext("2d");
        context.strokeRect(10, 10, 150, 40);
        context.fillText(name, 20, 34);
        page.it.addEventListener("click", () => page.post("done"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: { effect: false, codes: ["target_not_found"] },
    };
  },
};
