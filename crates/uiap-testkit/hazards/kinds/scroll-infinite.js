import { html } from "../lib/case.js";

export default {
  about: "A list that grows when it is scrolled to its end.",
  make(chance) {
    const items = chance.nouns(8);
    return {
      markup: html`<div style="height:${chance.int(600, 1200)}px"></div><ul class="list">${items.map((item) => html`<li style="height:80px">${item}</li>`)}</ul>`,
      its: { items },
      run(page, { items }) {
        let rounds = 0;
        addEventListener("scroll", () => {
          if (rounds > 2 || scrollY + innerHeight < document.documentElement.scrollHeight - 40) return;
          rounds += 1;
          for (const item of items) page.find(".list").append(Object.assign(document.createElement("li"), { textContent: `${item} ${rounds}` }));
        });
      },
      request: { actionId: "ui.scroll", args: { to: "end" } },
      oracle: { page: "scrollY > 0" },
      honest: { effect: true },
    };
  },
};
