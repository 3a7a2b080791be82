// Components that are nothing but one control, such as `<vl-button>` around a `<button>` in its shadow root.
//
// Such a component is published once, as the control inside: that is what has the role, the focus and the state.
// What the application wrote on the component counts for the control.

import { readStructure } from "./reads.js";
import { isShadowRoot, localName, queryAll, rootOf, shadowRootOf } from "./dom.js";

const CONTROLS = "a[href],button,input,select,textarea";
const CONTROL_TAGS = new Set(["a", "button", "input", "select", "textarea"]);

/** The only control in the open shadow root of a component. */
export function onlyControlOf(component: Element): Element | undefined {
  const shadow = shadowRootOf(component);
  if (shadow) readStructure(component);
  const found = shadow ? queryAll(shadow, CONTROLS) : undefined;
  return found?.length === 1 ? found[0] : undefined;
}

/** The component that an element in a shadow root is the only control of. */
export function componentOf(control: Element): Element | undefined {
  if (!CONTROL_TAGS.has(localName(control))) return undefined;
  const root = rootOf(control);
  return isShadowRoot(root) && onlyControlOf(root.host) === control ? root.host : undefined;
}
