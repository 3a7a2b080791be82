import { WORKS, activate, plainButton, withOutcome } from "../lib/case.js";

export default {
  about: "The page has two handlers, so one press counts twice: the page's fault, and an effect all the same.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(plainButton(name)),
      its: { text: chance.success(), form: chance.one(["status", "item"]) },
      run(page, { text, form }) {
        page.pressed(page.it, () => page.post("done"));
        page.pressed(page.it, async () => await page.post("done") && page.show(text, form));
      },
      request: activate(name),
      oracle: { ledger: { done: 2 } },
      honest: WORKS,
    };
  },
};
