import { WORKS, activate, html } from "../lib/case.js";

export default {
  about: "A button in an open shadow root.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<div class="host"></div><p class="said" role="status"></p>`,
      its: { name, text: chance.success(), depth: chance.int(1, 3) },
      run(page, { name, text, depth }) {
        let root = page.find(".host").attachShadow({ mode: "open" });
        for (let level = 1; level < depth; level += 1) {
          const host = document.createElement("div");
          root.append(host);
          root = host.attachShadow({ mode: "open" });
        }
        const button = Object.assign(document.createElement("button"), { type: "button", textContent: name });
        page.pressed(button, async () => await page.post("done") && page.show(text, "status"));
        root.append(button);
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
