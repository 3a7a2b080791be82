// The floor for hearing of a change: an observer that pushes what changed through a binding.
new MutationObserver((records) => {
  const changed = records.map(({ type, target }) => [type, target.nodeName, target.textContent]);
  globalThis.benchFloor(JSON.stringify(changed));
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
