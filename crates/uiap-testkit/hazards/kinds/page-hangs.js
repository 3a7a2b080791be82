import { WORKS, activate, button, outcome, withOutcome } from "../lib/case.js";

export default {
  about: "The handler keeps the page from doing anything else for 0.3 to 3 s.",
  make(chance) {
    const name = chance.command();
    const { its, oracle } = outcome(chance);
    return {
      markup: withOutcome(button(chance, name)),
      its: { ...its, hang: chance.int(300, 3000) },
      run(page, { text, form, server, hang }) {
        page.pressed(page.it, async () => {
          const end = performance.now() + hang;
          while (performance.now() < end);
          if (!server || await page.post("done")) page.show(text, form);
        });
      },
      request: activate(name),
      oracle,
      honest: WORKS,
    };
  },
};
