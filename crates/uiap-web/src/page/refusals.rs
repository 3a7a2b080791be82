//! Why the browser refuses to run something in a page.
//!
//! It has one code for every reason and a sentence for each. A document that was replaced is the everyday case and is
//! tried again; anything else is an error that somebody must see.

use crate::cdp::CallError;

/// What the browser says when the document, its frame or its world is gone.
const GONE: &[&str] = &[
    "uniqueContextId not found",
    "Cannot find context with specified id",
    "Cannot find default execution context",
    "Execution context was destroyed",
    "Inspected target navigated or closed",
    "No frame for given id found",
    "No frame with given id found",
    "Frame with the given id was not found",
    "Frame is detached",
];

/// The document was replaced under the call.
pub(super) fn is_replaced(error: &CallError) -> bool {
    matches!(error, CallError::Refused { message, .. } if GONE.iter().any(|gone| message.contains(gone)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(message: &str) -> bool {
        is_replaced(&CallError::Refused {
            method: "Runtime.evaluate",
            code: -32000,
            message: message.to_owned(),
        })
    }

    #[test]
    fn only_the_end_of_a_document_counts() {
        assert!(refused("Cannot find context with specified id"));
        assert!(refused("Inspected target navigated or closed"));
        assert!(!refused("Object reference chain is too long"));
        assert!(!refused("Internal error"));
        assert!(!is_replaced(&CallError::SessionGone));
    }
}
