import { WORKS, activate, plainButton, withOutcome } from "../lib/case.js";

export default {
  about: "A button that slides in for up to a second.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(plainButton(name)),
      its: { text: chance.success(), duration: chance.int(200, 1000), far: chance.int(60, 300) },
      run(page, { text, duration, far }) {
        page.begins(0, () => page.it.animate([{ transform: `translateX(${far}px)` }, { transform: "none" }], { duration, easing: "linear" }));
        page.pressed(page.it, async () => await page.post("done") && page.show(text, "status"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
