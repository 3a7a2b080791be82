import { WORKS, ask, html } from "../lib/case.js";

export default {
  about: "A form that the server takes, sent by a script or by the browser.",
  make(chance) {
    const name = chance.command();
    const script = chance.flag();
    return {
      markup: html`<form class="form" method="post" action="answer?effect=done&text=${encodeURIComponent(chance.success())}"><label>${chance.noun()} <input name="a" value="x"></label><button class="it">${name}</button><p class="said" role="status"></p></form>`,
      its: { script, text: chance.success(), form: chance.one(["status", "toast"]), wait: chance.int(0, 700) },
      run(page, { script, text, form, wait }) {
        if (script) page.find(".form").addEventListener("submit", async (event) => {
          event.preventDefault();
          if (await page.post("done", { wait })) page.show(text, form);
        });
      },
      request: ask(chance.one(["ui.submit", "ui.activate"]), "button", name),
      oracle: { ledger: { done: 1 } },
      honest: { ...WORKS, asks: undefined },
    };
  },
};
