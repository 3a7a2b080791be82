import { NOTHING_HAPPENED, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "A toast of success after the server refused.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text: chance.success(), wait: chance.int(0, 500), status: chance.one([403, 409, 500]) },
      run(page, { text, wait, status }) {
        page.pressed(page.it, async () => {
          await page.post("done", { wait, status });
          page.toast(text);
        });
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
