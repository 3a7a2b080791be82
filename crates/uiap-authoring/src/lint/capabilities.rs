//! A capability document tells the same as the actions and bindings beside it.

use super::report::{At, Remark, Report};
use std::collections::{HashMap, HashSet};
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::capability::{ActionDescriptor, CapabilityDocument};
use uiap_protocol::finding::{Code, Severity};

pub(super) fn check(bundle: &CompiledBundle, report: &mut Report) {
    let Some(document) = &bundle.capabilities else { return };
    if document.profile != bundle.profile {
        let message =
            format!("The capabilities are for {}, the bundle is for {}.", document.profile, bundle.profile);
        let at = At::new("capabilities");
        report.add(&at.member("profile"), warning(Code::Inconsistent, message, "Use one profile for both."));
    }
    actions(bundle, document, report);
    words(bundle, document, report);
}

fn warning(code: Code, message: String, help: &str) -> Remark {
    Remark { severity: Severity::Warning, code, message, help: help.to_owned(), requirement: "AUT-5.2-3" }
}

fn actions(bundle: &CompiledBundle, document: &CapabilityDocument, report: &mut Report) {
    let Some(authored) = &bundle.actions else { return };
    let listed: HashMap<_, _> = document
        .actions
        .iter()
        .enumerate()
        .map(|(place, action)| (action.id.as_str(), (place, action)))
        .collect();
    for (place, action) in authored.iter().map(|action| &action.descriptor).enumerate() {
        let id = &action.id;
        match listed.get(id.as_str()) {
            None => {
                let message = format!("The capabilities do not list the action \"{id}\".");
                let help = "Add it there, or leave the Capabilities manifest out: it can be derived.";
                report.add(&At::new("actions").item(place), warning(Code::UndeclaredWord, message, help));
            }
            Some((listed_at, listed)) => {
                let different = differences(action, listed);
                if !different.is_empty() {
                    let members = different.join(", ");
                    let message = format!("The capabilities describe \"{id}\" differently: {members}.");
                    let help = "Make both say the same; what the Actions manifest says holds.";
                    let at = At::new("capabilities");
                    let remark = warning(Code::Inconsistent, message, help);
                    report.add(&at.member("actions").item(*listed_at), remark);
                }
            }
        }
    }
    let known: HashSet<_> = authored.iter().map(|action| action.descriptor.id.as_str()).collect();
    for (place, action) in document.actions.iter().enumerate() {
        if !known.contains(action.id.as_str()) {
            let message =
                format!("The capabilities list \"{}\", which no Actions manifest describes.", action.id);
            let help = "Describe it there, or remove it from the capabilities.";
            let at = At::new("capabilities");
            report.add(&at.member("actions").item(place), warning(Code::DanglingReference, message, help));
        }
    }
}

/// The members in which two descriptions of an action differ. Titles and descriptions are for people.
fn differences(one: &ActionDescriptor, other: &ActionDescriptor) -> Vec<&'static str> {
    fn same<T: PartialEq>(one: &[T], other: &[T]) -> bool {
        one.len() == other.len() && one.iter().all(|item| other.contains(item))
    }
    fn listed<T>(list: Option<&Vec<T>>) -> &[T] {
        list.map_or(&[], Vec::as_slice)
    }
    let risk = one.risk.level == other.risk.level
        && same(listed(one.risk.tags.as_ref()), listed(other.risk.tags.as_ref()));
    let affordances =
        same(listed(one.required_affordances.as_ref()), listed(other.required_affordances.as_ref()));
    let compared = [
        ("kind", one.kind == other.kind),
        ("targetKinds", same(&one.target_kinds, &other.target_kinds)),
        ("requiredAffordances", affordances),
        ("executionModes", same(&one.execution_modes, &other.execution_modes)),
        ("args", listed(one.args.as_ref()) == listed(other.args.as_ref())),
        ("idempotency", one.idempotency == other.idempotency),
        ("risk", risk),
        ("success", same(listed(one.success.as_ref()), listed(other.success.as_ref()))),
    ];
    compared.into_iter().filter(|(_, same)| !same).map(|(member, _)| member).collect()
}

/// The words that bindings use are declared. Each is told once, where it is used first.
fn words(bundle: &CompiledBundle, document: &CapabilityDocument, report: &mut Report) {
    let Some(bindings) = &bundle.bindings else { return };
    let mut roles: HashSet<_> = document.roles.iter().collect();
    let mut levels: HashSet<_> = document.risk_levels.iter().copied().collect();
    let mut signals: HashSet<_> = document.success_signal_kinds.iter().cloned().collect();
    let at = At::new("bindings");
    let mut undeclared = |at: &At<'_>, word: &str, list: &str| {
        let message = format!("\"{word}\" is used here, and the capabilities do not list it.");
        let help = format!("Add \"{word}\" to \"{list}\" of the capabilities.");
        report.add(at, warning(Code::UndeclaredWord, message, &help));
    };
    for (place, route) in bindings.routes.iter().flatten().enumerate() {
        for (number, signal) in route.success_signals.iter().flatten().enumerate() {
            if signal.kind().is_some_and(|kind| signals.insert(kind)) {
                let list = at.member("routes");
                let item = list.item(place);
                undeclared(&item.member("successSignals").item(number), signal.word(), "successSignalKinds");
            }
        }
    }
    let list = at.member("elements");
    for (place, element) in bindings.elements.iter().flatten().enumerate() {
        let at = list.item(place);
        if let Some(role) = element.role.as_ref().filter(|role| roles.insert(role)) {
            undeclared(&at.member("role"), role.as_str(), "roles");
        }
        if let Some(level) = element.risk.filter(|level| levels.insert(*level)) {
            undeclared(&at.member("risk"), level.as_str(), "riskLevels");
        }
        for (number, signal) in element.success.iter().flatten().enumerate() {
            if signal.kind().is_some_and(|kind| signals.insert(kind)) {
                undeclared(&at.member("success").item(number), signal.word(), "successSignalKinds");
            }
        }
    }
}
