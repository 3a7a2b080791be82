// Search in the header: results while typing, after a pause.
import * as api from "../api.js";
import { t } from "../i18n.js";
import { freshId, h } from "./dom.js";
import { icon } from "./icons.js";
import { toastError } from "./toast.js";

const PAUSE_MS = 200;

export function searchBox() {
  const listId = freshId("search-results");
  const results = h("ul", { id: listId, class: "search-results", hidden: true });
  let timer;
  let running = new AbortController();
  const close = () => { results.hidden = true; };

  const find = async () => {
    running.abort();
    running = new AbortController();
    try {
      const { videos } = await api.search(input.value, running.signal);
      results.replaceChildren(...videos.map(({ id, title }) => h("li", null, h("a", { href: `/videos/${id}`, onclick: close }, title))));
      if (videos.length === 0) results.append(h("li", { class: "empty" }, t("search.nothing")));
      results.hidden = input.value.trim() === "";
    } catch (error) {
      if (error.name !== "AbortError") toastError(error);
    }
  };
  const input = h("input", {
    type: "search", placeholder: t("search.placeholder"), "aria-label": t("search.label"), "aria-controls": listId,
    autocomplete: "off", uiap: { id: "shell.search" },
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(find, PAUSE_MS);
    },
  });
  const box = h("div", {
    class: "search", role: "search",
    onkeydown: (event) => {
      if (event.key === "Escape") close();
      if (event.key === "ArrowDown" && !results.hidden) {
        event.preventDefault();
        results.querySelector("a")?.focus();
      }
    },
    onfocusout: (event) => { if (!box.contains(event.relatedTarget)) close(); },
  }, icon("search"), input, results);
  return box;
}
