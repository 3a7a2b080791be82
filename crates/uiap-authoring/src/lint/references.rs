//! Every name that is used is the name of something.

use super::index::{Index, Named};
use super::report::{At, Remark, Report};
use serde_json::Value;
use std::borrow::Borrow;
use uiap_protocol::authoring::{CompiledBundle, ElementMatcher, ManifestSelector};
use uiap_protocol::capability::{DescribedKind, PrimitiveAction, SuccessSignal, TargetRef};
use uiap_protocol::finding::{Code, Severity};
use uiap_protocol::ids::{ActionId, Text};
use uiap_protocol::policy::PolicyMatch;
use uiap_protocol::wire::JsonObject;
use uiap_protocol::workflow::{StepBody, WorkflowCondition, WorkflowDefinition, WorkflowStep};

pub(super) fn check(bundle: &CompiledBundle, index: &Index<'_>, report: &mut Report) {
    let mut names = Names { index, report, severity: Severity::Error };
    names.context(bundle);
    names.bindings(bundle);
    names.actions(bundle);
    for (place, workflow) in bundle.workflows.iter().flatten().enumerate() {
        names.workflow(&At::new("workflows").item(place), workflow);
    }
    // An action that one context leaves out may still be forbidden in all of them, so a rule about nothing is no error.
    names.severity = Severity::Warning;
    names.policies(bundle);
}

struct Names<'n, 'b> {
    index: &'n Index<'b>,
    report: &'n mut Report,
    severity: Severity,
}

impl Names<'_, '_> {
    /// Reports a name that nothing has.
    fn look_up(&mut self, at: &At<'_>, named: Named, id: &str) {
        if self.index.has(named, id) {
            return;
        }
        let (word, place) = named.words();
        let otherwise = format!("Describe it in {place}, or name one that exists.");
        let help = self.report.did_you_mean(id, self.index.names(named), &otherwise);
        let message = format!("There is no {word} \"{id}\" in this bundle.");
        let (code, severity) = (Code::DanglingReference, self.severity);
        self.report.add(at, Remark { severity, code, message, help, requirement: "AUT-13-4" });
    }

    fn look_up_all<I: Borrow<str>>(&mut self, at: &At<'_>, named: Named, ids: Option<&Vec<I>>) {
        for (place, id) in ids.into_iter().flatten().enumerate() {
            self.look_up(&at.item(place), named, id.borrow());
        }
    }

    fn context(&mut self, bundle: &CompiledBundle) {
        let at = At::new("buildContext");
        if let Some(id) = &bundle.build_context.environment {
            self.look_up(&at.member("environment"), Named::Environment, id.as_str());
        }
        if let Some(id) = &bundle.build_context.principal_profile {
            self.look_up(&at.member("principalProfile"), Named::Profile, id.as_str());
        }
    }

    fn selector(&mut self, at: &At<'_>, selector: &ManifestSelector) {
        self.look_up_all(&at.member("environments"), Named::Environment, selector.environments.as_ref());
        self.look_up_all(
            &at.member("principalProfiles"),
            Named::Profile,
            selector.principal_profiles.as_ref(),
        );
    }

