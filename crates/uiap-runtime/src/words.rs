//! The short forms in which people and models write actions, targets, arguments and signals, and back.
//!
//! Start at [`Sign::read`], [`arguments`] and [`Place::target`]. What can be read without a page is read before there is one, so that
//! a slip costs nothing.

mod arguments;
mod signals;

pub use arguments::arguments;
pub use signals::{SIGNAL_FORMS, SignalForm, signal_forms};

use crate::catalogue::{Catalogue, Native};
use crate::resolve::{Aim, Request, resolve};
use crate::surface::Scene;
use crate::view::{RefError, Refs};
use serde_json::Value;
use signals::signal_words;
use uiap_protocol::action::ActionTarget;
use uiap_protocol::capability::{Role, ScalarValue, SuccessSignal, TargetRef};
use uiap_protocol::finding::Severity;
use uiap_protocol::ids::{ActionId, Id, ScopeId, StableId, Text};
use uiap_protocol::text::{Format, Limits, read};
use uiap_protocol::web::{ElementNode, PageGraph};
use uiap_protocol::wire::{decode, nearest};

/// Starts a reference to one element of one page (finding A5).
const INSTANCE: &str = "instance:";

/// Words that mean nothing here, or more than one thing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
pub struct Unclear {
    /// What is wrong with them, and what would be right; what may be a secret is not repeated.
    message: String,
}

/// The short words of the native actions that are also called so, or else of those with the most similar ones.
pub fn similar_actions(text: &str) -> Vec<&'static str> {
    let meant: Vec<_> = Native::called(text).map(Native::short_word).collect();
    if meant.is_empty() { nearest(text, Native::words().map(Native::short_word), 3) } else { meant }
}

/// The short words of the actions that are described to every model.
pub fn common_actions() -> Vec<&'static str> {
    let common = Native::all().filter(|(_, native)| native.usage().is_common);
    common.map(|(id, _)| Native::short_word(id)).collect()
}

/// The id of an action: itself, or that of the native one with this last word.
pub fn action(text: &str, catalogue: &Catalogue) -> Result<ActionId, Unclear> {
    let is_it = |word: &&str| Native::short_word(word) == text;
    let native = Native::words().find(is_it).filter(|_| catalogue.action(text).is_none());
    ActionId::new(native.unwrap_or(text)).map_err(|error| wrong(&error.to_string()))
}

/// An argument: `name=text`, or `name:=JSON`.
pub fn argument(text: &str) -> Result<(String, Value), Unclear> {
    let form = "an argument has the form name=text or name:=JSON";
    let (name, value) = text.split_once('=').ok_or_else(|| wrong(form))?;
    let (name, value) = match name.strip_suffix(':') {
        // What was typed may be a secret, so it is not repeated.
        Some(name) => {
            let value = serde_json::from_str(value);
            (name, value.map_err(|_| wrong(&format!("what follows \"{name}:=\" is not JSON")))?)
        }
        None => (name, Value::from(value)),
    };
    if name.is_empty() { Err(wrong(form)) } else { Ok((name.to_owned(), value)) }
}

/// A signal as it was typed. What is about an element is understood in front of a page.
#[derive(Clone, Debug, PartialEq)]
pub enum Sign {
    /// One that means the same in front of every page.
    Whole(Box<SuccessSignal>),
    /// This element came.
    Appeared(String),
    /// This element went.
    Disappeared(String),
    /// An element has a value.
    Value {
        /// Which.
        target: String,
        /// What.
        value: String,
    },
    /// This dialog opened.
    DialogOpened(String),
    /// This dialog closed.
    DialogClosed(String),
    /// Nothing is wrong with what was entered there.
    Valid {
        /// Where.
        scope: String,
    },
}

