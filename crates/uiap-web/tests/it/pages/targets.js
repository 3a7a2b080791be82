// A page whose rows never stay as they are, and a ledger of what was really pressed.
//
// `next(seed)` closes the books on the last action and chooses a target: what it is and by which words it is meant.
// `go()` lets the page change from then on: at once, in tasks, frames and microtasks, and while it is pressed.
// A row stands for a number. Its nodes may be moved, made anew, or used for another number, as lists do; what a
// button stands for at the moment when it is pressed is what counts.
(() => {
  const generator = (seed) => () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
  let random = generator(1);
  const below = (count) => Math.floor(random() * count);
  const pick = (list) => list[below(list.length)];
  const chance = (share) => random() < share;

  /** Rows of each list in the beginning, and at most. */
  const ROWS = 4;
  const ROWS_MAX = 7;
  /** Actions until the page is made anew. */
  const LIFE = 40;
  /** Changes during one action. */
  const CHANGES_MAX = 12;

  const html = (text) => {
    const template = document.createElement("template");
    template.innerHTML = text;
    return template.content.firstElementChild;
  };
  const buttons = (row) => [...row.querySelectorAll("button")];

  // A kind of list: how an empty row is made, and how it comes to stand for a number. `words` says by which words a
  // button of it is meant; `equal` marks those of which several are always there.
  const scoped = (verb) => (n) => ({ by: "semantic", role: "button", name: verb, scope: `order-${n}` });
  const named = (name) => (n) => ({ by: "semantic", role: "button", name: name(n) });
  const identified = (part) => (n) => ({ by: "stableId", value: `item-${n}-${part}` });
  const KINDS = {
    table: {
      home: () => html("<table><caption>Orders</caption><tbody></tbody></table>"),
      inside: (home) => home.querySelector("tbody"),
      make: () => html("<table><tr><th scope=row></th><td><button>Edit</button> <button>Copy</button></td></tr></table>").querySelector("tr"),
      fill: (row, n) => { row.dataset.uiapScope = `order-${n}`; row.firstElementChild.textContent = `Order ${n}`; },
      parts: { Edit: scoped("Edit"), Copy: scoped("Copy") },
    },
    list: {
      home: () => html("<ul aria-label=Items></ul>"),
      make: () => html("<li><span></span> <button>Open</button> <button>Copy</button></li>"),
      fill: (row, n) => {
        row.firstElementChild.textContent = `Item ${n}`;
        for (const button of buttons(row)) button.dataset.uiapId = `item-${n}-${button.textContent}`;
      },
      parts: { Open: identified("Open"), Copy: identified("Copy") },
    },
    form: {
      home: () => html("<form aria-label=Amounts onsubmit='return false'></form>"),
      make: () => html("<div><label><span></span> <input size=3></label> <button type=button></button></div>"),
      fill: (row, n) => { row.querySelector("span").textContent = `Amount ${n}`; buttons(row)[0].textContent = `Apply amount ${n}`; },
      parts: { apply: named((n) => `Apply amount ${n}`) },
    },
    toolbar: {
      home: () => html("<div role=toolbar aria-label=Tools></div>"),
      make: () => html("<button></button>"),
      fill: (row, n) => { row.setAttribute("aria-label", `Tool ${n}`); row.textContent = n; },
      parts: { tool: named((n) => `Tool ${n}`) },
    },
    shadow: {
      home: () => { const host = document.createElement("x-list"); host.attachShadow({ mode: "open" }).innerHTML = "<ul aria-label=Clips></ul>"; return host; },
      inside: (home) => home.shadowRoot.firstElementChild,
      make: () => html("<li><button></button></li>"),
      fill: (row, n) => { buttons(row)[0].textContent = `Play clip ${n}`; },
      parts: { play: named((n) => `Play clip ${n}`) },
    },
    frame: {
      home: () => document.createElement("iframe"),
      inside: (home) => home.contentDocument.body,
      make: () => html("<div><button></button></div>"),
      fill: (row, n) => { buttons(row)[0].textContent = `Zoom map ${n}`; buttons(row)[0].dataset.uiapId = `map-${n}`; },
      parts: { zoom: (n) => (n % 2 ? { by: "stableId", value: `map-${n}` } : { by: "semantic", role: "button", name: `Zoom map ${n}` }) },
    },
    twins: {
      home: () => html("<ul aria-label=Twins></ul>"),
      make: () => html("<li><button>Refresh</button> <button data-uiap-id=twin></button></li>"),
      fill: (row, n) => { buttons(row)[1].textContent = `Twin ${n}`; },
      parts: { refresh: () => ({ by: "semantic", role: "button", name: "Refresh" }), twin: () => ({ by: "stableId", value: "twin" }) },
      equal: true,
    },
  };

  const lists = [];
  let fresh = 1;
  let left = 0;
  /** The action under way. */
  let current;
  let seq = 0;

  const stand = (list, row, n) => {
    row.number = n;
    KINDS[list.kind].fill(row, n);
    const parts = Object.keys(KINDS[list.kind].parts);
    const all = row.localName === "button" ? [row] : buttons(row);
    all.forEach((button, at) => { button.means = `${list.kind}/${n}/${parts[at]}`; });
  };
  const rowOf = (list, n) => {
    const row = KINDS[list.kind].make();
    stand(list, row, n);
    return row;
  };
  const rowsOf = (list) => [...list.inside.children].filter((row) => row.number !== undefined);
  const number = () => { fresh += 1 + below(3); return fresh; };

  const build = () => {
    const stage = document.getElementById("stage");
    stage.textContent = "";
    lists.length = 0;
    for (const kind of Object.keys(KINDS)) {
      const home = KINDS[kind].home();
      stage.append(home);
      const inside = KINDS[kind].inside?.(home) ?? home;
      const list = { kind, inside };
      lists.push(list);
      inside.addEventListener("click", keep);
      for (let row = 0; row < ROWS; row += 1) inside.append(rowOf(list, number()));
      if (kind === "frame") listen(home.contentWindow);
    }
    left = LIFE;
  };

  /** The button that stands for something and can be pressed, if there is one. */
  const standing = (key) => {
    for (const list of lists) {
      for (const row of rowsOf(list)) {
        if (row.hidden) continue;
        for (const button of row.localName === "button" ? [row] : buttons(row)) if (button.means === key) return button;
      }
    }
    return undefined;
  };

  /** Two are always to be seen, so that what is ambiguous stays so. */
  const isSpare = (list, row) => row.hidden || rowsOf(list).filter(({ hidden }) => !hidden).length > 2;

  // What happens to a list, or to a row of it.
  const CHANGES = {
    insert: (list) => { if (rowsOf(list).length < ROWS_MAX) list.inside.insertBefore(rowOf(list, number()), pick([null, ...rowsOf(list)])); },
    remove: (list, row) => { if (isSpare(list, row)) row.remove(); },
    move: (list, row) => { list.inside.insertBefore(row, pick([null, ...rowsOf(list).filter((other) => other !== row)])); },
    renew: (list, row) => { row.replaceWith(rowOf(list, row.number)); },
    renewAll: (list) => { for (const row of rowsOf(list)) row.replaceWith(rowOf(list, row.number)); },
    swap: (list, row) => {
      const other = pick(rowsOf(list));
      const { number: n } = row;
      stand(list, row, other.number);
      stand(list, other, n);
    },
    recycle: (list, row) => { stand(list, row, number()); },
    // A window over a longer list moves on by a row, in the nodes that are there.
    shift: (list) => {
      const rows = rowsOf(list);
      const numbers = rows.slice(1).map((row) => row.number);
      rows.forEach((row, at) => { stand(list, row, numbers[at] ?? number()); });
    },
    shiftBack: (list) => {
      const rows = rowsOf(list);
      const numbers = [number(), ...rows.map((row) => row.number)];
      rows.forEach((row, at) => { stand(list, row, numbers[at]); });
    },
    reorder: (list) => { for (const row of rowsOf(list)) if (chance(0.5)) list.inside.append(row); },
    hide: (list, row) => { if (isSpare(list, row)) row.hidden = true; },
    show: (list) => { for (const row of rowsOf(list)) row.hidden = false; },
  };
  // What takes a target away is rarer than what only moves it.
  const OFTEN = ["insert", "move", "renew", "renewAll", "swap", "swap", "reorder", "shift", "shiftBack", "insert", "renew"];
  const SELDOM = ["remove", "recycle", "hide", "show"];

  const change = () => {
    if (!current?.live || current.changes >= CHANGES_MAX) return;
    current.changes += 1;
    const name = chance(0.85) ? pick(OFTEN) : pick(SELDOM);
    const list = chance(0.7) ? lists.find(({ kind }) => kind === current.kind) : pick(lists);
    const rows = rowsOf(list);
    const own = rows.find((row) => row.number === current.number);
    CHANGES[name](list, own && chance(0.6) ? own : pick(rows));
    current.log.push(name);
    const button = standing(current.key);
    if (!button) current.lost = true;
    if (button !== current.button) current.elsewhere = true;
    if (current.held) current.during = true;
  };

  /** Each list hears what is pressed in it, as applications do, and keeps the books. */
  const keep = (event) => {
    const button = event.composedPath().find((node) => node.means !== undefined);
    if (!button || !current) return;
    current.hits.push(button.means);
    current.live = false;
    seq += 1;
    document.getElementById("status").textContent = `Pressed ${seq}`;
  };

  const HASTY = ["focusin", "pointerover", "mousemove", "pointerdown", "mousedown", "pointerup", "mouseup"];
  const listen = (view) => {
    view.addEventListener("pointerdown", () => { if (current?.live) current.held = true; }, { capture: true });
    for (const type of HASTY) view.addEventListener(type, () => { if (current?.hasty && chance(0.25)) { current.log.push(type); change(); } }, { capture: true });
  };
  listen(window);

  globalThis.next = (seed) => {
    const last = current && { hits: current.hits, lost: current.lost, elsewhere: current.elsewhere, during: current.during, log: current.log };
    current = undefined;
    random = generator(seed);
    if (left === 0) build();
    left -= 1;
    for (const list of lists) for (const row of rowsOf(list)) row.hidden = false;
    const list = pick(lists);
    const row = pick(rowsOf(list));
    const [part, words] = pick(Object.entries(KINDS[list.kind].parts));
    const key = `${list.kind}/${row.number}/${part}`;
    current = { key, kind: list.kind, number: row.number, button: standing(key), hits: [], lost: false, elsewhere: false, held: false, during: false, live: false, hasty: false, changes: 0, log: [] };
    return { last, key, words: words(row.number), equal: KINDS[list.kind].equal === true };
  };

  globalThis.go = () => {
    current.live = true;
    current.hasty = chance(0.6);
    for (let count = below(3); count > 0; count -= 1) change();
    const later = current;
    const still = (run) => () => { if (current === later) run(); };
    for (let count = below(3); count > 0; count -= 1) {
      const [at, when] = [below(25), below(3)];
      if (when === 0) setTimeout(still(change), at);
      else if (when === 1) setTimeout(() => requestAnimationFrame(still(change)), at);
      else setTimeout(() => Promise.resolve().then(still(change)), at);
    }
    return true;
  };
})();
