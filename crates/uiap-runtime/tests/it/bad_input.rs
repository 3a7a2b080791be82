//! Bad requests and bad words, given to a whole runtime: each is told what is wrong, nothing is dispatched, nothing is
//! left behind.

#![expect(clippy::expect_used, reason = "a test that cannot start has failed")]

use serde_json::Value;
use std::collections::HashSet;
use std::sync::Arc;
use uiap_protocol::action::{ActionRequest, ActionStatus, SideEffectState};
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::ActionHandle;
use uiap_protocol::text::{Format, Limits, Node, read};
use uiap_protocol::wire::accept;
use uiap_runtime::consent::GrantToken;
use uiap_runtime::journal::Journal;
use uiap_runtime::life::Message;
use uiap_runtime::shell::{IN_FLIGHT_MAX, Load, WordError};
use uiap_testkit::simulation::{
    Bench, Call, Ear, House, Proof, SlowJournal, THINGS, Trouble, View, What, Wish, World,
};
use uiap_testkit::{Faults, MemoryJournal, proves};

const IDLE: Load = Load { under_way: 0, open_grants: 0, turn_free: true };

fn bench() -> Arc<Bench> {
    bench_with(&Arc::new(MemoryJournal::default()))
}

fn bench_with(shelf: &Arc<MemoryJournal>) -> Arc<Bench> {
    let world = World::new(1, View::new(false), Trouble::default());
    let journal = SlowJournal::new(Arc::clone(shelf), 1, 0);
    Arc::new(Bench::new(1, &House::default(), &world, shelf, journal).expect("a sound house"))
}

fn wish(what: What, place: usize, key: Option<u64>) -> ActionRequest {
    let wish = Wish { what, place, by_row: false, proof: Proof::Word, key, timeout_ms: None };
    wish.request().expect("a sound wish")
}

fn handle(name: &str) -> ActionHandle {
    ActionHandle::new(name).expect("an id")
}

/// How a request ends that nothing may come of, in two words.
async fn end_of(bench: &Bench, request: &Value) -> String {
    let Ok(request) = accept::<ActionRequest>(&Node::from_json(request)) else {
        return "malformed".to_owned();
    };
    let (ear, _calls) = Ear::new(&bench.world);
    match bench.runtime.act(&request, &ear).await {
        Err(refusal) => {
            assert_eq!(ear.heard(), [], "whoever is refused has no handle");
            format!("refused {}", refusal.code.as_str())
        }
        Ok(result) => {
            let said = ear.heard();
            assert!(matches!(said.first(), Some(Message::Accepted(_))), "{said:?}");
            assert!(matches!(said.last(), Some(Message::Result(_))), "{said:?}");
            assert_eq!(result.side_effect_state, Some(SideEffectState::None));
            format!("{} {}", result.status, result.error.as_ref().map_or("-", |error| error.code.as_str()))
        }
    }
}

#[tokio::test(start_paused = true)]
async fn a_bad_request_is_told_what_is_wrong_and_leaves_nothing_behind() {
    proves!["ACT-8.2-8"];
    let text = include_str!("../../../../spec/cases/shell/bad-input.yaml");
    let file = read(text, Format::Yaml, Limits::DOCUMENT).expect("well-formed YAML").to_json();
    let cases = file.get("cases").and_then(Value::as_array).expect("cases");
    for case in cases {
        let text = |name: &str| case.get(name).and_then(Value::as_str);
        let expected = match (text("refused"), text("failed")) {
            (Some(code), _) => format!("refused {code}"),
            (None, Some(code)) => format!("failed {code}"),
            (None, None) => "malformed".to_owned(),
        };
        let bench = bench();
        let what = text("what").expect("a case says what it is about");
        assert_eq!(end_of(&bench, case.get("request").expect("a request")).await, expected, "{what}");
        assert_eq!(bench.world.times_reached(), 0, "{what}");
        assert_eq!(bench.runtime.load(), IDLE, "{what}");
        assert_eq!(bench.runtime.journal().open_actions().await.expect("a journal"), [], "{what}");
    }
}

