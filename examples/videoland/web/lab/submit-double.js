const SLOW_MS = 1200;

export default {
  id: "double_submit",
  texts: {
    de: { title: "Doppelt abgeschickt", about: "Der Knopf bleibt bedienbar und bestellt bei jedem Klick; die Antwort kommt spät.", order: "Kostenpflichtig bestellen", done: "Bestellungen: {count}" },
    en: { title: "Submitted twice", about: "The button stays usable and orders on every click; the answer comes late.", order: "Order and pay", done: "Orders: {count}" },
  },
  render({ t, button, effect, result }) {
    const shown = result();
    let count = 0;
    const order = async () => {
      await effect({ ordered: true });
      setTimeout(() => {
        count += 1;
        shown.textContent = t("done", { count });
      }, SLOW_MS);
    };
    return [button("order", order), shown];
  },
};
