//! Actions are used as they bear it.

use super::index::Index;
use super::report::{At, Remark, Report};
use uiap_protocol::authoring::{CompiledBundle, ImplementationKind};
use uiap_protocol::capability::{ExecutionMode, Idempotency, PrimitiveAction};
use uiap_protocol::finding::{Code, Severity};
use uiap_protocol::ids::ActionId;
use uiap_protocol::workflow::StepBody;

pub(super) fn check(bundle: &CompiledBundle, index: &Index<'_>, report: &mut Report) {
    for (place, action) in bundle.actions.iter().flatten().enumerate() {
        let kind = action.implementation.as_ref().map(|implementation| implementation.kind);
        let elsewhere =
            matches!(kind, Some(ImplementationKind::ServerAction | ImplementationKind::ExternalDriver));
        if elsewhere && action.descriptor.execution_modes.contains(&ExecutionMode::AppAction) {
            let remark = Remark {
                severity: Severity::Hint,
                code: Code::UnusualName,
                message: format!(
                    "\"{}\" is an action of the application that is not carried out by an SDK handler.",
                    action.descriptor.id
                ),
                help: "Kind sdkHandler is preferred where the page itself can do it.".to_owned(),
                requirement: "AUT-5.4-4",
            };
            report.add(&At::new("actions").item(place).member("implementation").member("kind"), remark);
        }
    }
    for (place, workflow) in bundle.workflows.iter().flatten().enumerate() {
        for (number, step) in workflow.steps.iter().enumerate() {
            if let StepBody::Action { action_id, retry: Some(retry), .. } = &step.body
                && retry.max > 0
                && happens_twice(action_id, index)
            {
                let remark = Remark {
                    severity: Severity::Error,
                    code: Code::UnsafeRetry,
                    message: format!("\"{action_id}\" happens twice if it is tried twice, and the step tries again."),
                    help: "Remove \"retry\", or say in \"idempotency\" of the action that a second time does nothing."
                        .to_owned(),
                    requirement: "ACT-3-2",
                };
                report.add(
                    &At::new("workflows").item(place).member("steps").item(number).member("retry"),
                    remark,
                );
            }
        }
    }
}

/// What nobody vouches for happens twice.
fn happens_twice(action: &ActionId, index: &Index<'_>) -> bool {
    let declared = index.action(action.as_str()).and_then(|described| described.idempotency);
    match PrimitiveAction::from_word(action.as_str()) {
        Some(PrimitiveAction::Submit | PrimitiveAction::Invoke) => true,
        Some(_) => declared == Some(Idempotency::NonIdempotent),
        None => declared.is_none_or(|declared| declared == Idempotency::NonIdempotent),
    }
}
