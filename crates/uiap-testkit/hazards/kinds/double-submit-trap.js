import { WORKS, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "Every press orders once more, and the answer takes a while: whoever presses twice orders twice.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text: chance.success(), wait: chance.int(300, 1800) },
      run(page, { text, wait }) {
        page.pressed(page.it, async () => await page.post("done", { wait }) && page.show(text, "item"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
      settle: 1500,
    };
  },
};
