// The Lab: one section per file below /lab. A new hazard is a new file there and nothing else.
//
// A hazard is { id, texts: { de, en }, render(kit) }; `texts` has at least title and about. What really happened is
// kept by the server (kit.effect) or, where nothing leaves the page, by the page (kit.note). The oracle shows both,
// but only when somebody opens it: if it changed by itself, every hazard would have a visible effect.
import * as api from "../api.js";
import { t, translator } from "../i18n.js";
import { h } from "../ui/dom.js";
import { toastError } from "../ui/toast.js";

const NOTES_MAX = 100;
const notes = new Map();
globalThis.videolandLab = { read: (hazard) => [...(notes.get(hazard) ?? [])] };

export async function show({ signal }) {
  const { modules } = await api.labModules();
  const hazards = (await Promise.all(modules.map((path) => import(path)))).map((module) => module.default);
  return {
    title: t("nav.lab"),
    node: h("div", { class: "lab" },
      h("h1", null, t("nav.lab")),
      h("p", { class: "muted" }, t("lab.lead")),
      h("nav", { "aria-label": t("lab.contents") }, h("ul", { class: "lab-contents" },
        hazards.map(({ id, texts }) => h("li", null, h("a", { href: `#${id}` }, translator(texts)("title")))))),
      h("div", { class: "lab-grid" }, hazards.map((hazard) => section(hazard, signal)))),
  };
}

function section(hazard, signal) {
  const text = translator(hazard.texts);
  const kit = makeKit(hazard.id, text, signal);
  return h("section", {
    class: "card hazard", id: hazard.id, "aria-label": text("title"), uiap: { scope: `lab.${hazard.id}`, scopeKind: "region" },
  },
  h("h2", null, text("title")),
  h("p", { class: "muted" }, text("about")),
  h("div", { class: "hazard-body" }, hazard.render(kit)),
  oracle(hazard.id));
}

function makeKit(id, text, signal) {
  return {
    t: text,
    signal,
    /** Something that happens on the server. */
    effect: (sent) => api.labEffect(id, sent).catch(toastError),
    /** Something that happens in the page only. */
    note: (entry) => {
      const kept = notes.get(id) ?? [];
      notes.set(id, [...kept.slice(1 - NOTES_MAX), entry]);
    },
    /** A button with the text `key` and the id lab.<hazard>.<key>. */
    button: (key, onclick, props = {}) => h("button", { type: "button", onclick, uiap: { id: `lab.${id}.${key}` }, ...props }, text(key)),
    /** Where a hazard says what a person would see. */
    result: () => h("p", { class: "lab-result", role: "status", uiap: { id: `lab.${id}.result` } }),
    uiap: (key) => ({ id: `lab.${id}.${key}` }),
  };
}

function oracle(id) {
  const found = h("pre");
  const read = async (event) => {
    if (!event.target.open) return;
    const { effects } = await api.labEffects();
    const seen = { server: effects[id], page: notes.get(id) };
    found.textContent = seen.server || seen.page ? JSON.stringify(seen, null, 1) : t("lab.oracle.nothing");
  };
  return h("details", { class: "oracle", ontoggle: read, uiap: { ignore: "true" } }, h("summary", null, t("lab.oracle")), found);
}
