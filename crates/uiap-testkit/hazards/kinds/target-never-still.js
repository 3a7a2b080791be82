import { activate, plainButton, withOutcome } from "../lib/case.js";

export default {
  about: "A button that never stands still.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(plainButton(name)),
      its: { text: chance.success(), duration: chance.int(300, 1500) },
      run(page, { text, duration }) {
        page.it.animate([{ transform: "none" }, { transform: "translateX(180px)" }], { duration, iterations: Infinity, direction: "alternate" });
        page.pressed(page.it, async () => await page.post("done") && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: { codes: ["target_not_interactable"] },
    };
  },
};