#[tokio::test(start_paused = true)]
async fn words_about_what_is_not_under_way_are_refused() {
    let bench = bench();
    let (ear, _calls) = Ear::new(&bench.world);
    let done = bench.runtime.act(&wish(What::Press, 0, None), &ear).await.expect("a result");
    assert_eq!(done.status, ActionStatus::Succeeded, "{done:?}");
    let token = GrantToken { nonce: [1; 16], expires_at: u64::MAX, mac: [1; 32] };
    for handle in [done.action_handle.clone(), handle("act_0"), handle("nobody")] {
        let gone = WordError::NotUnderWay { handle: handle.clone() };
        assert_eq!(bench.runtime.cancel(&handle, None), Err(gone.clone()));
        assert_eq!(bench.runtime.deny(&handle, None), Err(gone.clone()));
        assert_eq!(bench.runtime.user_acted(&handle, PeerRole::User), Err(gone.clone()));
        let granted = bench.runtime.grant(&handle, token.clone(), PeerRole::User).await;
        assert_eq!(granted, Err(gone));
    }
    let kept = bench.runtime.journal().find(&done.action_handle).await.expect("a journal").expect("kept");
    assert_eq!(kept.result, Some(done), "what has ended stays as it ended");
    assert_eq!((bench.world.times_reached(), bench.runtime.load()), (1, IDLE));
}

/// Writes of an action that nobody is asked about: it is taken in, is about to happen, has happened.
const RESULT_WRITE: u64 = 3;

#[tokio::test(start_paused = true)]
async fn a_result_that_the_journal_did_not_take_is_given_to_it_before_anything_else() {
    let shelf = Arc::new(MemoryJournal::default());
    let first = shelf.writes() + RESULT_WRITE;
    shelf.inject(Faults { failing: first..first + 2, die_after: None });
    let bench = bench_with(&shelf);
    let (ear, _calls) = Ear::new(&bench.world);
    let request = wish(What::Press, 0, Some(1));
    let done = bench.runtime.act(&request, &ear).await.expect("a result");
    assert_eq!(done.status, ActionStatus::Succeeded, "{done:?}");
    let kept = shelf.find(&done.action_handle).await.expect("a journal").expect("kept");
    assert_eq!(kept.result, None, "the writes of the result failed");

    let again = bench.runtime.act(&request, &ear).await.expect("the same result");
    assert_eq!(again, done);
    assert_eq!((bench.world.times_reached(), bench.runtime.load()), (1, IDLE));
}

#[tokio::test(start_paused = true)]
async fn words_that_do_not_fit_the_moment_change_nothing() {
    let bench = bench();
    let (ear, mut calls) = Ear::new(&bench.world);
    let acting = {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move { bench.runtime.act(&wish(What::Drop, 1, None), &ear).await })
    };
    let question = loop {
        match calls.recv().await.expect("somebody is asked") {
            Call::Asks(question) => break question,
            // It asks nobody yet.
            Call::Begun(handle) => {
                let token = GrantToken { nonce: [0; 16], expires_at: 1, mac: [0; 32] };
                let early = bench.runtime.grant(&handle, token, PeerRole::User).await;
                assert_eq!(early, Err(WordError::NotAsked { handle: handle.clone() }));
                bench.runtime.deny(&handle, None).expect("taken, and of no account");
            }
            Call::Waits(handle) => panic!("{handle} waits for a person"),
        }
    };
    let handle = question.request.action_handle.clone();
    bench.runtime.user_acted(&handle, PeerRole::User).expect("taken, and of no account");
    for liar in [PeerRole::Agent, PeerRole::App, PeerRole::Bridge, PeerRole::Observer, PeerRole::System] {
        let refused = WordError::NotThePerson { handle: handle.clone() };
        assert_eq!(bench.runtime.user_acted(&handle, liar), Err(refused));
    }
    bench.world.agree(&handle, 1);
    bench.runtime.grant(&handle, question.token, PeerRole::User).await.expect("the right agreement");
    let result = acting.await.expect("no panic").expect("a result");
    assert_eq!(result.status, ActionStatus::Succeeded, "{result:?}");
    assert_eq!((bench.world.times_reached(), bench.runtime.load()), (1, IDLE));
}

