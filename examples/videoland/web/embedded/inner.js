// A page of this origin inside a frame: a poll with one answer.
import { labEffect } from "../api.js";
import { initLanguage, t } from "../i18n.js";
import { h } from "../ui/dom.js";
import { field, onSubmit, selectControl } from "../ui/form.js";

initLanguage();
const choice = selectControl({ value: "yes", options: [["yes", t("common.yes")], ["no", t("common.no")]], uiap: { id: "poll.choice" } });
const result = h("p", { role: "status", uiap: { id: "poll.result" } });
const form = h("form", { uiap: { scope: "poll.form", scopeKind: "form" } },
  field({ name: "choice", label: t("poll.question"), control: choice }),
  h("button", { type: "submit", class: "primary", uiap: { id: "poll.submit" } }, t("poll.submit")));
onSubmit(form, async () => {
  await labEffect("embedded_poll", { choice: choice.value });
  result.textContent = t("poll.thanks");
});
document.title = t("embedded.same");
document.body.append(form, result);
