import { h } from "../ui/dom.js";

export default {
  id: "one_frame",
  texts: {
    de: { title: "Meldung für ein Bild", about: "Die Meldung ist nur für einen Bildwechsel zu sehen.", send: "Senden", sent: "Nachricht gesendet" },
    en: { title: "Message for one frame", about: "The message is visible for one frame only.", send: "Send", sent: "Message sent" },
  },
  render({ t, button, effect }) {
    const region = h("div", { role: "status" });
    const send = async () => {
      await effect();
      const toast = h("div", { class: "toast", uiap: { role: "toast" } }, t("sent"));
      region.append(toast);
      requestAnimationFrame(() => requestAnimationFrame(() => toast.remove()));
    };
    return [button("send", send), region];
  },
};
