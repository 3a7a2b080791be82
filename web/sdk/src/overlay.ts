// Shows people what is about to be done: a frame around it, a pointer that goes there, a sentence.
//
// It lives in a closed root that no publisher looks into and no press can hit, and it decides nothing.

import type { Box, Overlay, PresentationHints } from "./api.js";

export interface OverlayConfig {
  /** Also without being asked to; a hint can still turn it off. */
  ghostCursor?: boolean;
  highlight?: "none" | "outline" | "spotlight";
  /** Whether sentences are shown at all. */
  narration?: boolean;
  zIndex?: number;
}

/** Characters of a sentence that are shown. */
const NARRATION_CHARS_MAX = 300;
/** How long a person has to see where something is about to happen. */
const SEEN_FOR_MS = 500;
const Z_INDEX = 2_147_483_647;

const STYLE = `
  :host { all: initial; position: fixed; inset: 0; pointer-events: none; }
  div { position: fixed; box-sizing: border-box; }
  .mark { border: 3px solid #ff8c00; border-radius: 4px; }
  .mark.spotlight { box-shadow: 0 0 0 200vmax rgb(0 0 0 / 35%); }
  .cursor { width: 16px; height: 16px; background: #1e1e1e; clip-path: polygon(0 0, 100% 70%, 40% 70%, 0 100%); }
  .words { left: 50%; bottom: 24px; transform: translateX(-50%); max-width: 80vw; padding: 8px 16px; border-radius: 8px;
    background: #1e1e1e; color: #fff; font: 16px/1.4 system-ui, sans-serif; }
`;

export function createOverlay(config: OverlayConfig = {}): Overlay {
  let host: HTMLElement | undefined;
  /** Where the pointer was last. */
  let from = { x: 0, y: 0 };

  const clear = (): void => {
    host?.remove();
    host = undefined;
  };

  const show = async (hints: PresentationHints, box: Box | undefined): Promise<void> => {
    clear();
    host = document.createElement("div");
    host.setAttribute("aria-hidden", "true");
    host.style.setProperty("z-index", String(config.zIndex ?? Z_INDEX));
    const root = host.attachShadow({ mode: "closed" });
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const add = (kind: string): HTMLElement => {
      const part = document.createElement("div");
      part.className = kind;
      return root.appendChild(part);
    };
    const highlight = hints.highlight ?? config.highlight ?? "none";
    if (box && highlight !== "none") place(add(`mark ${highlight}`), box);
    if (hints.narration && config.narration !== false) add("words").textContent = hints.narration.slice(0, NARRATION_CHARS_MAX);
    document.documentElement.append(host);
    const slowly = hints.pace === "humanized";
    if (box && (hints.ghostCursor ?? config.ghostCursor)) {
      const to = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      const moved = travel(add("cursor"), from, to, slowly);
      from = to;
      await moved;
    }
    if (slowly) await new Promise((resolve) => { setTimeout(resolve, SEEN_FOR_MS); });
  };

  return { show, clear };
}

function place(part: HTMLElement, { x, y, width, height }: Box): void {
  Object.assign(part.style, { left: `${x - 4}px`, top: `${y - 4}px`, width: `${width + 8}px`, height: `${height + 8}px` });
}

type Point = { x: number; y: number };

async function travel(part: HTMLElement, from: Point, to: Point, slowly: boolean): Promise<void> {
  const at = ({ x, y }: Point): Keyframe => ({ left: `${x}px`, top: `${y}px` });
  const animation = part.animate([at(from), at(to)], { duration: slowly ? SEEN_FOR_MS : 0, fill: "forwards", easing: "ease-in-out" });
  // A pointer that is taken away has arrived.
  await animation.finished.catch(() => undefined);
}
