// The Lab's hazards do what they say, seen from the server or from the page's own notes.
import { test } from "node:test";
import assert from "node:assert/strict";
import { byId, useSite } from "./site.mjs";

const site = useSite();
const atLab = (use) => site.visit({ path: "/lab", route: "lab" }, use);
const notes = (page, hazard) => page.run((id) => globalThis.videolandLab.read(id), hazard);
const lab = async (videoland) => (await videoland.effects()).map(({ kind, id }) => `${kind} ${id}`);

test("a button without a handler does nothing", () => atLab(async (page, videoland) => {
  const before = await page.run(() => document.querySelector("#no_handler").outerHTML);
  await page.click(byId("lab.no_handler.press"));
  assert.equal(await page.run(() => document.querySelector("#no_handler").outerHTML), before);
  assert.deepEqual(await videoland.writes(), []);
}));

test("a handler may throw before or after its effect", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.throws.before"));
  await page.click(byId("lab.throws.after"));
  const complaints = await page.takeComplaints(2);
  assert.ok(complaints.every((complaint) => complaint.includes("lab: thrown")));
  assert.deepEqual(await lab(videoland), ["lab.effect throws"]);
}));

test("late effects come late, and one never", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.delayed.never"));
  await page.click(byId("lab.delayed.slow"));
  await page.click(byId("lab.delayed.fast"));
  const says = (text) => page.until((id, wanted) => document.querySelector(id).textContent.includes(wanted), byId("lab.delayed.result"), text);
  await says("50 ms");
  await says("2,5 s");
  assert.deepEqual(await lab(videoland), ["lab.effect delayed", "lab.effect delayed"]);
}));

test("an optimistic display is taken back when the server refuses", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.refused.like"));
  await page.until((id) => document.querySelector(id).textContent !== "", byId("lab.refused.result"));
  assert.equal(await page.run((id) => document.querySelector(id).getAttribute("aria-pressed"), byId("lab.refused.like")), "false");
  assert.deepEqual(await lab(videoland), []);
  assert.equal((await videoland.writes()).length, 1);
  assert.match((await page.takeComplaints(1)).join(), /409/);
}));

test("fields strip, upper-case and reject", () => atLab(async (page) => {
  const typed = async (id, text) => {
    await page.run((wanted) => document.querySelector(wanted).select(), byId(id));
    await page.type(text);
    await page.press("Tab");
    return page.run((wanted) => document.querySelector(wanted).value, byId(id));
  };
  assert.equal(await typed("lab.field_strips.input", "a1b2"), "12");
  assert.equal(await typed("lab.field_upper_cases.input", "hh ab"), "HH AB");
  assert.equal(await typed("lab.field_rejects.input", "9999"), "4711");
}));

test("the cover takes the click", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.covered.pay"));
  assert.deepEqual(await notes(page, "covered"), ["cover clicked"]);
  assert.deepEqual(await videoland.writes(), []);
}));

test("two clicks order twice", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.double_submit.order"), 2);
  await page.until((id) => document.querySelector(id).textContent.includes("2"), byId("lab.double_submit.result"));
  assert.deepEqual(await lab(videoland), ["lab.effect double_submit", "lab.effect double_submit"]);
}));

test("the tick and the entry disappear again", () => atLab(async (page) => {
  await page.click(byId("lab.flips_back.box"));
  await page.click(byId("lab.rolled_back.add"));
  await page.until(() => globalThis.videolandLab.read("flips_back").length === 2 && globalThis.videolandLab.read("rolled_back").length === 2);
  assert.equal(await page.run((id) => document.querySelector(id).checked, byId("lab.flips_back.box")), false);
}));

test("the slider snaps to what it likes", () => atLab(async (page) => {
  await page.run((id) => document.querySelector(id).focus(), byId("lab.slider_snaps.slider"));
  await page.press("ArrowRight");
  assert.deepEqual(await notes(page, "slider_snaps"), [{ wanted: 31, kept: 30 }]);
}));

test("a target out of sight and one that is replaced can be reached", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.off_screen.press"));
  await page.until((id) => document.querySelector(id).textContent !== "", byId("lab.off_screen.result"));
  await page.click(byId("lab.re_rendered.press"));
  await page.until((id) => document.querySelector(id).textContent !== "", byId("lab.re_rendered.result"));
  assert.deepEqual(await lab(videoland), ["lab.effect off_screen", "lab.effect re_rendered"]);
}));

