import { NOTHING_HAPPENED, activate, expecting, html, signal } from "../lib/case.js";

export default {
  about: "The address changes and the view does not; the request says which view it wants.",
  make(chance) {
    const [name, view] = [chance.noun(), chance.success()];
    return {
      markup: html`<nav><a class="it" href="?view=2">${name}</a></nav><div class="view"><h2>${chance.noun()}</h2></div>`,
      loose: false,
      run(page) {
        page.it.addEventListener("click", (event) => {
          event.preventDefault();
          history.pushState(null, "", "?view=2");
        });
      },
      request: { ...expecting(activate(name, "link"), signal("element.appeared", { target: { by: "semantic", role: "button", name: view } })), timeoutMs: 3000 },
      oracle: { page: `page.reads(${JSON.stringify(view)})` },
      honest: NOTHING_HAPPENED,
    };
  },
};
