//! How risky something is that nobody described.
//!
//! Start at [`assess`]. It looks at what a target is, what it is called, what data it holds and what form it belongs
//! to. Destroying, paying, sending, publishing and granting rights mean at least `confirm`. A guess errs on the side
//! of asking; a policy can take a guess back (see [`Facts::guess`](crate::Facts)).

mod icons;
mod lexicon;

pub use lexicon::{Command, Deed, command, declines, languages};

use crate::grants::{is_secret, is_sensitive};
use uiap_protocol::capability::{Affordance, PrimitiveAction, RiskDescriptor, RiskLevel, RiskTag, Role};
use uiap_protocol::ids::ActionId;
use uiap_protocol::policy::{DataClass, SideEffectClass};
use uiap_protocol::wire::JsonObject;

/// What can be seen of a target.
#[derive(Clone, Copy, Debug, Default)]
pub struct Observed<'o> {
    /// What it is.
    pub role: Option<&'o Role>,
    /// How it is called.
    pub name: Option<&'o str>,
    /// What is said about it.
    pub description: Option<&'o str>,
    /// What it means, by an annotation.
    pub meaning: Option<&'o str>,
    /// The icon that it shows in place of a name.
    pub icon: Option<&'o str>,
    /// What would be chosen in it.
    pub chosen: &'o [&'o str],
    /// What is requested of it by default.
    pub default_action: Option<&'o ActionId>,
    /// What it offers.
    pub affordances: &'o [Affordance],
    /// What data it holds.
    pub data_classes: &'o [DataClass],
    /// Its value needs protection.
    pub sensitive: bool,
    /// It unfolds or pops up something.
    pub opens: bool,
    /// The form it belongs to.
    pub form: Option<Form<'o>>,
    /// The title of the dialog it stands in.
    pub dialog: Option<&'o str>,
}

/// A form, as far as it matters.
#[derive(Clone, Copy, Debug)]
pub struct Form<'o> {
    /// What sending it does.
    pub method: FormMethod,
    /// What data its fields hold.
    pub data_classes: &'o [DataClass],
}

/// What sending a form does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FormMethod {
    /// It asks for something, such as a search.
    Asks,
    /// It hands something over.
    Writes,
    /// Nobody knows.
    Unknown,
}

/// A guess.
#[derive(Clone, Debug, PartialEq)]
pub struct Assessment {
    /// How risky it is.
    pub risk: RiskDescriptor,
    /// What would change.
    pub side_effect: SideEffectClass,
}

impl Assessment {
    fn harmless(side_effect: SideEffectClass) -> Self {
        Self { risk: descriptor(RiskLevel::Safe, Vec::new(), None), side_effect }
    }

    fn careful(side_effect: SideEffectClass, tags: Vec<RiskTag>, reason: String) -> Self {
        Self { risk: descriptor(RiskLevel::Confirm, tags, Some(reason)), side_effect }
    }
}

fn descriptor(level: RiskLevel, tags: Vec<RiskTag>, reason: Option<String>) -> RiskDescriptor {
    RiskDescriptor { level, tags: (!tags.is_empty()).then_some(tags), reason, extra: JsonObject::default() }
}

