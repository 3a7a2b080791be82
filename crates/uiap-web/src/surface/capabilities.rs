//! What pages can show here and what can be done on them, as a document that is true of what runs.
//!
//! Start at [`capabilities`]. Whatever is left out is named here with its reason; a test holds the document against
//! real pages, in both directions.

use uiap_protocol::capability::{
    ActionDescriptor, Affordance, CapabilityDocument, DescribedKind, ExecutionMode, PrimitiveAction,
    RiskDescriptor, RiskLevel, RiskTag, Role, SignalKind, StateKey, TargetKind,
};
use uiap_protocol::ids::{ActionId, BadForm, ModelVersion, ProfileId};
use uiap_protocol::web::WebProfile;
use uiap_protocol::wire::JsonObject;
use uiap_runtime::catalogue::{Aimed, Native};

/// Keys that pages do not publish: where the pointer is and what it drags is not a state of the page, and a
/// description is a member of the element itself.
const UNPUBLISHED: [StateKey; 3] = [StateKey::Hovered, StateKey::Dragged, StateKey::Description];
/// What markup does not tell: where something can be scrolled, dragged, dropped or resized.
const UNTOLD: [Affordance; 4] = [Affordance::Scroll, Affordance::Drag, Affordance::Drop, Affordance::Resize];

/// Ways that every runtime knows and no page has, or in which nobody could tell whether it worked.
const UNFIT: [(Native, ExecutionMode); 10] = [
    (Native::Primitive(PrimitiveAction::Focus), ExecutionMode::ExternalDriver),
    (Native::Primitive(PrimitiveAction::Focus), ExecutionMode::InputSynthesis),
    (Native::Primitive(PrimitiveAction::Highlight), ExecutionMode::SemanticUi),
    (Native::Primitive(PrimitiveAction::Hover), ExecutionMode::InputSynthesis),
    (Native::Primitive(PrimitiveAction::ScrollIntoView), ExecutionMode::ExternalDriver),
    (Native::Primitive(PrimitiveAction::ScrollIntoView), ExecutionMode::InputSynthesis),
    (Native::Primitive(PrimitiveAction::SetValue), ExecutionMode::InputSynthesis),
    (Native::Primitive(PrimitiveAction::Upload), ExecutionMode::SemanticUi),
    (Native::LongPress, ExecutionMode::InputSynthesis),
    (Native::Pinch, ExecutionMode::InputSynthesis),
];

/// The capabilities of every page that can be acted on in these ways, and the actions that the application in one of
/// them offers.
pub(crate) fn capabilities(
    modes: &[ExecutionMode],
    offered: impl IntoIterator<Item = ActionDescriptor>,
) -> Result<CapabilityDocument, BadForm> {
    let native: Vec<_> = Native::words().filter_map(|id| described(id, modes)).collect::<Result<_, _>>()?;
    Ok(CapabilityDocument {
        model_version: ModelVersion,
        profile: ProfileId::new(WebProfile::TEXT)?,
        roles: words(Role::WORDS, Role::from_word, &[]),
        state_keys: words(StateKey::WORDS, StateKey::from_word, &UNPUBLISHED),
        affordances: words(Affordance::WORDS, Affordance::from_word, &UNTOLD),
        actions: native.into_iter().chain(offered).collect(),
        risk_levels: words(RiskLevel::WORDS, RiskLevel::from_word, &[]),
        risk_tags: Some(words(RiskTag::WORDS, RiskTag::from_word, &[])),
        success_signal_kinds: words(SignalKind::WORDS, SignalKind::from_word, &[]),
        metadata: None,
        extra: JsonObject::new(),
    })
}

fn words<W: PartialEq>(words: &[&str], read: impl Fn(&str) -> Option<W>, without: &[W]) -> Vec<W> {
    words.iter().filter_map(|word| read(word)).filter(|word| !without.contains(word)).collect()
}

/// An action of every page, in the ways in which it can be carried out here; nothing if there is none.
fn described(id: &str, modes: &[ExecutionMode]) -> Option<Result<ActionDescriptor, BadForm>> {
    let native = Native::from_word(id)?;
    let fits = |mode: &ExecutionMode| modes.contains(mode) && !UNFIT.contains(&(native, *mode));
    let execution_modes: Vec<_> = native.modes().iter().copied().filter(fits).collect();
    if execution_modes.is_empty() {
        return None;
    }
    let kind = match native {
        Native::Primitive(_) => DescribedKind::Primitive,
        Native::LongPress | Native::Pinch => DescribedKind::Domain,
    };
    let target_kinds = match native.aimed() {
        Aimed::Always => vec![TargetKind::Element],
        Aimed::Maybe => vec![TargetKind::None, TargetKind::Element],
    };
    Some(ActionId::new(id).map(|id| ActionDescriptor {
        id,
        kind,
        title: None,
        description: None,
        target_kinds,
        required_affordances: None,
        execution_modes,
        args: None,
        idempotency: None,
        risk: RiskDescriptor { level: RiskLevel::Safe, tags: None, reason: None, extra: JsonObject::new() },
        success: None,
        metadata: None,
        extra: JsonObject::new(),
    }))
}
