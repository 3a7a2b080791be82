// For addresses that lead nowhere, and for screens the server did not answer for.
import { t } from "../i18n.js";
import { h } from "../ui/dom.js";

export function show({ reason }) {
  return {
    title: t("notFound.title"),
    node: h("section", { class: "narrow" },
      h("h1", null, t("notFound.title")),
      h("p", null, reason ?? t("notFound.text")),
      h("p", null, h("a", { href: "/" }, t("notFound.home")))),
  };
}