/// Guesses how risky an action on a target is, and what would change.
pub fn assess(action: &ActionId, target: &Observed<'_>) -> Assessment {
    use PrimitiveAction as Primitive;
    use SideEffectClass as Class;
    match PrimitiveAction::from_word(action.as_str()) {
        Some(Primitive::Read | Primitive::Highlight) => Assessment::harmless(Class::None),
        // What is said to open or close something is pressed for it, unless it is that which opens and closes.
        Some(Primitive::Expand | Primitive::Collapse | Primitive::Open | Primitive::Close)
            if is_pressed(target.role) =>
        {
            commanded(action, target).unwrap_or_else(|| Assessment::harmless(Class::LocalUi))
        }
        Some(
            Primitive::Focus
            | Primitive::Hover
            | Primitive::Expand
            | Primitive::Collapse
            | Primitive::Open
            | Primitive::Close
            | Primitive::ScrollIntoView
            | Primitive::Scroll,
        ) => Assessment::harmless(Class::LocalUi),
        Some(Primitive::Navigate) if target.role.is_none() => Assessment::harmless(Class::Navigation),
        Some(Primitive::SetValue) if is_pressed_to_set(target.role) => switched(action, target),
        Some(Primitive::EnterText | Primitive::ClearText | Primitive::SetValue | Primitive::Upload) => {
            typed(target, Class::Draft)
        }
        Some(Primitive::Choose | Primitive::Toggle) => switched(action, target),
        Some(Primitive::Submit) => commanded(action, target).unwrap_or_else(|| submitted(target)),
        // Whoever goes by a target presses it, and what it does it does either way.
        Some(Primitive::Activate | Primitive::Invoke | Primitive::Navigate) | None => {
            commanded(action, target).unwrap_or_else(|| activated(target))
        }
    }
}

/// Something is switched, or one of several chosen.
fn switched(action: &ActionId, target: &Observed<'_>) -> Assessment {
    use SideEffectClass as Class;
    if let Some(found) = commanded(action, target) {
        return found;
    }
    // What is chosen in a form waits for its sending; elsewhere it takes effect at once.
    if target.form.is_some() {
        return typed(target, Class::Draft);
    }
    let chosen = target.chosen.iter().copied().find_map(command);
    chosen.map_or_else(
        || typed(target, Class::ReversibleWrite),
        |Command { deed, word, language }| {
            by_deed(deed, &format!("the word \"{word}\" ({language}) in what is chosen"))
        },
    )
}

/// A press is all that can be done to it.
pub fn is_pressed(role: Option<&Role>) -> bool {
    matches!(role, Some(Role::Button | Role::Link | Role::Menuitem | Role::Custom))
}

/// It holds no text or number of its own, so that setting it is switching or choosing.
fn is_pressed_to_set(role: Option<&Role>) -> bool {
    matches!(
        role,
        Some(
            Role::Button
                | Role::Link
                | Role::Menuitem
                | Role::Checkbox
                | Role::Switch
                | Role::Radio
                | Role::Option
                | Role::Tab
                | Role::Treeitem
                | Role::Combobox
                | Role::Listbox
        )
    )
}

/// What words command, of the target itself or of the dialog around it.
fn commanded(action: &ActionId, target: &Observed<'_>) -> Option<Assessment> {
    let primitive = PrimitiveAction::from_word(action.as_str()).is_some();
    // A tab only shows what it is called after; what else is asked for with it is another matter.
    if primitive && target.role == Some(&Role::Tab) {
        return None;
    }
    let by_word = |words: &str| {
        command(words)
            .map(|Command { deed, word, language }| (deed, format!("the word \"{word}\" ({language})")))
    };
    let described = target.description.filter(|_| target.name.is_none());
    let default_action = target.default_action.map(ActionId::as_str);
    let asked = (!primitive).then_some(action.as_str());
    let said = [target.name, described].into_iter().flatten().filter_map(by_word);
    let ids = [target.meaning, default_action, asked].into_iter().flatten();
    let meant = ids.filter_map(|id| by_word(&words_of_id(id)));
    let icon = target.icon.and_then(icons::command);
    let shown = icon.map(|(deed, words)| (deed, format!("its icon \"{words}\"")));
    // The gravest: nobody hides what an action is called behind what its target is called.
    let mut found: Vec<_> = said.chain(meant).chain(shown).collect();
    found.sort_by_key(|(deed, _)| gravity(*deed));
    if let Some((deed, by)) = found.first() {
        return Some(by_deed(*deed, by));
    }
    // "OK" in "Delete the video?" deletes; "Cancel" does not.
    let around = target.dialog.filter(|_| !target.name.is_some_and(declines)).and_then(command);
    around.map(|Command { deed, word, language }| {
        by_deed(deed, &format!("the word \"{word}\" ({language}) in the title of its dialog"))
    })
}

