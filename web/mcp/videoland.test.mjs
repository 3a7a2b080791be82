// Videoland through `uiap mcp`, driven by the official MCP client: what a model would do, and what it cannot do.
import assert from "node:assert/strict";
import { mkdtemp, readFile, readdir, rm, writeFile } from "node:fs/promises";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { startVideoland } from "../../examples/videoland/tests/browser/browser.mjs";
import { ResourceUpdatedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { parts, startClient, yes } from "./client.mjs";

let videoland;
before(async () => { videoland = await startVideoland(); });
after(() => videoland.stop());

async function signIn(session) {
  await session.call("open", { url: `${videoland.origin}/login` });
  await session.call("act", { action: "enterText", target: "login.user", args: { text: "admin" } });
  await session.call("act", { action: "enterText", target: "login.password", args: { text: "videoland" } });
  const signedIn = await session.call("act", { action: "activate", target: "login.submit" });
  assert.equal(signedIn.structuredContent.status, "succeeded", parts(signedIn).text);
}

/** The videos that the server was really asked to make. */
const created = async (title) => (await videoland.writes()).filter((write) => (
  write.path === "/api/videos" && write.status === 201 && write.body.title === title));

// proves: CORE-14
test("a video is looked for, filled in, created with consent, verified and traced", async () => {
  const session = await startClient({ person: yes });
  try {
    assert.deepEqual((await session.tools()).map((tool) => tool.name), ["open", "look", "act", "wait", "read", "trace"]);
    await signIn(session);
    const form = await session.call("open", { url: `${videoland.origin}/videos/new` });
    assert.match(parts(form).page, /textbox "Titel"/);
    const filled = await session.call("act", {
      action: "enterText", target: "video.title", args: { text: "Aus dem Modell" },
    });
    assert.equal(filled.structuredContent.verdict, "verified");
    assert.match(filled.structuredContent.page, /~ video\.title .* = "Aus dem Modell"/);
    session.asked.length = 0;
    const sent = await session.call("act", {
      action: "activate", target: "video.submit", verify: ["toast:erstellt"], key: "one-video",
    });
    assert.equal(sent.structuredContent.status, "succeeded", parts(sent).text);
    assert.equal(sent.structuredContent.side_effect, "applied");
    assert.deepEqual(sent.structuredContent.observed, ["toast:erstellt"]);
    assert.equal(session.asked.length, 1);
    assert.match(session.asked[0], /This needs your agreement: ui\.activate/);
    assert.equal((await created("Aus dem Modell")).length, 1);

    const again = await session.call("act", {
      action: "activate", target: "video.submit", verify: ["toast:erstellt"], key: "one-video",
    });
    assert.equal((await created("Aus dem Modell")).length, 1, parts(again).text);

    const { structuredContent: { actions } } = await session.call("trace");
    const handle = /^(act_\w+) ui\.activate succeeded, side effect applied/.exec(actions[0])?.[1];
    const { structuredContent: { steps } } = await session.call("trace", { handle });
    assert.ok(steps.some((step) => step.startsWith("AWAITING_CONFIRMATION")), steps.join("\n"));
    assert.ok(steps.at(-1).startsWith("SUCCEEDED"), steps.join("\n"));
  } finally {
    await session.stop();
  }
});

test("each action of the application is a tool with its own arguments, as long as the page offers it", async () => {
  const session = await startClient({ person: yes });
  try {
    await signIn(session);
    const tools = await session.tools();
    const create = tools.find((tool) => tool.name === "video.create");
    assert.deepEqual(create.inputSchema.required, ["title"]);
    assert.ok(create.inputSchema.properties.useCase.enum.includes("training"));
    assert.ok(!tools.some((tool) => tool.name === "video.publish"), "what is blocked is not offered");
    assert.ok(session.changes() > 0, "the client was told that there are other tools");
    const result = await session.call("video.create", { title: "Mit Werkzeug", useCase: "training" });
    assert.equal(result.structuredContent.status, "succeeded", parts(result).text);
    assert.equal((await created("Mit Werkzeug")).length, 1);
    const blank = await session.call("open", { url: `${videoland.origin}/lab` });
    assert.ok(!blank.isError);
    await assert.rejects(session.call("video.burn", {}), /Unknown tool: video\.burn/);
  } finally {
    await session.stop();
  }
});

test("what a person declines does not happen, and only a plain yes is one", async () => {
  const answers = [
    { action: "decline" },
    { action: "cancel" },
    { action: "accept", content: { agree: false } },
  ];
  const session = await startClient({ person: () => answers[0] ?? yes() });
  try {
    const queue = answers.splice(0);
    await signIn(session);
    for (const answer of queue) {
      answers[0] = answer;
      const title = `Nein ${answer.action}`;
      const result = await session.call("video.create", { title });
      assert.equal(result.structuredContent.error, "confirmation_denied", parts(result).text);
      assert.equal(result.structuredContent.side_effect, "none");
      assert.equal((await created(title)).length, 0);
    }
  } finally {
    await session.stop();
  }
});

test("without elicitation the person agrees on a page of this machine with a code, and the model cannot", async () => {
  const session = await startClient();
  try {
    await session.call("open", { url: `${videoland.origin}/login` });
    await session.call("act", { action: "enterText", target: "login.user", args: { text: "admin" } });
    const agree = async (result) => {
      assert.equal(result.structuredContent.status, "pending", parts(result).text);
      const page = /http:\/\/127\.0\.0\.1:\d+\/[0-9a-f]{32}/.exec(result.structuredContent.next)[0];
      return { page, handle: result.structuredContent.handle };
    };
    // Node's fetch says that it is a script; a browser of a person says that it shows a page.
    const visit = (page, { form, origin } = {}) => new Promise((resolve, reject) => {
      const headers = form ? { origin, "content-type": "application/x-www-form-urlencoded" } : {};
      const sent = request(page, { method: form ? "POST" : "GET", headers }, async (got) => {
        let text = "";
        for await (const part of got) text += part;
        resolve({ status: got.statusCode, headers: got.headers, text });
      });
      sent.on("error", reject).end(form ? new URLSearchParams(form).toString() : undefined);
    });
    const answer = async (page, { agree: word = "yes", origin = new URL(page).origin, code } = {}) => {
      const { text: shown } = await visit(page);
      const answerWith = /name="answer_with" value="([0-9a-f]+)"/.exec(shown)?.[1] ?? "";
      const form = { answer_with: answerWith, agree: word, code: code ?? await session.code() };
      return { shown, ...await visit(page, { form, origin }) };
    };
    const asked = await agree(await session.call("act", {
      action: "enterText", target: "login.password", args: { text: "videoland" },
    }));

    // The model cannot open it, nor be led there, nor find a tool for it, and another server cannot do it for it.
    const other = await startClient();
    try {
      await other.call("open", { url: `${videoland.origin}/login` });
      for (const url of [asked.page, asked.page.replace("127.0.0.1", "localhost"), asked.page.replace("127.0.0.1", "127.0.0.2")]) {
        for (const one of [session, other]) {
          const opened = await one.call("open", { url });
          assert.ok(opened.isError, url);
          const led = await one.call("act", { action: "navigate", args: { url } });
          assert.ok(led.isError, url);
        }
      }
    } finally {
      await other.stop();
    }
    for (const name of ["grant", "confirm", "approve", "consent"]) {
      await assert.rejects(session.call(name, { handle: asked.handle }), /Unknown tool/);
    }

    // Nobody else's page can send the form.
    assert.equal((await answer(asked.page, { origin: "https://attacker.example" })).status, 403);
    assert.equal((await answer(asked.page, { origin: "null" })).status, 403);
    const origin = new URL(asked.page).origin;
    assert.equal((await visit(asked.page, { form: { answer_with: "0".repeat(32), agree: "yes" }, origin })).status, 404);
    assert.equal((await answer(asked.page, { code: "0000-0000" })).status, 403);
    assert.equal((await fetch(asked.page)).status, 403, "a script reads nothing");
    const framed = await visit(asked.page);
    assert.match(framed.headers["content-security-policy"], /frame-ancestors 'none'/);

    const agreed = await answer(asked.page);
    assert.match(agreed.shown, /Write a withheld text into the textbox &quot;Passwort&quot;/);
    assert.equal(agreed.status, 200, agreed.text);
    const done = await session.call("wait", { handle: asked.handle });
    assert.equal(done.structuredContent.status, "succeeded", parts(done).text);
    assert.equal((await visit(asked.page)).status, 404, "it is answered once");

    const press = await agree(await session.call("act", { action: "activate", target: "login.submit" }));
    assert.equal((await answer(press.page, { agree: "no" })).status, 200);
    const refused = await session.call("wait", { handle: press.handle });
    assert.equal(refused.structuredContent.error, "confirmation_denied", parts(refused).text);
  } finally {
    await session.stop();
  }
});

test("a wait, a picture, resources and a mistake", async () => {
  const session = await startClient({ person: yes });
  try {
    const early = await session.call("look");
    assert.ok(early.isError);
    assert.match(early.structuredContent.next, /open/);
    await session.call("open", { url: `${videoland.origin}/login` });
    const looked = await session.call("look", { find: "Passwort", picture: true });
    assert.deepEqual(looked.content.map((block) => block.type), ["text", "image"]);
    const bytes = Buffer.from(looked.content[1].data, "base64");
    assert.deepEqual([looked.content[1].mimeType, bytes.toString("latin1", 8, 15)], ["image/webp", "WEBPVP8"]);
    // The size stands in the extended header, less one, or behind the start code of the only frame, in fourteen bits.
    const isExtended = bytes.toString("latin1", 12, 16) === "VP8X";
    const [width, height] = isExtended ? [24, 27].map((at) => bytes.readUIntLE(at, 3) + 1) : [26, 28].map((at) => bytes.readUInt16LE(at) & 0x3fff);
    assert.ok(width <= 1_024 && height <= 1_024 && width > 500, `${width} by ${height}`);
    const whole = await session.call("look", { find: "Passwort", picture: "full" });
    assert.ok(Buffer.from(whole.content[1].data, "base64").subarray(1, 4).equals(Buffer.from("PNG")));
    assert.ok(whole.content[1].data.length > looked.content[1].data.length);
    const missed = await session.call("act", { action: "activate", target: 'button "Gibt es nicht"' });
    assert.equal(missed.structuredContent.error, "target_not_found");
    assert.match(missed.structuredContent.next, /look/);
    const slip = await session.call("act", { action: "activte", target: "login.submit" });
    assert.match(slip.structuredContent.next, /activate/);
    const quiet = await session.call("wait", { quiet: 100 });
    assert.equal(quiet.structuredContent.status, "observed");
    const never = await session.call("wait", { signals: ["toast:niemals"], timeout: 1 });
    assert.equal(never.structuredContent.status, "not_observed");
    assert.deepEqual(never.structuredContent.missing, ["toast:niemals"]);
    const read = await session.call("read", { target: "login.user" });
    assert.equal(read.structuredContent.status, "succeeded", parts(read).text);

    const { resources } = await session.client.listResources();
    assert.deepEqual(resources.map((resource) => resource.name), ["policy", "bundle", "traces", "page"]);
    const page = await session.client.readResource({ uri: "uiap://page" });
    assert.equal(JSON.parse(page.contents[0].text).route.routeId, "login");
    await assert.rejects(session.client.readResource({ uri: "uiap://secrets" }), /no such resource/);
  } finally {
    await session.stop();
  }
});

test("who subscribed to the page and to what was done is told when they change, and no longer afterwards", async () => {
  const session = await startClient({ person: yes });
  const told = [];
  let heard = () => {};
  session.client.setNotificationHandler(ResourceUpdatedNotificationSchema, ({ params }) => {
    told.push(params.uri);
    heard();
  });
  const until = async (uri) => {
    while (!told.includes(uri)) await new Promise((resolve) => { heard = resolve; });
  };
  try {
    for (const uri of ["uiap://page", "uiap://traces"]) await session.client.subscribeResource({ uri });
    await assert.rejects(session.client.subscribeResource({ uri: "uiap://secrets" }), /no such resource/);
    await session.call("open", { url: `${videoland.origin}/login` });
    await until("uiap://page");
    assert.ok(!told.includes("uiap://traces"), "nothing was done");
    await session.call("act", { action: "enterText", target: "login.user", args: { text: "admin" } });
    await until("uiap://traces");
    await session.client.unsubscribeResource({ uri: "uiap://page" });
    told.length = 0;
    await session.call("act", { action: "enterText", target: "login.user", args: { text: "editor" } });
    await until("uiap://traces");
    assert.ok(!told.includes("uiap://page"), told.join(" "));
  } finally {
    await session.stop();
  }
});

test("progress is told, and a call that is cancelled stops its action", async () => {
  let release;
  const hesitates = new Promise((resolve) => { release = resolve; });
  const session = await startClient({ person: () => hesitates });
  try {
    await session.call("open", { url: `${videoland.origin}/login` });
    const told = [];
    await session.call("act", { action: "enterText", target: "login.user", args: { text: "admin" } },
      { onprogress: (progress) => told.push(progress.message) });
    assert.ok(told.some((message) => message.startsWith("verifying")), told.join("\n"));
    const stop = new AbortController();
    const asked = session.call("act", { action: "enterText", target: "login.password", args: { text: "x" } },
      { signal: stop.signal });
    while (session.asked.length === 0) await new Promise((resolve) => { setImmediate(resolve); });
    stop.abort();
    await assert.rejects(asked);
    release(yes());
    const ended = async () => (await session.call("trace")).structuredContent.actions[0];
    while (!(await ended()).includes("cancelled")) await new Promise((resolve) => { setImmediate(resolve); });
    assert.match(await ended(), /ui\.enterText cancelled, side effect none/);
  } finally {
    await session.stop();
  }
});

test("only what is allowed is opened", async () => {
  const session = await startClient({ person: yes, flags: ["--allow", videoland.origin] });
  try {
    for (const url of ["http://127.0.0.1:1/", "file:///etc/passwd", "data:text/html,x", "chrome://version", ""]) {
      assert.ok((await session.call("open", { url })).isError, url);
    }
    const opened = await session.call("open", { url: `${videoland.origin}/login` });
    assert.ok(!opened.isError, parts(opened).text);
    const led = await session.call("act", { action: "navigate", args: { url: "http://localhost:1/" } });
    assert.match(led.structuredContent.why, /does not allow/);
    const file = await session.call("act", { action: "navigate", args: { url: "file:///etc/passwd" } });
    assert.match(file.structuredContent.why, /"file:" is no address of an application/);
  } finally {
    await session.stop();
  }
});

test("a secret is used by name, where it may be, and comes back nowhere", async () => {
  const folder = await mkdtemp(join(tmpdir(), "uiap-secrets-"));
  const file = join(folder, "secrets.yaml");
  await writeFile(file, [
    `videoland: {origins: ["${videoland.origin}"], env: VIDEOLAND_PASSWORD}`,
    `elsewhere: {origins: ["https://elsewhere.example"], env: VIDEOLAND_PASSWORD}`,
  ].join("\n"));
  const session = await startClient({ person: yes, flags: ["--secrets", file], env: { VIDEOLAND_PASSWORD: "videoland" } });
  const answers = [];
  const act = async (args) => {
    const result = await session.call("act", args);
    answers.push(result);
    return result;
  };
  const write = (target, text) => act({ action: "enterText", target, args: { text } });
  try {
    await session.call("open", { url: `${videoland.origin}/login` });
    for (const [target, name, why] of [
      ["login.user", "videoland", /hides what it holds/],
      ["login.password", "elsewhere", /is not for/],
      ["login.password", "unknown", /there is no secret/],
    ]) {
      const refused = await write(target, `secret:${name}`);
      assert.equal(refused.structuredContent.status, "failed", parts(refused).text);
      assert.match(refused.structuredContent.why, why);
      assert.equal(refused.structuredContent.side_effect, "none");
    }
    await write("login.user", "admin");
    const written = await write("login.password", "secret:videoland");
    assert.equal(written.structuredContent.status, "succeeded", parts(written).text);
    await videoland.reset();
    const signedIn = await act({ action: "activate", target: "login.submit" });
    assert.equal(signedIn.structuredContent.status, "succeeded", parts(signedIn).text);
    const [login] = (await videoland.writes()).filter((sent) => sent.path === "/api/login");
    assert.deepEqual([login.body.password, login.status], ["videoland", 200], "the server got the real one");

    // A page that says it aloud: the value of a title is what a model would read.
    await session.call("open", { url: `${videoland.origin}/videos/new` });
    answers.push(await session.call("look", { find: "Videoland" }));
    const said = await write("video.title", "videoland");
    answers.push(said, await session.call("trace"), await session.client.readResource({ uri: "uiap://page" }));
    assert.match(said.structuredContent.page, /= "\[secret\]"/);
    for (const answer of answers) assert.ok(!JSON.stringify(answer).includes("videoland\""), JSON.stringify(answer));
    assert.ok(session.asked.every((question) => !/"videoland"/.test(question)), session.asked.join("\n"));
  } finally {
    await session.stop();
    await rm(folder, { recursive: true });
  }
});

test("what was typed into a password is in no file that is kept", async () => {
  const session = await startClient({ person: yes });
  try {
    await session.call("open", { url: `${videoland.origin}/login` });
    await session.call("act", { action: "enterText", target: "login.password", args: { text: "correct-horse-battery" } });
    const entries = await readdir(session.folder, { recursive: true, withFileTypes: true });
    for (const file of entries.filter((entry) => entry.isFile())) {
      const kept = await readFile(join(file.path, file.name));
      assert.ok(!kept.includes("correct-horse-battery"), file.name);
    }
  } finally {
    await session.stop();
  }
});
