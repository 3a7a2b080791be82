import { h } from "../ui/dom.js";

export default {
  id: "leave",
  texts: {
    de: { title: "Beim Verlassen", about: "Eingeschaltet fragt die Seite nach, und beim Verlassen schickt sie noch etwas ab.", ask: "Vor dem Verlassen fragen", beacon: "Beim Verlassen senden" },
    en: { title: "On leaving", about: "When switched on, the page asks back, and it sends something on leaving.", ask: "Ask before leaving", beacon: "Send on leaving" },
  },
  render({ t, signal, uiap }) {
    const box = (key) => h("input", { type: "checkbox", uiap: uiap(key) });
    const ask = box("ask");
    const beacon = box("beacon");
    addEventListener("beforeunload", (event) => { if (ask.checked) event.preventDefault(); }, { signal });
    addEventListener("pagehide", () => {
      if (!beacon.checked) return;
      navigator.sendBeacon("/api/lab/effects/leave", new Blob(['{"sent":"on leaving"}'], { type: "application/json" }));
    }, { signal });
    return [h("label", { class: "choice" }, ask, h("span", null, t("ask"))), h("label", { class: "choice" }, beacon, h("span", null, t("beacon")))];
  },
};
