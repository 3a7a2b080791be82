// The publisher in a real browser: pages from a small server, snapshots from an isolated world, and the
// accessibility tree of the browser as the judge.

import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { startBrowser } from "../../examples/videoland/tests/browser/browser.mjs";

const BUNDLE = readFileSync(new URL("../publisher/dist/publisher.js", import.meta.url), "utf8");
const WORLD = "uiap";

/** A browser, or a clear sentence. */
export async function openBrowser() {
  const path = process.env.CHROME ?? "/usr/bin/chromium";
  if (!existsSync(path)) throw new Error(`There is no browser at ${path}; install Chromium (cargo xtask setup) or set CHROME.`);
  return startBrowser();
}

/** Serves pages given as { "/path": { body, headers } } on a free port; the pages may be added later. */
export async function serve(pages = {}) {
  const server = createServer(({ url }, answer) => {
    const page = pages[new URL(url, "http://localhost").pathname];
    if (!page) {
      answer.writeHead(404).end();
      return;
    }
    answer.writeHead(200, { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", ...page.headers }).end(page.body);
  });
  await new Promise((resolve) => { server.listen(0, "127.0.0.1", resolve); });
  const { port } = server.address();
  return {
    pages,
    origin: `http://127.0.0.1:${port}`,
    // Another name is another origin.
    foreign: `http://localhost:${port}`,
    stop: () => new Promise((resolve) => {
      server.closeAllConnections();
      server.close(resolve);
    }),
  };
}

/** Loads an address and waits for it to be complete. */
export async function load(page, url) {
  await page.send("Page.navigate", { url });
  await page.until((wanted) => location.href === wanted && document.readyState === "complete", url);
}

/** Has the publisher in the isolated world of every document from its beginning. */
export function installEarly(page) {
  return page.send("Page.addScriptToEvaluateOnNewDocument", { source: BUNDLE, worldName: WORLD });
}

/** Puts the publisher into an isolated world of the page, unless it is there, and returns how to ask it. */
export async function publisherOf(page, inject = true) {
  const { frameTree } = await page.send("Page.getFrameTree");
  const { executionContextId: contextId } = await page.send("Page.createIsolatedWorld", { frameId: frameTree.frame.id, worldName: WORLD });
  const evaluate = async (expression, returnByValue = true, awaitPromise = false) => {
    const { result, exceptionDetails } = await page.send("Runtime.evaluate", { expression, contextId, returnByValue, awaitPromise });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return returnByValue ? result.value : result;
  };
  if (inject) await evaluate(BUNDLE);
  return {
    evaluate,
    wait: (expression) => evaluate(expression, true, true),
    text: (options) => evaluate(`__uiap.snapshot(${options ? JSON.stringify(JSON.stringify(options)) : ""})`),
    async snapshot(options) {
      return JSON.parse(await this.text(options));
    },
    /** The DOM node number of each element of the last snapshot, as the accessibility tree counts. */
    async backendIds(elements) {
      const ids = JSON.stringify(elements.map(({ instanceId }) => instanceId));
      const { objectId } = await evaluate(`${ids}.map((id) => __uiap.node(id))`, false);
      const { result } = await page.send("Runtime.getProperties", { objectId, ownProperties: true });
      const nodes = result.filter(({ name, value }) => /^\d+$/.test(name) && value?.objectId);
      const described = await Promise.all(nodes.map(({ value }) => page.send("DOM.describeNode", { objectId: value.objectId })));
      return described.map(({ node }) => node.backendNodeId);
    },
  };
}

/** The accessibility tree of the page and its frames: backend node id -> { role, name, ignored, ancestors, properties }. */
export async function accessibilityTree(page) {
  const { frameTree } = await page.send("Page.getFrameTree");
  const frames = [];
  const collect = ({ frame, childFrames = [] }) => {
    frames.push(frame.id);
    for (const child of childFrames) collect(child);
  };
  collect(frameTree);
  const found = new Map();
  for (const frameId of frames) {
    // A frame of another process has a tree of its own that this session cannot see.
    const { nodes } = await page.send("Accessibility.getFullAXTree", { frameId }).catch(() => ({ nodes: [] }));
    const byId = new Map(nodes.map((node) => [node.nodeId, node]));
    const ancestors = (node) => {
      const list = [];
      for (let at = byId.get(node.parentId); at; at = byId.get(at.parentId)) list.push({ role: at.role?.value, id: at.backendDOMNodeId });
      return list;
    };
    for (const node of nodes) {
      if (node.backendDOMNodeId === undefined) continue;
      const properties = Object.fromEntries((node.properties ?? []).map(({ name, value }) => [name, value.value]));
      found.set(node.backendDOMNodeId, { role: node.role?.value, name: node.name?.value ?? "", ignored: node.ignored, ancestors: ancestors(node), properties });
    }
  }
  return found;
}

const isMarked = ({ attributes = [] }, name) => attributes.some((one, at) => at % 2 === 0 && one === name && attributes[at + 1] !== "false");

/** The nodes a publisher may not look at: other origins, closed shadow roots, what the application keeps to itself. */
export async function behindBoundaries(page) {
  const { root } = await page.send("DOM.getDocument", { depth: -1, pierce: true });
  const own = new URL(root.documentURL).origin;
  const found = new Set();
  const visit = (node, hidden) => {
    const foreign = node.documentURL?.startsWith("http") && new URL(node.documentURL).origin !== own;
    const inside = hidden || foreign || node.shadowRootType === "closed" || isMarked(node, "data-uiap-ignore") || isMarked(node, "data-uiap-opaque");
    if (inside) found.add(node.backendNodeId);
    for (const child of [...(node.children ?? []), ...(node.shadowRoots ?? []), ...(node.contentDocument ? [node.contentDocument] : [])]) visit(child, inside);
  };
  visit(root, false);
  return found;
}
