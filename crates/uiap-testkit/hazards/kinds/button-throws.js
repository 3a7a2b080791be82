import { NOTHING_HAPPENED, activate, button } from "../lib/case.js";

export default {
  about: "The handler throws before anything happens.",
  make(chance) {
    const name = chance.command();
    return {
      markup: button(chance, name),
      its: { later: chance.flag() },
      run(page, { later }) {
        const fail = () => { throw new TypeError("undefined is not a function"); };
        page.pressed(page.it, () => later ? Promise.resolve().then(fail) : fail());
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
