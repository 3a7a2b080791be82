import { NOTHING_HAPPENED, activate, button, withOutcome } from "../lib/case.js";

export default {
  about: "The effect shows for less than two frames and is taken back.",
  make(chance) {
    const name = chance.command();
    const text = chance.success();
    return {
      markup: withOutcome(button(chance, name)),
      its: { text, form: chance.one(["status", "item"]), how: chance.one(["microtask", "task", "frame"]) },
      run(page, { text, form, how }) {
        const soon = { microtask: queueMicrotask, task: setTimeout, frame: requestAnimationFrame }[how];
        page.pressed(page.it, () => soon(page.show(text, form)));
      },
      request: activate(name),
      oracle: { page: `page.reads(${JSON.stringify(text)})` },
      honest: NOTHING_HAPPENED,
    };
  },
};