#[tokio::test(start_paused = true)]
async fn where_a_session_has_ended_nothing_is_begun_and_what_was_begun_stops() {
    proves!["ACT-9.1-1"];
    let bench = bench();
    let (ear, mut calls) = Ear::new(&bench.world);
    let acting = {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move { bench.runtime.act(&wish(What::Drop, 1, None), &ear).await })
    };
    while !matches!(calls.recv().await.expect("somebody is asked"), Call::Asks(_)) {}
    bench.runtime.close("the session was ended");
    let result = acting.await.expect("no panic").expect("a result");
    assert_eq!(result.status, ActionStatus::Cancelled, "{result:?}");
    assert_eq!(result.error.map(|error| error.message).as_deref(), Some("the session was ended"));
    let request = serde_json::to_value(wish(What::Press, 0, None)).expect("JSON");
    assert_eq!(end_of(&bench, &request).await, "refused session_not_active");
    assert_eq!((bench.world.times_reached(), bench.runtime.load()), (0, IDLE));
}

#[tokio::test(start_paused = true)]
async fn a_flood_of_words_is_bounded() {
    let bench = bench();
    let (ear, mut calls) = Ear::new(&bench.world);
    let acting = {
        let bench = Arc::clone(&bench);
        tokio::spawn(async move { bench.runtime.act(&wish(What::Drop, 1, None), &ear).await })
    };
    let handle = loop {
        if let Call::Asks(question) = calls.recv().await.expect("somebody is asked") {
            break question.request.action_handle;
        }
    };
    let taken = (0..1_000).filter(|_| bench.runtime.user_acted(&handle, PeerRole::User).is_ok()).count();
    assert!(taken < 100, "{taken} words wait");
    assert_eq!(bench.runtime.deny(&handle, None), Err(WordError::Busy { handle: handle.clone() }));
    tokio::task::yield_now().await;
    bench.runtime.deny(&handle, None).expect("there is room again");
    let result = acting.await.expect("no panic").expect("a result");
    assert_eq!(result.status, ActionStatus::Cancelled, "{result:?}");
    assert_eq!((bench.world.times_reached(), bench.runtime.load()), (0, IDLE));
}

#[tokio::test(start_paused = true)]
async fn a_thousand_requests_at_once_are_bounded_and_harm_nobody() {
    proves!["ACT-5.1-6"];
    let bench = bench();
    let mut acting = tokio::task::JoinSet::new();
    for number in 0..1_000_u64 {
        let bench = Arc::clone(&bench);
        let place = usize::try_from(number).expect("small") % THINGS;
        acting.spawn(async move {
            let (ear, _calls) = Ear::new(&bench.world);
            let request =
                ActionRequest { timeout_ms: Some(600_000), ..wish(What::Press, place, Some(number)) };
            bench.runtime.act(&request, &ear).await
        });
    }
    let (mut done, mut limited) = (0, 0);
    let mut handles = HashSet::new();
    while let Some(ended) = acting.join_next().await {
        match ended.expect("no panic") {
            Ok(result) => {
                assert_eq!(result.status, ActionStatus::Succeeded, "{result:?}");
                assert!(handles.insert(result.action_handle.clone()), "{} twice", result.action_handle);
                done += 1;
            }
            Err(refusal) => {
                assert_eq!(refusal.code.as_str(), "rate_limited");
                limited += 1;
            }
        }
    }
    assert_eq!((done, limited), (IN_FLIGHT_MAX, 1_000 - IN_FLIGHT_MAX));
    assert_eq!((bench.world.times_reached(), bench.runtime.load()), (IN_FLIGHT_MAX, IDLE));
    let (ear, _calls) = Ear::new(&bench.world);
    bench.runtime.act(&wish(What::Press, 0, Some(2_000)), &ear).await.expect("there is room again");
}
