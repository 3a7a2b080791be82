// The icon that a control shows in place of a name, by what its set of icons calls it.
//
// Sets of icons name theirs in classes (`fa-trash`, `bi bi-list`) or in sprites (`<use href="#icon-trash">`).

import { attribute, queryAll } from "./dom.js";
import { ICON_PARTS_MAX } from "./limits.js";
import { readContent, readStructure } from "./reads.js";

const CLASS = /^(?:fa|bi|mdi|ti|ri|ph|la|pi|ion|uil|bxs?|lucide|tabler|feather|glyphicon|octicon|codicon|icon)-{1,2}([a-z][a-z\d-]{0,30}[a-z\d])$/;
const SPRITE = /#(?:icons?-|ico-|i-)?([a-z][a-z\d-]{0,30}[a-z\d])$/;
/** How an icon is drawn, and what is around it. */
const DRAWING = /^(?:solid|regular|light|thin|duotone|brands|sharp|bold|fill|fw|li|ul|xs|sm|md|lg|[a-z]*xl|[a-z]*spin|pulse|beat|fade|bounce|shake|inverse|border|(?:stack|rotate|flip|pull|size)(?:-.*)?|icon|button|btn|wrapper|container|holder|box|only|small|large|white|black)$/;

/** Letters that mean nothing outside of a font, such as one of icons. */
const DRAWN = /^[\s\p{Co}]*$/u;

/** Whether a name says anything. */
export function isSaid(name: string | undefined): boolean {
  return name !== undefined && !DRAWN.test(name);
}

/** The icon of a control that says nothing else of itself. */
export function iconOf(element: Element): string | undefined {
  readContent(element);
  readStructure(element);
  const own = iconIn(attribute(element, "class"));
  if (own) return own;
  const parts = queryAll(element, "[class],use");
  for (let at = 0; at < Math.min(parts.length, ICON_PARTS_MAX); at += 1) {
    const part = parts[at] as Element;
    const icon = iconIn(attribute(part, "class")) ?? iconAt(attribute(part, "href") ?? attribute(part, "xlink:href"));
    if (icon) return icon;
  }
  return undefined;
}

/** The icon that a list of classes names. */
export function iconIn(classes: string | undefined): string | undefined {
  for (const name of classes?.split(/\s+/) ?? []) {
    const icon = CLASS.exec(name)?.[1];
    if (icon !== undefined && !DRAWING.test(icon)) return icon;
  }
  return undefined;
}

function iconAt(sprite: string | undefined): string | undefined {
  return sprite === undefined ? undefined : SPRITE.exec(sprite)?.[1];
}
