import { activate, plainButton, withOutcome } from "../lib/case.js";

export default {
  about: "A button that can be pressed only after 0.2 to 0.9 s.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(plainButton(name, "disabled")),
      its: { text: chance.success(), after: chance.int(200, 900) },
      run(page, { text, after }) {
        page.begins(after, () => { page.it.disabled = false; });
        page.pressed(page.it, async () => await page.post("done") && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["target_not_interactable"] },
    };
  },
};
