// The floor for hearing of a change: an observer that pushes what changed through a binding.
// With `benchLaidOut` it waits for the layout of the page first, which is when a person could see the change.
new MutationObserver((records) => {
  if (globalThis.benchLaidOut) document.documentElement.getBoundingClientRect();
  const changed = records.map(({ type, target }) => [type, target.nodeName, target.textContent]);
  globalThis.benchFloor(JSON.stringify(changed));
}).observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
