import * as api from "../../api.js";
import { t } from "../../i18n.js";
import { refresh } from "../../router.js";
import { confirmDialog } from "../../ui/dialog.js";
import { h } from "../../ui/dom.js";
import { field, onSubmit, radioGroup, requireFields } from "../../ui/form.js";
import { toast } from "../../ui/toast.js";
import { panel, settingsScreen } from "./frame.js";

const PLANS = ["free", "team", "business"];

export async function show({ signal }) {
  const { billing } = await api.settings(signal);
  // The server tells nobody but administrators.
  if (!billing) return settingsScreen("billing", panel(t("nav.settings.billing"), h("p", null, t("error.forbidden"))));
  return settingsScreen("billing", panel(t("billing.plan"), planForm(billing)), panel(t("billing.card"), cardForm(billing)));
}

function planForm(billing) {
  const form = h("form", { uiap: { scope: "billing.plan.form", scopeKind: "form" } },
    radioGroup({
      name: "plan", legend: t("billing.plan.choose"), value: billing.plan, uiapPrefix: "billing.plan",
      options: PLANS.map((plan) => [plan, t(`plan.${plan}`)]),
    }),
    h("div", { class: "form-actions" }, h("button", {
      type: "submit", class: "primary", uiap: { id: "billing.plan.submit", risk: "confirm", riskTags: ["billing"] },
    }, t("billing.plan.submit"))));
  return onSubmit(form, async () => {
    const plan = new FormData(form).get("plan");
    if (plan === billing.plan) return;
    await confirmDialog({
      id: "billing.plan.dialog", title: t("billing.plan.submit"), text: t("billing.plan.text", { plan: t(`plan.${plan}`) }),
      yes: t("billing.plan.yes"), uiap: { risk: "blocked", riskTags: ["billing"] },
      run: async () => {
        await api.changePlan(plan);
        toast(t("billing.plan.changed", { plan: t(`plan.${plan}`) }));
      },
    });
    await refresh();
  });
}

function cardForm(billing) {
  const holder = h("input", { type: "text", autocomplete: "cc-name", value: billing.cardHolder, uiap: { id: "billing.card.holder", dataClass: "personal" } });
  const number = h("input", {
    type: "text", inputmode: "numeric", autocomplete: "cc-number", placeholder: `•••• •••• •••• ${billing.cardHint}`,
    uiap: { id: "billing.card.number", sensitive: "true", dataClass: "sensitive" },
  });
  const form = h("form", { uiap: { scope: "billing.card.form", scopeKind: "form" } },
    field({ name: "holder", label: t("billing.holder"), control: holder, required: true }),
    field({ name: "number", label: t("billing.number"), control: number, required: true, hint: t("billing.number.hint") }),
    h("div", { class: "form-actions" }, h("button", {
      type: "submit", uiap: { id: "billing.card.submit", risk: "blocked", riskTags: ["billing", "sensitive_data"] },
    }, t("billing.card.submit"))));
  return onSubmit(form, async () => {
    requireFields({ holder: holder.value, number: number.value });
    await api.saveCard(holder.value, number.value);
    toast(t("settings.saved"));
    await refresh();
  });
}
