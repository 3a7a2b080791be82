//! How sure a claim is, from nothing but the evidence for it (DSC 7.3).

use std::collections::BTreeSet;
use uiap_protocol::discovery::{Confidence, EvidenceRef, EvidenceSource};

/// How often a transition has to be seen, with the same outcome, until it counts as repeated.
const REPEATED: usize = 2;

/// How sure something is that this evidence backs. Signals that contradicted each other are no evidence; leave them out.
pub fn confidence(evidence: &[EvidenceRef]) -> Confidence {
    let sources: BTreeSet<_> = evidence.iter().map(|piece| piece.source).collect();
    let transitions: BTreeSet<_> = of(evidence, EvidenceSource::Transition).collect();
    let said = sources.iter().any(|source| {
        matches!(
            source,
            EvidenceSource::Annotation | EvidenceSource::AppRegistry | EvidenceSource::ManualReview
        )
    });
    if said || transitions.len() >= REPEATED {
        return Confidence::High;
    }
    let semantic = sources.iter().filter(|source| is_semantic(**source)).count();
    if semantic >= 2 || !transitions.is_empty() { Confidence::Medium } else { Confidence::Low }
}

fn of(evidence: &[EvidenceRef], source: EvidenceSource) -> impl Iterator<Item = &str> {
    evidence.iter().filter(move |piece| piece.source == source).map(|piece| piece.ref_id.as_str())
}

/// It says what something means, not merely that it is there or how it looks.
fn is_semantic(source: EvidenceSource) -> bool {
    use EvidenceSource as Source;
    matches!(
        source,
        Source::Dom
            | Source::Accessibility
            | Source::VisibleText
            | Source::Signal
            | Source::Network
            | Source::Documentation
    )
}