/// The gravest first.
fn gravity(deed: Deed) -> u8 {
    match deed {
        Deed::Destroy => 0,
        Deed::Pay => 1,
        Deed::Grant => 2,
        Deed::Publish | Deed::Send => 3,
    }
}

fn by_deed(deed: Deed, by: &str) -> Assessment {
    let (class, tag) = match deed {
        Deed::Destroy => (SideEffectClass::Destructive, RiskTag::Destructive),
        Deed::Pay => (SideEffectClass::BillingChange, RiskTag::Billing),
        Deed::Grant => (SideEffectClass::SecurityChange, RiskTag::Security),
        Deed::Publish | Deed::Send => (SideEffectClass::ExternalEffect, RiskTag::ExternalEffect),
    };
    Assessment::careful(class, vec![tag], format!("Guessed from {by}."))
}

/// The words of an id such as `video.deleteAll`, apart.
fn words_of_id(id: &str) -> String {
    let mut words = String::with_capacity(id.len() + 8);
    let mut lower_before = false;
    for letter in id.chars() {
        if letter.is_uppercase() && lower_before {
            words.push(' ');
        }
        lower_before = letter.is_lowercase();
        words.push(if letter.is_alphanumeric() { letter } else { ' ' });
    }
    words
}

/// A value is changed.
fn typed(target: &Observed<'_>, class: SideEffectClass) -> Assessment {
    let protected = target.data_classes.iter().find(|class| is_secret(**class) || is_sensitive(**class));
    match protected {
        Some(data) => {
            let reason = format!("Guessed from its data: {data}.");
            Assessment::careful(class, vec![RiskTag::SensitiveData], reason)
        }
        None if target.sensitive => {
            let reason = "Guessed from its being marked as sensitive.".to_owned();
            Assessment::careful(class, vec![RiskTag::SensitiveData], reason)
        }
        None => Assessment::harmless(class),
    }
}

/// Something is pressed that says nothing of itself.
fn activated(target: &Observed<'_>) -> Assessment {
    if target.opens {
        return Assessment::harmless(SideEffectClass::LocalUi);
    }
    if target.affordances.contains(&Affordance::Submit) {
        return submitted(target);
    }
    let class = match target.role {
        Some(Role::Tab | Role::Tablist | Role::Treeitem) => SideEffectClass::LocalUi,
        // A link whose address leads nowhere does what a script makes of it, as a button does.
        Some(Role::Link)
            if !target.affordances.is_empty() && !target.affordances.contains(&Affordance::Navigate) =>
        {
            SideEffectClass::Unknown
        }
        Some(Role::Link | Role::Breadcrumb | Role::Pagination) => SideEffectClass::Navigation,
        _ => SideEffectClass::Unknown,
    };
    Assessment::harmless(class)
}

/// A form is sent.
fn submitted(target: &Observed<'_>) -> Assessment {
    let Some(form) = target.form else { return Assessment::harmless(SideEffectClass::Unknown) };
    let class = match form.method {
        FormMethod::Asks => SideEffectClass::Navigation,
        FormMethod::Writes => SideEffectClass::PersistentWrite,
        FormMethod::Unknown => SideEffectClass::Unknown,
    };
    let has = |wanted: fn(DataClass) -> bool| form.data_classes.iter().copied().find(|class| wanted(*class));
    if let Some(data) = has(|class| class == DataClass::Payment) {
        let reason = format!("Guessed from the data of its form: {data}.");
        return Assessment::careful(SideEffectClass::BillingChange, vec![RiskTag::Billing], reason);
    }
    match has(|class| is_secret(class) || is_sensitive(class)) {
        Some(data) => {
            let reason = format!("Guessed from the data of its form: {data}.");
            // A form with protected data hands it over, whatever its method says.
            let class =
                if class == SideEffectClass::Navigation { SideEffectClass::PersistentWrite } else { class };
            Assessment::careful(class, vec![RiskTag::SensitiveData], reason)
        }
        None => Assessment::harmless(class),
    }
}
