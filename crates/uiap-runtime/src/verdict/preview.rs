//! What a person is shown who is asked: what would happen, where, with which values, on which page.
//!
//! Words of the page and of the request stand in quotes, on one line and without control characters, so that neither
//! can pass for words of ours. Secrets are withheld; everything else is shown as far as a person can read it.

use super::Question;
use super::survey::Survey;
use crate::catalogue::KnownAction;
use crate::deed::{Choice, Deed, Destination, Scroll};
use crate::life::Preview;
use crate::view::text::clean;
use serde_json::Value;
use uiap_policy::redact::MASK;
use uiap_protocol::capability::{Checked, RiskDescriptor, RiskTag, ScalarValue};
use uiap_protocol::ids::{StableId, Text};
use uiap_protocol::policy::{DataClass, PolicyObligation};
use uiap_protocol::text_value::LocalizedText;
use uiap_protocol::web::ScopeKind;
use uiap_protocol::wire::JsonObject;

/// Longest name of the page that is shown, in characters.
const NAME_CHARS_MAX: usize = 120;
/// Longest value that is shown whole, in characters; of a longer one the rest is counted.
const VALUE_CHARS_MAX: usize = 600;
/// Most arguments that are listed in the sentence; all of them are in the preview's own list.
const LISTED_MAX: usize = 12;

/// What a person is shown who is asked.
pub(super) fn preview(
    question: &Question<'_>,
    survey: &Survey<'_>,
    risk: &RiskDescriptor,
    obligations: &[PolicyObligation],
) -> Preview {
    let secrecy = Secrecy::of(survey, obligations);
    let mut sentences = vec![format!("{}{}.", what(question, &secrecy), place(question, survey))];
    sentences.extend(care(risk));
    sentences.extend(obligations.iter().filter_map(message));
    let args = question.args.map(|args| {
        let shown =
            |(name, value): (&String, &Value)| (name.clone(), secrecy.shown(question.deed, name, value));
        args.iter().map(shown).collect()
    });
    Preview { summary: sentences.join(" "), args }
}

/// What is not shown.
struct Secrecy<'o> {
    /// The value of the target.
    target: bool,
    /// Members that a rule withholds.
    fields: Vec<&'o str>,
}

impl<'o> Secrecy<'o> {
    fn of(survey: &Survey<'_>, obligations: &'o [PolicyObligation]) -> Self {
        let protected = |class| {
            matches!(
                class,
                DataClass::Credential
                    | DataClass::Secret
                    | DataClass::Payment
                    | DataClass::Sensitive
                    | DataClass::Health
            )
        };
        let fields = obligations.iter().filter_map(|obligation| match obligation {
            PolicyObligation::Redact { fields, .. } => fields.as_ref(),
            _ => None,
        });
        Self {
            target: survey.sensitive || survey.data_classes().any(protected),
            fields: fields.flatten().map(Text::as_str).collect(),
        }
    }

    /// Whether an argument is withheld. Of an action of the application only its name can tell.
    fn withholds(&self, deed: &Deed, name: &str) -> bool {
        let invoked = matches!(deed, Deed::Invoke { .. });
        let written = matches!(deed, Deed::EnterText { .. } | Deed::SetValue { .. } | Deed::Choose(_));
        (self.target && (written || invoked)) || self.fields.contains(&name) || sounds_secret(name)
    }

    fn shown(&self, deed: &Deed, name: &str, value: &Value) -> Value {
        if self.withholds(deed, name) {
            return Value::from(MASK);
        }
        match value {
            Value::Object(members) => {
                let shown = |(name, value): (&String, &Value)| (name.clone(), self.shown(deed, name, value));
                Value::Object(members.iter().map(shown).collect::<JsonObject>())
            }
            Value::Array(items) => items.iter().map(|item| self.shown(deed, name, item)).collect(),
            other => other.clone(),
        }
    }

    fn quoted(&self, text: &str) -> String {
        if self.target { "a withheld text".to_owned() } else { quoted(text, VALUE_CHARS_MAX) }
    }
}

/// Names under which secrets travel.
fn sounds_secret(name: &str) -> bool {
    const PARTS: [&str; 9] =
        ["password", "passwort", "passphrase", "secret", "token", "apikey", "credential", "cvc", "cvv"];
    const WHOLE: [&str; 3] = ["pin", "otp", "tan"];
    let letters: String = name.chars().filter(|letter| letter.is_alphanumeric()).collect();
    let letters = letters.to_lowercase();
    PARTS.iter().any(|part| letters.contains(part)) || WHOLE.contains(&letters.as_str())
}

