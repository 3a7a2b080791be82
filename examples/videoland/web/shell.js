// The frame around every screen: navigation, header, main, toasts.
import { currentLanguage, onLanguageChange, setLanguage, t } from "./i18n.js";
import { refresh } from "./router.js";
import { currentUser, may } from "./session.js";
import { signOut } from "./operations.js";
import { h } from "./ui/dom.js";
import { icon } from "./ui/icons.js";
import { menuButton } from "./ui/menu.js";
import { searchBox } from "./ui/search.js";
import { toastRegion } from "./ui/toast.js";

const LINKS = [
  ["dashboard", "/", "home"],
  ["videos", "/videos", "videos"],
  ["videos.new", "/videos/new", "plus", "editor"],
  ["team", "/team", "team"],
  ["settings", "/settings", "settings"],
  ["embedded", "/embedded", "embedded"],
  ["lab", "/lab", "lab"],
];

const main = h("main", { id: "main", tabindex: "-1" });
let shell;

export function mountShell() {
  document.body.append(toastRegion());
  renderShell();
  onLanguageChange(() => {
    const id = document.activeElement?.dataset.uiapId;
    renderShell();
    if (id) shell.querySelector(`[data-uiap-id="${CSS.escape(id)}"]`)?.focus();
    refresh();
  });
  // The drawer of the phone layout gives way to Escape like every other layer.
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && shell.classList.contains("nav-open")) toggleNavigation(false);
  });
}

/** Draws the frame anew, after a sign-in, a sign-out or another language. */
export function renderShell() {
  const next = currentUser()
    ? h("div", { class: "shell" }, skipLink(), sidebar(), h("div", { class: "page" }, header(), main))
    : h("div", { class: "shell signed-out" }, main);
  if (shell) shell.replaceWith(next);
  else document.body.prepend(next);
  shell = next;
}

/** Puts a screen into main. Focus moves to its heading when a person or agent navigated. */
export function showScreen(routeId, { title, node }, moveFocus) {
  const focused = main.contains(document.activeElement) ? document.activeElement : null;
  main.dataset.uiapRoute = routeId;
  main.replaceChildren(node);
  document.title = `${title} · Videoland`;
  for (const link of shell.querySelectorAll(".sidebar a")) {
    const here = link.dataset.route === routeId || (routeId.startsWith("settings.") && link.dataset.route === "settings");
    if (here) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  }
  toggleNavigation(false);
  if (moveFocus) focusHeading();
  else if (focused && focused !== main) focusAgain(focused.dataset.uiapId);
}

function focusHeading() {
  scrollTo(0, 0);
  const heading = main.querySelector("h1");
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}

// A redrawn screen must not throw keyboard users back to the top of the page.
function focusAgain(id) {
  const same = id && main.querySelector(`[data-uiap-id="${CSS.escape(id)}"]`);
  (same || main).focus({ preventScroll: true });
}

function skipLink() {
  const toMain = (event) => {
    event.preventDefault();
    main.focus();
  };
  return h("a", { class: "skip-link", href: "#main", onclick: toMain }, t("shell.skip"));
}

function sidebar() {
  const links = LINKS.filter(([, , , role]) => !role || may(role)).map(([id, href, symbol]) =>
    h("a", { href, "data-route": id, uiap: { id: `nav.${id}` } }, icon(symbol), h("span", null, t(`nav.${id}`))));
  return h("aside", { class: "sidebar", id: "sidebar" },
    h("a", { class: "brand", href: "/" }, h("img", { src: "/icon.svg", alt: "", width: 30, height: 30 }), "Videoland"),
    h("nav", { "aria-label": t("shell.navigation"), uiap: { scope: "nav", scopeKind: "navigation" } }, links),
    h("p", { class: "sidebar-note" }, t("shell.note")));
}

function header() {
  const user = currentUser();
  const language = h("select", {
    "aria-label": t("shell.language"), uiap: { id: "shell.language" },
    onchange: (event) => setLanguage(event.target.value),
  }, [["de", "Deutsch"], ["en", "English"]].map(([value, label]) =>
    h("option", { value, selected: value === currentLanguage(), lang: value }, label)));
  const menu = menuButton({
    id: "shell.user_menu",
    label: [h("span", { class: "avatar", "aria-hidden": "true" }, user.displayName.slice(0, 1)),
      h("span", { class: "user-name" }, user.displayName), icon("chevron")],
    name: t("shell.userMenu", { name: user.displayName }),
    items: [
      { label: t("nav.settings.profile"), href: "/settings/profile" },
      { label: t("nav.settings.appearance"), href: "/settings/appearance" },
      { label: t("shell.logout"), id: "session.logout", onselect: signOut },
    ],
  });
  const toggle = h("button", {
    type: "button", class: "icon-button nav-toggle", "aria-label": t("shell.openNavigation"),
    "aria-expanded": "false", "aria-controls": "sidebar", onclick: () => toggleNavigation(),
  }, icon("menu"));
  return h("header", { class: "topbar" }, toggle, searchBox(), language, menu);
}

function toggleNavigation(open = !shell.classList.contains("nav-open")) {
  shell.classList.toggle("nav-open", open);
  const button = shell.querySelector(".nav-toggle");
  if (!button) return;
  button.setAttribute("aria-expanded", String(open));
  if (open) shell.querySelector(".sidebar nav a").focus();
  else if (shell.querySelector(".sidebar").contains(document.activeElement)) button.focus();
}
