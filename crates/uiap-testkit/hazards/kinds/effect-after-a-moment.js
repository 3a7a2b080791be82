import { WORKS, activate, button, outcome, withOutcome } from "../lib/case.js";

export default {
  about: "The effect comes after 20 to 150 ms.",
  make(chance) {
    const name = chance.command();
    const { its, oracle } = outcome(chance);
    return {
      markup: withOutcome(button(chance, name)),
      its: { ...its, delay: chance.int(20, 150) },
      run(page, { text, form, server, delay }) {
        page.pressed(page.it, () => page.later(delay, async () => {
          if (!server || await page.post("done")) page.show(text, form);
        }));
      },
      request: activate(name),
      oracle,
      honest: WORKS,
    };
  },
};
