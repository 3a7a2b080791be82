import { WORKS, ask, field, html } from "../lib/case.js";

export default {
  about: "A search that begins a moment after the last letter, and draws its list anew.",
  make(chance) {
    const name = chance.noun();
    const items = chance.nouns(6);
    const text = items[2].slice(0, 3);
    return {
      markup: html`${field(chance, name, '<input type="search">')}<ul class="items">${items.map((item) => html`<li>${item}</li>`)}</ul>`,
      its: { items, delay: chance.int(100, 400), wait: chance.int(0, 300) },
      run(page, { items, delay, wait }) {
        let timer;
        page.it.addEventListener("input", () => {
          clearTimeout(timer);
          timer = setTimeout(async () => {
            await page.post("searched", { wait });
            const found = items.filter((item) => item.includes(page.it.value));
            page.find(".items").replaceChildren(...found.map((item) => Object.assign(document.createElement("li"), { textContent: item })));
          }, delay);
        });
      },
      request: ask("ui.enterText", "searchbox", name, { text }),
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: WORKS,
    };
  },
};
