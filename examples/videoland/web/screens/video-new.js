import * as api from "../api.js";
import { t } from "../i18n.js";
import { createVideo } from "../operations.js";
import { may } from "../session.js";
import { combobox } from "../ui/combobox.js";
import { freshId, h } from "../ui/dom.js";
import { field, onSubmit, radioGroup, requireFields, selectControl, switchField } from "../ui/form.js";
import { richText } from "../ui/richtext.js";
import { tagField } from "../ui/tags.js";
import { volumeSlider } from "../ui/volume.js";

const USE_CASES = ["onboarding", "training", "marketing", "support", "event"];
const CATEGORIES = ["product", "safety", "sales", "hr", "it", "logistics", "finance", "quality", "culture", "research"];
const SUCCESS = [{ kind: "route.changed", pattern: "/videos/:id" }, { kind: "toast.contains", text: "erstellt" }];

export function show() {
  // One key per form: whoever submits twice still creates one video.
  const key = api.freshKey();
  const controls = build();
  const form = h("form", { class: "card form", uiap: { scope: "video.create.form", scopeKind: "form" } },
    basics(controls), details(controls),
    h("div", { class: "form-actions" },
      h("a", { class: "button", href: "/videos" }, t("common.cancel")),
      h("button", {
        type: "submit", class: "primary", disabled: !may("editor"),
        uiap: { id: "video.submit", action: "ui.activate", actions: ["video.create"], risk: "confirm", riskTags: ["external_effect"], success: SUCCESS },
      }, t("video.create"))));
  onSubmit(form, async () => {
    const draft = read(controls, form);
    requireFields({ title: draft.title });
    await createVideo(draft, key);
  });
  return {
    title: t("nav.videos.new"),
    node: h("div", { class: "narrow" }, h("h1", null, t("nav.videos.new")),
      h("p", { class: "muted" }, may("editor") ? t("video.new.lead") : t("error.forbidden")), form),
  };
}

function build() {
  const ids = { volume: freshId("volume-label"), description: freshId("description-label") };
  return {
    ids,
    title: h("input", { type: "text", name: "title", maxlength: "120", autocomplete: "off", uiap: { id: "video.title" } }),
    useCase: selectControl({
      name: "useCase", value: "", uiap: { id: "video.use_case" },
      options: [["", t("common.choose")], ...USE_CASES.map((name) => [name, t(`useCase.${name}`)])],
    }),
    category: combobox({
      options: CATEGORIES.map((name) => [name, t(`category.${name}`)]), placeholder: t("common.choose"),
      label: t("video.category"), uiap: { id: "video.category" },
    }),
    tags: tagField({ uiap: { id: "video.tags" } }),
    date: h("input", { type: "date", name: "date", uiap: { id: "video.date" } }),
    quality: h("input", { type: "range", name: "quality", min: "0", max: "100", step: "5", value: "80", uiap: { id: "video.quality" } }),
    volume: volumeSlider({ value: 50, labelledby: ids.volume, uiap: { id: "video.volume" } }),
    file: h("input", { type: "file", name: "file", accept: "video/*,.txt", uiap: { id: "video.file" } }),
    description: richText({ labelledby: ids.description, uiap: { id: "video.description" } }),
  };
}

function basics({ title, useCase, category, tags, date }) {
  return h("div", { class: "form-grid" },
    h("div", { class: "span-2" }, field({ name: "title", label: t("video.title"), control: title, required: true, hint: t("video.title.hint") })),
    field({ name: "useCase", label: t("video.useCase"), control: useCase }),
    field({ name: "category", label: t("video.category"), control: category.input, box: category.box }),
    field({ name: "tags", label: t("video.tags"), control: tags.input, box: tags.box, hint: t("video.tags.hint") }),
    field({ name: "date", label: t("video.date"), control: date }));
}

function details({ ids, quality, volume, file, description }) {
  const shown = h("output", { class: "slider-output" }, "80 %");
  quality.addEventListener("input", () => { shown.textContent = `${quality.value} %`; });
  const qualityRow = h("div", { class: "slider-row" }, quality, shown);
  return h("div", { class: "form-grid" },
    radioGroup({
      name: "visibility", legend: t("video.visibility"), value: "private", uiapPrefix: "video.visibility",
      options: ["private", "team", "public"].map((name) => [name, t(`visibility.${name}`)]),
    }),
    h("div", { class: "field" }, h("span", { class: "label", "aria-hidden": "true" }, t("video.captions")),
      switchField({ name: "captions", label: t("video.captions.on"), uiap: { id: "video.captions" } })),
    field({ name: "quality", label: t("video.quality"), control: quality, box: qualityRow }),
    h("div", { class: "field" }, h("span", { class: "label", id: ids.volume }, t("video.volume")), volume.box),
    h("div", { class: "field span-2" }, h("span", { class: "label", id: ids.description }, t("video.description")), description.box),
    h("div", { class: "span-2" }, field({ name: "fileName", label: t("video.file"), control: file, hint: t("video.file.hint") })));
}

function read(controls, form) {
  const values = new FormData(form);
  return {
    title: controls.title.value,
    useCase: controls.useCase.value,
    category: controls.category.value(),
    tags: controls.tags.value(),
    date: controls.date.value,
    visibility: values.get("visibility"),
    captions: values.has("captions"),
    quality: Number(controls.quality.value),
    volume: controls.volume.value(),
    // Only the name travels: the sample keeps no media.
    fileName: controls.file.files[0]?.name ?? "",
    description: controls.description.value(),
  };
}
