import { activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "The effect comes after whoever asked has stopped waiting.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text: chance.success(), delay: chance.int(1500, 2200) },
      run(page, { text, delay }) {
        page.pressed(page.it, () => page.later(delay, async () => await page.post("done") && page.show(text, "status")));
      },
      request: { ...activate(name), verification: { timeoutMs: 600 } },
      oracle: { ledger: { done: 1 } },
      honest: { recognise: false, codes: ["verification_failed", "timeout"] },
      settle: 2600,
    };
  },
};
