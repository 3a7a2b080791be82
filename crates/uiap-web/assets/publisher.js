// @generated placeholder
// Until the bundle of web/publisher is here: a crude graph that is sound, so that the way to it can be tested.
(() => {
  "use strict";
  if (globalThis.__uiap) return;
  const ROLES = { A: "link", BUTTON: "button", TEXTAREA: "textbox", SELECT: "combobox" };
  const INPUTS = { button: "button", submit: "button", reset: "button", checkbox: "checkbox", radio: "radio" };
  const ids = new WeakMap();
  let next = 1;
  const idOf = (node) => {
    if (!ids.has(node)) ids.set(node, `e${next++}`);
    return ids.get(node);
  };
  const nameOf = (node) => {
    const label = node.labels?.[0]?.textContent;
    const text = node.getAttribute("aria-label") ?? label ?? node.innerText ?? node.getAttribute("placeholder") ?? "";
    return text.toWellFormed().trim().slice(0, 200);
  };
  const elementOf = (node) => {
    const role = node.tagName === "INPUT" ? (INPUTS[node.type] ?? "textbox") : ROLES[node.tagName];
    const name = nameOf(node);
    return {
      instanceId: idOf(node), documentId: "doc", role, ...(name && { name }),
      state: { attached: true, enabled: !node.disabled },
    };
  };
  let seq = 0;
  const snapshot = (optionsJson) => {
    const options = JSON.parse(optionsJson);
    const all = [...document.querySelectorAll("a[href], button, input:not([type=hidden]), select, textarea")];
    const most = options.maxElements ?? 10000;
    seq += 1;
    return JSON.stringify({
      modelVersion: "0.1", profile: "web@0.1", revision: `rev_${seq}`, seq, capturedAt: new Date().toISOString(),
      route: { url: location.href, path: location.pathname },
      title: document.title.toWellFormed(),
      documents: [{ id: "doc", url: location.href, boundary: { kind: "root", opaque: false } }],
      scopes: [],
      elements: all.slice(0, most).map(elementOf),
      ...(all.length > most && { truncated: true }),
    });
  };
  Object.defineProperty(globalThis, "__uiap", { value: Object.freeze({ snapshot }) });
})();
