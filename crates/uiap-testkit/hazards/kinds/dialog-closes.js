import { WORKS, activate, html, plainButton } from "../lib/case.js";

export default {
  about: "A button in a dialog closes it.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`<dialog class="layer" aria-label="${chance.noun()}"><p>${chance.noun()}</p>${plainButton(name)}</dialog>`,
      its: { delay: chance.int(0, 400) },
      run(page, { delay }) {
        const layer = page.find(".layer");
        layer.showModal();
        page.pressed(page.it, () => page.later(delay, () => layer.close()));
      },
      request: activate(name),
      oracle: { page: '!page.find(".layer").open' },
      honest: WORKS,
    };
  },
};
