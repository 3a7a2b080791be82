export default {
  id: "socket",
  texts: {
    de: { title: "Befehle über eine offene Leitung", about: "Der Befehl geht über einen WebSocket; als Anfrage ist er nirgends zu sehen.", press: "Befehl senden", done: "Ausgeführt: {count}" },
    en: { title: "Commands over an open line", about: "The command travels over a WebSocket; no request shows it.", press: "Send a command", done: "Carried out: {count}" },
  },
  render({ t, button, result, signal }) {
    const shown = result();
    let line;
    const open = () => new Promise((resolve) => {
      line = new WebSocket(`ws://${location.host}/api/lab/socket`);
      line.addEventListener("open", resolve);
      line.addEventListener("message", ({ data }) => { shown.textContent = t("done", { count: JSON.parse(data).effect?.count ?? 0 }); });
      signal.addEventListener("abort", () => line.close());
    });
    const press = async () => {
      if (line?.readyState !== WebSocket.OPEN) await open();
      line.send("launch");
    };
    return [button("press", press), shown];
  },
};