/// A text in quotes; what does not fit is counted, because it is agreed to as well.
fn quoted(text: &str, chars_max: usize) -> String {
    let length = text.chars().count();
    let more = length.saturating_sub(chars_max);
    let start: String = text.chars().take(chars_max).collect();
    let line = clean(&start, chars_max).replace('"', "'");
    if more > 0 { format!("\"{line}\" and {more} more characters") } else { format!("\"{line}\"") }
}

fn what(question: &Question<'_>, secrecy: &Secrecy<'_>) -> String {
    let thing = thing(question);
    match question.deed {
        Deed::Read { .. } => format!("Read {thing}"),
        Deed::Focus => format!("Put the focus on {thing}"),
        Deed::Highlight { .. } => format!("Point out {thing}"),
        Deed::Hover { .. } => format!("Point at {thing}"),
        Deed::Activate => format!("Press {thing}"),
        Deed::Nudge { steps } => format!("Move {thing} by {steps} steps"),
        Deed::PointAlong { share } => format!("Press {thing} at {:.0} % of its length", share * 100.0),
        Deed::EnterText { text, clear: true } => {
            format!("Write {} into {thing}, in place of what is there", secrecy.quoted(text.reveal()))
        }
        Deed::EnterText { text, clear: false } => format!("Add {} to {thing}", secrecy.quoted(text.reveal())),
        Deed::ClearText => format!("Empty {thing}"),
        Deed::SetValue { value, .. } => {
            let value = match value.reveal() {
                ScalarValue::Text(text) => secrecy.quoted(text),
                _ if secrecy.target => "a withheld value".to_owned(),
                ScalarValue::Number(number) => number.get().to_string(),
                ScalarValue::Boolean(true) => "on".to_owned(),
                ScalarValue::Boolean(false) => "off".to_owned(),
            };
            format!("Set {thing} to {value}")
        }
        Deed::Choose(Choice::Values(texts) | Choice::Labels(texts)) => {
            let texts = texts.iter().take(LISTED_MAX).map(|text| secrecy.quoted(text)).collect::<Vec<_>>();
            let texts = if texts.is_empty() { "nothing".to_owned() } else { texts.join(", ") };
            format!("Choose {texts} in {thing}")
        }
        Deed::Choose(Choice::Index(index)) => {
            format!("Choose option {} of {thing}", index.saturating_add(1))
        }
        Deed::Toggle { to: Some(Checked::Yes) } => format!("Switch {thing} on"),
        Deed::Toggle { to: Some(Checked::No) } => format!("Switch {thing} off"),
        Deed::Toggle { .. } => format!("Switch {thing}"),
        Deed::Expand => format!("Unfold {thing}"),
        Deed::Collapse => format!("Fold {thing}"),
        Deed::Open => format!("Open {thing}"),
        Deed::Close => format!("Close {thing}"),
        Deed::ScrollIntoView { .. } => format!("Bring {thing} into view"),
        Deed::Scroll(Scroll::ToStart) => format!("Scroll {thing} to its start"),
        Deed::Scroll(Scroll::ToEnd) => format!("Scroll {thing} to its end"),
        Deed::Scroll(Scroll::By { .. }) => format!("Scroll {thing}"),
        Deed::Submit => format!("Send the form of {thing}"),
        Deed::Upload { files } => {
            // What is read is what counts, not what it is called.
            let names = files.iter().take(LISTED_MAX).map(|file| {
                let from = quoted(file.data_ref.reveal(), VALUE_CHARS_MAX);
                format!("the file {} from {from}", quoted(&file.name, NAME_CHARS_MAX))
            });
            let more = files.len().saturating_sub(LISTED_MAX);
            let more = if more > 0 { format!(" and {more} more files") } else { String::new() };
            format!("Hand over {}{more} to {thing}", names.collect::<Vec<_>>().join(", "))
        }
        Deed::Navigate(Destination::Route { route, path, .. }) => {
            let path = path.as_ref().map(|path| format!(" ({})", quoted(path, NAME_CHARS_MAX)));
            format!("Go to {}{}", quoted(route.as_str(), NAME_CHARS_MAX), path.unwrap_or_default())
        }
        Deed::Navigate(Destination::Address(url)) => format!("Go to {}", quoted(url, VALUE_CHARS_MAX)),
        Deed::Navigate(Destination::Target) => format!("Follow {thing}"),
        Deed::Invoke { action, args } => invoked(question, action.as_str(), args.reveal(), secrecy),
        Deed::LongPress { .. } => format!("Hold a finger on {thing}"),
        Deed::Pinch { scale } => format!("Zoom {thing} by the factor {scale}"),
    }
}

