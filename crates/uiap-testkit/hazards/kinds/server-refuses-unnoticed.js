import { NOTHING_HAPPENED, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "An optimistic update that the server refuses; the page never looks at the answer.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text: chance.success(), form: chance.one(["item", "status", "toast"]), wait: chance.int(0, 500), status: chance.one([403, 409, 500]) },
      run(page, { text, form, wait, status }) {
        page.pressed(page.it, () => {
          page.show(text, form);
          page.post("done", { wait, status });
        });
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
