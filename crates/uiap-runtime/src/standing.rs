//! In whose name an agent acts, and under which rules (decision 8).
//!
//! Start at [`Standing::before_a_person`]. Nobody has to configure anything to be safe: an agent in front of a person
//! looks, navigates and writes on its own, and what destroys, pays, grants or touches protected data needs the person.

use uiap_policy::{CompileError, CompiledPolicy, holds};
use uiap_protocol::ids::Id;
use uiap_protocol::policy::{Grant, PolicyDocument, PolicyPrincipal, PrincipalType};

/// What an agent in front of a person may do on its own; `act` includes the lower steps of the ladder.
const OWN: [Grant; 4] = [Grant::Observe, Grant::Guide, Grant::Draft, Grant::Act];
/// What the person has, and lends for one deed by agreeing to it. Reading what is protected is not among it: what was
/// read once cannot be taken back.
const LENT: [Grant; 5] =
    [Grant::Admin, Grant::Billing, Grant::Identity, Grant::Security, Grant::WriteSensitive];

/// In whose name an agent acts, and under which rules.
#[derive(Debug)]
pub struct Standing {
    /// Who asks.
    pub principal: PolicyPrincipal,
    /// The rights that the person in front lends, each time by agreeing to the deed.
    pub lent: Vec<Grant>,
    /// The rules.
    pub policy: CompiledPolicy,
}

/// What somebody may do: in whose name, with what rights of his own, and with which that a person lends him.
#[derive(Clone, Debug, PartialEq)]
pub struct Rights {
    /// Who asks.
    pub principal: PolicyPrincipal,
    /// The rights that the person in front lends by agreeing.
    pub lent: Vec<Grant>,
}

impl Rights {
    /// What a person does in his own name, by his own hand or by a script that he wrote: with all that he could lend.
    pub fn of_a_person(id: Id) -> Self {
        let grants = OWN.into_iter().chain(LENT).collect();
        let principal =
            PolicyPrincipal { r#type: PrincipalType::User, id, roles: None, grants: Some(grants) };
        Self { principal, lent: Vec::new() }
    }

    /// No more of them than were asked for. Whoever asks for less than he has is held to it.
    #[must_use]
    pub fn within(&self, wanted: &[Grant]) -> Self {
        let own = wanted.iter().filter(|grant| holds(&self.principal, grant)).cloned().collect();
        let principal = PolicyPrincipal { grants: Some(own), ..self.principal.clone() };
        let lent = self.lent.iter().filter(|grant| wanted.contains(grant)).cloned().collect();
        Self { principal, lent }
    }
}

impl Standing {
    /// An agent that acts for the person in front of it, under these policies; none are needed. A policy that says
    /// what follows from a missing right means it: then nothing is lent.
    pub fn before_a_person(agent: Id, policies: Vec<PolicyDocument>) -> Result<Self, CompileError> {
        let strict = policies.iter().any(|policy| policy.defaults.on_missing_grant.is_some());
        let principal = PolicyPrincipal {
            r#type: PrincipalType::Agent,
            id: agent,
            roles: None,
            grants: Some(OWN.to_vec()),
        };
        let lent = if strict { Vec::new() } else { LENT.to_vec() };
        Ok(Self { principal, lent, policy: CompiledPolicy::compile(policies)? })
    }

    /// A principal with the rights that somebody gave it, and no others.
    pub fn of(principal: PolicyPrincipal, policies: Vec<PolicyDocument>) -> Result<Self, CompileError> {
        Ok(Self { principal, lent: Vec::new(), policy: CompiledPolicy::compile(policies)? })
    }
}
