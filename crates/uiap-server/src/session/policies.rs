//! The policy extension, and what can be done here: what is told of either, and when it changes.

use super::speaking::error;
use super::terms::Terms;
use super::{Session, Stage};
use std::sync::Arc;
use uiap_protocol::core::{Body, CapabilitiesChanged, CoreErrorCode};
use uiap_protocol::ids::{MessageId, Text};
use uiap_protocol::policy::{PolicyAudit, PolicyChanged, PolicyDocuments, PolicyGet};

impl Session {
    pub(super) fn policies(&mut self, id: &MessageId, get: &PolicyGet, spelt_old: bool) {
        let wanted = get.id.as_ref();
        let all = self.terms.policies.iter();
        let documents: Vec<_> =
            all.filter(|policy| wanted.is_none_or(|id| policy.id == *id)).cloned().collect();
        match wanted {
            Some(wanted) if documents.is_empty() => {
                let message = format!("There is no policy \"{wanted}\".");
                self.refuse(id, error(CoreErrorCode::NotFound, message));
            }
            _ => self.respond(id, Body::PolicyDocuments(PolicyDocuments { documents }), spelt_old),
        }
    }

    /// Other rules hold from now on. Who speaks the extension is told, under the id that he offered; which of his rights
    /// he has follows from who he is, and stays.
    pub(super) fn ruled(&mut self, terms: Arc<Terms>, revision: Text) {
        self.terms = terms;
        let spoken = self.agreed.as_ref().filter(|agreed| agreed.has_policy());
        if let Some(spelt_old) = spoken.map(super::handshake::Agreed::has_policy_of_old) {
            self.tell_spelt(Body::PolicyChanged(PolicyChanged { revision }), spelt_old);
        }
    }

    /// Something was decided. Who speaks the extension hears of it, under the id that he offered.
    pub(super) fn audit(&mut self, audit: PolicyAudit) {
        let spoken = self.agreed.as_ref().filter(|agreed| agreed.has_policy());
        if let Some(spelt_old) = spoken.map(super::handshake::Agreed::has_policy_of_old) {
            self.tell_spelt(Body::PolicyAudit(audit), spelt_old);
        }
    }

    /// What can be done here is this by now. Who has asked for it before is told to ask again.
    pub(super) fn offered(&mut self, revision: Text) {
        let is_there = matches!(self.stage, Stage::Active | Stage::Suspended { .. } | Stage::Resuming { .. });
        if is_there && self.offered.as_ref().is_some_and(|known| *known != revision) {
            self.offered = Some(revision.clone());
            self.tell(Body::CapabilitiesChanged(CapabilitiesChanged { revision }));
        }
    }
}
