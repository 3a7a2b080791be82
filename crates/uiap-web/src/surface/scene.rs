//! Keeps the index of a page beside its graph.

use crate::page::Followed;
use std::sync::{Mutex, PoisonError};
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::{DeltaOp, GraphStore, NodeKind, WebStateDelta};
use uiap_runtime::resolve::TargetIndex;
use uiap_runtime::surface::Scene;

/// The index, and how far it has come.
#[derive(Debug, Default)]
pub(crate) struct SceneKeeper {
    kept: Mutex<Kept>,
}

#[derive(Debug, Default)]
struct Kept {
    index: TargetIndex,
    /// Of which following.
    number: Option<u64>,
    /// How many of its deltas are in it.
    count: u64,
}

impl SceneKeeper {
    pub(crate) fn read<R>(&self, followed: &Followed<'_>, read: impl FnOnce(Scene<'_>) -> R) -> R {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.catch_up(followed);
        read(Scene { page: followed.store, index: &kept.index })
    }
}

impl Kept {
    /// Costs what has changed, unless more has changed than is held.
    fn catch_up(&mut self, followed: &Followed<'_>) {
        let missing = followed.count.saturating_sub(self.count);
        let held = followed.held.len();
        match usize::try_from(missing) {
            Ok(missing) if self.number == Some(followed.number) && missing <= held => {
                let deltas = followed.held.iter().skip(held - missing);
                deltas.for_each(|delta| self.take(delta, followed.store));
            }
            _ => self.index = TargetIndex::new(followed.store),
        }
        self.number = Some(followed.number);
        self.count = followed.count;
    }

    fn take(&mut self, delta: &WebStateDelta, page: &GraphStore) {
        for op in &delta.ops {
            let (DeltaOp::Add { kind: NodeKind::Element, id, .. }
            | DeltaOp::Update { kind: NodeKind::Element, id, .. }
            | DeltaOp::Remove { kind: NodeKind::Element, id, .. }) = op
            else {
                continue;
            };
            match (page.element(id.as_str()), ElementInstanceId::new(id.as_str())) {
                (Some(element), _) => self.index.put(element),
                (None, Ok(id)) => self.index.remove(&id),
                // Such an element was never filed.
                (None, Err(_)) => {}
            }
        }
    }
}
