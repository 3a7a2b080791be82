// Playwright's own snapshot for models.
import { createRequire } from "node:module";
import { job, run } from "./job.mjs";

const { chromium } = createRequire(`${process.cwd()}/`)("playwright-core");
const browser = await chromium.launch({ executablePath: job.browser, args: job.flags });
const page = await browser.newPage();

await run({
  goTo: (url) => page.goto(url),
  evaluate: (text) => page.evaluate(`(${text})()`),
  look: async () => page.ariaSnapshot ? page.ariaSnapshot({ mode: "ai" }) : (await page._snapshotForAI()).full,
  press: (name) => page.getByRole("button", { name }).click(),
  close: () => browser.close(),
});
