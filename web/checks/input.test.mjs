// Acting on pages that real frameworks render. What counts is what the framework shows of its own state.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { load, openBrowser, publisherOf, serve } from "./publisher-browser.mjs";

const REACT = `
  import { createElement as h, useState } from "react";
  import { createRoot } from "react-dom/client";
  const field = (tag, id, [value, set], more = {}) => h("label", { key: id }, id, h(tag, { id, value, onChange: (event) => set(event.target.value), ...more }));
  function App() {
    const text = useState("old"), upper = useState(""), area = useState(""), date = useState(""), range = useState("10"), colour = useState("#000000");
    const [on, setOn] = useState(false);
    const [radio, setRadio] = useState("a");
    const [choice, setChoice] = useState("1");
    const [several, setSeveral] = useState([]);
    const [sent, setSent] = useState("");
    return h("form", { onSubmit: (event) => { event.preventDefault(); setSent(text[0]); } },
      field("input", "Text", text), field("input", "Upper", [upper[0], (value) => upper[1](value.toUpperCase())]), field("textarea", "Area", area),
      field("input", "Date", date, { type: "date" }), field("input", "Range", range, { type: "range", max: 50 }), field("input", "Colour", colour, { type: "color" }),
      h("label", {}, "Check", h("input", { type: "checkbox", checked: on, onChange: (event) => setOn(event.target.checked) })),
      ...["a", "b"].map((value) => h("label", { key: value }, "Radio " + value, h("input", { type: "radio", checked: radio === value, onChange: () => setRadio(value) }))),
      h("label", {}, "Choice", h("select", { value: choice, onChange: (event) => setChoice(event.target.value) }, h("option", { value: "1" }, "One"), h("option", { value: "2" }, "Two"))),
      h("label", {}, "Several", h("select", { multiple: true, value: several, onChange: (event) => setSeveral([...event.target.selectedOptions].map((one) => one.value)) }, ...["x", "y", "z"].map((one) => h("option", { key: one }, one)))),
      h("button", {}, "Send"),
      h("pre", { id: "state" }, JSON.stringify({ text: text[0], upper: upper[0], area: area[0], date: date[0], range: range[0], colour: colour[0], on, radio, choice, several: several.join(), sent })));
  }
  createRoot(document.getElementById("app")).render(h(App));
`;

const VUE = `
  import { createApp, reactive } from "vue/dist/vue.esm-bundler.js";
  createApp({
    setup: () => ({ state: reactive({ text: "old", upper: "", area: "", date: "", range: "10", colour: "#000000", on: false, radio: "a", choice: "1", several: [], sent: "" }) }),
    template: \`<form @submit.prevent="state.sent = state.text">
      <label>Text<input v-model="state.text"></label><label>Upper<input :value="state.upper" @input="state.upper = $event.target.value.toUpperCase()"></label>
      <label>Area<textarea v-model="state.area"></textarea></label><label>Date<input type="date" v-model="state.date"></label>
      <label>Range<input type="range" max="50" v-model="state.range"></label><label>Colour<input type="color" v-model="state.colour"></label>
      <label>Check<input type="checkbox" v-model="state.on"></label>
      <label>Radio a<input type="radio" value="a" v-model="state.radio"></label><label>Radio b<input type="radio" value="b" v-model="state.radio"></label>
      <label>Choice<select v-model="state.choice"><option value="1">One</option><option value="2">Two</option></select></label>
      <label>Several<select multiple v-model="state.several"><option>x</option><option>y</option><option>z</option></select></label>
      <button>Send</button><pre id="state">{{ JSON.stringify({ ...state, several: state.several.join() }) }}</pre></form>\`,
  }).mount("#app");
`;

const NO_MODIFIERS = { alt: false, control: false, meta: false, shift: false };
const enter = (text) => ({ act: "enter_text", text, clear: true });
const choose = (...labels) => ({ act: "choose", choice: { by: "label", labels } });

/** Control, deed, member of the state, its value afterwards, and whether events alone can do it too. */
const DEEDS = [
  ["Text", enter("new"), "text", "new", true],
  ["Text", { act: "enter_text", text: "er", clear: false }, "text", "older", true],
  ["Text", enter(""), "text", "", true],
  ["Upper", enter("loud"), "upper", "LOUD", true],
  ["Area", enter("one\ntwo"), "area", "one\ntwo", true],
  ["Date", { act: "set_value", value: "2026-03-27" }, "date", "2026-03-27", false],
  ["Range", { act: "set_value", value: 25 }, "range", "25", false],
  ["Colour", { act: "set_value", value: "#1e90ff" }, "colour", "#1e90ff", false],
  ["Check", { act: "toggle", to: true }, "on", true, true],
  ["Radio b", { act: "toggle", to: true }, "radio", "b", true],
  ["Choice", choose("Two"), "choice", "2", false],
  ["Several", choose("x", "z"), "several", "x,z", false],
  ["Send", { act: "press", button: "left", count: 1, modifiers: NO_MODIFIERS }, "sent", "old", true],
  ["Send", { act: "submit" }, "sent", "old", true],
];

const bundle = async (contents) => {
  const resolveDir = fileURLToPath(new URL("..", import.meta.url));
  const define = { "process.env.NODE_ENV": '"production"', __VUE_OPTIONS_API__: "true", __VUE_PROD_DEVTOOLS__: "false", __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: "false" };
  const { outputFiles } = await build({ stdin: { contents, resolveDir }, bundle: true, write: false, format: "iife", define, charset: "ascii" });
  return outputFiles[0].text.replaceAll("</script", "<\\/script");
};

const site = {};
before(async () => {
  site.server = await serve();
  site.browser = await openBrowser();
});
after(async () => {
  await site.browser?.stop();
  await site.server?.stop();
});

for (const [framework, source] of [["React", REACT], ["Vue", VUE]]) {
  test(`${framework} learns what is done to its controls`, async () => {
    site.server.pages["/"] = { body: `<!doctype html><div id="app"></div><script>${await bundle(source)}</script>` };
    const page = await site.browser.newPage();
    for (const [name, deed, member, wanted, byEvents] of DEEDS) {
      for (const means of byEvents ? ["semantic_ui", "input_synthesis"] : ["semantic_ui"]) {
        await load(page, `${site.server.origin}/`);
        await page.until(() => document.getElementById("state") !== null);
        const publisher = await publisherOf(page);
        const { elements } = await publisher.snapshot();
        const target = elements.find((element) => element.name === name)?.instanceId;
        assert.ok(target, `${name} is published`);
        const argument = JSON.stringify(JSON.stringify({ ...deed, target }));
        const outcome = JSON.parse(await publisher.wait(`__uiap.perform("${means}", ${argument})`));
        const what = `${framework}, ${name}, ${JSON.stringify(deed)}, ${means}`;
        assert.equal(outcome.delivery, "delivered", `${what}: ${JSON.stringify(outcome)}`);
        const state = JSON.parse(await publisher.evaluate("document.getElementById('state').textContent"));
        assert.equal(state[member], wanted, what);
        // The page made something else of it, and the receipt says so.
        assert.equal(outcome.receipt.asWanted ?? true, name !== "Upper", what);
      }
    }
    await page.close();
  });
}
