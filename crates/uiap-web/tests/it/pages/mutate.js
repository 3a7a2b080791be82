// Changes a page at random, always the same way for the same seed: `mutate(seed, steps)`. With `{ told: true }` only in
// ways of which the browser tells: nothing that a script does to a value or a style sheet.
// The page has a <main id="stage">; everything happens in it, in its frames and shadow roots, or in <head>.
(() => {
  const generator = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };

  globalThis.mutate = async (seed, steps, { told = false } = {}) => {
    const random = generator(seed);
    const below = (count) => Math.floor(random() * count);
    const pick = (list) => list[below(list.length)];
    // Some changes concern the whole page. Most runs do without them, so that the others are not drowned.
    const wild = random() < 0.25 && !told;
    const words = ["Save", "Delete", "Name", "Open", "Total 7", "", "  spaced   out ", "Größe", "x".repeat(40)];
    const ids = ["a", "b", "c", "d"];
    const classes = ["hidden", "gone", "ghost", "hand", "toast", "drawer", "plain", "open", "quote", "even", "loud", "fa-trash", "fa-bars"];
    const stage = () => document.getElementById("stage");

    const make = () => {
      const tags = ["div", "span", "p", "button", "a", "input", "label", "select", "textarea", "ul", "li", "form", "fieldset", "table", "dialog",
        "details", "section", "nav", "h2", "img", "svg", "x-box", "slot", "canvas", "output", "iframe", ...(wild ? ["style"] : [])];
      const tag = pick(tags);
      if (tag === "svg") return document.createElementNS("http://www.w3.org/2000/svg", "svg");
      const element = document.createElement(tag);
      switch (tag) {
        case "a": if (random() < 0.8) element.href = "#x"; break;
        case "input": element.type = pick(["text", "checkbox", "radio", "password", "range", "number", "submit", "date", "hidden"]); element.name = pick(["r", "s"]); break;
        case "select": for (const word of words.slice(0, 1 + below(3))) element.append(new Option(word)); break;
        case "table": element.innerHTML = "<caption>Rows</caption><tr><th>A</th></tr><tr><td>1</td></tr>"; break;
        case "details": element.innerHTML = "<summary>More</summary><button>Inside</button>"; break;
        case "iframe": element.srcdoc = "<!doctype html><main id=stage><button>Framed</button></main>"; break;
        case "style": element.textContent = pick([".hidden{visibility:hidden}", ".open + button{display:none}", ".hand{cursor:pointer}", ".quote::before{content:'Q '}", ".toast{text-transform:uppercase}"]); return element;
        case "x-box": if (random() < 0.6) element.attachShadow({ mode: "open" }).innerHTML = pick(["<button><slot></slot></button>", "<style>p{text-transform:uppercase}</style><p><slot></slot></p>", "<slot name=a></slot><input aria-label=In>", "<p>Only</p>"]); break;
        default: break;
      }
      if (!["input", "img", "iframe", "canvas", "select", "table", "details"].includes(tag) && random() < 0.8) element.append(pick(words));
      decorate(element);
      return element;
    };

    const decorate = (element) => {
      for (let left = below(3); left > 0; left -= 1) attribute(element);
    };

    const attribute = (element) => {
      const set = (name, value) => (value === null ? element.removeAttribute(name) : element.setAttribute(name, value));
      const toggle = [null, "true", "false"];
      switch (below(24)) {
        case 0: return set("id", pick([null, ...ids]));
        case 1: return set("class", [pick(classes), pick(classes)].join(" "));
        case 2: return set("style", pick([null, "display:none", "visibility:hidden", "cursor:pointer", "color:red", "display:contents", "transform:scale(2)", "text-transform:uppercase", "text-transform:lowercase"]));
        case 3: return set("hidden", pick([null, ""]));
        case 4: return set("aria-label", pick([null, ...words]));
        case 5: return set("aria-labelledby", pick([null, ...ids, "a b"]));
        case 6: return set("aria-describedby", pick([null, ...ids]));
        case 7: return set("role", pick([null, "button", "status", "alert", "dialog", "list", "listitem", "presentation", "checkbox", "listbox", "option", "tab", "textbox", "nonsense"]));
        case 8: return set("aria-hidden", pick(toggle));
        case 9: return set("aria-disabled", pick(toggle));
        case 10: return set("disabled", pick([null, ""]));
        case 11: return set("inert", pick([null, ""]));
        case 12: return set("tabindex", pick([null, "0", "-1"]));
        case 13: return set("for", pick([null, ...ids]));
        case 14: return set("data-uiap-id", pick([null, "one", "two"]));
        case 15: return set("data-uiap-scope", pick([null, null, wild ? "area.one" : `area.${below(1e6)}`]));
        case 16: return set("title", pick([null, ...words]));
        case 17: return set("open", pick([null, ""]));
        case 18: return set("aria-expanded", pick(toggle));
        case 19: return set("aria-owns", wild ? pick([null, null, null, ...ids]) : null);
        case 20: return set("slot", pick([null, "a", "b"]));
        case 21: return set("aria-live", pick([null, "polite", "off"]));
        case 22: return set("required", pick([null, ""]));
        default: return set("data-uiap-sensitive", pick([null, null, "true"]));
      }
    };

    /** All elements in the stage, its shadow roots and its frames. */
    const everything = () => {
      const found = [];
      const visit = (root) => {
        for (const element of root.querySelectorAll("*")) {
          found.push(element);
          if (element.shadowRoot) visit(element.shadowRoot);
          if (element.localName === "iframe" && element.contentDocument?.body) visit(element.contentDocument.body);
        }
      };
      visit(stage());
      return found;
    };

    const insert = () => {
      const hosts = everything().filter(({ localName }) => !["input", "img", "br", "textarea", "select", "iframe", "style", "canvas", "option"].includes(localName));
      const host = pick([stage(), stage(), ...hosts]);
      const parent = host.shadowRoot && random() < 0.5 ? host.shadowRoot : host;
      parent.insertBefore(make(), random() < 0.5 ? null : (pick([null, ...parent.childNodes]) ?? null));
    };

    const act = () => {
      const all = everything();
      const one = all.length > 0 ? pick(all) : undefined;
      if (!one || all.length < 4) return insert();
      if (all.length > 120) return one.remove();
      switch (below(16)) {
        case 0: case 1: case 2: return insert();
        case 3: return one.remove();
        case 4: case 5: {
          const to = pick(all);
          if (!one.contains(to) && !to.contains(one) && to.ownerDocument === one.ownerDocument && !["input", "iframe", "style", "select", "textarea"].includes(to.localName)) to.append(one);
          return undefined;
        }
        case 6: case 7: case 8: return attribute(one);
        case 9: if (one.localName !== "style" && one.localName !== "iframe") one.prepend(pick(words)); return undefined;
        case 10: {
          const text = [...one.childNodes].find(({ nodeType }) => nodeType === 3);
          if (text) text.data = pick(words);
          return undefined;
        }
        case 11: if (!["iframe", "style", "x-box"].includes(one.localName)) one.replaceWith(make()); return undefined;
        case 12:
          if (told) return attribute(one);
          if (one.localName === "input" && one.type === "checkbox") one.checked = !one.checked;
          else if ("value" in one && one.type !== "file" && one.localName !== "li" && one.localName !== "output") one.value = pick(["", "7", "text", "2026-01-02"]);
          return undefined;
        case 13:
          if (one.localName === "dialog") one.open ? one.close() : one.isConnected && one.ownerDocument === document && one.showModal();
          else if (one.focus) one.focus();
          return undefined;
        case 14: {
          if (!wild) return attribute(one);
          const { sheet } = document.getElementById("rules");
          if (random() < 0.5 && sheet.cssRules.length > 4) sheet.deleteRule(sheet.cssRules.length - 1);
          else sheet.insertRule(pick([".gone{display:none}", ".plain{cursor:pointer}", ":checked ~ button{visibility:hidden}", ".even:nth-child(2n){display:none}", "div:has(> .ghost){visibility:hidden}", "p:empty{display:none}", ".hand{text-transform:capitalize}"]), sheet.cssRules.length);
          return undefined;
        }
        default:
          // A page that is rendered again: the same things, other nodes.
          if (!["iframe", "style", "x-box", "select"].includes(one.localName)) one.innerHTML = one.innerHTML;
          return undefined;
      }
    };

    for (let step = 0; step < steps; step += 1) {
      try {
        act();
      } catch {
        // The browser refuses some of it, such as a dialog that is not connected.
      }
      if (random() < 0.2) await new Promise((resolve) => setTimeout(resolve));
    }
    // A frame that is still on its way would make every comparison a race.
    const isLoading = ({ localName, isConnected, contentDocument, srcdoc }) =>
      localName === "iframe" && isConnected && srcdoc && !(contentDocument?.readyState === "complete" && contentDocument.URL === "about:srcdoc");
    while (everything().some(isLoading)) await new Promise((resolve) => setTimeout(resolve, 1));
    // The browser takes the focus away from what is hidden when it paints.
    for (let frames = 0; frames < 2; frames += 1) await new Promise(requestAnimationFrame);
  };
})();
