// A small driver for Chromium over its debugging pipe, and for the Videoland binary. No dependencies.
import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const WAIT_MS_MAX = 15_000;
const FLAGS = [
  "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync", "--hide-scrollbars", "--force-color-profile=srgb", "--remote-debugging-pipe",
];

/** Starts the binary named by VIDEOLAND_BIN on free ports. */
export async function startVideoland() {
  const binary = process.env.VIDEOLAND_BIN;
  if (!binary) throw new Error("Set VIDEOLAND_BIN to the built videoland binary (cargo build -p videoland).");
  const child = spawn(binary, ["--port", "0", "--test-api", "--language", "de"], { stdio: ["ignore", "pipe", "inherit"] });
  const exited = new Promise((resolve) => { child.once("exit", resolve); });
  const lines = createInterface({ input: child.stdout });
  const [first] = await Promise.race([
    new Promise((resolve) => { lines.once("line", (line) => resolve([line])); }),
    exited.then((code) => { throw new Error(`videoland ended with ${code}`); }),
  ]);
  const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(first)[0];
  const read = async (path, options) => (await fetch(origin + path, options)).json();
  return {
    origin,
    effects: async () => (await read("/__test/ledger")).effects,
    writes: async () => (await read("/__test/writes")).writes,
    reset: () => read("/__test/reset", { method: "POST" }),
    stop: async () => {
      child.kill("SIGINT");
      await exited;
    },
  };
}

