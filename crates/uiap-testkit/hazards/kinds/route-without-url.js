import { WORKS, activate, html } from "../lib/case.js";

export default {
  about: "Another view, under the same address.",
  make(chance) {
    const [name, view] = [chance.noun(), chance.success()];
    return {
      markup: html`<nav><button type="button" class="it">${name}</button></nav><div class="view"><h2>${chance.noun()}</h2><p>${chance.int(1, 99)}</p></div>`,
      loose: false,
      its: { view, delay: chance.int(0, 300) },
      run(page, { view, delay }) {
        page.pressed(page.it, () => page.later(delay, () => {
          page.find(".view").innerHTML = `<h2></h2><p>…</p><button type="button">OK</button>`;
          page.find(".view h2").textContent = view;
        }));
      },
      request: activate(name),
      oracle: { page: `page.reads(${JSON.stringify(view)})` },
      honest: WORKS,
    };
  },
};
