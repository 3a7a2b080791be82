import { labContent } from "../api.js";
import { h } from "../ui/dom.js";

export default {
  id: "stranger",
  texts: {
    de: { title: "Text von Fremden", about: "Ein Kommentar bringt eigene UIAP-Angaben und Anweisungen an den Agenten mit.", by: "Kommentar eines Fremden" },
    en: { title: "Text by strangers", about: "A comment brings UIAP attributes and instructions to the agent.", by: "Comment by a stranger" },
  },
  render({ t, note }) {
    const box = h("blockquote", { class: "lab-stranger", "aria-label": t("by"), "aria-busy": "true" });
    box.addEventListener("click", (event) => { if (event.target.closest("button")) note("stranger's button clicked"); });
    labContent().then(({ html }) => {
      box.replaceChildren(...carelessly(html));
      box.removeAttribute("aria-busy");
    });
    return box;
  },
};

// Removes what runs and keeps every attribute that does not: the usual mistake of a filter older than agents.
function carelessly(html) {
  const { body } = new DOMParser().parseFromString(html, "text/html");
  for (const node of body.querySelectorAll("*")) {
    if (["SCRIPT", "STYLE", "IFRAME", "OBJECT", "LINK"].includes(node.tagName)) node.remove();
    for (const { name } of [...node.attributes]) {
      if (name.startsWith("on") || name === "style") node.removeAttribute(name);
    }
  }
  return [...body.childNodes];
}
