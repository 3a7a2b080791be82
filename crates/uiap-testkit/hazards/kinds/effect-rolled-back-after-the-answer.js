import { activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "The effect of something harmless stays for 60 to 450 ms, with nothing under way, and is taken back by a timer.",
  beyond: "A safe action is answered once its effect has stood for two frames; what a timer does later is not waited for.",
  make(chance) {
    const name = chance.command();
    const text = chance.success();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text, form: chance.one(["status", "item"]), shown: chance.int(60, 450) },
      run(page, { text, form, shown }) {
        page.pressed(page.it, () => page.later(shown, page.show(text, form)));
      },
      request: activate(name),
      oracle: { page: `page.reads(${JSON.stringify(text)})` },
      honest: { effect: false, codes: ["verification_failed", "timeout"] },
    };
  },
};
