//! How urgent a question is: what is at stake, times how far it reaches.

use uiap_protocol::discovery::Severity;
use uiap_protocol::policy::SideEffectClass;

/// What is at stake.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stakes {
    /// Nothing changes.
    None,
    /// Something may change, or nobody knows.
    Some,
    /// Something changes that stays, or leaves the application.
    Much,
    /// Money, rights, identity, or something that is gone afterwards.
    Grave,
}

impl Stakes {
    /// What is at stake with a change of this kind.
    pub fn of(class: SideEffectClass) -> Self {
        use SideEffectClass as Class;
        match class {
            Class::None | Class::Navigation | Class::LocalUi | Class::Draft => Self::None,
            Class::Unknown | Class::ReversibleWrite => Self::Some,
            Class::PersistentWrite | Class::ExternalEffect => Self::Much,
            Class::IdentityChange
            | Class::SecurityChange
            | Class::BillingChange
            | Class::Destructive
            | Class::Irreversible => Self::Grave,
        }
    }
}

/// How far it reaches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Reach {
    /// One route.
    Single,
    /// A few.
    Several,
    /// Many.
    Wide,
}

/// Up to how many routes are a few.
const SEVERAL_MAX: usize = 3;

impl Reach {
    /// How far something reaches that is on so many routes.
    pub fn of(routes: usize) -> Self {
        match routes {
            0 | 1 => Self::Single,
            2..=SEVERAL_MAX => Self::Several,
            _ => Self::Wide,
        }
    }
}

/// How urgent a question is.
pub fn severity(stakes: Stakes, reach: Reach) -> Severity {
    match (stakes, reach) {
        (Stakes::None, _) | (Stakes::Some, Reach::Single) => Severity::Low,
        (Stakes::Some, _) | (Stakes::Much, Reach::Single | Reach::Several) => Severity::Medium,
        (Stakes::Much, Reach::Wide) | (Stakes::Grave, _) => Severity::High,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Severity::{High, Low, Medium};

    /// What is at stake down, how far it reaches across.
    #[test]
    fn urgency_is_what_is_at_stake_times_how_far_it_reaches() {
        let row = |stakes| [1, 3, 9].map(|routes| severity(stakes, Reach::of(routes)));
        assert_eq!(row(Stakes::of(SideEffectClass::LocalUi)), [Low, Low, Low]);
        assert_eq!(row(Stakes::of(SideEffectClass::Unknown)), [Low, Medium, Medium]);
        assert_eq!(row(Stakes::of(SideEffectClass::PersistentWrite)), [Medium, Medium, High]);
        assert_eq!(row(Stakes::of(SideEffectClass::BillingChange)), [High, High, High]);
        assert_eq!(row(Stakes::of(SideEffectClass::Destructive)), [High, High, High]);
    }
}
