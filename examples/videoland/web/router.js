// History routes: which address shows which screen.
import { t } from "./i18n.js";
import { currentUser, setUser } from "./session.js";
import { renderShell, showScreen } from "./shell.js";

const ROUTES = [
  ["login", "/login", () => import("./screens/login.js")],
  ["dashboard", "/", () => import("./screens/dashboard.js")],
  ["videos", "/videos", () => import("./screens/videos.js")],
  ["videos.new", "/videos/new", () => import("./screens/video-new.js")],
  ["videos.detail", "/videos/:id", () => import("./screens/video.js")],
  ["team", "/team", () => import("./screens/team.js")],
  ["settings.profile", "/settings/profile", () => import("./screens/settings/profile.js")],
  ["settings.security", "/settings/security", () => import("./screens/settings/security.js")],
  ["settings.billing", "/settings/billing", () => import("./screens/settings/billing.js")],
  ["settings.appearance", "/settings/appearance", () => import("./screens/settings/appearance.js")],
  ["embedded", "/embedded", () => import("./screens/embedded.js")],
  ["lab", "/lab", () => import("./screens/lab.js")],
];
const REDIRECTS = { "/settings": "/settings/profile" };

let current = new AbortController();

export async function startRouter() {
  addEventListener("popstate", () => show({ moveFocus: true }));
  document.addEventListener("click", followLink);
  await show({ moveFocus: false });
}

/** Goes to a path of this application; resolves when the screen is shown. */
export async function navigate(path, { replace = false } = {}) {
  history[replace ? "replaceState" : "pushState"](null, "", path);
  await show({ moveFocus: true });
}

/** Shows the current address again, for example in another language. */
export function refresh() {
  return show({ moveFocus: false });
}

export function matchRoute(pathname) {
  for (const [id, pattern, load] of ROUTES) {
    const params = matchPattern(pattern, pathname);
    if (params) return { id, params, load };
  }
  return { id: "not_found", params: {}, load: () => import("./screens/not-found.js") };
}

function matchPattern(pattern, pathname) {
  const wanted = pattern.split("/");
  const found = pathname.split("/");
  if (wanted.length !== found.length) return null;
  const params = {};
  for (const [at, part] of wanted.entries()) {
    if (part.startsWith(":") && found[at]) params[part.slice(1)] = decodeURIComponent(found[at]);
    else if (part !== found[at]) return null;
  }
  return params;
}

async function show({ moveFocus }) {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const { pathname, search } = location;
  if (REDIRECTS[pathname]) return navigate(REDIRECTS[pathname], { replace: true });
  const route = matchRoute(pathname);
  if (!currentUser() && route.id !== "login") {
    return navigate(`/login?next=${encodeURIComponent(pathname + search)}`, { replace: true });
  }
  try {
    const screen = await route.load();
    const view = await screen.show({ params: route.params, query: new URLSearchParams(search), signal });
    if (!signal.aborted) showScreen(route.id, view, moveFocus);
  } catch (error) {
    if (!signal.aborted) await showFailure(error, moveFocus);
  }
}

async function showFailure(error, moveFocus) {
  if (error.status === 401) {
    setUser(null);
    renderShell();
    return navigate("/login", { replace: true });
  }
  // What is not an answer of the server is a mistake in this page and must not be hidden.
  if (error.status === undefined) reportError(error);
  const screen = await import("./screens/not-found.js");
  const view = screen.show({ reason: error.status === 404 ? undefined : t("error.loading") });
  showScreen("not_found", view, moveFocus);
}

function followLink(event) {
  const link = event.composedPath().find((node) => node instanceof HTMLAnchorElement);
  const plain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.origin !== location.origin) return;
  if (link.hash && link.pathname === location.pathname) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
}
