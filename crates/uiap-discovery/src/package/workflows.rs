//! What could become a workflow (DSC 11.7): forms that are filled in and sent, and buttons that do something at the end
//! of a way. Nothing of it needs to have been done (DSC 13): what is refused can still be described.

mod category;

use super::actions::{Argument, Deed, Deeds, arguments};
use super::evidence::Backing;
use super::forms::{Form, Forms};
use super::survey::{Piece, Step, Survey};
use super::words::{action_id, id, object, some, text};
use category::category;
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet, HashMap, VecDeque};
use uiap_policy::risk::command;
use uiap_protocol::capability::{PrimitiveAction, Role, TargetRef};
use uiap_protocol::discovery::{
    DiscoveredActionKind, DiscoveredWorkflowCandidate, EvidenceSource, ItemReviewState, SkeletonStep,
    SkeletonStepType, WorkflowCandidateCatalog,
};
use uiap_protocol::ids::{Id, RouteId};
use uiap_protocol::policy::{DataClass, SideEffectClass};
use uiap_protocol::wire::JsonObject;
use uiap_protocol::workflow::WorkflowCondition;

/// Most steps of the way to where a workflow begins.
const WAY_STEPS_MAX: usize = 12;
/// Most workflows that are proposed; whoever reviews them has only so much time.
const WORKFLOWS_MAX: usize = 200;

pub(super) fn catalog(survey: &Survey<'_>, forms: &Forms, deeds: &Deeds) -> WorkflowCandidateCatalog {
    let ways = Ways::of(survey);
    let mut found: BTreeMap<Id, DiscoveredWorkflowCandidate> = BTreeMap::new();
    for form in &forms.all {
        if let Some(workflow) = by_form(survey, form, deeds, &ways) {
            found.entry(workflow.id.clone()).or_insert(workflow);
        }
    }
    for deed in deeds.all.iter().filter(|deed| is_goal(survey, deed)) {
        if let Some(workflow) = by_deed(survey, deed, &ways) {
            found.entry(workflow.id.clone()).or_insert(workflow);
        }
    }
    let workflows = found.into_values().take(WORKFLOWS_MAX).collect();
    WorkflowCandidateCatalog { workflows, extra: JsonObject::default() }
}

/// The shortest ways from the seeds to the states.
struct Ways<'s, 'a> {
    by: HashMap<&'a str, Option<&'s Step<'a>>>,
}

impl<'s, 'a> Ways<'s, 'a> {
    fn of(survey: &'s Survey<'a>) -> Self {
        let mut on: BTreeMap<&str, Vec<&'s Step<'a>>> = BTreeMap::new();
        for step in survey.steps.iter().filter(|step| step.held().is_empty()) {
            on.entry(step.from.id.as_str()).or_default().push(step);
        }
        let mut seeds: Vec<_> = survey
            .states
            .iter()
            .filter(|state| survey.depth(&state.id) == Some(0))
            .map(|state| state.id.as_str())
            .collect();
        seeds.sort_unstable();
        let mut by: HashMap<&'a str, Option<&'s Step<'a>>> = seeds.iter().map(|seed| (*seed, None)).collect();
        let mut queue: VecDeque<&'a str> = seeds.into();
        while let Some(here) = queue.pop_front() {
            for step in on.get(here).into_iter().flatten() {
                let Some(to) = step.to else { continue };
                if !by.contains_key(to.id.as_str()) {
                    by.insert(&to.id, Some(step));
                    queue.push_back(&to.id);
                }
            }
        }
        Self { by }
    }

    /// The way to the nearest of some states.
    fn to(&self, states: &BTreeSet<String>) -> Option<(String, Vec<&'s Step<'a>>)> {
        let ways = states.iter().filter_map(|state| Some((state.clone(), self.way(state)?)));
        ways.min_by_key(|(state, way)| (way.len(), state.clone()))
    }

    fn way(&self, state: &str) -> Option<Vec<&'s Step<'a>>> {
        let mut way = Vec::new();
        let mut here = self.by.get(state)?;
        while let Some(step) = here {
            way.push(*step);
            if way.len() > WAY_STEPS_MAX {
                return None;
            }
            here = self.by.get(step.from.id.as_str())?;
        }
        way.reverse();
        Some(way)
    }
}

