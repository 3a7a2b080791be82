import { h } from "../ui/dom.js";

export default {
  id: "hidden",
  texts: {
    de: { title: "Unsichtbares Ziel", about: "Vier Knöpfe, die niemand sieht: ausgeblendet, verborgen, durchsichtig, weit weg.", none: "Ausgeblendet", collapsed: "Verborgen", transparent: "Durchsichtig", away: "Weit weg" },
    en: { title: "Invisible target", about: "Four buttons nobody sees: not displayed, hidden, transparent, far away.", none: "Not displayed", collapsed: "Hidden", transparent: "Transparent", away: "Far away" },
  },
  render({ button, effect }) {
    const hidden = (key, props) => button(key, () => effect({ clicked: key }), { tabindex: "-1", ...props });
    return h("div", { class: "toolbar" },
      hidden("none", { hidden: true }), hidden("collapsed", { class: "lab-collapsed" }),
      hidden("transparent", { class: "lab-transparent" }), hidden("away", { class: "lab-away" }));
  },
};