    fn bindings(&mut self, bundle: &CompiledBundle) {
        let Some(bindings) = &bundle.bindings else { return };
        let at = At::new("bindings");
        for (place, route) in bindings.routes.iter().flatten().enumerate() {
            let list = at.member("routes");
            let at = list.item(place);
            if let Some(id) = &route.parent_route_id {
                self.look_up(&at.member("parentRouteId"), Named::Route, id.as_str());
            }
            self.signals(&at.member("successSignals"), route.success_signals.iter().flatten());
        }
        for (place, scope) in bindings.scopes.iter().flatten().enumerate() {
            let list = at.member("scopes");
            let at = list.item(place);
            self.look_up_all(&at.member("routeIds"), Named::Route, scope.route_ids.as_ref());
            if let Some(id) = &scope.parent_scope_id {
                self.look_up(&at.member("parentScopeId"), Named::Scope, id.as_str());
            }
            self.look_up_all(&at.member("stableIds"), Named::Element, scope.stable_ids.as_ref());
        }
        for (place, element) in bindings.elements.iter().flatten().enumerate() {
            let list = at.member("elements");
            let at = list.item(place);
            if let Some(id) = &element.scope_id {
                self.look_up(&at.member("scopeId"), Named::Scope, id.as_str());
            }
            self.look_up_all(&at.member("routeIds"), Named::Route, element.route_ids.as_ref());
            if let Some(id) = &element.default_action {
                self.look_up(&at.member("defaultAction"), Named::Action, id.as_str());
            }
            self.signals(&at.member("success"), element.success.iter().flatten());
            for (number, matcher) in element.r#match.iter().enumerate() {
                if let ElementMatcher::Semantic { scope_id: Some(id), .. } = matcher {
                    let list = at.member("match");
                    self.look_up(&list.item(number).member("scopeId"), Named::Scope, id.as_str());
                }
            }
        }
    }

    fn actions(&mut self, bundle: &CompiledBundle) {
        for (place, action) in bundle.actions.iter().flatten().enumerate() {
            let list = At::new("actions");
            let at = list.item(place);
            self.signals(&at.member("success"), action.descriptor.success.iter().flatten());
            for (number, selector) in action.selectors.iter().flatten().enumerate() {
                self.selector(&at.member("selectors").item(number), selector);
            }
        }
    }

    fn signals<'s>(&mut self, at: &At<'_>, signals: impl IntoIterator<Item = &'s SuccessSignal>) {
        for (place, signal) in signals.into_iter().enumerate() {
            self.signal(&at.item(place), signal);
        }
    }

    fn signal(&mut self, at: &At<'_>, signal: &SuccessSignal) {
        match signal {
            SuccessSignal::ElementAppeared { target }
            | SuccessSignal::ElementDisappeared { target }
            | SuccessSignal::ElementState { target, .. }
            | SuccessSignal::ValueEquals { target, .. }
            | SuccessSignal::CollectionCount { target, .. }
            | SuccessSignal::DialogOpened { target: Some(target) }
            | SuccessSignal::DialogClosed { target: Some(target) } => {
                self.target(&at.member("target"), target);
            }
            SuccessSignal::ValidationNone { scope: Some(id) } => {
                self.look_up(&at.member("scope"), Named::Scope, id.as_str());
            }
            _ => {}
        }
    }

    fn target(&mut self, at: &At<'_>, target: &TargetRef) {
        match target {
            TargetRef::StableId { value } => {
                self.look_up(&at.member("value"), Named::Element, value.as_str());
            }
            TargetRef::Scope { value } => self.look_up(&at.member("value"), Named::Scope, value.as_str()),
            TargetRef::Route { value } => self.look_up(&at.member("value"), Named::Route, value.as_str()),
            TargetRef::Semantic { scope: Some(id), .. } => {
                self.look_up(&at.member("scope"), Named::Scope, id.as_str());
            }
            TargetRef::Semantic { .. } | TargetRef::Custom { .. } => {}
        }
    }

    fn workflow(&mut self, at: &At<'_>, workflow: &WorkflowDefinition) {
        self.look_up_all(&at.member("routes"), Named::Route, workflow.routes.as_ref());
        self.conditions(&at.member("entryConditions"), workflow.entry_conditions.iter().flatten());
        self.signals(&at.member("successSignals"), workflow.success_signals.iter().flatten());
        for (place, step) in workflow.steps.iter().enumerate() {
            self.step(&at.member("steps").item(place), step);
        }
    }

    fn step(&mut self, at: &At<'_>, step: &WorkflowStep) {
        self.conditions(&at.member("when"), step.when.iter().flatten());
        match &step.body {
            StepBody::Action { action_id, target, args, verification, .. } => {
                self.look_up(&at.member("actionId"), Named::Action, action_id.as_str());
                let target_at = at.member("target");
                if let Some(target) = target.as_ref().and_then(|target| target.r#ref.as_ref()) {
                    self.target(&target_at.member("ref"), target);
                }
                if let Some(id) = target.as_ref().and_then(|target| target.expected_scope_id.as_ref()) {
                    self.look_up(&target_at.member("expectedScopeId"), Named::Scope, id.as_str());
                }
                let signals = verification.iter().flat_map(|item| item.signals.iter().flatten());
                self.signals(&at.member("verification").member("signals"), signals);
                self.arguments(at, action_id, args.as_ref());
            }
            StepBody::Ensure { signals, conditions, .. } => {
                self.signals(&at.member("signals"), signals.iter().flatten());
                self.conditions(&at.member("conditions"), conditions.iter().flatten());
            }
            StepBody::Branch { cases, .. } => {
                for (place, case) in cases.iter().enumerate() {
                    self.conditions(&at.member("cases").item(place).member("when"), &case.when);
                }
            }
            StepBody::Handoff { resume_when, .. } => {
                self.conditions(&at.member("resumeWhen"), resume_when.iter().flatten());
            }
            StepBody::Instruction { .. } | StepBody::Collect { .. } | StepBody::Complete { .. } => {}
        }
    }

    /// The arguments of an action of the application are those that it describes. Primitives bring their own along.
    fn arguments(&mut self, step: &At<'_>, action: &ActionId, args: Option<&JsonObject>) {
        let at = step.member("args");
        let named = |member: &str| args.and_then(|args| args.get(member)).and_then(Value::as_str);
        match PrimitiveAction::from_word(action.as_str()) {
            Some(PrimitiveAction::Navigate) => {
                if let Some(route) = named("route") {
                    self.look_up(&at.member("route"), Named::Route, route);
                }
            }
            Some(PrimitiveAction::Invoke) => {
                if let Some(invoked) = named("action") {
                    self.look_up(&at.member("action"), Named::Action, invoked);
                }
            }
            Some(_) => {}
            None => self.described_arguments(step, &at, action, args),
        }
    }

    fn described_arguments(
        &mut self,
        step: &At<'_>,
        at: &At<'_>,
        action: &ActionId,
        args: Option<&JsonObject>,
    ) {
        let described =
            self.index.action(action.as_str()).filter(|known| known.kind == DescribedKind::Domain);
        let Some(described) = described else { return };
        let known = described.args.as_deref().unwrap_or_default();
        let names = || known.iter().map(|argument| argument.name.as_str());
        for given in args.into_iter().flat_map(|args| args.keys()) {
            if !names().any(|name| name == given) {
                let otherwise = format!("Describe it in the arguments of \"{action}\", or remove it.");
                let help = self.report.did_you_mean(given, names(), &otherwise);
                let message = format!("\"{action}\" has no argument \"{given}\".");
                let (severity, code) = (self.severity, Code::DanglingReference);
                let remark = Remark { severity, code, message, help, requirement: "AUT-13-4" };
                self.report.add(&at.member(given), remark);
            }
        }
        for required in known.iter().filter(|argument| argument.required == Some(true)) {
            let name = required.name.as_str();
            if !args.is_some_and(|args| args.contains_key(name)) {
                let message =
                    format!("\"{action}\" needs the argument \"{name}\", and the step does not give it.");
                let help = format!("Add \"{name}\" to \"args\".");
                let (severity, code) = (self.severity, Code::MissingMember);
                let remark = Remark { severity, code, message, help, requirement: "CAP-7-6" };
                self.report.add(step, remark);
            }
        }
    }

    fn conditions<'c>(&mut self, at: &At<'_>, conditions: impl IntoIterator<Item = &'c WorkflowCondition>) {
        for (place, condition) in conditions.into_iter().enumerate() {
            self.condition(&at.item(place), condition);
        }
    }

    fn condition(&mut self, at: &At<'_>, condition: &WorkflowCondition) {
        match condition {
            WorkflowCondition::Signal { signal } => self.signal(&at.member("signal"), signal),
            WorkflowCondition::Route { route_id: Some(id), .. } => {
                self.look_up(&at.member("routeId"), Named::Route, id.as_str());
            }
            WorkflowCondition::Element { target, .. } => self.target(&at.member("target"), target),
            WorkflowCondition::Capability { action_id } => {
                self.look_up(&at.member("actionId"), Named::Action, action_id.as_str());
            }
            WorkflowCondition::All { conditions } | WorkflowCondition::Any { conditions } => {
                self.conditions(&at.member("conditions"), conditions);
            }
            WorkflowCondition::Not { condition } => self.condition(&at.member("condition"), condition),
            WorkflowCondition::Route { .. }
            | WorkflowCondition::Parameter { .. }
            | WorkflowCondition::Grant { .. }
            | WorkflowCondition::Role { .. } => {}
        }
    }

    fn policies(&mut self, bundle: &CompiledBundle) {
        for (place, policy) in bundle.policies.iter().flatten().enumerate() {
            let list = At::new("policies");
            let at = list.item(place);
            if let Some(selector) = &policy.selector {
                self.selector(&at.member("selector"), selector);
            }
            let document = at.member("document");
            for (number, rule) in policy.document.rules.iter().enumerate() {
                self.policy_match(&document.member("rules").item(number).member("when"), &rule.when);
            }
            for (number, rule) in policy.document.redaction.iter().flatten().enumerate() {
                let list = document.member("redaction");
                let item = list.item(number);
                let at = item.member("when");
                self.patterns(&at.member("targets"), Named::Element, rule.when.targets.as_deref());
                self.patterns(&at.member("routes"), Named::Route, rule.when.routes.as_deref());
            }
        }
    }

    fn policy_match(&mut self, at: &At<'_>, when: &PolicyMatch) {
        self.patterns(&at.member("actions"), Named::Action, when.actions.as_deref());
        self.patterns(&at.member("targets"), Named::Element, when.targets.as_deref());
        self.patterns(&at.member("scopes"), Named::Scope, when.scopes.as_deref());
        self.patterns(&at.member("routes"), Named::Route, when.routes.as_deref());
        if let Some(not) = &when.not {
            self.policy_match(&at.member("not"), not);
        }
    }

    /// A pattern may be meant for what is yet to come; a plain name is meant for something.
    fn patterns(&mut self, at: &At<'_>, named: Named, patterns: Option<&[Text]>) {
        for (place, pattern) in patterns.unwrap_or_default().iter().enumerate() {
            if !pattern.as_str().contains('*') {
                self.look_up(&at.item(place), named, pattern.as_str());
            }
        }
    }
}
