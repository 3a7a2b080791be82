//! Every state of a life; lives before what nobody may look into, and before what is only a picture.

use super::*;
use uiap_protocol::capability::ExecutionMode;
use uiap_runtime::gate::Opaque;

#[test]
fn what_is_closed_to_agents_is_left_alone_also_by_recovery_and_by_pictures() {
    proves!["ACT-13.2-3"];
    for (opaque, code) in
        [(Opaque::Foreign, "cross_origin_unavailable"), (Opaque::Closed, "closed_shadow_unavailable")]
    {
        let mut life = Life::new(|plan| plan.modes.push(ExecutionMode::VisionAssist));
        life.answer(10, found("el_1"));
        life.since();
        life.answer(20, Answer::Checked(Some(LiveFacts { opaque: Some(opaque), ..facts() })));
        assert_eq!(life.since(), format!("record outcome\nresult failed none {code} retryable=true"));
    }
}

/// A life before a target that is only a picture.
fn pictured(change: impl FnOnce(&mut Plan)) -> Life {
    let mut life = Life::new(change);
    life.answer(10, found("el_1"));
    life.since();
    life.answer(20, picture());
    life
}

fn picture() -> Answer {
    Answer::Checked(Some(LiveFacts { opaque: Some(Opaque::Picture), ..facts() }))
}

/// A verdict that leaves these ways.
fn permits(modes: &[ExecutionMode]) -> Answer {
    let mut answer = verdict(PolicyEffect::Allow);
    if let Answer::Decided(verdict) = &mut answer {
        verdict.modes = modes.to_vec();
    }
    answer
}

#[test]
fn what_is_only_a_picture_is_done_by_looking_at_it_and_a_person_agrees() {
    proves!["ACT-10.5-1"];
    let sees = |plan: &mut Plan| plan.modes.push(ExecutionMode::VisionAssist);
    let mut life = pictured(sees);
    let candidates = life.action.as_ref().expect("an action").candidates();
    assert_eq!(candidates, [ExecutionMode::VisionAssist], "nothing else leads into a picture");
    life.answer(30, permits(&candidates)).answer(40, Answer::Granted).answer(50, picture());
    assert_snapshot!(life.since(), @r"
    ask decide
    progress awaiting_confirmation
    ask confirm safe
    progress checking_preconditions
    ask check
    progress executing
    record intent consented=true
    watch
    ask dispatch visionAssist
    ");
    let mut forbidden = pictured(sees);
    forbidden.answer(30, permits(&[ExecutionMode::SemanticUi]));
    assert!(forbidden.since().ends_with("result failed none execution_mode_unavailable retryable=true"));
    let mut blind = pictured(|_| {});
    assert!(blind.since().ends_with("result failed none target_not_interactable retryable=true"));
    let mut covered = Life::new(sees);
    let veiled =
        LiveFacts { opaque: Some(Opaque::Picture), covered_by: Some("a veil".to_owned()), ..facts() };
    covered.answer(10, found("el_1")).answer(20, Answer::Checked(Some(veiled)));
    assert!(covered.since().ends_with("progress recovering\nask reveal"), "what lies over it counts");
}

#[test]
fn a_picture_is_looked_at_last() {
    proves!["ACT-10.5-1"];
    let not = || Answer::Delivered(Delivery::NotDelivered { reason: "no handler".to_owned() });
    let modes = [ExecutionMode::SemanticUi, ExecutionMode::VisionAssist];
    let mut life = Life::new(|plan| plan.modes = modes.to_vec());
    life.answer(10, found("el_1")).answer(20, fine()).answer(30, permits(&modes));
    assert!(life.since().ends_with("ask dispatch semanticUi"));
    life.answer(40, not()).answer(50, fine());
    assert_snapshot!(life.since(), @r"
    progress checking_preconditions
    ask check
    progress awaiting_confirmation
    ask confirm safe
    ");
    life.answer(60, Answer::Granted).answer(70, fine());
    assert!(life.since().ends_with("ask dispatch visionAssist"));
}

#[test]
fn an_action_is_in_one_of_eleven_states() {
    proves!["ACT-4-1"];
    let mut lives =
        [Life::new(|_| {}), Life::dispatched(|_| {}), Life::dispatched(|_| {}), Life::new(|_| {})];
    let [asked, done, handed, stopped] = &mut lives;
    asked.answer(10, found("el_1")).answer(20, gone()).answer(30, found("el_2")).answer(40, fine());
    asked.answer(50, verdict(PolicyEffect::Confirm)).answer(60, Answer::Denied { reason: None });
    done.answer(40, delivered()).tell(60, seen(true)).tell(560, Event::Woke);
    handed.answer(40, Answer::Delivered(Delivery::NeedsUser { note: "Please.".to_owned() }));
    handed.tell(40 + USER_WAIT_MS_MAX, Event::Woke);
    stopped.tell(5, Event::Cancel { reason: None });
    let traces = lives.iter().flat_map(|life| life.action.iter().flat_map(Action::trace));
    let mut states: Vec<_> = traces.map(|step| step.state.as_str()).collect();
    states.sort_unstable();
    states.dedup();
    assert_eq!(
        states.join(" "),
        "AWAITING_CONFIRMATION CANCELLED CHECKING_PRECONDITIONS EXECUTING FAILED RECEIVED RECOVERING \
         RESOLVING_TARGET SUCCEEDED VERIFYING WAITING_FOR_USER"
    );
}
