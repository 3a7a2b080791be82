import { h } from "../ui/dom.js";

export default {
  id: "route_without_url",
  texts: {
    de: { title: "Adresse und Inhalt", about: "Einmal wechselt die Ansicht ohne die Adresse, einmal die Adresse ohne die Ansicht.", view: "Ansicht wechseln", address: "Adresse wechseln", one: "Ansicht eins", two: "Ansicht zwei" },
    en: { title: "Address and content", about: "Once the view changes without the address, once the address without the view.", view: "Change the view", address: "Change the address", one: "View one", two: "View two" },
  },
  render({ t, button, note }) {
    let first = true;
    const view = h("p", { class: "lab-result" }, t("one"));
    const changeView = () => {
      first = !first;
      view.textContent = t(first ? "one" : "two");
      note("view");
    };
    const changeAddress = () => {
      history.replaceState(null, "", "/lab?part=two");
      note("address");
    };
    return [button("view", changeView), button("address", changeAddress), view];
  },
};
