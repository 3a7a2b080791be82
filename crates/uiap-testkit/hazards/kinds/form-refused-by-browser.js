import { NOTHING_HAPPENED, ask, html } from "../lib/case.js";

export default {
  about: "The browser keeps a form back: a value is missing or wrong.",
  make(chance) {
    const name = chance.command();
    const input = chance.one(["required", 'type="email" value="nobody"', 'pattern="[0-9]+" value="x"', 'type="number" max="5" value="9"']);
    return {
      markup: html`<form method="post" action="answer?effect=done"><label>${chance.noun()} <input name="a"></label><button class="it">${name}</button></form>`,
      its: { input },
      run(page, { input }) {
        page.find("form label").insertAdjacentHTML("beforeend", `<input name="b" aria-label="B" ${input}>`);
      },
      request: { ...ask(chance.one(["ui.submit", "ui.activate"]), "button", name), timeoutMs: 5000 },
      oracle: { ledger: { done: 1 } },
      honest: { ...NOTHING_HAPPENED, asks: undefined },
    };
  },
};
