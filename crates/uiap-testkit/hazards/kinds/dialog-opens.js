import { WORKS, activate, button, html } from "../lib/case.js";

export default {
  about: "A dialog, drawer or menu opens, at once or after a moment.",
  make(chance) {
    const name = chance.command();
    const native = chance.flag();
    const inside = chance.success();
    return {
      markup: html`${button(chance, name)}${native ? html`<dialog class="layer" aria-label="${chance.noun()}"><p>${inside}</p></dialog>` : html`<div class="layer" role="${chance.one(["dialog", "menu", "alertdialog"])}" aria-label="${chance.noun()}" hidden><button type="button">${inside}</button></div>`}`,
      its: { delay: chance.int(0, 500), modal: chance.flag() },
      run(page, { delay, modal }) {
        const layer = page.find(".layer");
        page.pressed(page.it, () => page.later(delay, () => {
          if (layer.localName !== "dialog") layer.hidden = false;
          else if (modal) layer.showModal();
          else layer.show();
        }));
      },
      request: activate(name),
      oracle: { page: `page.reads(${JSON.stringify(inside)})` },
      honest: WORKS,
    };
  },
};
