import { activate, html } from "../lib/case.js";

export default {
  about: "A framework puts a new button in place of the old one, again and again.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<div class="slot"></div><p class="said" role="status"></p>`,
      its: { name, text: chance.success(), every: chance.int(100, 500) },
      run(page, { name, text, every }) {
        const draw = () => {
          const button = Object.assign(document.createElement("button"), { type: "button", className: "it", textContent: name });
          page.pressed(button, async () => await page.post("done") && page.show(text, "status"));
          page.find(".slot").replaceChildren(button);
        };
        draw();
        setInterval(draw, every);
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      // A target is looked for once more and no further (ACT 8.3); whoever is unlucky twice says so.
      honest: { codes: ["stale_target"] },
    };
  },
};
