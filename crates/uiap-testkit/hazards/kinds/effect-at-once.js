import { WORKS, activate, button, outcome, withOutcome } from "../lib/case.js";

export default {
  about: "The effect is there at once.",
  make(chance) {
    const name = chance.command();
    const { its, oracle } = outcome(chance);
    return {
      markup: withOutcome(button(chance, name)),
      its,
      run(page, { text, form, server }) {
        page.pressed(page.it, async () => {
          if (!server || await page.post("done")) page.show(text, form);
        });
      },
      request: activate(name),
      oracle,
      honest: WORKS,
    };
  },
};
