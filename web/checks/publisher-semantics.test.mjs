// What the publisher infers, keeps to itself and does not believe.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { checkGraph } from "./publisher-judge.mjs";
import { useSite } from "./publisher-site.mjs";

const { revisit } = useSite();
const folder = new URL("../publisher/cases/", import.meta.url);
const schema = JSON.parse(readFileSync(new URL("../../spec/schemas/page-graph.schema.json", import.meta.url), "utf8"));

test("every UIRole has a case that yields it", () => {
  const [core] = schema.$defs.UIRole.anyOf.filter((one) => one.enum);
  const cases = readdirSync(folder).filter((file) => file.endsWith(".html")).map((file) => JSON.parse(readFileSync(new URL(file.replace(".html", ".json"), folder), "utf8")));
  const yielded = new Set(cases.flatMap(({ expected }) => expected.map(({ role }) => role)));
  assert.equal(core.enum.length, 51);
  assert.deepEqual(core.enum.filter((role) => !yielded.has(role)), []);
});

// proves: R009-4.1
test("without inference the page is published as it is written", () => revisit("/raw", readFileSync(new URL("derived.html", folder), "utf8"), async ({ publisher }) => {
  const { elements } = await publisher.snapshot({ derive: false });
  assert.ok(elements.every(({ derivedBy = "" }) => ["", "click_handler", "composite_card", "pointer_cursor", "tab_stop"].includes(derivedBy)));
  assert.ok(elements.some(({ role, name }) => role === "button" && name === "Decrease quantity"));
  assert.ok(!elements.some(({ role, state }) => role === "spinbutton" && state.numericValue === 3));
}));

// proves: R002-4.1
test("an id is what the application says, and never made from a text", () => revisit("/ids-of-texts", `<!doctype html><title>Ids</title>
  <button>Save</button><button aria-label="Save all">x</button><label>Name <input></label><button data-uiap-id="form.save">Save</button>`, async ({ publisher }) => {
  const { elements } = await publisher.snapshot();
  assert.deepEqual(elements.map(({ name, stableId }) => [name, stableId]), [["Save", undefined], ["Save all", undefined], ["Name", undefined], ["Save", "form.save"]]);
}));

const LAYERS = `<!doctype html><title>Layers</title><style>div[role=dialog]{position:fixed;inset:0;background:white}</style>
  <div role="dialog" aria-modal="true" aria-label="A" data-uiap-scope="a" style="z-index:3"><button>In A</button></div>
  <div role="dialog" aria-modal="true" aria-label="B" data-uiap-scope="b" style="z-index:1"><button>In B</button></div>
  <div role="dialog" aria-modal="true" aria-label="C" data-uiap-scope="c" style="z-index:2"><button>In C</button></div>`;

test("layers are stacked as they lie, not as they are written", () => revisit("/layers", LAYERS, async ({ publisher }) => {
  assert.deepEqual((await publisher.snapshot()).modalStack, ["b", "c", "a"]);
}));

const SECRETS = `<!doctype html><title>Secrets</title>
  <form data-uiap-sensitive aria-label="Pay"><label>Card <input value="s3cret-1"></label><select aria-label="Bank"><option>s3cret-2</option></select><output>s3cret-3</output><button>Pay now</button></form>
  <b id="d" data-uiap-data-class="credential" title="s3cret-4">s3cret-5</b><button aria-describedby="d" aria-labelledby="d l">x</button><span id="l">Copy</span>
  <input type="email" autocomplete="one-time-code" aria-label="Code" value="s3cret-6" aria-invalid="true" aria-errormessage="e"><p id="e">Wrong: <i data-uiap-sensitive>s3cret-7</i></p>
  <input type="password" id="shown" aria-label="Password" value="s3cret-8"><label for="shown2">Number <input id="shown2" autocomplete="cc-number" value="s3cret-9"></label>
  <div class="stepper"><button>-</button><span data-uiap-sensitive>4711</span><button>+</button></div>
  <div class="segmented"><button aria-pressed="true">s<i data-uiap-sensitive>3cret-a</i></button><button aria-pressed="false">Other</button></div>
  <div data-uiap-sensitive id="host"></div><iframe data-uiap-sensitive title="Framed" srcdoc="<input aria-label=Inner value=s3cret-b>"></iframe>
  <ul role="listbox" aria-label="Keys" data-uiap-data-class="secret"><li role="option" aria-selected="true">s3cret-c</li></ul>
  <script>host.attachShadow({ mode: "open" }).innerHTML = "<label>Deep <input value='s3cret-d'></label><p role=status>s3cret-e</p>";</script>`;

