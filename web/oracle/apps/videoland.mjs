// Our sample application: every screen, and what opens on them.

import { startVideoland } from "../../../examples/videoland/tests/browser/browser.mjs";
import { SCREENS } from "../../../examples/videoland/tests/browser/screens.mjs";

export const name = "Videoland";
export const packages = "this repository";

export async function start() {
  const videoland = await startVideoland();
  return {
    stop: videoland.stop,
    prepare: (page) => page.signIn(videoland.origin, "admin"),
    pages: [
      ...SCREENS.map(([routeId, path, title]) => ({
        title,
        open: async (page) => {
          await page.goTo(videoland.origin + path, routeId);
          if (title === "embedded") await page.until(() => document.querySelector("[data-uiap-id='embedded.same']").contentDocument?.querySelector("button") != null);
        },
      })),
      {
        title: "videos, delete dialog",
        open: async (page) => {
          await page.goTo(`${videoland.origin}/videos/7`, "videos.detail");
          await page.click("[data-uiap-id='video.delete'], [data-uiap-id='videos.delete']");
          await page.until(() => document.querySelector("dialog[open]") !== null);
        },
      },
    ],
  };
}
