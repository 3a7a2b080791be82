import { activate, html } from "../lib/case.js";

export default {
  about: "A button that wants a file from a person.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<label for="file">${name}</label><input type="file" id="file" class="it">`,
      run(page) {
        page.it.addEventListener("change", () => page.post("done"));
      },
      request: { ...activate(name, "fileinput"), timeoutMs: 6000 },
      oracle: { ledger: { done: 1 } },
      honest: { effect: false, codes: ["user_activation_required", "verification_failed", "timeout", "target_not_interactable", "cancelled"] },
    };
  },
};