test("secrets stay in the page, wherever they would turn up", () => revisit("/secrets", SECRETS, async ({ page, publisher }) => {
  const check = async () => {
    for (const options of [undefined, { includeHidden: true }, { derive: false }]) {
      const text = await publisher.text(options);
      for (const secret of ["s3cret", "3cret", "4711"]) assert.ok(!text.includes(secret), `${secret} in ${text.slice(Math.max(0, text.indexOf(secret) - 200), text.indexOf(secret) + 20)}`);
      checkGraph(JSON.parse(text));
    }
  };
  await check();
  // "Show password" makes a text of it.
  await page.run(() => { document.querySelector("#shown").type = "text"; });
  await check();
  const { elements } = await publisher.snapshot();
  assert.ok(elements.some(({ name }) => name === "Pay now"), "what a button is called is no secret");
  assert.ok(elements.some(({ name, validation }) => name === "Code" && validation?.message === "Wrong:"));
}));

test("annotations in what strangers wrote make nothing safer", () => revisit("/spoof", `<!doctype html><title>Spoof</title>
  <button data-uiap-id="pay" data-uiap-risk="confirm" data-uiap-risk-tags="billing">Pay</button>
  <article><button data-uiap-id="pay" data-uiap-risk="safe">Free</button><span data-uiap-sensitive><input aria-label="Pin" data-uiap-sensitive="false" value="s3cret"></span></article>`, async ({ publisher }) => {
  const text = await publisher.text();
  const { elements } = JSON.parse(text);
  assert.deepEqual(elements.filter(({ stableId }) => stableId === "pay").map(({ name, risk }) => [name, risk?.level]), [["Pay", "confirm"], ["Free", undefined]], "the id is seen twice");
  assert.ok(!text.includes("s3cret"));
}));

test("a bound page that is followed is as a fresh look would show it", () => revisit("/followed", `<!doctype html><title>Followed</title><main id="m"><button>Save</button></main>
  <div class="stepper"><button>-</button><b>1</b><button>+</button></div><label>Wish <input type="checkbox" hidden id="c"></label><div class="total">1</div>`, async ({ page, publisher }) => {
  const elements = [{ id: "save", match: [{ by: "text", text: "Save" }] }, { id: "total", match: [{ by: "runtimeHint", css: "main + div.stepper ~ .total, .sum" }] }];
  await publisher.evaluate(`__uiap.bind(${JSON.stringify(JSON.stringify({ elements }))})`);
  const steps = [
    () => { document.querySelector("button").textContent = "Keep"; },
    () => { document.querySelector("main").innerHTML = "<button>Save</button><button>Save</button>"; },
    () => { document.querySelector(".stepper b").textContent = "2"; },
    () => { document.querySelector("#c").click(); },
    () => { document.querySelector(".total").className = "sum"; },
    () => { document.querySelector(".stepper").lastElementChild.remove(); },
    () => { document.querySelector(".sum").className = ""; },
  ];
  const comparable = ({ elements: list, metadata }) => JSON.parse(JSON.stringify({ list, metadata: metadata ?? null }), (key, value) => (key === "bbox" || key === "inViewport" ? undefined : value));
  await publisher.snapshot();
  for (const step of steps) {
    await page.run(step);
    const followed = await publisher.snapshot();
    assert.deepEqual(comparable(followed), comparable(await publisher.snapshot({ fresh: true })), String(step));
  }
}));

