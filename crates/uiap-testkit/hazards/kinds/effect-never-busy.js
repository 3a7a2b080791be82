import { NOTHING_HAPPENED, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "A spinner that turns for ever, and nothing else.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { bar: chance.flag() },
      run(page, { bar }) {
        page.pressed(page.it, () => {
          page.thing.setAttribute("aria-busy", "true");
          const spinner = document.createElement(bar ? "progress" : "div");
          if (!bar) spinner.setAttribute("role", "progressbar");
          page.thing.append(spinner);
        });
      },
      request: { ...activate(name), verification: { timeoutMs: 2500 } },
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
