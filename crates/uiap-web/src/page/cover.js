(ids, texts) => {
  globalThis.__uiapVeil?.forEach((veil) => veil.cancel());
  const found = ids.map((id) => globalThis.__uiap.node(id));
  const hidden = new Set(found.filter(Boolean));
  // Between blocks there is a space in a name and none in the text of the document.
  const dense = (text) => text.replace(/\s+/g, "");
  const wanted = texts.map(dense);
  const says = (text) => typeof text === "string" && wanted.some((one) => dense(text).includes(one));
  const hide = (element) => hidden.add(element.closest("select") ?? element);
  // The innermost elements that say one of the texts.
  const visit = (element) => {
    if ([element.value, element.placeholder, element.alt, element.label].some(says)) hide(element);
    if (element.shadowRoot) visitAll(element.shadowRoot);
    if (element.matches("iframe, frame")) {
      const inside = element.contentDocument;
      if (inside) visitAll(inside);
      else hide(element);
    }
    visitAll(element);
  };
  const visitAll = (root) => {
    const inner = [...root.children];
    inner.forEach(visit);
    if (root.nodeType !== Node.ELEMENT_NODE || !says(root.textContent)) return;
    const own = [...root.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE);
    if (says(own.map((node) => node.data).join("")) || !inner.some((child) => says(child.textContent))) hide(root);
  };
  if (wanted.length > 0) visitAll(document);
  if (found.includes(undefined)) document.querySelectorAll("iframe, frame").forEach((frame) => hidden.add(frame));
  const black = { backgroundColor: "#000", color: "#000", filter: "brightness(0)", clipPath: "inset(0)", opacity: 1 };
  globalThis.__uiapVeil = [...hidden].map((element) => element.animate([black, black], { duration: 1e9, fill: "both" }));
}