/// A button at the end of a way whose words, or whose application, say what it does.
fn is_goal(survey: &Survey<'_>, deed: &Deed) -> bool {
    let speaks = || {
        deed.pieces
            .iter()
            .filter_map(|index| survey.pieces.get(*index))
            .any(|piece| piece.name().is_some_and(|name| command(name).is_some()))
    };
    match deed.kind {
        DiscoveredActionKind::Primitive => false,
        DiscoveredActionKind::Domain => deed.form.is_none() && !deed.pieces.is_empty(),
        DiscoveredActionKind::Candidate => deed.form.is_none() && (speaks() || deed.wrote),
    }
}

fn by_form(
    survey: &Survey<'_>,
    form: &Form,
    deeds: &Deeds,
    ways: &Ways<'_, '_>,
) -> Option<DiscoveredWorkflowCandidate> {
    let submit = form.submit?;
    let button = survey.pieces.get(submit)?;
    let deed = deeds.meant_by(submit)?;
    let spot = survey.spots.get(&form.scope)?;
    let args = arguments(survey, form);
    let said = button.name().or_else(|| spot.names.iter().next().map(String::as_str))?;
    let title = match spot.names.iter().next() {
        Some(name) if name != said => format!("{name}: {said}"),
        _ => said.to_owned(),
    };
    let mut draft = Draft::new(survey, deed, title, &form.states, ways);
    draft.backing.add(EvidenceSource::Dom, survey.look_up(form.states.iter().next()?));
    draft.fill(survey, &args);
    Some(draft.finish(survey, deed, button, &args, &form.routes))
}

fn by_deed(survey: &Survey<'_>, deed: &Deed, ways: &Ways<'_, '_>) -> Option<DiscoveredWorkflowCandidate> {
    let pieces = || deed.pieces.iter().filter_map(|index| survey.pieces.get(*index));
    let button = pieces().next()?;
    let states: BTreeSet<String> = pieces().flat_map(|piece| piece.found.states.iter().cloned()).collect();
    let routes: BTreeSet<RouteId> = pieces().flat_map(|piece| piece.found.routes.iter().cloned()).collect();
    let title = super::elements::names(button).first().cloned()?;
    let mut draft = Draft::new(survey, deed, title, &states, ways);
    draft.backing.add(EvidenceSource::Dom, survey.look_up(states.iter().next()?));
    Some(draft.finish(survey, deed, button, &deed.args, &routes))
}

/// A workflow in the making.
struct Draft {
    title: String,
    steps: Vec<SkeletonStep>,
    way_routes: Vec<RouteId>,
    backing: Backing,
}

impl Draft {
    fn new(
        survey: &Survey<'_>,
        deed: &Deed,
        title: String,
        states: &BTreeSet<String>,
        ways: &Ways<'_, '_>,
    ) -> Self {
        let mut draft =
            Self { title, steps: Vec::new(), way_routes: Vec::new(), backing: deed.backing.clone() };
        if let Some((_, way)) = ways.to(states) {
            for step in way {
                draft.backing.add(EvidenceSource::Transition, step.id.clone());
                draft.go(survey, step);
            }
        }
        draft
    }

    /// One step of the way: to another route by its name, everything else by what was pressed.
    fn go(&mut self, survey: &Survey<'_>, step: &Step<'_>) {
        self.way_routes.push(step.from.place.route_id.clone());
        let piece = step.piece.and_then(|index| survey.pieces.get(index));
        let is_link = piece.is_some_and(|piece| matches!(piece.found.role, Role::Link | Role::Breadcrumb));
        let to = step.to.filter(|_| is_link && step.changes_route());
        match to {
            Some(to) => {
                let target = TargetRef::Route { value: text(to.place.route_id.as_str()) };
                self.steps.push(act(PrimitiveAction::Navigate.as_str(), Some(target), None));
            }
            None => {
                let target = piece.map(aim).or_else(|| step.target().cloned());
                self.steps.push(act(step.choice.action.as_str(), target, None));
            }
        }
    }

    /// Asks for what is needed and enters it; secrets are entered by people.
    fn fill(&mut self, survey: &Survey<'_>, args: &[Argument]) {
        let (secret, open): (Vec<_>, Vec<_>) = args.iter().partition(|argument| is_secret(&argument.data));
        let names: Vec<String> = open.iter().map(|argument| argument.name.clone()).collect();
        if !names.is_empty() {
            self.steps.push(plain(SkeletonStepType::Collect, Some(names)));
        }
        for argument in open {
            let Some(piece) = argument.piece.and_then(|index| survey.pieces.get(index)) else { continue };
            let primitive = entering(&piece.found.role);
            self.steps.push(act(primitive.as_str(), Some(aim(piece)), Some(vec![argument.name.clone()])));
        }
        if !secret.is_empty() {
            self.steps.push(plain(SkeletonStepType::Handoff, None));
        }
    }

