// The floor for looking at a page: one evaluate that lists interactive elements with a crude name.
// The benchmark runs exactly this over CDP on the same page and in the same run as what it compares with it.
(() => {
  const out = [];
  const interactive = 'a[href],button,input,select,textarea,summary,[role],[contenteditable],[tabindex],[onclick]';
  const name = e => e.getAttribute('aria-label') || (e.labels && e.labels[0] && e.labels[0].textContent.trim()) ||
    (e.tagName === 'SELECT' ? '' : e.textContent.trim().slice(0, 80)) || e.title || e.placeholder || '';
  const walk = root => {
    for (const e of root.querySelectorAll(interactive))
      out.push((e.getAttribute('role') || e.localName + (e.type && e.localName === 'input' ? ':' + e.type : '')) + ' "' + name(e) + '"' + (e.disabled ? ' disabled' : ''));
    for (const e of root.querySelectorAll('*')) {
      if (e.shadowRoot) walk(e.shadowRoot);
      if (e.localName === 'iframe') { try { if (e.contentDocument) walk(e.contentDocument); } catch { /* cross-origin */ } }
    }
  };
  walk(document);
  return out.map((line, i) => i + ' ' + line).join('\n');
})()