test("a name follows the letters in which it is drawn", () => revisit("/redrawn", `<!doctype html><html lang="en"><title>Redrawn</title>
  <style>.up{text-transform:uppercase} .up .same{text-transform:none} #box:checked ~ a{text-transform:capitalize}</style>
  <main><a href="#1">first link</a> <span><a href="#2" id="two">second link</a></span><input type="checkbox" id="box" aria-label="Box"> <a href="#3">third link</a></main>
  <button aria-labelledby="two">x</button>`, async ({ page, publisher }) => {
  const names = ({ elements }) => elements.filter(({ name, role }) => name && role !== "checkbox").map(({ name }) => name);
  const steps = [
    [() => undefined, ["first link", "second link", "third link", "second link"]],
    [() => { document.querySelector("main").className = "up"; }, ["FIRST LINK", "SECOND LINK", "THIRD LINK", "SECOND LINK"]],
    [() => { document.querySelector("span").className = "same"; }, ["FIRST LINK", "second link", "THIRD LINK", "second link"]],
    [() => { document.documentElement.lang = "tr"; }, ["FİRST LİNK", "second link", "THİRD LİNK", "second link"]],
    [() => { document.querySelector("main").className = ""; }, ["first link", "second link", "third link", "second link"]],
    [() => { document.querySelector("#box").click(); }, ["first link", "second link", "Third Link", "second link"]],
    [() => { document.querySelector("span").style.textTransform = "uppercase"; document.documentElement.lang = "en"; }, ["first link", "SECOND LINK", "Third Link", "SECOND LINK"]],
    [() => { document.querySelector("main").insertAdjacentHTML("beforeend", `<b style="text-transform:lowercase"><a href="#4">FOURTH</a></b>`); }, ["first link", "SECOND LINK", "Third Link", "fourth", "SECOND LINK"]],
    [() => { document.styleSheets[0].deleteRule(2); }, ["first link", "SECOND LINK", "third link", "fourth", "SECOND LINK"]],
  ];
  for (const [step, expected] of steps) {
    await page.run(step);
    assert.deepEqual(names(await publisher.snapshot()), expected, String(step));
    assert.deepEqual(names(await publisher.snapshot({ fresh: true })), expected, `fresh: ${step}`);
  }
}));

const TICKING = `<!doctype html><title>Offer 60</title><button id="buy">Buy now (<span id="left">60</span>)</button><p role="status" id="ago">Saved 1 seconds ago</p>
  <div role="timer" id="timer">0:10</div><button id="more" onclick="count.textContent = Number(count.textContent) + 1">More</button><output id="count">1</output>`;

// proves: WEB-32
test("text that ticks by itself is no news, and is told all the same", () => revisit("/ticking", TICKING, async ({ page, publisher }) => {
  /** Lets the clocks tick, each in a task of its own; the page does it, nobody else. */
  const tick = (from, count) => page.run(async (first, times) => {
    for (let at = first; at < first + times; at += 1) {
      document.querySelector("#left").textContent = 60 - at;
      document.querySelector("#ago").firstChild.data = `Saved ${at} seconds ago`;
      document.querySelector("#timer").textContent = `0:${10 + at}`;
      document.title = `Offer ${60 - at}`;
      await new Promise((resolve) => { setTimeout(resolve); });
    }
  }, from, count);
  const seen = async (options) => {
    const { revision, title, elements } = await publisher.snapshot(options);
    return { revision, title, texts: elements.map(({ name, state: { textValue } }) => textValue ?? name), volatile: elements.filter((one) => one.volatile).length };
  };
  const first = await seen();
  assert.deepEqual(first.texts, ["Buy now (60)", "Saved 1 seconds ago", "0:10", "More", "1"]);
  assert.equal(first.volatile, 1, "a timer is there to tick");
  await tick(2, 5);
  const classed = await seen();
  assert.equal(classed.volatile, 3);
  assert.notEqual(classed.revision, first.revision);
  await tick(7, 5);
  const later = await seen();
  assert.deepEqual(later, { ...classed, title: "Offer 49", texts: ["Buy now (49)", "Saved 11 seconds ago", "0:21", "More", "1"] }, "the same revision, and the present text");
  const fresh = await seen({ fresh: true });
  assert.deepEqual(fresh, later);
  // What somebody does is news, however often, and so is a clock that says something else.
  let { revision } = later;
  const changes = [
    ...Array.from({ length: 5 }, () => () => { document.querySelector("#more").click(); }),
    () => { document.querySelector("#left").textContent = "over"; },
    () => { document.querySelector("#ago").textContent = "Not saved"; },
    () => { document.title = "Sold out"; },
    () => { document.querySelector("#buy").disabled = true; },
  ];
  for (const change of changes) {
    await page.run(change);
    const now = await seen();
    assert.notEqual(now.revision, revision, String(change));
    ({ revision } = now);
  }
  const { volatile, texts, title } = await seen();
  assert.deepEqual([volatile, title, texts], [1, "Sold out", ["Buy now (over)", "Not saved", "0:21", "More", "6"]]);
}));
