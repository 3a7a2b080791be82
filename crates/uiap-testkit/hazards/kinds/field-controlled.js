import { NOTHING_HAPPENED, ask, field } from "../lib/case.js";

export default {
  about: "A framework puts the old value back within a frame: its state never heard of the new one.",
  make(chance) {
    const name = chance.noun();
    const [kept, text] = [chance.noun(), chance.noun()];
    return {
      markup: field(chance, name, `<input value="${kept}">`),
      its: { kept, how: chance.one(["microtask", "frame", "task"]) },
      run(page, { kept, how }) {
        const restore = () => { page.it.value = kept; };
        const soon = { microtask: queueMicrotask, frame: requestAnimationFrame, task: setTimeout }[how];
        page.it.addEventListener("input", () => soon(restore));
      },
      request: { ...ask("ui.enterText", "textbox", name, { text }), timeoutMs: 3000 },
      oracle: { page: `page.it.value === ${JSON.stringify(text)}` },
      honest: NOTHING_HAPPENED,
    };
  },
};
