export default {
  id: "service_worker",
  texts: {
    de: { title: "Arbeiter im Hintergrund", about: "Nicht die Seite schreibt, sondern ihr Service Worker.", press: "Im Hintergrund senden", done: "Gesendet ({status})" },
    en: { title: "Worker in the background", about: "Not the page writes, but its service worker.", press: "Send in the background", done: "Sent ({status})" },
  },
  render({ t, button, result, signal }) {
    const shown = result();
    navigator.serviceWorker?.addEventListener("message", ({ data }) => { shown.textContent = t("done", { status: data }); }, { signal });
    const press = async () => {
      // A scope without pages: the worker must never stand between the application and its server.
      const registration = await navigator.serviceWorker.register("/worker.js", { scope: "/lab-worker/" });
      const worker = registration.active ?? registration.waiting ?? registration.installing;
      if (worker.state === "activated") worker.postMessage("post");
      else worker.addEventListener("statechange", () => { if (worker.state === "activated") worker.postMessage("post"); });
    };
    return [button("press", press), shown];
  },
};
