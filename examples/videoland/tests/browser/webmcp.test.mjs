// Where the browser has WebMCP, the safe actions are its tools.
import { test } from "node:test";
import assert from "node:assert/strict";
import { useSite } from "./site.mjs";

const site = useSite(["--enable-features=WebMCP"]);

test("only safe actions become tools, and they work", async (context) => {
  await site.visit({ path: "/", route: "dashboard" }, async (page, videoland) => {
    if (!await page.run(() => typeof document.modelContext?.getTools === "function")) {
      context.skip("this browser has no WebMCP");
      return;
    }
    const names = await page.run(async () => (await document.modelContext.getTools()).map(({ name }) => name).sort());
    assert.deepEqual(names, ["billing_openSettings", "video_rename", "workspace_search"]);
    const found = await page.run(async () => {
      const tool = (await document.modelContext.getTools()).find(({ name }) => name === "workspace_search");
      return document.modelContext.executeTool(tool, { query: "inventur" });
    });
    assert.match(JSON.stringify(found), /Inventur Schritt für Schritt/);
    assert.deepEqual(await videoland.writes(), []);
  });
});
