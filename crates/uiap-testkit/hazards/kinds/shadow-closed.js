import { activate, html } from "../lib/case.js";

export default {
  about: "A button in a closed shadow root.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<div class="host"></div><p class="said" role="status"></p>`,
      its: { name, text: chance.success() },
      run(page, { name, text }) {
        const root = page.find(".host").attachShadow({ mode: "closed" });
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
        page.pressed(button, async () => await page.post("done") && page.show(text, "status"));
        root.append(button);
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["target_not_found", "closed_shadow_unavailable", "verification_failed"] },
    };
  },
};
