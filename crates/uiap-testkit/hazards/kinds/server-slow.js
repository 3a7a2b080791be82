import { WORKS, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "The server takes 0.3 to 2 s; a spinner turns meanwhile.",
  make(chance) {
    const name = chance.command();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text: chance.success(), form: chance.one(["status", "item", "toast"]), wait: chance.int(300, 2000) },
      run(page, { text, form, wait }) {
        page.pressed(page.it, async () => {
          page.thing.setAttribute("aria-busy", "true");
          const done = await page.post("done", { wait });
          page.thing.removeAttribute("aria-busy");
          if (done) page.show(text, form);
        });
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
