//! The rules that hold: those that a runtime began with, until others are put in their place.

use super::{Runtime, locked};
use crate::redaction::{RedactionFilter, RedactionMemory};
use crate::standing::Rights;
use std::ops::Deref;
use std::sync::{Arc, PoisonError, RwLock};
use uiap_policy::CompiledPolicy;

/// Most readers for whom is remembered what was withheld from them.
const READERS_MAX: usize = 256;

/// The rules that held when somebody asked; they stay the same for as long as he keeps them.
#[derive(Debug)]
pub enum InForce<'r> {
    /// Those of the beginning.
    First(&'r CompiledPolicy),
    /// Those that were put in their place.
    Later(Arc<CompiledPolicy>),
}

impl Deref for InForce<'_> {
    type Target = CompiledPolicy;

    fn deref(&self) -> &CompiledPolicy {
        match self {
            Self::First(policy) => policy,
            Self::Later(policy) => policy,
        }
    }
}

impl<S, J> Runtime<S, J> {
    /// The rules that hold now.
    pub fn policy(&self) -> InForce<'_> {
        let later = self.later_policy.read().unwrap_or_else(PoisonError::into_inner);
        later.clone().map_or(InForce::First(&self.settings.policy), InForce::Later)
    }

    /// What takes away from everything that leaves what a reader with these rights may not see. It remembers what it
    /// withheld from them.
    pub fn redaction(&self, rights: &Rights) -> RedactionFilter<'_> {
        let mut memories = locked(&self.memories);
        let known = memories.iter().find(|(principal, _)| *principal == rights.principal);
        let memory = known.map(|(_, memory)| Arc::clone(memory)).unwrap_or_default();
        if known.is_none() {
            if memories.len() == READERS_MAX {
                memories.remove(0);
            }
            memories.push((rights.principal.clone(), Arc::clone(&memory)));
        }
        drop(memories);
        RedactionFilter::new(self.policy(), rights, &self.settings, memory)
    }

    /// Goes on from what was withheld before from the one whom the settings name.
    pub fn remember(&self, memory: Arc<RedactionMemory>) {
        let principal = &self.settings.principal;
        let mut memories = locked(&self.memories);
        memories.retain(|(known, _)| known != principal);
        memories.push((principal.clone(), memory));
    }

    /// From now on these rules hold, also for what is under way and was not decided about yet.
    pub fn replace_policy(&self, policy: CompiledPolicy) {
        let mut later = self.later_policy.write().unwrap_or_else(PoisonError::into_inner);
        *later = Some(Arc::new(policy));
    }

    /// Lets these rules hold for as long as something takes, however it ends; then those from before hold again. For
    /// whoever has the runtime to himself: the rules are everybody's.
    pub async fn under<R>(&self, policy: CompiledPolicy, during: impl Future<Output = R>) -> R {
        let _restored = Meanwhile::new(&self.later_policy, policy);
        during.await
    }
}

/// Puts back the rules that held before.
struct Meanwhile<'r> {
    later: &'r RwLock<Option<Arc<CompiledPolicy>>>,
    before: Option<Arc<CompiledPolicy>>,
}

impl<'r> Meanwhile<'r> {
    fn new(later: &'r RwLock<Option<Arc<CompiledPolicy>>>, policy: CompiledPolicy) -> Self {
        let before = later.write().unwrap_or_else(PoisonError::into_inner).replace(Arc::new(policy));
        Self { later, before }
    }
}

impl Drop for Meanwhile<'_> {
    fn drop(&mut self) {
        *self.later.write().unwrap_or_else(PoisonError::into_inner) = self.before.take();
    }
}
