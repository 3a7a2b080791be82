// A graph as it travels to the driver: what elements have in common is written once.
//
// Most of a graph is said again and again: roles, states, affordances, the names of members. In place of `elements`
// it carries `packed`: `templates` are elements as they would be published, and a row is the number of a template and
// what its element has of its own: the box, whether that is in the viewport (1 or 0), the ids of the element, of its
// parent and of its area, and its name. `starts` says how ids of elements and areas begin of which only the number is
// written. An element without a box is written as it is. `page/packed.rs` of `uiap-web` unpacks all this.

import type { ElementNode, PageGraph } from "../../types/uiap.js";
import { toJson } from "./json.js";
import { TEMPLATES_MAX } from "./limits.js";

export class Packer {
  /** The number of each template, by what elements made from it have in common. */
  #numbers = new Map<string, number>();
  #templates: string[] = [];
  /** The parts of a row that stay as they are while its node does. */
  #kept = new WeakMap<ElementNode, { template: number; own: string }>();

  /** With how the ids of elements begin, and those of areas. */
  constructor(readonly starts: readonly [string, string]) {}

  /** What was packed before will not come again. */
  forget(): void {
    this.#numbers = new Map();
    this.#templates = [];
    this.#kept = new WeakMap();
  }

  /** The JSON text of a packed graph. */
  pack({ elements, ...head }: PageGraph): string {
    if (this.#templates.length > TEMPLATES_MAX) this.forget();
    const rows: string[] = [];
    for (const node of elements) rows.push(this.#row(node));
    return `${toJson(head).slice(0, -1)},"packed":{"starts":${toJson(this.starts)},"templates":[${this.#templates.join()}],"rows":[${rows.join()}]}}`;
  }

  #row(node: ElementNode): string {
    const { bbox, state: { inViewport } } = node;
    if (!bbox || inViewport === undefined) return toJson(node);
    let kept = this.#kept.get(node);
    if (!kept) this.#kept.set(node, (kept = this.#keep(node)));
    return `[${kept.template},${bbox.x},${bbox.y},${bbox.width},${bbox.height},${inViewport ? 1 : 0},${kept.own}]`;
  }

  #keep({ instanceId, scopeId, parentId, name, bbox: _, state, ...node }: ElementNode): { template: number; own: string } {
    const { inViewport: __, ...common } = state;
    const key = toJson([node, common]);
    let template = this.#numbers.get(key);
    if (template === undefined) {
      template = this.#templates.push(toJson({ instanceId, ...node, state: common })) - 1;
      this.#numbers.set(key, template);
    }
    const [element, area] = this.starts;
    return { template, own: `${short(instanceId, element)},${short(parentId, element)},${short(scopeId, area)},${name === undefined ? "null" : toJson(name)}` };
  }
}

/** The number of an id that begins as most do; otherwise all of it. */
function short(id: string | undefined, start: string): string {
  if (id === undefined) return "null";
  const number = id.startsWith(start) ? parseInt(id.slice(start.length), 36) : NaN;
  return start + number.toString(36) === id ? String(number) : toJson(id);
}
