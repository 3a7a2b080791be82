//! Whole actions on real pages: requested, checked, done, verified, told.

use crate::support::acting::*;
use serde_json::json;
use uiap_protocol::capability::{Affordance, RiskTag, StateKey};
use uiap_protocol::web::{Reach, SnapshotOptions};
use uiap_runtime::journal::{Journal as _, Tally};
use uiap_web::Check;

#[tokio::test]
async fn what_happens_is_verified() {
    // The page knows nothing of UIAP: the browser is driven from outside.
    uiap_testkit::proves!["ACT-1-1", "ACT-2-1", "ACT-5.1-4", "ACT-9.1-4", "SDK-7"];
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
async fn a_level_of_risk_says_who_decides() {
    const PAGE: &str = "<!doctype html><script>presses = []; press = (one) => { presses.push(one.id); one.textContent = `Done`; }</script>
        <button id=safe onclick='press(this)'>Plain</button>
        <button id=confirm onclick='press(this)' data-uiap-risk=confirm>Careful</button>
        <button id=blocked onclick='press(this)' data-uiap-risk=blocked>Never</button>";
    uiap_testkit::proves!["CAP-8-1", "CAP-8-4", "CAP-8-5"];
    let act = Act::on(PAGE).await;
    let pressed = async || act.read("presses.join()").await;
    // Safe: nobody is asked.
    let went = act.act_before(Person::Refuses, on("ui.activate", "button", "Plain")).await;
    assert_eq!((went.sum().as_str(), went.asked.len()), ("succeeded applied", 0), "{:?}", went.result);
    // Confirm: nothing happens before a person agreed.
    let went = act.act_before(Person::Refuses, on("ui.activate", "button", "Careful")).await;
    assert_eq!((went.sum().as_str(), went.asked.len()), ("cancelled none confirmation_denied", 1));
    assert_eq!(pressed().await, "safe");
    let went = act.act(on("ui.activate", "button", "Careful")).await;
    assert_eq!((went.sum().as_str(), went.asked.len()), ("succeeded applied", 1), "{:?}", went.result);
    // Blocked: nobody can agree to it; it is left to the person, who leaves it.
    let went = act.act_before(Person::Refuses, on("ui.activate", "button", "Never")).await;
    assert!(went.said.iter().any(|stage| stage == "waiting_for_user"), "{:?}", went.said);
    assert!(!went.said.iter().any(|stage| stage == "executing"), "{:?}", went.said);
    assert!(went.sum().starts_with("cancelled none") && went.asked.is_empty(), "{:?}", went.result);
    assert_eq!(pressed().await, "safe,confirm");
}

#[tokio::test]
async fn what_an_element_offers_can_be_requested_and_nothing_else() {
    uiap_testkit::proves!["CAP-6-3"];
    let act = Act::on("<!doctype html><button onclick='this.textContent = `Done`'>Do</button>").await;
    let look =
        act.runtime.surface().page().look(&SnapshotOptions::default(), crate::support::soon()).await.unwrap();
    let offers = look.graph.elements[0].affordances.clone().unwrap();
    assert!(offers.contains(&Affordance::Activate) && !offers.contains(&Affordance::Edit), "{offers:?}");
    let went = act.act(with("ui.enterText", "button", "Do", json!({ "text": "x" }))).await;
    assert_eq!(went.sum(), "failed none target_not_interactable", "{:?}", went.result);
    let went = act.act(on("ui.activate", "button", "Do")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
}

#[tokio::test]
async fn what_is_blocked_is_there_and_cannot_be_used() {
    uiap_testkit::proves!["CAP-5-4"];
    let act = Act::on(
        "<!doctype html><button onclick='this.textContent = `Pressed`'>Behind</button><div inert><button>Inert</button></div>
        <dialog id=d aria-label=Ask><button onclick='d.close()'>Close</button></dialog><script>d.showModal()</script>",
    )
    .await;
    let page = act.runtime.surface().page();
    let graph = page.look(&SnapshotOptions::default(), crate::support::soon()).await.unwrap().graph;
    let reach = Reach::of(&graph);
    for name in ["Behind", "Inert"] {
        let element = graph.elements.iter().find(|element| element.name.as_deref() == Some(name)).unwrap();
        assert!(reach.is_blocked(element), "{name}");
        let Ok(Check::Present(facts)) = page.check(&element.instance_id, None, crate::support::soon()).await
        else {
            panic!("{name} is there");
        };
        assert_eq!(facts.state.ui.blocked, Some(true), "{name}");
        let went = act.act(on("ui.activate", "button", name)).await;
        assert_eq!(went.sum(), "failed none target_not_interactable", "{name}: {:?}", went.result);
    }
    assert_eq!(act.act(on("ui.activate", "button", "Close")).await.sum(), "succeeded applied");
    assert_eq!(act.act(on("ui.activate", "button", "Behind")).await.sum(), "succeeded applied");
}

#[tokio::test]
async fn what_is_marked_as_sensitive_has_rules_of_its_own() {
    uiap_testkit::proves!["CAP-5-5", "CAP-SEC-4"];
    let act = Act::on(
        "<!doctype html><label>Code <input type=password value=geheim></label><label>City <input value=Bern></label>",
    )
    .await;
    let page = act.runtime.surface().page();
    let graph = page.look(&SnapshotOptions::default(), crate::support::soon()).await.unwrap().graph;
    let sensitive: Vec<_> = graph.elements.iter().map(|element| element.state.ui.sensitive).collect();
    assert_eq!(sensitive, [Some(true), None]);
    let document = act.runtime.surface().capabilities(crate::support::soon()).await.unwrap();
    assert!(document.state_keys.contains(&StateKey::Sensitive));
    // The same deed on both: only the marked one is asked about, and says why.
    let write = |name| with("ui.enterText", "textbox", name, json!({ "text": "neu" }));
    assert_eq!(act.act(write("City")).await.asked.len(), 0);
    let went = act.act_before(Person::Refuses, write("Code")).await;
    assert_eq!(went.sum(), "cancelled none confirmation_denied", "{:?}", went.result);
    assert_eq!(went.asked[0].risk.tags.as_deref(), Some(&[RiskTag::SensitiveData][..]));
    // And what it holds is not read out.
    let went = act.act(on("ui.read", "textbox", "Code")).await;
    assert!(!format!("{:?}", went.result).contains("geheim"), "{:?}", went.result);
}

#[tokio::test]
async fn nothing_is_done_behind_a_boundary() {
    // Whatever the rules and the person allow.
    uiap_testkit::proves!["WEB-21", "POL-14"];
    let site = crate::support::Site::start(|path, request| {
        let port = request.lines().find_map(|line| line.strip_prefix("Host: ")?.rsplit(':').next()).unwrap();
        crate::support::Reply::Page(match path {
            "/foreign" => "<script>onclick = () => parent.postMessage(1, '*')</script><button>Inside</button>".to_owned(),
            _ => format!(
                "<!doctype html><script>reached = 0; onmessage = () => {{ reached += 1 }}</script>
                <iframe title=Foreign src='http://localhost:{port}/foreign'></iframe><canvas aria-label=Picture></canvas>"
            ),
        })
    })
    .await;
    let act = Act::at(site).await;
    let went = act.act(on("ui.activate", "region", "Foreign")).await;
    assert_eq!(went.sum(), "failed none cross_origin_unavailable", "{:?}", went.result);
    let went = act.act(on("ui.activate", "canvas", "Picture")).await;
    assert_eq!(went.sum(), "failed none target_not_interactable", "{:?}", went.result);
    let went = act.act(on("ui.activate", "button", "Inside")).await;
    assert_eq!(went.sum(), "failed none target_not_found", "{:?}", went.result);
    assert_eq!(act.read("reached").await, 0);
}

#[tokio::test]
async fn a_press_that_leads_elsewhere_is_verified_there() {
    let site = crate::support::Site::start(|path, _| {
        crate::support::Reply::Page(match path {
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
    uiap_testkit::proves!["ACT-11.1-1"];
    let act = Act::on(
        "<!doctype html><label>City <input value=Bern></label><label>Code <input type=password value=geheim></label>",
    )
    .await;
    let went = act.act(on("ui.read", "textbox", "City")).await;
    assert_eq!(went.sum(), "succeeded none", "{:?}", went.result);
    let read = went.result.unwrap().return_value.unwrap();
    assert_eq!(
        (&read["value"], &read["text"], &read["state"]["visible"]),
        (&json!("Bern"), &json!("City"), &json!(true))
    );
    let went = act.act(on("ui.read", "textbox", "Code")).await;
    assert!(!format!("{:?}", went.result).contains("geheim"));
}

#[tokio::test]
async fn a_refusal_of_the_server_speaks_against_a_plausible_change() {
    let site = crate::support::Site::start(|path, _| match path {
        "/" => crate::support::Reply::Page(
            "<!doctype html><button onclick='state.textContent = `Working`;
                fetch(`/save`, { method: `POST` }).finally(() => { state.textContent = `Done` })'>Store</button>
            <p role=status id=state></p>"
                .to_owned(),
        ),
        _ => crate::support::Reply::Status(500, "no"),
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
    uiap_testkit::proves!["ACT-10.1-1", "ACT-10.1-2", "ACT-10.1-3", "ACT-11.15-1", "ACT-12.1-1"];
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
    let ask = |text: &str| json!({ "actionId": "note.rename", "args": { "text": text } });
    let went = act.act(ask("Milk")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    assert_eq!(act.read("document.querySelector('li').textContent").await, "Milk");
    let invoked =
        json!({ "actionId": "app.invoke", "args": { "action": "note.rename", "args": { "text": "Eggs" } } });
    let went = act.act(invoked).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    // The application says that it is done, but what its descriptor promises is not to be seen.
    let mut silent = ask("silent");
    silent["verification"] = json!({ "timeoutMs": 700 });
    let went = act.act(silent).await;
    assert_eq!(went.sum(), "failed applied verification_failed", "{:?}", went.result);
    let went = act.act(json!({ "actionId": "note.rename", "args": { "text": 5 } })).await;
    assert_eq!(went.sum(), "refused invalid_payload", "{:?}", went.result);
    assert_eq!(act.read("document.querySelectorAll('li').length").await, 3);
}

#[tokio::test]
async fn an_action_is_done_only_to_what_offers_what_it_needs() {
    uiap_testkit::proves!["CAP-6-3"];
    let act = Act::on(
        "<!doctype html><title>Notes</title><button>Plain</button><label>Word <input></label><p role=status></p><script>
        window.marks = 0;
        (globalThis.uiap ??= []).push(['registerAction', {
            id: 'note.mark', kind: 'domain', targetKinds: ['element'], requiredAffordances: ['edit'],
            executionModes: ['appAction'], risk: { level: 'safe' },
        }, () => { marks += 1; document.querySelector('p').textContent = 'Marked'; return { done: true }; }]);
        </script>",
    )
    .await;
    let went = act.act(on("note.mark", "button", "Plain")).await;
    assert_eq!(went.sum(), "failed none target_not_interactable", "{:?}", went.result);
    let message = went.result.unwrap().error.unwrap().message;
    assert_eq!(message, "the target does not offer what the action needs: edit");
    assert_eq!(act.read("marks").await, 0);
    let went = act.act(on("note.mark", "textbox", "Word")).await;
    assert_eq!(went.sum(), "succeeded applied", "{:?}", went.result);
    assert_eq!(act.read("marks").await, 1);
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
    let site = crate::support::Site::start(|path, _| {
        crate::support::Reply::Page(match path {
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
    let site = crate::support::Site::start(|path, _| {
        crate::support::Reply::Page(match path {
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
        crate::support::Site::start(|path, _| {
            crate::support::Reply::Page(match path {
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

#[tokio::test]
async fn what_a_page_is_still_building_is_waited_for() {
    let script = "async function build() {
            for (let at = 0; at < 25; at += 1) await (await fetch('/' + at)).text();
            document.body.insertAdjacentHTML('beforeend', '<button>Ready</button>');
        }";
    let act = Act::on(&format!("<button>Other</button><script>{script}</script>")).await;
    act.read("void build()").await;
    let mut ready = on("ui.focus", "button", "Ready");
    ready["timeoutMs"] = json!(30_000);
    let went = act.act(ready).await;
    assert_eq!(went.sum().split(' ').next(), Some("succeeded"), "{:?}", went.result);
    // On a page that rests, what is not there is not there.
    let went = act.act(on("ui.focus", "button", "Never")).await;
    assert_eq!(went.sum(), "failed none target_not_found", "{:?}", went.result);
}
