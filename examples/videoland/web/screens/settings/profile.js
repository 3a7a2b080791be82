import * as api from "../../api.js";
import { t } from "../../i18n.js";
import { h } from "../../ui/dom.js";
import { field, onSubmit, requireFields } from "../../ui/form.js";
import { toast } from "../../ui/toast.js";
import { panel, settingsScreen } from "./frame.js";

export async function show({ signal }) {
  const { profile } = await api.settings(signal);
  const name = h("input", { type: "text", value: profile.displayName, autocomplete: "name", uiap: { id: "profile.name", dataClass: "personal" } });
  const email = h("input", { type: "email", value: profile.email, autocomplete: "email", uiap: { id: "profile.email", dataClass: "personal" } });
  const about = h("textarea", { rows: "4", value: profile.about, uiap: { id: "profile.about" } });
  const form = h("form", { uiap: { scope: "profile.form", scopeKind: "form" } },
    field({ name: "displayName", label: t("profile.name"), control: name, required: true }),
    field({ name: "email", label: t("common.email"), control: email, required: true }),
    field({ name: "about", label: t("profile.about"), control: about }),
    h("div", { class: "form-actions" }, h("button", { type: "submit", class: "primary", uiap: { id: "profile.submit", risk: "confirm" } }, t("common.save"))));
  onSubmit(form, async () => {
    requireFields({ displayName: name.value, email: email.value });
    await api.saveProfile({ displayName: name.value, email: email.value, about: about.value });
    toast(t("settings.saved"));
  });
  return settingsScreen("profile", panel(t("nav.settings.profile"), form));
}
