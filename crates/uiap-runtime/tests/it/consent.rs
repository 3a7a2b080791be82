//! A grant is good once, for exactly what was shown, and only from the person.

#![expect(clippy::expect_used, clippy::indexing_slicing, reason = "a test that cannot start has failed")]

use proptest::prelude::*;
use serde_json::json;
use uiap_protocol::action::{ResolvedBy, ResolvedTarget};
use uiap_protocol::capability::Role;
use uiap_protocol::core::PeerRole;
use uiap_protocol::ids::{ActionHandle, ActionId, DocumentId, ElementInstanceId, Id};
use uiap_protocol::wire::JsonObject;
use uiap_runtime::consent::{ConsentDesk, ConsentError, ConsentKey, GrantToken, OPEN_GRANTS_MAX, Subject};
use uiap_testkit::proves;

/// What was agreed to, with places that can be changed.
#[derive(Clone, Debug)]
struct Deal {
    handle: String,
    action: String,
    instance: String,
    name: String,
    args: JsonObject,
    revision: String,
    bundle: Option<String>,
    principal: String,
}

impl Deal {
    fn new() -> Self {
        let args = json!({"title": "Seven", "tags": ["a", "b"], "n": 1});
        Self {
            handle: "act_1".to_owned(),
            action: "video.delete".to_owned(),
            instance: "el_7".to_owned(),
            name: "Löschen".to_owned(),
            args: args.as_object().expect("an object").clone(),
            revision: "videos/7".to_owned(),
            bundle: Some("sha256:1".to_owned()),
            principal: "helper".to_owned(),
        }
    }

    /// Calls with the subject that this deal stands for.
    fn with<T>(&self, body: impl FnOnce(&Subject<'_>) -> T) -> T {
        let target = ResolvedTarget {
            by: ResolvedBy::StableId,
            instance_id: ElementInstanceId::new(self.instance.as_str()).expect("an id"),
            stable_id: None,
            document_id: DocumentId::new("doc").expect("an id"),
            scope_id: None,
            role: Role::Button,
            name: Some(self.name.clone()),
            bbox: None,
        };
        body(&Subject {
            handle: &ActionHandle::new(self.handle.as_str()).expect("an id"),
            action: &ActionId::new(self.action.as_str()).expect("an id"),
            target: Some(&target),
            args: Some(&self.args),
            revision_class: &self.revision,
            bundle_digest: self.bundle.as_deref(),
            principal: &Id::new(self.principal.as_str()).expect("an id"),
        })
    }

    /// The same with one thing changed.
    fn changed(&self, what: u8, with: &str) -> Self {
        let mut deal = self.clone();
        match what {
            0 => deal.handle.push_str(with),
            1 => deal.action.push_str(with),
            2 => deal.instance.push_str(with),
            3 => deal.name.push_str(with),
            4 => drop(deal.args.insert("title".to_owned(), with.into())),
            5 => drop(deal.args.insert(format!("more {with}"), 1.into())),
            6 => deal.revision.push_str(with),
            7 => deal.bundle = None,
            8 => deal.args["tags"] = json!(["a", format!("b{with}")]),
            _ => deal.principal.push_str(with),
        }
        deal
    }
}

fn desk() -> ConsentDesk {
    ConsentDesk::new(ConsentKey::new([9; 32]))
}

fn offered(desk: &mut ConsentDesk, deal: &Deal, nonce: u8) -> GrantToken {
    deal.with(|subject| desk.offer(subject, [nonce; 16], 1_000, 5_000)).expect("room")
}

fn redeemed(desk: &mut ConsentDesk, token: &GrantToken, deal: &Deal, now: u64) -> Result<(), ConsentError> {
    deal.with(|subject| desk.redeem(token, subject, PeerRole::User, now))
}

#[test]
fn a_grant_is_good_once_and_in_time() {
    let (mut desk, deal) = (desk(), Deal::new());
    let token = offered(&mut desk, &deal, 1);
    assert_eq!(redeemed(&mut desk, &token, &deal, 2_000), Ok(()));
    assert_eq!(redeemed(&mut desk, &token, &deal, 2_000), Err(ConsentError::Unknown), "a replay");
    let late = offered(&mut desk, &deal, 2);
    assert_eq!(redeemed(&mut desk, &late, &deal, 6_000), Err(ConsentError::Expired));
    let elsewhere = offered(&mut ConsentDesk::new(ConsentKey::new([8; 32])), &deal, 3);
    assert_eq!(redeemed(&mut desk, &elsewhere, &deal, 2_000), Err(ConsentError::Unknown));
    let mut longer = offered(&mut desk, &deal, 4);
    longer.expires_at += 1_000_000;
    assert_eq!(redeemed(&mut desk, &longer, &deal, 2_000), Err(ConsentError::Void));
}

#[test]
fn only_the_person_agrees() {
    let (mut desk, deal) = (desk(), Deal::new());
    let token = offered(&mut desk, &deal, 1);
    for role in [PeerRole::Agent, PeerRole::Bridge, PeerRole::App, PeerRole::Observer, PeerRole::System] {
        let taken = deal.with(|subject| desk.redeem(&token, subject, role, 2_000));
        assert_eq!(taken, Err(ConsentError::Forbidden));
    }
    assert_eq!(redeemed(&mut desk, &token, &deal, 2_000), Ok(()), "a refused attempt uses nothing up");
}

#[test]
fn open_grants_are_bounded_and_expired_ones_make_room() {
    let (mut desk, deal) = (desk(), Deal::new());
    let mut offer = |number: usize, now: u64| {
        let mut nonce = [0; 16];
        nonce[..8].copy_from_slice(&number.to_be_bytes());
        deal.with(|subject| desk.offer(subject, nonce, now, 5_000)).map(drop)
    };
    for number in 0..OPEN_GRANTS_MAX {
        assert_eq!(offer(number, 0), Ok(()));
    }
    assert_eq!(offer(OPEN_GRANTS_MAX, 0), Err(ConsentError::TooMany));
    assert_eq!(offer(OPEN_GRANTS_MAX, 5_000), Ok(()));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2_500, failure_persistence: None, ..ProptestConfig::default() })]

    /// Four attempts per case: swapped, forged, both, and the swapped one again after the token is spent.
    #[test]
    fn nothing_but_the_deal_itself_is_granted(
        what in 0..10_u8,
        with in "[a-z\"{}:, ]{1,6}",
        place in 0..32_usize,
        flip in 1..=255_u8,
    ) {
        proves!["ACT-SEC-4", "ACT-SEC-5"];
        let (mut desk, deal) = (desk(), Deal::new());
        let other = deal.changed(what, &with);
        let swapped = offered(&mut desk, &deal, 1);
        prop_assert_eq!(redeemed(&mut desk, &swapped, &other, 2_000), Err(ConsentError::Void));
        prop_assert_eq!(redeemed(&mut desk, &swapped, &deal, 2_000), Err(ConsentError::Unknown));
        let mut forged = offered(&mut desk, &deal, 2);
        forged.mac[place] ^= flip;
        prop_assert_eq!(redeemed(&mut desk, &forged, &deal, 2_000), Err(ConsentError::Void));
        let mut renamed = offered(&mut desk, &deal, 3);
        renamed.nonce[place % 16] ^= flip;
        prop_assert_eq!(redeemed(&mut desk, &renamed, &deal, 2_000), Err(ConsentError::Unknown));
    }
}
