import { NOTHING_HAPPENED, activate, button, html } from "../lib/case.js";

export default {
  about: "A feed elsewhere updates itself all the time, and the button does nothing.",
  make(chance) {
    const name = chance.command();
    return {
      markup: html`${button(chance, name)}</div></main><section class="feed" aria-label="${chance.noun()}"><ul></ul></section><main><div>`,
      loose: false,
      its: { items: chance.nouns(5), every: chance.int(60, 400), keep: chance.int(2, 5) },
      run(page, { items, every, keep }) {
        const list = page.find(".feed ul");
        let count = 0;
        setInterval(() => {
          const item = document.createElement("li");
          item.textContent = `${items[count % items.length]} ${count}`;
          count += 1;
          list.prepend(item);
          if (list.children.length > keep) list.lastChild.remove();
        }, every);
      },
      request: { ...activate(name), verification: { timeoutMs: 2500 } },
      oracle: { ledger: { done: 1 } },
      honest: NOTHING_HAPPENED,
    };
  },
};
