import * as api from "../../api.js";
import { currentLanguage, setLanguage, t } from "../../i18n.js";
import { applyAppearance, currentUser } from "../../session.js";
import { h } from "../../ui/dom.js";
import { field, radioGroup, selectControl, switchField } from "../../ui/form.js";
import { toast, toastError } from "../../ui/toast.js";
import { panel, settingsScreen } from "./frame.js";

export async function show({ signal }) {
  const { appearance } = await api.settings(signal);
  const save = async () => {
    const values = new FormData(form);
    const next = { theme: values.get("theme"), density: values.get("density"), reduceMotion: values.has("reduceMotion") };
    try {
      await api.saveAppearance(next);
      currentUser().appearance = next;
      applyAppearance(next);
      toast(t("settings.saved"));
    } catch (error) {
      toastError(error);
    }
  };
  const options = (kind, names) => names.map((name) => [name, t(`${kind}.${name}`)]);
  const form = h("form", { onchange: save, onsubmit: (event) => event.preventDefault(), uiap: { scope: "appearance.form", scopeKind: "form" } },
    radioGroup({ name: "theme", legend: t("appearance.theme"), value: appearance.theme, uiapPrefix: "appearance.theme", options: options("theme", ["system", "light", "dark"]) }),
    radioGroup({ name: "density", legend: t("appearance.density"), value: appearance.density, uiapPrefix: "appearance.density", options: options("density", ["comfortable", "compact"]) }),
    switchField({ name: "reduceMotion", label: t("appearance.reduceMotion"), checked: appearance.reduceMotion, uiap: { id: "appearance.reduce_motion" } }));
  const language = selectControl({
    value: currentLanguage(), options: [["de", "Deutsch"], ["en", "English"]], uiap: { id: "appearance.language" },
    onchange: (event) => setLanguage(event.target.value),
  });
  return settingsScreen("appearance", panel(t("nav.settings.appearance"), form),
    panel(t("shell.language"), field({ name: "language", label: t("appearance.language"), control: language, hint: t("appearance.language.hint") })));
}
