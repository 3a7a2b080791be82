//! Rights that were asked for, what was decided with them, and what can be done with them.

use crate::doors::pipe::Pipe;
use crate::doors::support::{house, house_of, wish, word};
use serde_json::{Value, json};
use uiap_server::session::Party;
use uiap_testkit::simulation::What;

fn grants(begun: &Value) -> (Value, Value) {
    (begun["payload"]["grants"].clone(), begun["payload"]["missingGrants"].clone())
}

#[tokio::test]
async fn who_asked_for_less_is_held_to_it() {
    let (place, world) = house(true);
    let wanted = json!({"requestedGrants": ["guide", "read.secret"]});
    let (mut modest, begun) = Pipe::begun_with(&place, Party::Agent, &wanted).await;
    assert_eq!(grants(&begun), (json!(["guide"]), json!(["read.secret"])));
    // Writing needs more, and nobody lends what was not asked for.
    modest.say("action.request", &wish(What::Press), None).await;
    let accepted = modest.next().await.expect("an answer");
    while modest.next().await.expect("progress")["payload"]["stage"] != "waiting_for_user" {}
    let handle = json!({"actionHandle": accepted["payload"]["actionHandle"]});
    modest.say("action.cancel", &handle, None).await;
    let messages = modest.until("action.result").await;
    assert_eq!(messages.last().map(word).as_deref(), Some("action.result cancelled"));
    assert_eq!(world.times_reached(), 0);
    modest.say("capabilities.list", &json!({}), None).await;
    let listed = modest.next().await.expect("an answer");
    let ids: Vec<_> = listed["payload"]["document"]["actions"]
        .as_array()
        .expect("actions")
        .iter()
        .map(|action| &action["id"])
        .collect();
    assert_eq!(ids, [&json!("ui.read")]);

    // The same from somebody who asked for nothing in particular is done.
    let (mut plain, begun) = Pipe::begun_with(&place, Party::Agent, &json!({})).await;
    assert_eq!(grants(&begun), (json!(["observe", "guide", "draft", "act"]), Value::Null));
    plain.say("action.request", &wish(What::Press), None).await;
    let messages = plain.until("action.result").await;
    assert_eq!(messages.last().map(word).as_deref(), Some("action.result succeeded"));
    assert_eq!(world.times_reached(), 1);
}

#[tokio::test(start_paused = true)]
async fn who_has_asked_what_can_be_done_is_told_when_it_changes() {
    let (place, world) = house(false);
    let mut asker = Pipe::begun(&place, Party::Agent).await;
    let mut observer = Pipe::begun(&place, Party::Observer).await;
    let mut silent = Pipe::begun(&place, Party::Agent).await;
    let mut revisions = Vec::new();
    for pipe in [&mut asker, &mut observer] {
        pipe.say("capabilities.list", &json!({}), None).await;
        revisions.push(pipe.next().await.expect("an answer")["payload"]["revision"].clone());
    }
    for offers in [false, true] {
        world.offer(offers);
        let changed = asker.next().await.expect("an event");
        assert_eq!((word(&changed).as_str(), &changed["kind"]), ("capabilities.changed", &json!("event")));
        assert_eq!(changed["payload"]["revision"] == revisions[0], offers, "{changed}");
        // Asked again, it is what was told.
        asker.say("capabilities.list", &json!({}), None).await;
        let listed = asker.next().await.expect("an answer");
        assert_eq!(listed["payload"]["revision"], changed["payload"]["revision"]);
    }
    // Nothing changed for who only looks, and who never asked is not told.
    for pipe in [&mut observer, &mut silent] {
        pipe.say("session.ping", &json!({}), None).await;
        assert_eq!(word(&pipe.next().await.expect("an answer")), "session.pong");
    }
}

#[tokio::test]
async fn decisions_are_told_where_the_rules_want_it() {
    let audited = json!({
        "id": "watch", "when": {"actions": ["ui.activate"]}, "effect": "allow", "obligations": [{"kind": "audit"}],
    });
    let (place, _) = house_of(true, vec![audited]);
    let speaks = json!({"extensions": [{"id": "uiap.policy", "versions": ["0.1"]}]});
    let (mut agent, _) = Pipe::begun_with(&place, Party::Agent, &speaks).await;
    let (mut person, _) = Pipe::begun_with(&place, Party::Person, &speaks).await;
    let mut other = Pipe::begun_with(&place, Party::Agent, &speaks).await.0;
    agent.say("action.request", &wish(What::Press), None).await;
    let own = agent.until("uiap.policy.audit").await.pop().expect("an audit");
    let told = person.next().await.expect("an audit");
    for audit in [&own, &told] {
        assert_eq!(audit["kind"], "event");
        assert_eq!(audit["payload"]["actionId"], "ui.activate", "{audit}");
        assert_eq!(audit["payload"]["decision"]["ruleIds"], json!(["watch"]), "{audit}");
        assert_eq!(audit["payload"]["decision"]["effect"], "allow", "{audit}");
    }
    assert_eq!(told["type"], "uiap.policy.audit");
    agent.until("action.result").await;
    // Another agent hears nothing of it.
    other.say("session.ping", &json!({}), None).await;
    assert_eq!(word(&other.next().await.expect("an answer")), "session.pong");
}

#[tokio::test]
async fn without_a_rule_nothing_is_told() {
    let (place, _) = house(true);
    let speaks = json!({"extensions": [{"id": "uiap.policy", "versions": ["0.1"]}]});
    let (mut agent, _) = Pipe::begun_with(&place, Party::Agent, &speaks).await;
    agent.say("action.request", &wish(What::Press), None).await;
    let messages = agent.until("action.result").await;
    assert!(!messages.iter().any(|message| message["type"] == "uiap.policy.audit"), "{messages:?}");
}
