import { WORKS, ask, html } from "../lib/case.js";

export default {
  about: "Something far away that is to be seen.",
  make(chance) {
    const name = chance.command();
    const box = chance.flag();
    return {
      markup: html`<div style="${box ? "height:200px;overflow:auto" : ""}"><div style="height:${chance.int(1500, 4000)}px"></div><button type="button" class="it">${name}</button><div style="height:900px"></div></div>`,
      request: ask("ui.scrollIntoView", "button", name),
      oracle: { page: "(() => { const { top, bottom } = page.it.getBoundingClientRect(); return bottom > 0 && top < innerHeight; })()" },
      honest: WORKS,
    };
  },
};
