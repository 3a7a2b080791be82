import { NOTHING_HAPPENED, ask, html } from "../lib/case.js";

export default {
  about: "A box that flips back within a frame.",
  make(chance) {
    const name = chance.noun();
    return {
      markup: html`<label><input type="checkbox" class="it"> ${name}</label>`,
      its: { how: chance.one(["handler", "microtask", "frame", "task"]) },
      run(page, { how }) {
        const flip = () => { page.it.checked = false; };
        const soon = { handler: (run) => run(), microtask: queueMicrotask, frame: requestAnimationFrame, task: setTimeout }[how];
        page.it.addEventListener("change", () => soon(flip));
      },
      request: { ...ask("ui.toggle", "checkbox", name, { to: true }), timeoutMs: 3000 },
      oracle: { page: "page.it.checked" },
      honest: NOTHING_HAPPENED,
    };
  },
};
