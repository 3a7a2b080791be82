import { NOTHING_HAPPENED, activate, plainButton, withOutcome } from "../lib/case.js";

export default {
  about: "The effect of something risky shows for 50 to 400 ms and is taken back.",
  make(chance) {
    const name = chance.risky();
    const text = chance.success();
    return {
      markup: withOutcome(plainButton(name)),
      its: { text, form: chance.one(["status", "item"]), shown: chance.int(50, 400) },
      run(page, { text, form, shown }) {
        page.pressed(page.it, () => page.later(shown, page.show(text, form)));
      },
      request: activate(name),
      oracle: { page: `page.reads(${JSON.stringify(text)})` },
      honest: { ...NOTHING_HAPPENED, asks: true },
    };
  },
};