impl Sign {
    /// Reads a signal: a short form such as `toast:Saved`, or JSON.
    pub fn read(text: &str) -> Result<Self, Unclear> {
        if text.starts_with('{') {
            return from_json(text).map(|signal| Self::Whole(Box::new(signal)));
        }
        let (word, rest) = match text.split_once(':') {
            Some((word, rest)) => (word, Some(rest.trim()).filter(|rest| !rest.is_empty())),
            None => (text, None),
        };
        let whole = |signal| Ok(Self::Whole(Box::new(signal)));
        let needs = |what: &str| wrong(&format!("\"{word}\" needs {what} behind a colon"));
        let named = || rest.map(str::to_owned).ok_or_else(|| needs("a target"));
        match word {
            "toast" | "toast.contains" => {
                whole(SuccessSignal::ToastContains { text: said(rest, || needs("a text"))? })
            }
            "status" | "status.contains" => {
                whole(SuccessSignal::StatusContains { text: said(rest, || needs("a text"))? })
            }
            "route" | "route.changed" => whole(route(rest)?),
            "appeared" | "element.appeared" => named().map(Self::Appeared),
            "disappeared" | "element.disappeared" => named().map(Self::Disappeared),
            "value" | "value.equals" => match rest.and_then(|rest| rest.split_once('=')) {
                Some((target, value)) => {
                    Ok(Self::Value { target: target.trim().to_owned(), value: value.to_owned() })
                }
                None => Err(wrong("\"value\" needs a target and a value, such as value:login.user=ada")),
            },
            "dialog.opened" => match rest {
                Some(target) => Ok(Self::DialogOpened(target.to_owned())),
                None => whole(SuccessSignal::DialogOpened { target: None }),
            },
            "dialog.closed" => match rest {
                Some(target) => Ok(Self::DialogClosed(target.to_owned())),
                None => whole(SuccessSignal::DialogClosed { target: None }),
            },
            "validation.none" => match rest {
                Some(scope) => Ok(Self::Valid { scope: scope.to_owned() }),
                None => whole(SuccessSignal::ValidationNone { scope: None }),
            },
            "entity.created" | "entity.updated" | "entity.deleted" => {
                let entity_type = rest.ok_or_else(|| needs("the type of a thing"))?;
                let entity_type = Id::new(entity_type).map_err(|error| wrong(&error.to_string()))?;
                whole(match word {
                    "entity.created" => SuccessSignal::EntityCreated { entity_type, id_path: None },
                    "entity.updated" => SuccessSignal::EntityUpdated { entity_type, id_path: None },
                    _ => SuccessSignal::EntityDeleted { entity_type, id_path: None },
                })
            }
            "response" | "network.response" => whole(response(rest)?),
            "custom" => whole(SuccessSignal::Custom { name: said(rest, || needs("a name"))?, payload: None }),
            _ => {
                let near = nearest(word, signal_words(), 3).join(", ");
                let advice = if near.is_empty() {
                    format!("use one of {}", signal_forms(false))
                } else {
                    format!("did you mean {near}?")
                };
                Err(wrong(&format!("unknown signal \"{word}\"; {advice}")))
            }
        }
    }
}

fn said(text: Option<&str>, missing: impl Fn() -> Unclear) -> Result<Text, Unclear> {
    Text::new(text.ok_or_else(missing)?).map_err(|error| wrong(&error.to_string()))
}

/// With a question mark or a hash it is one address, otherwise a pattern.
fn route(text: Option<&str>) -> Result<SuccessSignal, Unclear> {
    let Some(text) = text else { return Ok(SuccessSignal::RouteChanged { pattern: None, exact: None }) };
    let is_exact = text.contains(['?', '#']);
    let text = Text::new(text).map_err(|error| wrong(&error.to_string()))?;
    let (pattern, exact) = if is_exact { (None, Some(text)) } else { (Some(text), None) };
    Ok(SuccessSignal::RouteChanged { pattern, exact })
}

/// `201`, `/api/**` or `201 /api/**`.
fn response(text: Option<&str>) -> Result<SuccessSignal, Unclear> {
    let mut parts = text.unwrap_or_default().split_whitespace().peekable();
    let status = parts.peek().and_then(|part| part.parse().ok());
    if status.is_some() {
        parts.next();
    }
    let url_pattern = parts.next().map(Text::new).transpose().map_err(|error| wrong(&error.to_string()))?;
    if parts.next().is_some() {
        return Err(wrong("a response is written as response:STATUS, response:PATTERN or both with a space"));
    }
    Ok(SuccessSignal::NetworkResponse { url_pattern, status })
}

