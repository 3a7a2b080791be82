import { WORKS, activate, button, outcome, withOutcome } from "../lib/case.js";

export default {
  about: "The page also sends statistics, which are refused; the effect comes about all the same.",
  make(chance) {
    const name = chance.command();
    const { its, oracle } = outcome(chance);
    return {
      markup: withOutcome(button(chance, name)),
      its: { ...its, status: chance.one([403, 404, 500]) },
      run(page, { text, form, server, status }) {
        page.pressed(page.it, async () => {
          navigator.sendBeacon(`answer?effect=counted&status=${status}`);
          if (!server || await page.post("done")) page.show(text, form);
        });
      },
      request: activate(name),
      oracle,
      honest: WORKS,
    };
  },
};
