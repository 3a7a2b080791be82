//! From a request to what will be done, or a reason why not.
//!
//! Start at [`plan`]. Everything that can be said without looking at a page is said here, before an action has a
//! handle: whether it is known, whether its arguments are right, how it may be carried out and how its success is
//! recognised. A refusal says what is wrong and what would be right.

mod arguments;
mod native;
mod refusal;
mod verification;

pub use arguments::LIST_ITEMS_MAX;
pub use native::{GESTURE_MS_MAX, PINCH_SCALE_MAX, PINCH_SCALE_MIN, SCROLL_DISTANCE_MAX, UPLOAD_FILES_MAX};
pub use refusal::Refusal;
pub use verification::{SIGNALS_MAX, TIMEOUT_MS_MAX};

use crate::catalogue::{Aimed, Catalogue, KnownAction, Native};
use crate::deed::{Deed, Destination, Private};
use crate::gate::Demand;
use crate::life::Plan;
use arguments::Arguments;
use uiap_protocol::action::{ActionRequest, ActionTarget, RuntimeErrorCode as Code};
use uiap_protocol::capability::{ExecutionMode, Idempotency, PrimitiveAction, TargetKind, TargetRef};
use uiap_protocol::ids::{ActionHandle, ActionId};
use uiap_protocol::wire::JsonObject;

/// What will be done.
#[derive(Clone, Debug, PartialEq)]
pub struct Planned {
    /// Everything that is decided before it begins.
    pub plan: Plan,
    /// What is to be done.
    pub deed: Deed,
    /// The request in its one form: a domain action stands under its own id, however it was asked for. Two requests
    /// for the same have the same form, so this is what is compared and kept.
    pub request: ActionRequest,
}

