import { NOTHING_HAPPENED, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "An optimistic update that the server refuses: taken back without a word.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text: chance.success(), form: chance.one(["item", "status"]), wait: chance.int(0, 700), status: chance.one([409, 422, 500]) },
      run(page, { text, form, wait, status }) {
        page.pressed(page.it, async () => {
          const takeBack = page.show(text, form);
          if (!await page.post("done", { wait, status })) takeBack();
        });
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
