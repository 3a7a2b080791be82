//! How much is explored at most (finding S7).

use uiap_protocol::discovery::DiscoveryBudget;

/// A budget in which nothing is left open.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Budget {
    /// States.
    pub states: usize,
    /// Transitions.
    pub transitions: usize,
    /// Steps from a seed.
    pub depth: usize,
    /// Time, in milliseconds.
    pub runtime_ms: u64,
    /// States of one route.
    pub per_route: usize,
}

impl Budget {
    /// What holds where nobody says anything.
    pub const DEFAULT: Self =
        Self { states: 200, transitions: 500, depth: 6, runtime_ms: 10 * 60 * 1_000, per_route: 40 };
    /// What nobody may exceed: beyond it a map is of no use to anybody.
    pub const MAX: Self = Self {
        states: 20_000,
        transitions: 100_000,
        depth: 64,
        runtime_ms: 24 * 60 * 60 * 1_000,
        per_route: 20_000,
    };

    /// What an environment asks for.
    pub fn of(asked: Option<&DiscoveryBudget>) -> Self {
        let Some(asked) = asked else { return Self::DEFAULT };
        let count = |asked: Option<u64>, default: usize, max: usize| {
            asked.map_or(default, |count| usize::try_from(count).unwrap_or(max).min(max))
        };
        Self {
            states: count(asked.max_states, Self::DEFAULT.states, Self::MAX.states),
            transitions: count(asked.max_transitions, Self::DEFAULT.transitions, Self::MAX.transitions),
            depth: count(asked.max_depth, Self::DEFAULT.depth, Self::MAX.depth),
            runtime_ms: asked.max_runtime_ms.unwrap_or(Self::DEFAULT.runtime_ms).min(Self::MAX.runtime_ms),
            per_route: count(asked.max_per_route, Self::DEFAULT.per_route, Self::MAX.per_route),
        }
    }

    /// The same in the words of the protocol, with nothing left open.
    pub fn to_wire(self) -> DiscoveryBudget {
        let count = |count: usize| u64::try_from(count).ok();
        DiscoveryBudget {
            max_states: count(self.states),
            max_transitions: count(self.transitions),
            max_depth: count(self.depth),
            max_runtime_ms: Some(self.runtime_ms),
            max_per_route: count(self.per_route),
            ..DiscoveryBudget::default()
        }
    }
}
