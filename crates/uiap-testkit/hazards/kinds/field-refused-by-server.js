import { NOTHING_HAPPENED, ask, field } from "../lib/case.js";

export default {
  about: "The server does not like the value, and the page puts the old one back.",
  make(chance) {
    const name = chance.noun();
    const [kept, text] = [chance.noun(), chance.noun()];
    return {
      markup: field(chance, name, `<input value="${kept}">`),
      its: { kept, wait: chance.int(50, 600), status: chance.one([400, 409, 422]) },
      run(page, { kept, wait, status }) {
        page.it.addEventListener("input", async () => {
          if (!await page.post("done", { wait, status })) page.it.value = kept;
        });
      },
      request: { ...ask("ui.enterText", "textbox", name, { text }), timeoutMs: 4000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOTHING_HAPPENED,
    };
  },
};
