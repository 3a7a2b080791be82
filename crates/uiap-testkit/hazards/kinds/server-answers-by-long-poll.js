import { WORKS, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "The effect is told through a request that was open before the press.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text: chance.success(), form: chance.one(["status", "item", "toast"]), delay: chance.int(0, 400) },
      run(page, { text, form, delay }) {
        fetch("news?effect=done").then((answer) => answer.ok && page.later(delay, () => page.show(text, form)));
        page.pressed(page.it, () => navigator.sendBeacon("answer?effect=done"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
