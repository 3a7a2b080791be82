// Writes a picture of every screen: node screenshots.mjs TARGET_FOLDER
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startBrowser, startVideoland } from "./browser.mjs";
import { SCREENS } from "./screens.mjs";

const folder = process.argv[2];
if (!folder) {
  console.error("Name the folder for the pictures, for example docs/images/videoland.");
  process.exit(2);
}
await mkdir(folder, { recursive: true });
const videoland = await startVideoland();
const browser = await startBrowser();

async function shoot(page, name) {
  // A frame of another origin cannot be asked; it is small and there before the one of this origin.
  await page.until(() => [...document.querySelectorAll("iframe[src]")].every(({ contentDocument }) => contentDocument?.body?.childElementCount !== 0));
  await writeFile(join(folder, `${name}.png`), await page.screenshot());
}

async function series(options, suffix, names) {
  const page = await browser.newPage(options);
  await page.goTo(`${videoland.origin}/login`, "login");
  if (names.includes("login")) await shoot(page, `login${suffix}`);
  await page.signIn(videoland.origin, "admin");
  for (const [route, path, name] of SCREENS) {
    if (!names.includes(name)) continue;
    await page.goTo(videoland.origin + path, route);
    await shoot(page, `${name}${suffix}`);
  }
  await page.close();
}

async function layers() {
  const page = await browser.newPage();
  await page.signIn(videoland.origin, "admin");
  await page.goTo(`${videoland.origin}/videos/7`, "videos.detail");
  await page.click('[data-uiap-id="video.delete"]');
  await page.until(() => document.querySelector("dialog[open]") !== null);
  await shoot(page, "delete-dialog");
  await page.goTo(`${videoland.origin}/videos/new`, "videos.new");
  await page.click('[data-uiap-id="video.submit"]');
  await page.click('[data-uiap-id="video.category"]');
  await shoot(page, "video-new-errors");
  await page.close();
}

try {
  await series({}, "", ["login", ...SCREENS.map(([, , name]) => name)]);
  await series({ width: 390, height: 844 }, "-phone", ["login", "dashboard", "videos", "video-new", "video", "settings-profile"]);
  await series({ dark: true }, "-dark", ["dashboard", "video-new"]);
  await layers();
} finally {
  await browser.stop();
  await videoland.stop();
}
