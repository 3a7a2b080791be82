import { NOTHING_HAPPENED, ask, html } from "../lib/case.js";

export default {
  about: "A form that the server refuses, with or without words, by a script or by the browser.",
  make(chance) {
    const name = chance.command();
    const script = chance.flag(0.7);
    const status = chance.one([400, 409, 422, 500]);
    return {
      markup: html`<form class="form" method="post" action="answer?effect=done&status=${status}&text=${encodeURIComponent(chance.noun())}"><label>${chance.noun()} <input name="a" value="x"></label><button class="it">${name}</button><p class="said" role="status"></p></form>`,
      its: { script, status, text: chance.failure(), form: chance.one(["status", "toast", "alert"]), wait: chance.int(0, 700) },
      run(page, { script, status, text, form, wait }) {
        if (script) page.find(".form").addEventListener("submit", async (event) => {
          event.preventDefault();
          if (!await page.post("done", { wait, status })) page.show(text, form);
        });
      },
      request: ask(chance.one(["ui.submit", "ui.activate"]), "button", name),
      oracle: { ledger: { done: 1 } },
      honest: { ...NOTHING_HAPPENED, asks: undefined },
    };
  },
};
