import { ask, html } from "../lib/case.js";

export default {
  about: "A list to choose from that is made by hand.",
  make(chance) {
    const name = chance.noun();
    const options = chance.nouns(chance.int(2, 5));
    const wanted = chance.int(1, options.length - 1);
    return {
      markup: html`<button type="button" class="it" role="combobox" aria-haspopup="listbox" aria-expanded="false" aria-controls="list" aria-label="${name}">${options[0]}</button>
<ul id="list" role="listbox" aria-label="${name}" hidden>${options.map((option) => html`<li role="option" aria-selected="false">${option}</li>`)}</ul>`,
      run(page) {
        const list = page.find("#list");
        const open = (is) => {
          list.hidden = !is;
          page.it.setAttribute("aria-expanded", String(is));
        };
        page.it.addEventListener("click", () => open(list.hidden));
        for (const option of list.children) {
          option.addEventListener("click", () => {
            for (const other of list.children) other.setAttribute("aria-selected", String(other === option));
            page.it.textContent = option.textContent;
            open(false);
          });
        }
      },
      request: ask("ui.choose", "combobox", name, { label: options[wanted] }),
      oracle: { page: `page.it.textContent === ${JSON.stringify(options[wanted])}` },
      honest: { codes: ["verification_failed", "execution_mode_unavailable", "target_not_interactable", "action_unsupported", "invalid_arguments", "timeout"] },
    };
  },
};