test("the stranger's text arrives with its attributes and without power", () => atLab(async (page, videoland) => {
  await page.until(() => document.querySelector('.lab-stranger [data-uiap-id="video.submit"]') !== null);
  await page.click('.lab-stranger [data-uiap-id="video.submit"]');
  assert.deepEqual(await notes(page, "stranger"), ["stranger's button clicked"]);
  assert.deepEqual(await videoland.writes(), []);
}));

test("the oracle speaks only when it is opened", () => atLab(async (page) => {
  const oracle = () => page.run(() => document.querySelector("#one_frame .oracle pre").textContent);
  await page.click(byId("lab.one_frame.send"));
  assert.equal(await oracle(), "");
  await page.click("#one_frame .oracle summary");
  await page.until(() => document.querySelector("#one_frame .oracle pre").textContent.includes('"count": 1'));
}));

test("a GET and a link have effects that no write shows", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.get_effect.book"));
  await page.until(() => document.querySelector("[name=get_effect_answer]").contentDocument?.body?.textContent.includes("seats"));
  await page.click(byId("lab.get_effect.remove"));
  await page.until(() => document.querySelector("[name=get_effect_answer]").contentDocument?.body?.textContent.includes("delete"));
  assert.deepEqual(await lab(videoland), ["lab.effect get_effect", "lab.effect get_effect"]);
  assert.deepEqual(await videoland.writes(), []);
}));

test("a GraphQL read is a write on the wire and none in the ledger", () => atLab(async (page, videoland) => {
  const says = (text) => page.until((id, wanted) => document.querySelector(id).textContent.startsWith(wanted), byId("lab.graphql.result"), text);
  await page.click(byId("lab.graphql.read"));
  await says("0");
  await page.click(byId("lab.graphql.write"));
  await says("1");
  assert.equal((await videoland.writes()).length, 2);
  assert.deepEqual(await lab(videoland), ["lab.effect graphql"]);
}));

test("the service worker writes", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.service_worker.press"));
  await page.until((id) => document.querySelector(id).textContent.includes("200"), byId("lab.service_worker.result"));
  assert.deepEqual(await lab(videoland), ["lab.effect service_worker"]);
}));

test("a beacon is sent on leaving", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.leave.beacon"));
  await page.goTo(`${videoland.origin}/team`, "team");
  await page.until(() => fetch("/__test/ledger").then((answer) => answer.json()).then(({ effects }) => effects.length === 1));
  assert.deepEqual(await lab(videoland), ["lab.effect leave"]);
}));

test("a vanishing target is never clicked, and the search waits for a pause", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.detached.press"));
  assert.deepEqual(await notes(page, "detached"), ["removed"]);
  await page.click(byId("lab.debounced.input"));
  await page.type("bir");
  await page.until((id) => document.querySelector(id).textContent === "1 Treffer", byId("lab.debounced.result"));
  assert.deepEqual(await notes(page, "debounced"), [{ searched: "bir", hits: 1 }]);
  assert.deepEqual(await videoland.writes(), []);
}));

test("a real click is an activation, a scripted one is not", () => atLab(async (page) => {
  await page.run((id) => { document.querySelector(id).click(); }, byId("lab.activation.screen"));
  assert.match((await page.takeComplaints(1)).join(), /user gesture/);
  await page.click(byId("lab.activation.screen"));
  await page.until(() => globalThis.videolandLab.read("activation").length === 2);
  assert.deepEqual((await notes(page, "activation")).map(({ active, allowed }) => [active, allowed]), [[false, false], [true, true]]);
  await page.until(() => document.fullscreenElement === null);
}));

test("two fingers enlarge the picture", () => atLab(async (page) => {
  await page.send("Emulation.setTouchEmulationEnabled", { enabled: true, maxTouchPoints: 2 });
  const { x, y } = await page.until(() => {
    const box = document.querySelector(".lab-pinch");
    box.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = box.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  const touch = (type, apart) => page.send("Input.dispatchTouchEvent", { type, touchPoints: apart ? [{ x: x - apart, y, id: 1 }, { x: x + apart, y, id: 2 }] : [] });
  await touch("touchStart", 20);
  await touch("touchMove", 30);
  await touch("touchMove", 40);
  await touch("touchEnd", 0);
  const last = await page.until(() => globalThis.videolandLab.read("pinch").at(-1));
  assert.ok(last.factor > 1, JSON.stringify(last));
}));

test("a command over a WebSocket has an effect and is no write", () => atLab(async (page, videoland) => {
  await page.click(byId("lab.socket.press"));
  await page.until((id) => document.querySelector(id).textContent.includes("1"), byId("lab.socket.result"));
  assert.deepEqual(await lab(videoland), ["lab.effect socket"]);
  assert.deepEqual(await videoland.writes(), []);
}));