/// Plans an action: what it does, how, and how its success is recognised. `available` are the ways that the surface
/// has; without [`ExecutionMode::VisionAssist`] among them nothing is done by a picture.
pub fn plan(
    request: &ActionRequest,
    handle: ActionHandle,
    catalogue: &Catalogue,
    available: &[ExecutionMode],
) -> Result<Planned, Refusal> {
    let request = normalised(request)?;
    let known = known(&request.action_id, catalogue)?;
    let target = request.target.as_ref().filter(|target| says_something(target));
    let r#ref = target.and_then(|target| target.r#ref.as_ref());
    let args = Arguments::new(&request.action_id, request.args.as_ref());
    let deed = match known.native() {
        Some(native) => {
            check_primitive_target(native, r#ref)?;
            native::deed(native, args, r#ref, catalogue)?
        }
        None => {
            check_domain_target(&request.action_id, known, r#ref)?;
            args.described(known.args())?;
            let args = Private::new(request.args.clone().unwrap_or_default());
            Deed::Invoke { action: request.action_id.clone(), args }
        }
    };
    let given = target.is_some() && !matches!(r#ref, Some(TargetRef::Route { .. }));
    if !given && is_aimed(known, &deed) {
        let message = format!("\"{}\" needs a target and the request names none.", request.action_id);
        return Err(Refusal::runtime(Code::TargetRequired, message));
    }
    let idempotency = idempotency(known, &deed);
    let modes = modes(&request, known, available)?;
    let (timeout_ms, verification) = verification::verification(&request, known, &deed, idempotency)?;
    let plan = Plan {
        handle,
        action_id: request.action_id.clone(),
        needs_target: given,
        demand: demand(&request.action_id, &deed),
        idempotency,
        modes,
        verification,
        timeout_ms,
        args: request.args.clone().map(Private::new),
    };
    Ok(Planned { plan, deed, request })
}

/// The one form of a request. `app.invoke` is another way to ask for the action it names; empty arguments are none.
pub fn normalised(request: &ActionRequest) -> Result<ActionRequest, Refusal> {
    let invokes = PrimitiveAction::from_word(request.action_id.as_str()) == Some(PrimitiveAction::Invoke);
    let some = |args: &JsonObject| (!args.is_empty()).then(|| args.clone());
    let (action_id, args) = if invokes {
        let args = Arguments::new(&request.action_id, request.args.as_ref()).only(&["action", "args"])?;
        let name = args.text("action")?.ok_or_else(|| args.missing("action"))?;
        let wrong = |_| args.wrong("action", "must be an id of 1 to 128 characters");
        let action = ActionId::new(name).map_err(wrong)?;
        if Native::from_word(name).is_some() {
            let message =
                format!("\"app.invoke\" is for actions of the application; request \"{name}\" itself.");
            return Err(Refusal::payload(message).with("argument", "action"));
        }
        (action, args.object("args")?.and_then(some))
    } else {
        (request.action_id.clone(), request.args.as_ref().and_then(some))
    };
    Ok(ActionRequest { action_id, args, ..request.clone() })
}

fn known<'c>(id: &ActionId, catalogue: &'c Catalogue) -> Result<KnownAction<'c>, Refusal> {
    catalogue.action(id.as_str()).ok_or_else(|| {
        let near = catalogue.nearest_actions(id.as_str());
        let meant = near.first().map(|near| format!(" Did you mean \"{near}\"?")).unwrap_or_default();
        let message = format!("Unknown action \"{id}\".{meant}");
        Refusal::runtime(Code::ActionUnsupported, message).with("nearest", near)
    })
}

/// A target without any member names nothing.
fn says_something(target: &ActionTarget) -> bool {
    target.r#ref.is_some()
        || target.expected_role.is_some()
        || target.expected_name.is_some()
        || target.expected_scope_id.is_some()
        || target.expected_document_id.is_some()
}

/// A route is a target only where something goes there (finding A5).
fn check_primitive_target(native: Native, target: Option<&TargetRef>) -> Result<(), Refusal> {
    let navigates = native == Native::Primitive(PrimitiveAction::Navigate);
    match target {
        Some(TargetRef::Route { .. }) if !navigates => {
            Err(Refusal::payload("A route can be the target of \"nav.navigate\" only.")
                .with("member", "target.ref"))
        }
        _ => Ok(()),
    }
}

fn check_domain_target(
    action: &ActionId,
    known: KnownAction<'_>,
    target: Option<&TargetRef>,
) -> Result<(), Refusal> {
    let Some(target) = target else { return Ok(()) };
    let kinds: &[TargetKind] = match target {
        TargetRef::StableId { .. } | TargetRef::Semantic { .. } => &[TargetKind::Element],
        TargetRef::Scope { .. } => &[TargetKind::Scope],
        TargetRef::Route { .. } => &[TargetKind::Route],
        // Only an adapter knows what it means.
        TargetRef::Custom { .. } => &[TargetKind::Entity, TargetKind::Element, TargetKind::Session],
    };
    if known.target_kinds().iter().any(|kind| kinds.contains(kind)) {
        return Ok(());
    }
    let allowed: Vec<_> = known.target_kinds().iter().map(TargetKind::as_str).collect();
    let message = format!(
        "\"{action}\" cannot be aimed at {}; it can be aimed at: {}.",
        target_word(target),
        allowed.join(", ")
    );
    Err(Refusal::payload(message).with("member", "target.ref").with("allowed", allowed))
}

fn target_word(target: &TargetRef) -> &'static str {
    match target {
        TargetRef::StableId { .. } | TargetRef::Semantic { .. } => "an element",
        TargetRef::Scope { .. } => "an area",
        TargetRef::Route { .. } => "a route",
        TargetRef::Custom { .. } => "something of its own",
    }
}

/// It cannot be done without a target.
fn is_aimed(known: KnownAction<'_>, deed: &Deed) -> bool {
    match (known.native(), deed) {
        (_, Deed::Navigate(destination)) => *destination == Destination::Target,
        (Some(native), _) => native.aimed() == Aimed::Always,
        // Where anything but an element will do, the arguments may say what is meant (ACT 10.1).
        (None, _) => known.target_kinds().iter().all(|kind| *kind == TargetKind::Element),
    }
}

/// What a declaration and the deed itself say, the stricter of both. What nobody vouches for happens twice.
fn idempotency(known: KnownAction<'_>, deed: &Deed) -> Idempotency {
    let strictness = |idempotency: Idempotency| match idempotency {
        Idempotency::Idempotent => 0,
        Idempotency::Conditional => 1,
        Idempotency::NonIdempotent => 2,
    };
    let declared = known.idempotency().map(|declared| declared.value);
    match (known.native(), declared) {
        (Some(_), Some(declared)) if strictness(declared) > strictness(deed.idempotency()) => declared,
        (None, Some(declared)) => declared,
        _ => deed.idempotency(),
    }
}

/// The ways that action and surface have in common: those the sender prefers first, then the usual order (A13, A14).
/// Looking at a picture comes last, whatever the sender prefers (ACT 10.5).
fn modes(
    request: &ActionRequest,
    known: KnownAction<'_>,
    available: &[ExecutionMode],
) -> Result<Vec<ExecutionMode>, Refusal> {
    let declared = known.modes().value;
    let candidates: Vec<_> = declared.iter().copied().filter(|mode| available.contains(mode)).collect();
    let preferred = request.preferred_execution_modes.iter().flatten().copied();
    let mut modes = Vec::with_capacity(candidates.len());
    for mode in preferred.chain(candidates.iter().copied()) {
        if candidates.contains(&mode) && !modes.contains(&mode) {
            modes.push(mode);
        }
    }
    modes.sort_by_key(|mode| *mode == ExecutionMode::VisionAssist);
    if modes.is_empty() {
        let declared: Vec<_> = declared.iter().map(ExecutionMode::as_str).collect();
        let available: Vec<_> = available.iter().map(ExecutionMode::as_str).collect();
        let message = format!(
            "\"{}\" can be carried out by {}, and none of these is available here.",
            request.action_id,
            if declared.is_empty() { "nothing".to_owned() } else { declared.join(", ") }
        );
        return Err(Refusal::runtime(Code::ExecutionModeUnavailable, message)
            .with("declared", declared)
            .with("available", available));
    }
    Ok(modes)
}

/// What it demands of its target. Fingers press and point as other means do.
fn demand(action: &ActionId, deed: &Deed) -> Demand {
    match deed {
        Deed::LongPress { .. } => Demand::Pressing,
        Deed::Pinch { .. } => Demand::Pointing,
        _ => Demand::of(action),
    }
}
