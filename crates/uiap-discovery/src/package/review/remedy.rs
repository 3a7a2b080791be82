//! What would help, ready to be pasted: an annotation in the page, or a binding in a manifest.

use crate::package::elements::names;
use crate::package::survey::Piece;
use crate::package::words::word;
use std::fmt::Write as _;
use uiap_protocol::capability::Role;

/// An id for an element that has none: its route and what it is called.
pub(super) fn proposed_id(piece: &Piece) -> String {
    let routes = &piece.found.routes;
    let route = routes.iter().next().filter(|_| routes.len() == 1).map_or("app", |route| route.as_str());
    let name = names(piece).first().map_or_else(|| word(&piece.found.role.to_string()), |name| word(name));
    format!("{route}.{name}")
}

/// An annotation in the page.
pub(super) fn annotation(piece: &Piece, id: &str) -> String {
    let name = names(piece).first().cloned().unwrap_or_default();
    let (id, name) = (escaped(id), escaped(&name));
    let mark = format!("data-uiap-id=\"{id}\"");
    match piece.found.role {
        Role::Link | Role::Breadcrumb => format!("<a {mark} href=\"…\">{name}</a>"),
        Role::Textbox | Role::Searchbox => format!("<input {mark} aria-label=\"{name}\">"),
        Role::Textarea => format!("<textarea {mark} aria-label=\"{name}\"></textarea>"),
        Role::Checkbox | Role::Switch => format!("<input type=\"checkbox\" {mark} aria-label=\"{name}\">"),
        Role::Radio => format!("<input type=\"radio\" {mark} aria-label=\"{name}\">"),
        Role::Combobox | Role::Listbox => format!("<select {mark} aria-label=\"{name}\">…</select>"),
        Role::Fileinput => format!("<input type=\"file\" {mark} aria-label=\"{name}\">"),
        Role::Button | Role::Menuitem | Role::Tab => format!("<button {mark}>{name}</button>"),
        ref role => format!("<div role=\"{role}\" {mark}>{name}</div>"),
    }
}

/// A binding in a manifest, for whoever cannot change the page.
pub(super) fn binding(piece: &Piece, id: &str) -> String {
    let mut text = format!("- id: {}\n  role: {}\n", quoted(id), piece.found.role);
    if !piece.found.routes.is_empty() {
        let routes: Vec<_> = piece.found.routes.iter().map(|route| quoted(route.as_str())).collect();
        let _ = writeln!(text, "  routeIds: [{}]", routes.join(", "));
    }
    let name = names(piece).first().map(|name| format!(", name: {}", quoted(name))).unwrap_or_default();
    let _ = write!(text, "  match:\n    - {{by: semantic, role: {}{name}}}", piece.found.role);
    text
}

/// A member of an action in a manifest that says how its success is recognised.
pub(super) fn success(id: &str) -> String {
    format!(
        "- id: {}\n  success:\n    - {{kind: route.changed, pattern: /…}}\n    - {{kind: status.contains, text: …}}",
        quoted(id)
    )
}

/// A member of an action in a manifest that says how risky it is.
pub(super) fn risk(id: &str, level: &str) -> String {
    format!("- id: {}\n  risk: {{level: {level}, reason: …}}", quoted(id))
}

/// A JSON text is a YAML text, whatever is in it.
fn quoted(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
