import { activate, html } from "../lib/case.js";

export default {
  about: "Two or three buttons of the same name.",
  make(chance) {
    const name = chance.command();
    const count = chance.int(2, 3);
    const near = chance.flag();
    const buttons = Array.from({ length: count }, () => html`<button type="button" class="it">${name}</button>`);
    return {
      markup: near ? html`<div>${buttons}</div>` : html`${buttons.map((button) => html`<div><p>${chance.noun()}</p>${button}</div>`)}`,
      run() {
        for (const button of document.querySelectorAll(".it")) button.addEventListener("click", () => page.post("done"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      never: ["done"],
      honest: { effect: false, codes: ["target_ambiguous"] },
    };
  },
};