    fn finish(
        mut self,
        survey: &Survey<'_>,
        deed: &Deed,
        button: &Piece,
        args: &[Argument],
        routes: &BTreeSet<RouteId>,
    ) -> DiscoveredWorkflowCandidate {
        let stem = deed.id.as_str().strip_prefix("candidate.").unwrap_or(deed.id.as_str());
        let mut all: Vec<RouteId> = std::mem::take(&mut self.way_routes);
        all.extend(routes.iter().next().cloned());
        all.dedup();
        self.steps.push(act(deed.id.as_str(), Some(aim(button)), None));
        if !deed.signals.is_empty() {
            let mut ensure = plain(SkeletonStepType::Ensure, None);
            ensure.signals = Some(deed.signals.clone());
            self.steps.push(ensure);
        }
        self.steps.push(plain(SkeletonStepType::Complete, None));
        let (discovered_by, confidence) = self.backing.done();
        let is_uncertain = deed.signals.is_empty()
            || super::actions::is_delicate(deed.class)
            || deed.class == SideEffectClass::Unknown;
        let review = if is_uncertain { ItemReviewState::NeedsReview } else { ItemReviewState::Candidate };
        let executed = deed.pieces.iter().any(|piece| survey.steps_by(*piece).next().is_some());
        let metadata = object([
            ("actionId", json!(deed.id)),
            ("executed", json!(executed)),
            ("risk", json!(deed.risk.as_ref().map(|risk| risk.level))),
            ("sideEffectClass", json!(deed.class)),
        ]);
        let entry = all
            .first()
            .map(|route| vec![WorkflowCondition::Route { route_id: Some(route.clone()), pattern: None }]);
        let asked = args.iter().filter(|argument| !is_secret(&argument.data));
        DiscoveredWorkflowCandidate {
            id: id(&format!("candidate.{stem}.flow")),
            category: Some(category(&self.title, &all)),
            title: Some(self.title),
            entry_conditions: entry,
            route_ids: some(all),
            required_inputs: some(asked.map(Argument::parameter).collect()),
            step_skeleton: self.steps,
            success_signals: some(deed.signals.clone()),
            discovered_by,
            confidence,
            review_state: Some(review),
            metadata: Some(metadata),
            extra: JsonObject::default(),
        }
    }
}

fn is_secret(data: &[DataClass]) -> bool {
    data.iter().any(|class| matches!(class, DataClass::Credential | DataClass::Secret | DataClass::Payment))
}

/// What enters something into a field.
fn entering(role: &Role) -> PrimitiveAction {
    match role {
        Role::Combobox | Role::Listbox | Role::Radio => PrimitiveAction::Choose,
        Role::Checkbox | Role::Switch => PrimitiveAction::Toggle,
        Role::Slider | Role::Spinbutton | Role::Datepicker | Role::Timepicker => PrimitiveAction::SetValue,
        Role::Fileinput => PrimitiveAction::Upload,
        _ => PrimitiveAction::EnterText,
    }
}

/// How an element is meant, in words that hold on the next page, too.
pub(super) fn aim(piece: &Piece) -> TargetRef {
    match &piece.found.stable_id {
        Some(id) => TargetRef::StableId { value: id.clone() },
        None => TargetRef::Semantic {
            role: piece.found.role.clone(),
            name: super::elements::names(piece).first().cloned(),
            scope: piece.found.areas.iter().next().cloned(),
        },
    }
}

fn act(action: &str, target: Option<TargetRef>, parameter_names: Option<Vec<String>>) -> SkeletonStep {
    SkeletonStep {
        r#type: SkeletonStepType::Action,
        action_id: Some(action_id(action)),
        target,
        parameter_names,
        signals: None,
        extra: JsonObject::default(),
    }
}

fn plain(r#type: SkeletonStepType, parameter_names: Option<Vec<String>>) -> SkeletonStep {
    SkeletonStep {
        r#type,
        action_id: None,
        target: None,
        parameter_names,
        signals: None,
        extra: JsonObject::default(),
    }
}
