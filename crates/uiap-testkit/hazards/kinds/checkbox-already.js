import { WORKS, ask, html } from "../lib/case.js";

export default {
  about: "A box that is already as wanted; pressing it would be wrong.",
  make(chance) {
    const name = chance.noun();
    const to = chance.flag();
    return {
      markup: html`<label><input type="checkbox" class="it"> ${name}</label>`,
      its: { to },
      run(page, { to }) {
        page.it.checked = to;
        page.it.addEventListener("change", () => page.post("wrong"));
      },
      request: ask("ui.toggle", "checkbox", name, { to }),
      oracle: { page: `page.it.checked === ${to}` },
      never: ["wrong"],
      honest: WORKS,
    };
  },
};
