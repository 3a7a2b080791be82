//! What could be done in a state, in the order in which it is worth trying (DSC 11.5).

use crate::growth;
use crate::naming::id_of;
use crate::safety::{Asked, Judgement, judge};
use crate::sighting::{Item, Sighting, Thing};
use std::collections::{BTreeMap, BTreeSet};
use uiap_protocol::capability::{ActionDescriptor, Affordance, Current, HasPopup, PrimitiveAction, Role};
use uiap_protocol::discovery::DiscoverySafetyPolicy;
use uiap_protocol::ids::ActionId;
use uiap_protocol::policy::SideEffectClass;

/// How what the keys of links have in common ends.
const LINK_ENDING: &str = "|link";

/// How early something is tried: the published order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Rank {
    /// A safe action of the application.
    AppAction,
    /// What leads to the main parts of the application.
    Navigation,
    /// What opens something here: a tab, a menu, a dialog.
    Opening,
    /// Any other link.
    Link,
    /// What only shows the same differently: a page, a filter.
    Showing,
    /// What is written down and not sent.
    Draft,
    /// Everything else.
    Other,
    /// What leads to where one is.
    Here,
}

/// Something that could be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Choice {
    /// What.
    pub action: ActionId,
    /// On what, by the key of the thing; nothing for an action of the application.
    pub key: Option<String>,
    /// What makes it the same choice on another page: things that lead around are the same wherever they stand.
    pub kind: String,
    /// Which of many alike the thing is.
    pub item: Option<Item>,
    /// The list whose end is brought into view; nothing for what is aimed at one thing.
    pub list: Option<String>,
    /// How early.
    pub rank: Rank,
    /// What is decided about it.
    pub judgement: Judgement,
}

/// Everything that could be done, allowed or not.
pub fn choices(
    sighting: &Sighting<'_>,
    registered: &[ActionDescriptor],
    safety: &DiscoverySafetyPolicy,
) -> Vec<Choice> {
    let own = registered.iter().map(|action| app_action(action, sighting, safety));
    let company = company(sighting);
    let of_thing = |thing: &Thing<'_>| {
        let is_used = thing.is_interactive();
        let first = is_used.then(|| choice(thing, sighting, safety, &company)).flatten();
        let pointed_at = pointing(thing, first.as_ref(), sighting, safety, &company);
        first.into_iter().chain(pointed_at)
    };
    let scrolled = growth::lists(sighting).into_iter().filter_map(|list| scrolling(list, sighting, safety));
    own.chain(sighting.things.iter().flat_map(of_thing)).chain(scrolled).collect()
}

/// What a list shows when its end is brought into view. It is one choice on all pages of a route.
fn scrolling(list: String, sighting: &Sighting<'_>, safety: &DiscoverySafetyPolicy) -> Option<Choice> {
    let action = ActionId::new(PrimitiveAction::ScrollIntoView.as_str()).ok()?;
    let asked = Asked { action: &action, thing: None, sighting, declared: None };
    Some(Choice {
        kind: format!("{action} {}|{list}", sighting.place.route_id),
        key: None,
        item: None,
        rank: Rank::Showing,
        judgement: judge(safety, &asked),
        list: Some(list),
        action,
    })
}

impl Choice {
    /// It shows more of a list.
    pub fn scrolls(&self) -> bool {
        self.list.is_some()
    }

    /// It leads to another page and does nothing else, as far as can be said before it is done.
    pub(crate) fn only_leads(&self) -> bool {
        self.judgement.side_effect == SideEffectClass::Navigation
    }

    /// What it has in common with choices about things like its own: of links, where they stand.
    pub(crate) fn likeness(&self) -> &str {
        let Some(key) = self.key.as_deref() else { return &self.kind };
        let end = key.match_indices('|').nth(2).map(|(end, _)| end);
        let alike = end.and_then(|end| key.get(..end)).filter(|alike| alike.ends_with(LINK_ENDING));
        alike.unwrap_or(key)
    }
}

/// What is shown when somebody only points at a thing: pressing a link that has a menu leads past it, and some menus open
/// by the style of the page alone.
fn pointing(
    thing: &Thing<'_>,
    first: Option<&Choice>,
    sighting: &Sighting<'_>,
    safety: &DiscoverySafetyPolicy,
    company: &BTreeMap<&str, String>,
) -> Option<Choice> {
    let has_menu = thing.element.state.ui.has_popup.is_some_and(|popup| popup != HasPopup::No);
    let is_pressed = first.is_some_and(|first| first.action.as_str() == PrimitiveAction::Activate.as_str());
    let leads_past = has_menu && is_pressed && thing.element.role == Role::Link && thing.item.is_none();
    if !leads_past && !sighting.opens_by_pointing(thing) {
        return None;
    }
    let action = ActionId::new(PrimitiveAction::Hover.as_str()).ok()?;
    let asked = Asked { action: &action, thing: Some(thing), sighting, declared: None };
    Some(Choice {
        kind: format!("{action} {}", identity(thing, leads_around(thing, sighting), company)),
        key: Some(thing.key.clone()),
        item: thing.item.clone(),
        list: None,
        rank: Rank::Opening,
        judgement: judge(safety, &asked),
        action,
    })
}

/// What stands together in each area, by its path. The same area on another page is the same area: what is in a
/// header leads to the same everywhere.
fn company<'s>(sighting: &'s Sighting<'_>) -> BTreeMap<&'s str, String> {
    let mut company: BTreeMap<&str, BTreeSet<String>> = BTreeMap::new();
    for thing in sighting.things.iter().filter(|thing| thing.is_interactive() && thing.item.is_none()) {
        let word = format!("{} {}", thing.element.role, thing.name);
        company.entry(thing.path.as_str()).or_default().insert(word);
    }
    company
        .into_iter()
        .map(|(path, words)| (path, id_of("in", &words.iter().map(String::as_str).collect::<Vec<_>>())))
        .collect()
}

