import { WORKS, activate, html } from "../lib/case.js";

export default {
  about: "Another view, under an address of its own, without a new document.",
  make(chance) {
    const [name, view] = [chance.noun(), chance.success()];
    return {
      markup: html`<nav><a class="it" href="#/view">${name}</a></nav><div class="view"><h2>${chance.noun()}</h2></div>`,
      loose: false,
      its: { view, hash: chance.flag(), delay: chance.int(0, 400) },
      run(page, { view, hash, delay }) {
        const show = () => page.later(delay, () => { page.find(".view h2").textContent = view; });
        if (hash) addEventListener("hashchange", show);
        else page.it.addEventListener("click", (event) => {
          event.preventDefault();
          history.pushState(null, "", "?view=2");
          show();
        });
      },
      request: activate(name, "link"),
      oracle: { page: `page.reads(${JSON.stringify(view)})` },
      honest: WORKS,
    };
  },
};
