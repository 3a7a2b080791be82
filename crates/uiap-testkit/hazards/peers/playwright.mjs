// playwright-core, with locators by role and name, and its own checks before each action.
import { createRequire } from "node:module";
import { ACTION_MS, job, run } from "./job.mjs";

const { chromium } = createRequire(`${process.cwd()}/`)("playwright-core");
const browser = await chromium.launch({ executablePath: job.browser, args: job.flags });
let context;
let page;

const the = ({ role, name }) => page.getByRole(role, { name, exact: true });
const click = (target) => the(target).click();

await run({
  goTo: async (url) => {
    await context?.close();
    context = await browser.newContext();
    context.setDefaultTimeout(ACTION_MS);
    page = await context.newPage();
    await page.goto(url);
  },
  evaluate: (expression) => page.evaluate(expression),
  deeds: {
    "ui.activate": click,
    "ui.submit": click,
    "ui.expand": click,
    "ui.enterText": (target, { text }) => the(target).fill(text),
    "ui.clearText": (target) => the(target).fill(""),
    "ui.setValue": (target, { value }) => the(target).fill(String(value)),
    "ui.toggle": (target, { to }) => the(target).setChecked(to),
    "ui.choose": (target, { label, value, values, index }) => the(target).selectOption(label ? { label } : values ?? (value ? { value } : { index })),
    "ui.focus": (target) => the(target).focus(),
    "ui.hover": (target) => the(target).hover(),
    "ui.scrollIntoView": (target) => the(target).scrollIntoViewIfNeeded(),
    "x.uiap.long-press": (target, { durationMs }) => the(target).click({ delay: durationMs }),
    "nav.navigate": (_, { url }, here) => page.goto(new URL(url, here).href),
  },
  close: () => browser.close(),
});
