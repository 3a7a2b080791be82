import { activate, html } from "../lib/case.js";

export default {
  about: "The button is replaced when the mouse goes down on it, so that a real click never comes.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<div class="slot"></div><p class="said" role="status"></p>`,
      its: { name, text: chance.success(), on: chance.one(["pointerdown", "mousedown", "pointerenter"]) },
      run(page, { name, text, on }) {
        const draw = () => {
          const button = Object.assign(document.createElement("button"), { type: "button", className: "it", textContent: name });
          button.addEventListener(on, draw, { once: true });
          page.pressed(button, async () => await page.post("done") && page.show(text, "status"));
          page.find(".slot").replaceChildren(button);
        };
        draw();
      },
      request: { ...activate(name), timeoutMs: 6000 },
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["verification_failed", "timeout", "stale_target", "target_not_interactable"] },
    };
  },
};
