import { NOT_POSSIBLE, activate, button, html } from "../lib/case.js";

export default {
  about: "A modal dialog is open, and the button is behind it.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`${button(chance, name)}<dialog class="layer" aria-label="${chance.noun()}"><p>${chance.noun()}</p><button type="button">${chance.command()}</button></dialog>`,
      run(page) {
        page.find(".layer").showModal();
        page.pressed(page.it, () => page.post("done"));
      },
      request: activate(name),
      oracle: { ledger: { done: 1 } },
      never: ["done"],
      honest: { ...NOT_POSSIBLE, codes: ["target_not_interactable", "target_not_found"] },
    };
  },
};
