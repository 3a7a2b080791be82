// What the four settings screens share: their navigation, a menu and the news drawer.
import { t } from "../../i18n.js";
import { signOut } from "../../operations.js";
import { openDialog } from "../../ui/dialog.js";
import { h } from "../../ui/dom.js";
import { icon } from "../../ui/icons.js";
import { menuButton } from "../../ui/menu.js";

const PARTS = ["profile", "security", "billing", "appearance"];
const NEWS = ["news.captions", "news.search", "news.roles"];

export function settingsScreen(part, ...content) {
  const title = t(`nav.settings.${part}`);
  return {
    title,
    node: h("div", { class: "settings" },
      h("div", { class: "page-head" }, h("h1", null, t("nav.settings")),
        h("div", { class: "toolbar" },
          h("button", { type: "button", "aria-haspopup": "dialog", uiap: { id: "settings.news" }, onclick: openNews }, icon("bell"), t("news.title")),
          menuButton({
            id: "settings.more", name: t("settings.more"), label: [t("settings.more"), icon("chevron")], className: "",
            items: [
              { label: t("nav.team"), href: "/team" },
              { label: t("nav.lab"), href: "/lab" },
              { label: t("shell.logout"), id: "settings.logout", onselect: signOut },
            ],
          }))),
      h("div", { class: "settings-columns" },
        h("nav", { class: "settings-nav", "aria-label": t("nav.settings") }, PARTS.map((name) => h("a", {
          href: `/settings/${name}`, "aria-current": name === part && "page", uiap: { id: `nav.settings.${name}` },
        }, t(`nav.settings.${name}`)))),
        h("div", { class: "settings-content" }, content))),
  };
}

/** A titled box within a settings screen. */
export function panel(title, ...content) {
  return h("section", { class: "card" }, h("h2", null, title), content);
}

function openNews() {
  return openDialog({ id: "settings.news.drawer", title: t("news.title"), kind: "drawer" }, (close) => [
    h("ul", { class: "news" }, NEWS.map((key) => h("li", null, t(key)))),
    h("div", { class: "dialog-actions" }, h("button", { type: "button", class: "primary", onclick: () => close() }, t("common.close"))),
  ]);
}
