// Boundaries: frames of this and of another origin, open and closed shadow roots, and a small component library.
import * as api from "../api.js";
import { t } from "../i18n.js";
import { h } from "../ui/dom.js";
import { defineComponents } from "../embedded/components.js";

export async function show() {
  const { frameOrigin } = await api.config();
  defineComponents();
  const box = (key, ...content) => h("section", { class: "card" }, h("h2", null, t(`embedded.${key}`)), h("p", { class: "muted" }, t(`embedded.${key}.text`)), content);
  const order = h("vl-button", { variant: "primary", uiap: { id: "embedded.library.order" } }, t("embedded.library.order"));
  const count = h("output", { class: "badge" }, "0");
  let orders = 0;
  order.addEventListener("vl-press", async () => {
    await api.labEffect("embedded_library");
    orders += 1;
    count.textContent = String(orders);
  });
  return {
    title: t("nav.embedded"),
    node: h("div", { class: "embedded" },
      h("h1", null, t("nav.embedded")),
      h("p", { class: "muted" }, t("embedded.lead")),
      h("div", { class: "embedded-grid" },
        box("same", h("iframe", { src: "/embedded/inner.html", title: t("embedded.same"), uiap: { id: "embedded.same" } })),
        box("cross", h("iframe", { src: `${frameOrigin}/`, title: t("embedded.cross"), uiap: { id: "embedded.cross" } })),
        box("open", h("vl-rating", { label: t("embedded.open.label") })),
        box("closed", h("vl-vault", { label: t("embedded.closed.label") })),
        box("library", h("vl-card", { heading: t("embedded.library.heading") },
          h("p", null, t("embedded.library.body")), h("div", { class: "toolbar" }, order, count))))),
  };
}