fn from_json(text: &str) -> Result<SuccessSignal, Unclear> {
    let tree = read(text, Format::Json, Limits::DOCUMENT).map_err(|fault| wrong(&fault.message))?;
    let (signal, findings) = decode(&tree);
    signal.ok_or_else(|| {
        let errors = findings.iter().filter(|finding| finding.severity == Severity::Error);
        let messages: Vec<_> = errors.map(|finding| finding.message.as_str()).collect();
        wrong(&format!("this is not a signal: {}", messages.join(" ")))
    })
}

/// A page in front of which names mean something.
pub struct Place<'s, 'g> {
    scene: Scene<'s>,
    graph: &'g PageGraph,
    refs: Refs<'g>,
}

impl<'s, 'g> Place<'s, 'g> {
    /// The page of a scene; the graph is that of its store.
    pub fn new(scene: Scene<'s>, graph: &'g PageGraph) -> Self {
        Self { scene, graph, refs: Refs::of(graph) }
    }

    /// What an action is aimed at, and where that is.
    pub fn target(
        &self,
        action: &ActionId,
        text: &str,
        within: Option<&str>,
    ) -> Result<ActionTarget, Unclear> {
        let scope = within.map(|within| self.scope(within)).transpose()?;
        let mut r#ref = self.reference(action, text)?;
        if let TargetRef::Semantic { scope: place, .. } = &mut r#ref {
            place.clone_from(&scope);
        }
        Ok(ActionTarget { r#ref: Some(r#ref), expected_scope_id: scope, ..ActionTarget::default() })
    }

    /// A signal.
    pub fn signal(&self, sign: &Sign) -> Result<SuccessSignal, Unclear> {
        let looking = ActionId::new("ui.read").map_err(|error| wrong(&error.to_string()))?;
        let element = |text: &String| self.reference(&looking, text);
        Ok(match sign {
            Sign::Whole(signal) => signal.as_ref().clone(),
            Sign::Appeared(text) => SuccessSignal::ElementAppeared { target: element(text)? },
            Sign::Disappeared(text) => SuccessSignal::ElementDisappeared { target: element(text)? },
            Sign::Value { target, value } => SuccessSignal::ValueEquals {
                target: element(target)?,
                value: ScalarValue::Text(value.clone()),
            },
            Sign::DialogOpened(text) => SuccessSignal::DialogOpened { target: Some(element(text)?) },
            Sign::DialogClosed(text) => SuccessSignal::DialogClosed { target: Some(element(text)?) },
            Sign::Valid { scope } => SuccessSignal::ValidationNone { scope: Some(self.scope(scope)?) },
        })
    }

    /// What a text means: a reference of the look, a role with a name, or else a stable id.
    fn reference(&self, action: &ActionId, text: &str) -> Result<TargetRef, Unclear> {
        match self.refs.resolve(text) {
            Ok(element) => return Ok(self.lasting(action, element)),
            Err(error @ RefError::Unknown { .. }) if is_numbered(text) => {
                return Err(wrong(&format!("{error}; look at the page again for its numbers")));
            }
            Err(_) => {}
        }
        if let Some((role, name)) = semantic(text) {
            return Ok(TargetRef::Semantic { role, name, scope: None });
        }
        let value = StableId::new(text).map_err(|error| {
            let forms = "write a stable id, a role and a name as in button:Save, or the number of a look";
            wrong(&format!("{error}; {forms}"))
        })?;
        Ok(TargetRef::StableId { value })
    }

    /// The name of an element that means the same on the next page that is opened here. So a request that is made
    /// again is known to be the same one.
    fn lasting(&self, action: &ActionId, element: &ElementNode) -> TargetRef {
        let by_id = element.stable_id.clone().map(|value| TargetRef::StableId { value });
        let by_name = element.name.clone().map(|name| TargetRef::Semantic {
            role: element.role.clone(),
            name: Some(name),
            scope: None,
        });
        let leads_here = |r#ref: &TargetRef| {
            let target = ActionTarget { r#ref: Some(r#ref.clone()), ..ActionTarget::default() };
            let request = Request { action, target: &target, hinted: &[] };
            let found = resolve(self.scene.page, self.scene.index, &request);
            matches!(found, Ok(Aim::Element(found)) if found.target.instance_id == element.instance_id)
        };
        let lasting = [by_id, by_name].into_iter().flatten().find(leads_here);
        lasting.unwrap_or_else(|| {
            // An instance id has the form of any text that is not empty.
            Text::new(format!("{INSTANCE}{}", element.instance_id)).map_or_else(
                |_| TargetRef::Semantic {
                    role: element.role.clone(),
                    name: element.name.clone(),
                    scope: None,
                },
                |value| TargetRef::Custom { value },
            )
        })
    }

    /// The area with a name of the look.
    fn scope(&self, text: &str) -> Result<ScopeId, Unclear> {
        let by_id = self.graph.scopes.iter().find(|scope| scope.id.as_str() == text);
        let element = self.refs.resolve(text).ok().map(|element| &element.instance_id);
        let by_element = || self.graph.scopes.iter().find(|scope| scope.element_id.as_ref() == element);
        let found = by_id.or_else(|| element.and_then(|_| by_element()));
        found.map(|scope| scope.id.clone()).ok_or_else(|| {
            wrong(&format!("there is no area \"{text}\" on this page; a look shows areas in brackets"))
        })
    }
}

fn is_numbered(text: &str) -> bool {
    let digits = text.strip_prefix('e').unwrap_or_default();
    !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit())
}

