import { currentLanguage, setLanguage, t } from "../i18n.js";
import { signIn } from "../operations.js";
import { navigate } from "../router.js";
import { h } from "../ui/dom.js";
import { field, onSubmit, requireFields, showErrors } from "../ui/form.js";

const USERS = ["admin", "editor", "viewer"];

export function show({ query }) {
  const user = h("input", { type: "text", name: "user", autocomplete: "username", autocapitalize: "none", uiap: { id: "login.user" } });
  const password = h("input", {
    type: "password", name: "password", autocomplete: "current-password",
    uiap: { id: "login.password", sensitive: "true", dataClass: "credential" },
  });
  const form = h("form", { class: "card login-card", uiap: { scope: "login.form", scopeKind: "form" } },
    h("img", { src: "/icon.svg", alt: "", width: 52, height: 52 }),
    h("h1", null, t("login.title")),
    h("p", { class: "muted" }, t("login.lead")),
    field({ name: "user", label: t("login.user"), control: user, required: true }),
    field({ name: "password", label: t("login.password"), control: password, required: true }),
    h("button", { type: "submit", class: "primary wide", uiap: { id: "login.submit", risk: "confirm", riskTags: ["security"] } }, t("login.submit")),
    h("div", { class: "login-users" }, h("span", { class: "muted" }, t("login.users")),
      USERS.map((name) => h("button", {
        type: "button", class: "chip-button",
        onclick: () => {
          user.value = name;
          password.focus();
        },
      }, name))),
    h("button", {
      type: "button", class: "link-button", lang: currentLanguage() === "de" ? "en" : "de",
      onclick: () => setLanguage(currentLanguage() === "de" ? "en" : "de"),
    }, t("login.otherLanguage")));
  onSubmit(form, async () => {
    requireFields({ user: user.value, password: password.value });
    try {
      await signIn(user.value.trim(), password.value);
    } catch (error) {
      if (error.code !== "wrong_credentials") throw error;
      showErrors(form, { password: "credentials" });
      return;
    }
    await navigate(safeTarget(query.get("next")), { replace: true });
  });
  return { title: t("login.title"), node: form };
}

// Only paths of this application: an address may come from anybody.
function safeTarget(next) {
  return next?.startsWith("/") && !next.startsWith("//") && !next.startsWith("/login") ? next : "/";
}
