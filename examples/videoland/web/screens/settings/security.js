import * as api from "../../api.js";
import { t } from "../../i18n.js";
import { may } from "../../session.js";
import { refresh } from "../../router.js";
import { confirmDialog, openDialog } from "../../ui/dialog.js";
import { h } from "../../ui/dom.js";
import { field, onSubmit, requireFields } from "../../ui/form.js";
import { toast } from "../../ui/toast.js";
import { panel, settingsScreen } from "./frame.js";

export async function show({ signal }) {
  const { tokens } = await api.settings(signal);
  return settingsScreen("security", panel(t("security.password"), passwordForm()),
    may("admin") && panel(t("security.tokens"), tokenList(tokens), tokenForm()));
}

function passwordForm() {
  const secret = (id, autocomplete) => h("input", { type: "password", autocomplete, uiap: { id, sensitive: "true", dataClass: "credential" } });
  const current = secret("security.password.current", "current-password");
  const next = secret("security.password.new", "new-password");
  const form = h("form", { uiap: { scope: "security.password.form", scopeKind: "form" } },
    field({ name: "current", label: t("security.current"), control: current, required: true }),
    field({ name: "new", label: t("security.new"), control: next, required: true, hint: t("security.new.hint") }),
    h("div", { class: "form-actions" }, h("button", {
      type: "submit", class: "primary", uiap: { id: "security.password.submit", risk: "blocked", riskTags: ["security", "identity"] },
    }, t("security.change"))));
  return onSubmit(form, async () => {
    requireFields({ current: current.value, new: next.value });
    await api.changePassword(current.value, next.value);
    form.reset();
    toast(t("security.changed"));
  });
}

function tokenList(tokens) {
  if (tokens.length === 0) return h("p", { class: "muted" }, t("security.noTokens"));
  return h("ul", { class: "tokens", uiap: { scope: "security.tokens", scopeKind: "list" } }, tokens.map((token) => h("li", null,
    h("span", null, h("strong", null, token.name), h("small", null, token.hint)),
    h("button", { type: "button", class: "danger-quiet", "aria-haspopup": "dialog", onclick: () => revoke(token) }, t("security.revoke")))));
}

function revoke(token) {
  return confirmDialog({
    id: "security.revoke.dialog", title: t("security.revoke.title"), text: t("security.revoke.text", { name: token.name }),
    yes: t("security.revoke"), uiap: { risk: "confirm", riskTags: ["security", "destructive"] },
    run: () => api.revokeToken(token.id),
    done: refresh,
  });
}

function tokenForm() {
  const name = h("input", { type: "text", autocomplete: "off", uiap: { id: "security.token.name" } });
  const form = h("form", { class: "inline-form", uiap: { scope: "security.token.form", scopeKind: "form" } },
    field({ name: "name", label: t("security.tokenName"), control: name, required: true }),
    h("button", { type: "submit", uiap: { id: "security.token.create", risk: "confirm", riskTags: ["security"] } }, t("security.createToken")));
  return onSubmit(form, async () => {
    requireFields({ name: name.value });
    const { secret } = await api.createToken(name.value, api.freshKey());
    await showSecret(secret);
    await refresh();
  });
}

// The only moment at which the secret exists outside the server's answer.
function showSecret(secret) {
  return openDialog({ id: "security.token.dialog", title: t("security.secret.title") }, (close) => [
    h("p", null, t("security.secret.text")),
    h("code", { class: "secret", uiap: { id: "security.token.secret", sensitive: "true", dataClass: "secret" } }, secret),
    h("div", { class: "dialog-actions" }, h("button", { type: "button", class: "primary", onclick: () => close() }, t("security.secret.kept"))),
  ]);
}