/// `button "Save"`, `button:Save` or `button Save`.
fn semantic(text: &str) -> Option<(Role, Option<String>)> {
    let (word, name) = match text.split_once([':', ' ']) {
        Some((word, name)) => (word, Some(name.trim())),
        None => (text, None),
    };
    let role = Role::from_word(word).filter(|role| !matches!(role, Role::Vendor(_)))?;
    let quoted =
        |name: &str| name.strip_prefix('"').and_then(|name| name.strip_suffix('"')).map(str::to_owned);
    let name = name.map(|name| quoted(name).unwrap_or_else(|| name.to_owned()));
    Some((role, name.filter(|name| !name.is_empty())))
}

/// A target in its short form.
pub fn short_target(target: &TargetRef) -> String {
    match target {
        TargetRef::StableId { value } => value.to_string(),
        TargetRef::Scope { value } => value.to_string(),
        // Instance ids mean nothing to people.
        TargetRef::Custom { value } if value.as_str().starts_with(INSTANCE) => "(an element)".to_owned(),
        TargetRef::Route { value } | TargetRef::Custom { value } => value.to_string(),
        TargetRef::Semantic { role, name, .. } => match name {
            Some(name) => format!("{role}:{name}"),
            None => role.to_string(),
        },
    }
}

/// A signal in its short form; where it has none, as JSON.
pub fn short_signal(signal: &SuccessSignal) -> String {
    match signal {
        SuccessSignal::ToastContains { text } => format!("toast:{text}"),
        SuccessSignal::StatusContains { text } => format!("status:{text}"),
        SuccessSignal::RouteChanged { pattern: Some(text), .. }
        | SuccessSignal::RouteChanged { exact: Some(text), .. } => format!("route:{text}"),
        SuccessSignal::RouteChanged { .. } => "route".to_owned(),
        SuccessSignal::ElementAppeared { target } => format!("appeared:{}", short_target(target)),
        SuccessSignal::ElementDisappeared { target } => format!("disappeared:{}", short_target(target)),
        // A value may be a secret.
        SuccessSignal::ValueEquals { target, .. } => format!("value:{}=...", short_target(target)),
        SuccessSignal::DialogOpened { target } => with("dialog.opened", target.as_ref().map(short_target)),
        SuccessSignal::DialogClosed { target } => with("dialog.closed", target.as_ref().map(short_target)),
        SuccessSignal::ValidationNone { scope } => {
            with("validation.none", scope.as_ref().map(ToString::to_string))
        }
        SuccessSignal::EntityCreated { entity_type, .. } => format!("entity.created:{entity_type}"),
        SuccessSignal::EntityUpdated { entity_type, .. } => format!("entity.updated:{entity_type}"),
        SuccessSignal::EntityDeleted { entity_type, .. } => format!("entity.deleted:{entity_type}"),
        SuccessSignal::NetworkResponse { url_pattern, status } => {
            let parts =
                [status.map(|status| status.to_string()), url_pattern.as_ref().map(ToString::to_string)];
            let parts: Vec<_> = parts.into_iter().flatten().collect();
            with("response", (!parts.is_empty()).then(|| parts.join(" ")))
        }
        SuccessSignal::Custom { name, .. } => format!("custom:{name}"),
        SuccessSignal::ElementState { target, state } => {
            let state = serde_json::to_string(state).unwrap_or_default();
            format!("state:{} {state}", short_target(target))
        }
        SuccessSignal::CollectionCount { .. } | SuccessSignal::Vendor(_) => {
            serde_json::to_string(signal).unwrap_or_else(|_| signal.word().to_owned())
        }
    }
}

