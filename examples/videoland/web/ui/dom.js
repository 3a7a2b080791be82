// Builds elements. Text always becomes a text node, so nothing a person wrote turns into markup.

// These are properties rather than attributes: the attribute is only their first value.
const PROPERTIES = new Set(["value", "checked", "indeterminate", "selected", "disabled", "htmlFor", "className"]);

/** h("button", { class: "primary", onclick, uiap: { id: "video.submit" } }, "Video erstellen") */
export function h(tag, props, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "uiap") annotate(element, value);
    else if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (PROPERTIES.has(name)) element[name] = value;
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

/** Adds children; nested lists are flattened, and what is not there is left out. */
export function append(element, children) {
  element.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Writes data-uiap-* attributes: { id, riskTags: ["billing"] } becomes data-uiap-id and data-uiap-risk-tags. */
export function annotate(element, annotations) {
  for (const [name, value] of Object.entries(annotations)) {
    if (value === undefined || value === null || value === false) continue;
    const attribute = `data-uiap-${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`;
    element.setAttribute(attribute, annotationText(name, value));
  }
  return element;
}

function annotationText(name, value) {
  if (name === "success") return JSON.stringify(value);
  if (Array.isArray(value)) return value.join(" ");
  return String(value);
}

let lastId = 0;

/** An id for aria-* references that no other element has. */
export function freshId(prefix) {
  lastId += 1;
  return `${prefix}-${lastId}`;
}
