import { WORKS, ask, html } from "../lib/case.js";

export default {
  about: "A box that stays as it is set, native or made by hand.",
  make(chance) {
    const name = chance.noun();
    const native = chance.flag();
    const to = chance.flag();
    const it = native
      ? html`<label><input type="checkbox" class="it"> ${name}</label>`
      : html`<div class="it press" role="checkbox" tabindex="0" aria-checked="false" aria-label="${name}">▢</div>`;
    return {
      markup: it,
      its: { native, to },
      run(page, { native, to }) {
        if (native) page.it.checked = !to;
        else {
          page.it.setAttribute("aria-checked", String(!to));
          page.it.addEventListener("click", () => page.it.setAttribute("aria-checked", String(page.it.getAttribute("aria-checked") !== "true")));
        }
      },
      request: ask("ui.toggle", "checkbox", name, { to }),
      oracle: { page: native ? `page.it.checked === ${to}` : `page.it.getAttribute("aria-checked") === "${to}"` },
      honest: WORKS,
    };
  },
};