fn with(word: &str, rest: Option<String>) -> String {
    rest.map_or_else(|| word.to_owned(), |rest| format!("{word}:{rest}"))
}

fn wrong(message: &str) -> Unclear {
    Unclear { message: message.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A signal after a round trip through its short form, or what is wrong with it.
    fn signal(text: &str) -> String {
        match Sign::read(text) {
            Ok(Sign::Whole(signal)) => short_signal(&signal),
            Ok(other) => format!("{other:?}"),
            Err(trouble) => trouble.to_string(),
        }
    }

    #[test]
    fn short_forms_of_signals_come_back_as_they_were() {
        for text in [
            "toast:Saved",
            "status:3 of 4: done",
            "route:/videos/*",
            "route:/videos?page=2",
            "route",
            "dialog.closed",
            "dialog.opened",
            "validation.none",
            "entity.created:video",
            "response:201 /api/**",
            "response:404",
            "response",
            "custom:export.ready",
        ] {
            assert_eq!(signal(text), text);
        }
        assert_eq!(signal("toast.contains: Saved"), "toast:Saved");
        assert_eq!(signal(r#"{"kind": "toast.contains", "text": "Saved"}"#), "toast:Saved");
    }

    #[test]
    fn a_slip_is_said_so() {
        assert_eq!(signal("toats:Saved"), "unknown signal \"toats\"; did you mean toast?");
        assert_eq!(signal("toast"), "\"toast\" needs a text behind a colon");
        assert_eq!(
            signal("value:login.user"),
            "\"value\" needs a target and a value, such as value:login.user=ada"
        );
        assert!(signal(r#"{"kind": "toast.contains"}"#).starts_with("this is not a signal: "));
    }

    #[test]
    fn arguments_are_texts_or_json() {
        let read = |text: &str| argument(text).map(|(name, value)| format!("{name} {value}"));
        assert_eq!(read("text=a=b").expect("an argument"), "text \"a=b\"");
        assert_eq!(read("value:=5").expect("an argument"), "value 5");
        assert_eq!(read("values:=[\"a\"]").expect("an argument"), "values [\"a\"]");
        for (bad, what) in [("text", "form"), ("=x", "form"), ("token:={secret", "not JSON")] {
            let trouble = argument(bad).expect_err("it is wrong").to_string();
            assert!(trouble.contains(what) && !trouble.contains("secret"), "{trouble}");
        }
    }

    #[test]
    fn roles_with_names_are_read_in_three_ways() {
        for text in ["button \"Save\"", "button:Save", "button Save", "button:\"Save\""] {
            assert_eq!(semantic(text), Some((Role::Button, Some("Save".to_owned()))), "{text}");
        }
        assert_eq!(semantic("button"), Some((Role::Button, None)));
        assert_eq!(semantic("video.create.submit"), None);
        assert_eq!(semantic("Save"), None);
    }

    #[test]
    fn the_last_word_of_a_native_action_is_enough() {
        let id = |text: &str| action(text, &Catalogue::new()).expect("an id").to_string();
        assert_eq!(id("activate"), "ui.activate");
        assert_eq!(id("navigate"), "nav.navigate");
        assert_eq!(id("enterText"), "ui.enterText");
        assert_eq!(id("video.delete"), "video.delete");
        assert_eq!(id("ui.activate"), "ui.activate");
    }
}
