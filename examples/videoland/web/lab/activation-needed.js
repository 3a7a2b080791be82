import { h } from "../ui/dom.js";

export default {
  id: "activation",
  texts: {
    de: { title: "Nur für echte Hände", about: "Zwischenablage, neues Fenster, Dateiauswahl und Vollbild verlangen eine echte Betätigung.", clipboard: "Kopieren", popup: "Fenster öffnen", file: "Datei wählen", screen: "Vollbild" },
    en: { title: "For real hands only", about: "Clipboard, new window, file chooser and full screen want a real activation.", clipboard: "Copy", popup: "Open a window", file: "Choose a file", screen: "Full screen" },
  },
  render({ button, note }) {
    const file = h("input", { type: "file", hidden: true });
    // Every button notes whether the browser saw a person, and what it then allowed.
    const attempt = (which, run) => async () => {
      const active = navigator.userActivation.isActive;
      try {
        note({ which, active, allowed: await run() !== null });
      } catch (error) {
        note({ which, active, allowed: false, error: error.name });
      }
    };
    return [
      button("clipboard", attempt("clipboard", () => navigator.clipboard.writeText("Videoland"))),
      button("popup", attempt("popup", () => window.open("/icon.svg", "_blank", "width=300,height=200"))),
      button("file", attempt("file", () => file.showPicker())),
      button("screen", attempt("screen", () => document.documentElement.requestFullscreen().then(() => document.exitFullscreen()))),
      file,
    ];
  },
};
