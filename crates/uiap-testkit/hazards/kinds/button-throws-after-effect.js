import { WORKS, activate, button, outcome, withOutcome } from "../lib/case.js";

export default {
  about: "The effect comes about, and then the handler throws.",
  make(chance) {
    const name = chance.command();
    const { its, oracle } = outcome(chance);
    return {
      markup: withOutcome(button(chance, name)),
      its,
      run(page, { text, form, server }) {
        page.pressed(page.it, async () => {
          if (server && !await page.post("done")) return;
          page.show(text, form);
          throw new Error("statistics are not available");
        });
      },
      request: activate(name),
      oracle,
      honest: WORKS,
    };
  },
};
