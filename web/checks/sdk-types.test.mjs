// What the types of the SDK let an application write: each snippet is compiled as a file of an application.

import assert from "node:assert/strict";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";

const path = (name) => fileURLToPath(new URL(name, import.meta.url));
const SNIPPET = path("application.ts");
const OPTIONS = { target: ts.ScriptTarget.ES2022, module: ts.ModuleKind.ESNext, moduleResolution: ts.ModuleResolutionKind.Bundler, resolveJsonModule: true, strict: true, noEmit: true, types: [], skipLibCheck: true };
const HEAD = `
import { createUIAPClient } from "../sdk/src/index.js";
import type { UIAPConfig, UIAPTransport } from "../sdk/src/index.js";
declare const transport: UIAPTransport;
const app = { id: "notes", version: "1", profile: "web@0.1" } as const;
`;

/** The libraries and the SDK are read once. */
const read = new Map();

/** What a compiler says about a snippet. */
function mistakes(text) {
  const host = ts.createCompilerHost(OPTIONS);
  const { getSourceFile } = host;
  host.getSourceFile = (name, ...rest) => {
    if (name === SNIPPET) return ts.createSourceFile(name, HEAD + text, OPTIONS.target, true);
    if (!read.has(name)) read.set(name, getSourceFile.call(host, name, ...rest));
    return read.get(name);
  };
  const { fileExists } = host;
  host.fileExists = (name) => name === SNIPPET || fileExists.call(host, name);
  const program = ts.createProgram([SNIPPET], OPTIONS, host);
  const file = program.getSourceFile(SNIPPET);
  return [...program.getSyntacticDiagnostics(file), ...program.getSemanticDiagnostics(file)].map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

const config = (members) => `const config: UIAPConfig = { ${members} }; createUIAPClient(config);`;
const right = (text) => { assert.deepEqual(mistakes(text), [], text); };
const wrong = (text, about) => {
  const found = mistakes(text);
  assert.ok(found.some((message) => message.includes(about)), `${text}: ${found.join("; ") || "nothing was found"}`);
};

// proves: SDK-14, SDK-15
test("an application says who it is, and how its messages travel", () => {
  right(config("app, transport"));
  right(config('app: { ...app, locale: "de" }, transport'));
  wrong(config('app: { version: "1", profile: "web@0.1" }, transport'), "'id'");
  wrong(config('app: { id: "notes", profile: "web@0.1" }, transport'), "'version'");
  wrong(config('app: { id: "notes", version: "1" }, transport'), "'profile'");
  wrong(config('app: { ...app, profile: "web@0.2" }, transport'), "web@0.2");
  wrong(config("app"), "'transport'");
});

// proves: SDK-16, SDK-17, SDK-18, SDK-19, SDK-20, SDK-21
test("the rest is left to it", () => {
  right(config("app, transport, policy: false, overlay: false, frames: false, observe: {}, annotations: {}, debug: true"));
  right(config('app, transport, annotations: { prefix: "data-x-" }, debug: "warn"'));
  for (const level of ["info", "warn", "error"]) right(config(`app, transport, debug: "${level}"`));
  wrong(config('app, transport, debug: "loud"'), "loud");
  wrong(config("app, transport, observe: false"), "false");
  wrong(config("app, transport, annotations: false"), "false");
  wrong(config("app, transport, overlay: true"), "true");
  wrong(config("app, transport, frames: true"), "true");
  wrong(config("app, transport, policy: true"), "true");
});

// proves: SDK-30, BND-11
test("the types have the names of the protocol", () => {
  right(`
    import type { ActionHandler, AnnotationConfig, ObserveConfig, ReconnectPolicy, SnapshotOptions, Unsubscribe, WebSignal } from "../sdk/src/index.js";
    import type { OverlayConfig } from "../sdk/src/overlay.js";
    import type { FrameConfig } from "../sdk/src/frame-bridge.js";
    import type { SDKPolicyConfig } from "../sdk/src/policy.js";
    export type All = [ActionHandler, AnnotationConfig, ObserveConfig, ReconnectPolicy, SnapshotOptions, Unsubscribe, WebSignal, OverlayConfig, FrameConfig, SDKPolicyConfig];
    const undo: Unsubscribe = createUIAPClient({ app, transport }).registerRouteProvider({ routeId: () => undefined });
    undo();`);
  wrong('import type { Reconnect } from "../sdk/src/index.js"; export type R = Reconnect;', "Reconnect");
});
