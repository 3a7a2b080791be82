import { WORKS, activate, button, expecting, signal } from "../lib/case.js";

export default {
  about: "The toast of success is there for one frame.",
  make(chance) {
    const name = chance.command();
    const text = chance.success();
    return {
      markup: button(chance, name),
      its: { text, wait: chance.int(0, 300) },
      run(page, { text, wait }) {
        page.pressed(page.it, async () => {
          if (!await page.post("done", { wait })) return;
          const takeBack = page.toast(text, 0);
          requestAnimationFrame(() => requestAnimationFrame(takeBack));
        });
      },
      request: expecting(activate(name), signal("toast.contains", { text })),
      oracle: { ledger: { done: 1 } },
      honest: WORKS,
    };
  },
};