/** Starts Chromium with a profile of its own, which vanishes with it. */
export async function startBrowser(flags = []) {
  const profile = await mkdtemp(join(tmpdir(), "videoland-chromium-"));
  const child = spawn(process.env.CHROME ?? "/usr/bin/chromium", [...FLAGS, ...flags, `--user-data-dir=${profile}`],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"] });
  const exited = new Promise((resolve) => { child.once("exit", resolve); });
  const wire = new Wire(child.stdio[3], child.stdio[4]);
  return {
    newPage: (options) => Page.open(wire, options),
    stop: async () => {
      await wire.send("Browser.close").catch(() => child.kill());
      await exited;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Messages are JSON, each ended by a NUL byte. */
class Wire {
  #next = 1;
  #waiting = new Map();
  #listeners = new Map();

  constructor(out, incoming) {
    this.out = out;
    let rest = "";
    incoming.setEncoding("utf8");
    incoming.on("data", (chunk) => {
      const parts = (rest + chunk).split("\0");
      rest = parts.pop();
      for (const part of parts) this.#receive(JSON.parse(part));
    });
    incoming.on("close", () => {
      for (const { reject } of this.#waiting.values()) reject(new Error("the browser ended"));
    });
  }

  send(method, params = {}, sessionId) {
    const id = this.#next++;
    const answer = new Promise((resolve, reject) => { this.#waiting.set(id, { resolve, reject, method }); });
    this.out.write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    return answer;
  }

  listen(sessionId, listener) {
    this.#listeners.set(sessionId, listener);
  }

  #receive({ id, result, error, method, params, sessionId }) {
    if (id === undefined) {
      this.#listeners.get(sessionId)?.(method, params);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error) waiting.reject(new Error(`${waiting.method}: ${error.message}`));
    else waiting.resolve(result);
  }
}

const KEYS = {
  Tab: 9, Enter: 13, Escape: 27, Space: 32, PageUp: 33, PageDown: 34, End: 35, Home: 36, ArrowLeft: 37, ArrowUp: 38,
  ArrowRight: 39, ArrowDown: 40, Backspace: 8,
};

class Page {
  /** Everything the page complained about. */
  complaints = [];

  static async open(wire, { width = 1280, height = 800, dark = false } = {}) {
    const { browserContextId } = await wire.send("Target.createBrowserContext");
    const { targetId } = await wire.send("Target.createTarget", { url: "about:blank", browserContextId });
    const { sessionId } = await wire.send("Target.attachToTarget", { targetId, flatten: true });
    const page = new Page();
    Object.assign(page, { wire, sessionId, browserContextId });
    wire.listen(sessionId, (method, params) => page.#hear(method, params));
    for (const domain of ["Page", "Runtime", "Log"]) await page.send(`${domain}.enable`);
    await page.send("Emulation.setDeviceMetricsOverride", { width, height, deviceScaleFactor: 1, mobile: width < 600 });
    await page.send("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: dark ? "dark" : "light" }] });
    return page;
  }

  send(method, params) {
    return this.wire.send(method, params, this.sessionId);
  }

  close() {
    return this.wire.send("Target.disposeBrowserContext", { browserContextId: this.browserContextId });
  }

  /** Runs a function in the page with JSON arguments and returns its JSON result. */
  async run(body, ...values) {
    const expression = `(${body})(${values.map((value) => JSON.stringify(value)).join(",")})`;
    const { result, exceptionDetails } = await this.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result.value;
  }

  /** Waits until the function returns something true; asks again with every frame of the page. */
  async until(body, ...values) {
    const deadline = Date.now() + WAIT_MS_MAX;
    let last;
    while (Date.now() < deadline) {
      try {
        const found = await this.run(body, ...values);
        if (found) return found;
        await this.#frame();
      } catch (error) {
        // A page that is just being replaced cannot answer.
        last = error;
      }
    }
    throw new Error(`waited in vain for ${body} with ${JSON.stringify(values)}${last ? `: ${last.message}` : ""}`);
  }

  /** Waits for as many complaints as a test provokes, and forgets them. */
  async takeComplaints(count) {
    const deadline = Date.now() + WAIT_MS_MAX;
    while (this.complaints.length < count && Date.now() < deadline) await this.#frame();
    return this.complaints.splice(0);
  }

  #frame() {
    return this.run(() => new Promise((resolve) => { requestAnimationFrame(() => resolve(true)); }));
  }

  /** Loads an address and waits for the screen with this route id to be complete. */
  async goTo(url, routeId) {
    await this.send("Page.navigate", { url });
    await this.atRoute(routeId);
  }

  atRoute(routeId) {
    return this.until((id) => document.querySelector("main")?.dataset.uiapRoute === id && !document.querySelector("main [aria-busy=true]"), routeId);
  }

  /** Signs in through the API and stays signed in. */
  async signIn(origin, user) {
    await this.goTo(`${origin}/login`, "login");
    await this.run((name) => fetch("/api/login", { method: "POST", body: JSON.stringify({ user: name, password: "videoland" }) }).then(() => true), user);
  }

  async press(key, modifiers = 0) {
    const printable = key.length === 1;
    const windowsVirtualKeyCode = printable ? key.toUpperCase().charCodeAt(0) : KEYS[key];
    const text = { Enter: "\r", Space: " " }[key] ?? (printable ? key : undefined);
    const event = { key: key === "Space" ? " " : key, code: key, windowsVirtualKeyCode, modifiers };
    await this.send("Input.dispatchKeyEvent", { type: text ? "keyDown" : "rawKeyDown", text, ...event });
    await this.send("Input.dispatchKeyEvent", { type: "keyUp", ...event });
  }

  type(text) {
    return this.send("Input.insertText", { text });
  }

  /** Clicks the middle of the first element that matches, as a mouse does. */
  async click(selector, count = 1) {
    const { x, y } = await this.until((wanted) => {
      const element = document.querySelector(wanted);
      if (!element) return null;
      element.scrollIntoView({ block: "center", behavior: "instant" });
      const { left, top, width, height } = element.getBoundingClientRect();
      return width > 0 && { x: left + width / 2, y: top + height / 2 };
    }, selector);
    for (let clickCount = 1; clickCount <= count; clickCount += 1) {
      for (const type of ["mousePressed", "mouseReleased"]) await this.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount });
    }
  }

  async screenshot({ fullPage = false, format = "png" } = {}) {
    const options = { format, captureBeyondViewport: fullPage };
    if (fullPage) {
      const { cssContentSize: { width, height } } = await this.send("Page.getLayoutMetrics");
      options.clip = { x: 0, y: 0, width, height, scale: 1 };
    }
    return Buffer.from((await this.send("Page.captureScreenshot", options)).data, "base64");
  }

  #hear(method, params) {
    if (method === "Runtime.exceptionThrown") {
      this.complaints.push(params.exceptionDetails.exception?.description ?? params.exceptionDetails.text);
    } else if (method === "Runtime.consoleAPICalled" && ["error", "warning", "assert"].includes(params.type)) {
      this.complaints.push(params.args.map((value) => value.value ?? value.description).join(" "));
    } else if (method === "Log.entryAdded" && ["error", "warning"].includes(params.entry.level)) {
      this.complaints.push(`${params.entry.text} ${params.entry.url ?? ""}`);
    }
  }
}
