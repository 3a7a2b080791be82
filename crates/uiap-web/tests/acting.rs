//! Whole actions on real pages: requested, checked, done, verified, told.

mod support;

use serde_json::json;
use support::acting::*;
use uiap_runtime::journal::{Journal as _, Tally};

#[tokio::test]
async fn what_happens_is_verified() {
    uiap_testkit::proves!["ACT-2-1", "ACT-5.1-4", "ACT-9.1-4"];
    let act = Act::on(
        "<!doctype html><title>Shop</title><button onclick='this.nextElementSibling.textContent = `Opened`'>Open</button><p role=status></p>",
    )
    .await;
    let went = act.act(on("ui.activate", "button", "Open")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    assert_eq!(
        went.said,
        [
            "accepted",
            "resolving_target",
            "checking_preconditions",
            "executing",
            "verifying",
            "result succeeded"
        ]
    );
}

#[tokio::test]
async fn what_does_not_happen_is_said_so() {
    let act = Act::on("<!doctype html><button>Idle</button>").await;
    let mut request = on("ui.activate", "button", "Idle");
    request["verification"] = json!({ "timeoutMs": 500 });
    let went = act.act(request).await;
    assert_eq!(went.sum(), "failed unknown verification_failed", "{:?}", went.result);
}

#[tokio::test]
async fn a_text_is_entered_and_read_back() {
    let act = Act::on("<!doctype html><label>Name <input></label>").await;
    let went = act.act(with("ui.enterText", "textbox", "Name", json!({ "text": "Ada" }))).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    assert_eq!(act.read("document.querySelector('input').value").await, "Ada");
    let went = act.act(with("ui.enterText", "textbox", "Name", json!({ "text": "Ada" }))).await;
    assert_eq!(went.sum(), "succeeded none", "{:?}", went.result);
}

#[tokio::test]
async fn a_risky_deed_waits_for_the_person() {
    const PAGE: &str = "<!doctype html><button onclick='this.remove()'>Delete account</button>";
    uiap_testkit::proves!["ACT-2-2", "ACT-5.5-2", "ACT-5.5-4", "ACT-6.4-5", "ACT-16-5"];
    let act = Act::on(PAGE).await;
    let went = act.act_before(Person::Refuses, on("ui.activate", "button", "Delete account")).await;
    assert_eq!(went.sum(), "cancelled none confirmation_denied", "{:?}", went.result);
    assert_eq!(act.read("document.querySelectorAll('button').length").await, 1);
    let went = act.act(on("ui.activate", "button", "Delete account")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    assert_eq!(went.asked.len(), 1);
    assert_eq!(act.read("document.querySelectorAll('button').length").await, 0);
}

#[tokio::test]
async fn a_press_that_leads_elsewhere_is_verified_there() {
    let site = support::Site::start(|path, _| {
        support::Reply::Page(match path {
            "/" => "<!doctype html><title>Here</title><a href='/there'>Go there</a>".to_owned(),
            _ => "<!doctype html><title>There</title><h1>There</h1>".to_owned(),
        })
    })
    .await;
    let act = Act::at(site).await;
    let went = act.act(on("ui.activate", "link", "Go there")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
}

#[tokio::test]
async fn a_slider_is_brought_to_its_number() {
    uiap_testkit::proves!["R008-5.1", "R008-11.1", "R009-9.1", "R007-3.6"];
    let act =
        Act::on("<!doctype html><label>Volume <input type=range min=0 max=100 step=5 value=20></label>")
            .await;
    let went = act.act(with("ui.setValue", "slider", "Volume", json!({ "value": 65 }))).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    let result = went.result.unwrap();
    // Found, checked, set, read back: in this order, by its value and by no pointer.
    let trace = act.runtime.journal().trace(&result.action_handle).await.unwrap().unwrap();
    let reached: Vec<_> = trace.steps.iter().filter_map(|step| Some(step.milestone?.word())).collect();
    assert_eq!(reached, ["resolved", "dispatched", "pending_verification", "verified"]);
    let mut tally = Tally::default();
    tally.add(&result, Some(&trace));
    assert_eq!((tally.dispatched, tally.by_pointer, tally.adjusted_at_once), (1, 0, 1));
    let value = result.return_value.unwrap();
    assert_eq!((&value["before"], &value["target"]), (&json!(20.0), &json!(65.0)));
    assert_eq!((&value["after"], &value["residual"]), (&json!(65.0), &json!(0.0)));
    assert_eq!((&value["converged"], &value["mode"]), (&json!(true), &json!("direct")));
    assert_eq!((&value["degraded"], &value["attempts"]), (&json!(false), &json!(1)));
    assert_eq!(act.read("document.querySelector('input').value").await, "65");
    // 67 lies between two steps: nobody may say that it was reached.
    let mut request = with("ui.setValue", "slider", "Volume", json!({ "value": 67 }));
    request["verification"] = json!({ "timeoutMs": 500 });
    let went = act.act(request).await;
    assert_eq!(went.sum(), "failed unknown verification_failed", "{:?}", went.result);
    let result = went.result.unwrap();
    let detail = result.error.unwrap().detail.unwrap();
    assert_eq!(
        (&detail["class"], &detail["family"]),
        (&json!("not_converged"), &json!("control_convergence"))
    );
    let value = result.return_value.unwrap();
    assert_eq!((&value["converged"], &value["residual"]), (&json!(false), &json!(2.0)));
    let went = act.act(with("ui.setValue", "slider", "Volume", json!({ "value": 72, "tolerance": 3 }))).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
}

#[tokio::test]
async fn what_is_read_leaves_no_trace() {
    let act = Act::on(
        "<!doctype html><label>City <input value=Bern></label><label>Code <input type=password value=geheim></label>",
    )
    .await;
    let went = act.act(on("ui.read", "textbox", "City")).await;
    assert_eq!(went.sum(), "succeeded none", "{:?}", went.result);
    assert_eq!(went.result.unwrap().return_value.unwrap()["value"], "Bern");
    let went = act.act(on("ui.read", "textbox", "Code")).await;
    assert!(!format!("{:?}", went.result).contains("geheim"));
}

#[tokio::test]
async fn a_refusal_of_the_server_speaks_against_a_plausible_change() {
    let site = support::Site::start(|path, _| match path {
        "/" => support::Reply::Page(
            "<!doctype html><button onclick='state.textContent = `Working`;
                fetch(`/save`, { method: `POST` }).finally(() => { state.textContent = `Done` })'>Store</button>
            <p role=status id=state></p>"
                .to_owned(),
        ),
        _ => support::Reply::Status(500, "no"),
    })
    .await;
    let act = Act::at(site).await;
    let mut request = on("ui.activate", "button", "Store");
    request["verification"] = json!({ "timeoutMs": 700 });
    let went = act.act(request).await;
    assert_eq!(went.sum(), "failed unknown verification_failed", "{:?}", went.result);
}

#[tokio::test]
async fn an_action_of_the_application_is_done_by_the_application() {
    uiap_testkit::proves!["ACT-10.1-1", "ACT-10.1-2", "ACT-11.15-1", "ACT-12.1-1"];
    let act = Act::on(
        "<!doctype html><title>Notes</title><ul></ul><script>
        (globalThis.uiap ??= []).push(['registerAction', {
            id: 'note.rename', kind: 'domain', targetKinds: ['none'], executionModes: ['appAction', 'semanticUi'],
            args: [{ name: 'text', type: 'string', required: true }], risk: { level: 'safe' },
            success: [{ kind: 'toast.contains', text: 'renamed' }],
        }, ({ text }) => {
            document.querySelector('ul').insertAdjacentHTML('beforeend', '<li></li>');
            document.querySelector('li:last-child').textContent = text;
            if (text === 'silent') return { done: true };
            document.body.insertAdjacentHTML('beforeend', '<div role=status class=toast></div>');
            const toast = document.querySelector('.toast:last-child');
            requestAnimationFrame(() => { toast.textContent = 'Note renamed'; });
            return { done: true };
        }]);
        </script>",
    )
    .await;
    let ask = |text: &str| json!({ "actionId": "note.rename", "args": { "text": text }, "verification": { "timeoutMs": 700 } });
    let went = act.act(ask("Milk")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    assert_eq!(act.read("document.querySelector('li').textContent").await, "Milk");
    let invoked =
        json!({ "actionId": "app.invoke", "args": { "action": "note.rename", "args": { "text": "Eggs" } } });
    let went = act.act(invoked).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    // The application says that it is done, but what its descriptor promises is not to be seen.
    let went = act.act(ask("silent")).await;
    assert_eq!(went.sum(), "failed applied verification_failed", "{:?}", went.result);
    let went = act.act(json!({ "actionId": "note.rename", "args": { "text": 5 } })).await;
    assert_eq!(went.sum(), "refused invalid_payload", "{:?}", went.result);
    assert_eq!(act.read("document.querySelectorAll('li').length").await, 3);
}

#[tokio::test]
async fn what_is_shown_changes_nothing() {
    const PAGE: &str =
        "<!doctype html><button onclick='this.textContent = `Pressed`'>Press</button><button>Idle</button>";
    uiap_testkit::proves!["ACT-2-3", "ACT-3-6"];
    let act = Act::on(PAGE).await;
    let hints =
        json!({ "ghostCursor": true, "highlight": "spotlight", "narration": "Watch", "pace": "humanized" });
    let mut request = on("ui.activate", "button", "Press");
    request["presentation"] = hints.clone();
    let went = act.act(request).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    let mut request = on("ui.activate", "button", "Idle");
    request["presentation"] = hints;
    request["verification"] = json!({ "timeoutMs": 400 });
    let went = act.act(request).await;
    assert_eq!(went.sum(), "failed unknown verification_failed", "{:?}", went.result);
}

#[tokio::test]
async fn an_answer_that_the_page_does_not_read_holds_nothing_up() {
    let site = support::Site::start(|path, _| {
        support::Reply::Page(match path {
            "/" => "<!doctype html><button onclick='fetch(`/keep`, { method: `POST` }).then((answer) => { \
                    if (answer.ok) this.nextElementSibling.textContent = `Kept`; })'>Keep</button><p role=status></p>"
                .to_owned(),
            _ => "kept".to_owned(),
        })
    })
    .await;
    let act = Act::at(site).await;
    let went = act.act(on("ui.activate", "button", "Keep")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
}

#[tokio::test]
async fn another_page_that_opens_is_an_effect() {
    let act = Act::on("<!doctype html><a href='/more' target=_blank>More</a>").await;
    let went = act.act(on("ui.activate", "link", "More")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
}

#[tokio::test]
async fn a_form_that_the_browser_keeps_back_is_no_success() {
    let act =
        Act::on("<!doctype html><form><input required aria-label=City><button>Continue</button></form>")
            .await;
    let mut request = on("ui.activate", "button", "Continue");
    request["verification"] = json!({ "timeoutMs": 500 });
    let went = act.act(request).await;
    assert!(went.sum().starts_with("failed"), "{:?}", went.result);
}

#[tokio::test]
async fn what_changes_late_or_between_two_requests_is_seen_as_it_is() {
    uiap_testkit::proves!["R019-5", "R010-7.2"];
    let site = support::Site::start(|path, _| {
        support::Reply::Page(match path {
            "/" => "<!doctype html><title>Late</title><script>
                ask = (after) => fetch('/answer').then(() => setTimeout(() => { said.textContent = `Came after ${after}` }, after));
                </script><button onclick='ask(100)'>Soon</button><button onclick='ask(1500)'>Later</button>
                <button id=other onclick='said.textContent = `Other`'>Before</button><p role=status id=said></p>"
                .to_owned(),
            _ => "yes".to_owned(),
        })
    })
    .await;
    let act = Act::at(site).await;
    for (name, after) in [("Soon", "100"), ("Later", "1500")] {
        let went = act.act(on("ui.activate", "button", name)).await;
        assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
        assert_eq!(act.read("said.textContent").await, format!("Came after {after}"));
        let result = went.result.unwrap();
        let trace = act.runtime.journal().trace(&result.action_handle).await.unwrap().unwrap();
        let shown = |name: &str| {
            trace.steps.iter().find_map(|step| step.evidence.as_ref()?.get(name).cloned()).unwrap()
        };
        assert_ne!(shown("revision"), shown("baseline"), "the proof is newer than the deed");
    }
    // Nobody tells the runtime to look: the page renames its button, and the next request means the new one.
    act.read("other.textContent = 'After', 1").await;
    let went = act.act(on("ui.activate", "button", "Before")).await;
    assert_eq!(went.sum(), "failed none target_not_found", "{:?}", went.result);
    let went = act.act(on("ui.activate", "button", "After")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
}

#[tokio::test]
async fn nothing_but_the_network_is_no_proof() {
    uiap_testkit::proves!["R003-4.1"];
    let site =
        support::Site::start(|path, _| {
            support::Reply::Page(match path {
            "/" => "<!doctype html><title>Quiet</title><button onclick='fetch(`/saved`, { method: `POST` }); \
                    console.log(`saved`)'>Store</button>"
                .to_owned(),
            _ => "ok".to_owned(),
        })
        })
        .await;
    let act = Act::at(site).await;
    let mut request = on("ui.activate", "button", "Store");
    request["verification"] = json!({ "timeoutMs": 700 });
    let went = act.act(request).await;
    assert_eq!(went.sum(), "failed unknown verification_failed", "{:?}", went.result);
    let detail = went.result.unwrap().error.unwrap().detail.unwrap();
    assert_eq!(detail["class"], "no_change");
}

#[tokio::test]
async fn what_a_rule_recognises_needs_no_pointer() {
    uiap_testkit::proves!["R009-3.6"];
    let act = Act::on(
        "<!doctype html><title>Own</title><style>.card { cursor: pointer }</style>
        <div class=card onclick='said.textContent = `Opened`'><b>Film</b> <i>About it</i></div>
        <div onclick='said.textContent = `Pressed`'>Plain</div><p role=status id=said></p>
        <script>pointed = 0; addEventListener('pointerdown', () => { pointed += 1 }, true);</script>",
    )
    .await;
    let mut tally = Tally::default();
    for name in ["Film About it", "Plain"] {
        let went = act.act(on("ui.activate", "custom", name)).await;
        assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
        tally.add(&went.result.unwrap(), None);
    }
    assert_eq!((tally.dispatched, tally.by_pointer), (2, 0));
    assert_eq!((tally.custom, tally.custom_succeeded), (2, 2));
    assert_eq!(act.read("pointed").await, 0);
}