fn app_action(
    descriptor: &ActionDescriptor,
    sighting: &Sighting<'_>,
    safety: &DiscoverySafetyPolicy,
) -> Choice {
    let asked = Asked { action: &descriptor.id, thing: None, sighting, declared: Some(&descriptor.risk) };
    let needs_arguments = descriptor.args.iter().flatten().any(|argument| argument.required == Some(true));
    Choice {
        action: descriptor.id.clone(),
        key: None,
        kind: descriptor.id.to_string(),
        item: None,
        list: None,
        rank: if needs_arguments { Rank::Draft } else { Rank::AppAction },
        judgement: judge(safety, &asked),
    }
}

/// What one would do first with a thing.
fn choice(
    thing: &Thing<'_>,
    sighting: &Sighting<'_>,
    safety: &DiscoverySafetyPolicy,
    company: &BTreeMap<&str, String>,
) -> Option<Choice> {
    let element = thing.element;
    let state = &element.state.ui;
    if state.enabled == Some(false) {
        return None;
    }
    let primitive = first_use(thing)?;
    let action = ActionId::new(primitive.as_str()).ok()?;
    let asked = Asked { action: &action, thing: Some(thing), sighting, declared: None };
    let judgement = judge(safety, &asked);
    let leads_around = leads_around(thing, sighting);
    let is_here = state.current.is_some_and(|current| current != Current::No)
        || element.role == Role::Tab && state.selected == Some(true);
    Some(Choice {
        kind: format!("{action} {}", identity(thing, leads_around, company)),
        rank: if is_here { Rank::Here } else { rank(thing, primitive, leads_around) },
        item: thing.item.clone(),
        list: None,
        key: Some(thing.key.clone()),
        action,
        judgement,
    })
}

/// It stands where everything leads to other places, chosen by the application.
pub(crate) fn leads_around(thing: &Thing<'_>, sighting: &Sighting<'_>) -> bool {
    let mut areas = sighting.areas.iter();
    areas.any(|area| area.leads_around() && crate::safety::is_around(&area.path, &thing.path))
}

/// What makes a thing the same on another page.
fn identity(thing: &Thing<'_>, leads_around: bool, company: &BTreeMap<&str, String>) -> String {
    match (&thing.element.stable_id, &thing.item) {
        (Some(id), None) => id.to_string(),
        (_, Some(_)) => thing.key.clone(),
        (None, None) if leads_around => format!("{}|{}|{}", thing.path, thing.element.role, thing.name),
        (None, None) => {
            let company = company.get(thing.path.as_str()).map(String::as_str).unwrap_or_default();
            format!("{}|{}|{}|{company}", thing.path, thing.element.role, thing.name)
        }
    }
}

/// The primitive that shows most of what is behind a thing.
fn first_use(thing: &Thing<'_>) -> Option<PrimitiveAction> {
    use PrimitiveAction as Primitive;
    let element = thing.element;
    let state = &element.state.ui;
    let offers = |offer: &Affordance| element.affordances.iter().flatten().any(|own| own == offer);
    let pops_up = state.has_popup.is_some_and(|popup| popup != HasPopup::No);
    match element.role {
        Role::Textbox | Role::Textarea | Role::Searchbox => Some(Primitive::EnterText),
        Role::Checkbox | Role::Switch | Role::Radio => Some(Primitive::Toggle),
        Role::Slider | Role::Spinbutton | Role::Datepicker | Role::Timepicker => Some(Primitive::SetValue),
        Role::Fileinput => Some(Primitive::Upload),
        Role::Combobox | Role::Listbox | Role::Option => Some(Primitive::Choose),
        Role::Form => None,
        _ if state.expanded == Some(false) && offers(&Affordance::Expand) => Some(Primitive::Expand),
        _ if state.expanded == Some(true) && offers(&Affordance::Collapse) => Some(Primitive::Collapse),
        _ if pops_up && state.expanded.is_some() && offers(&Affordance::Open) => Some(Primitive::Open),
        _ if offers(&Affordance::Activate) => Some(Primitive::Activate),
        _ if offers(&Affordance::Expand) && state.expanded != Some(true) => Some(Primitive::Expand),
        _ if offers(&Affordance::Open) && state.open != Some(true) => Some(Primitive::Open),
        _ => None,
    }
}

fn rank(thing: &Thing<'_>, primitive: PrimitiveAction, leads_around: bool) -> Rank {
    use PrimitiveAction as Primitive;
    let state = &thing.element.state.ui;
    let opens = state.expanded.is_some() || state.has_popup.is_some_and(|popup| popup != HasPopup::No);
    match (primitive, &thing.element.role) {
        (Primitive::Expand | Primitive::Open, _) | (Primitive::Activate, Role::Tab) => Rank::Opening,
        (Primitive::Activate, _) if opens && state.expanded != Some(true) => Rank::Opening,
        (Primitive::Activate, Role::Link | Role::Breadcrumb | Role::Menuitem) if leads_around => {
            Rank::Navigation
        }
        (Primitive::Activate, Role::Link | Role::Breadcrumb) => Rank::Link,
        (Primitive::Activate | Primitive::Choose, _) => Rank::Showing,
        (Primitive::EnterText | Primitive::Toggle | Primitive::SetValue, _) => Rank::Draft,
        _ => Rank::Other,
    }
}