fn invoked(question: &Question<'_>, action: &str, args: &JsonObject, secrecy: &Secrecy<'_>) -> String {
    let title = question.catalogue.action(action).and_then(KnownAction::title);
    let name = match title {
        Some(title) => format!("{} ({})", quoted(title, NAME_CHARS_MAX), clean(action, NAME_CHARS_MAX)),
        None => quoted(action, NAME_CHARS_MAX),
    };
    let listed = args.iter().take(LISTED_MAX).map(|(name, value)| {
        let shown = match secrecy.shown(question.deed, name, value) {
            Value::String(text) if text == MASK => "a withheld value".to_owned(),
            Value::String(text) => quoted(&text, VALUE_CHARS_MAX),
            other => clean(&other.to_string(), VALUE_CHARS_MAX),
        };
        format!("{} = {shown}", clean(name, NAME_CHARS_MAX))
    });
    let listed = listed.collect::<Vec<_>>().join(", ");
    let with = if listed.is_empty() { String::new() } else { format!(" with {listed}") };
    let on = if question.target.is_some() { format!(" on {}", thing(question)) } else { String::new() };
    format!("Run {name}{with}{on}")
}

/// The target: what it is and how it is called.
fn thing(question: &Question<'_>) -> String {
    let Some(element) = question.target else { return "the page".to_owned() };
    let name = element.name.as_deref().filter(|name| !name.trim().is_empty());
    let name = name.or_else(|| element.stable_id.as_ref().map(StableId::as_str));
    match name {
        Some(name) => format!("the {} {}", element.role, quoted(name, NAME_CHARS_MAX)),
        None => format!("a {} without a name", element.role),
    }
}

/// The nearest area with a name, and the page.
fn place(question: &Question<'_>, survey: &Survey<'_>) -> String {
    let named = survey.around.iter().filter(|scope| scope.kind != ScopeKind::Page);
    let area = named.into_iter().find_map(|scope| {
        let name = scope.name.as_deref().filter(|name| !name.trim().is_empty())?;
        Some(format!(" in the {} {}", scope.kind, quoted(name, NAME_CHARS_MAX)))
    });
    let address = shown_address(&question.page.route().url);
    let page = match question.page.title().filter(|title| !title.trim().is_empty()) {
        Some(title) => format!(" on the page {} ({address})", quoted(title, NAME_CHARS_MAX)),
        None => format!(" on the page {address}"),
    };
    format!("{}{page}", area.unwrap_or_default())
}

/// An address without what may hold a secret: query, fragment, and a password in front of the host.
fn shown_address(url: &str) -> String {
    let start = url.split(['?', '#']).next().unwrap_or_default();
    let Some((scheme, rest)) = start.split_once("://") else { return clean(start, NAME_CHARS_MAX) };
    let host = rest.split('/').next().unwrap_or_default();
    let bare = host.rsplit('@').next().unwrap_or_default();
    let path = rest.strip_prefix(host).unwrap_or_default();
    clean(&format!("{scheme}://{bare}{path}"), NAME_CHARS_MAX)
}

/// Why care is due.
fn care(risk: &RiskDescriptor) -> Option<String> {
    let tags = risk.tags.iter().flatten().map(|tag| match tag {
        RiskTag::Destructive => "something may be lost",
        RiskTag::Irreversible => "it cannot be taken back",
        RiskTag::Billing => "money may be spent or moved",
        RiskTag::Security => "rights or protection may change",
        RiskTag::Identity => "somebody's identity may change",
        RiskTag::Legal => "it may bind legally",
        RiskTag::ExternalEffect => "others may see or receive it",
        RiskTag::Privileged => "it uses special rights",
        RiskTag::SensitiveData => "protected data is involved",
        RiskTag::Vendor(name) => name.as_str(),
    });
    let tags = tags.collect::<Vec<_>>().join("; ");
    let reason = risk.reason.as_deref().map(|reason| clean(reason, VALUE_CHARS_MAX));
    match (tags.is_empty(), reason) {
        (true, None) => None,
        (true, Some(reason)) => Some(reason),
        (false, None) => Some(format!("Take care: {tags}.")),
        (false, Some(reason)) => Some(format!("Take care: {tags}. {reason}")),
    }
}

/// What a rule wants the person to know.
fn message(obligation: &PolicyObligation) -> Option<String> {
    let PolicyObligation::Confirm { message: Some(message), .. } = obligation else { return None };
    let text = match message {
        LocalizedText::Plain(text) => text,
        LocalizedText::Localized(message) => &message.default,
    };
    Some(clean(text, VALUE_CHARS_MAX))
}
