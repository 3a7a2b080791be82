//! The port through which a person learns the code of an approval page, in a place that no model reads.
//!
//! The binary knows terminals, desktops and browsers; this crate only says what is shown there.

use std::pin::Pin;
use subtle::ConstantTimeEq as _;

/// Letters and digits that are hard to confuse (Crockford's base 32).
const ALPHABET: &[u8; 32] = b"0123456789ABCDEFGHJKMNPQRSTVWXYZ";
/// Characters of a code: 40 random bits.
const CODE_CHARS: usize = 8;

/// What a person types to prove that they read it where only they look. Good for one question.
pub struct ApprovalCode(String);

impl ApprovalCode {
    /// A random code; nothing if the system has no random numbers.
    pub(super) fn random() -> Option<Self> {
        let mut bytes = [0_u8; CODE_CHARS];
        getrandom::fill(&mut bytes).ok()?;
        let letter = |byte: &u8| ALPHABET.get(usize::from(byte % 32)).copied().map(char::from);
        bytes.iter().map(letter).collect::<Option<String>>().map(Self)
    }

    /// The code in two groups, as it is shown.
    pub fn shown(&self) -> String {
        let (first, second) = self.0.split_at_checked(CODE_CHARS / 2).unwrap_or_default();
        format!("{first}-{second}")
    }

    /// Whether a person typed this code, in constant time. Case, spaces and dashes do not matter, and neither does a
    /// letter that looks like a digit.
    pub(super) fn is_typed(&self, text: &str) -> bool {
        let letter = |letter: char| match letter.to_ascii_uppercase() {
            'O' => '0',
            'I' | 'L' => '1',
            other => other,
        };
        let typed: String = text.chars().filter(char::is_ascii_alphanumeric).map(letter).collect();
        self.0.as_bytes().ct_eq(typed.as_bytes()).into()
    }
}

impl std::fmt::Debug for ApprovalCode {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("ApprovalCode(..)")
    }
}

/// What a person needs to answer a question of an agent.
pub struct ApprovalNotice {
    /// Where the question stands. The model is told this address.
    pub address: String,
    /// What the person types there. The model is never told.
    pub code: ApprovalCode,
    /// The same page with the code filled in, once. Only for a browser that this process opens itself.
    pub filled_address: String,
}

impl std::fmt::Debug for ApprovalNotice {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("ApprovalNotice").field("address", &self.address).finish_non_exhaustive()
    }
}

/// Where the code was shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CodePlace {
    /// The terminal that controls this process.
    Terminal,
    /// A notification of the desktop.
    Notification,
    /// A page that this process opened in the person's browser.
    Browser,
}

impl CodePlace {
    /// As an answer to a model names it.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Terminal => "on the terminal of uiap",
            Self::Notification => "in a desktop notification",
            Self::Browser => "on a page that uiap opened in their browser",
        }
    }
}

/// The places where the code was shown, when that is known.
pub type NotifyFuture<'n> = Pin<Box<dyn Future<Output = Vec<CodePlace>> + Send + 'n>>;

/// Tells the person at this machine about a question.
pub trait PersonNotifier: Send + Sync + 'static {
    /// Shows the code and says where; an empty list if it could be shown nowhere. The code goes to no log, and to no
    /// output that an MCP client reads.
    fn notify<'n>(&'n self, notice: &'n ApprovalNotice) -> NotifyFuture<'n>;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_read_as_people_type_it_and_printed_nowhere() {
        let code = ApprovalCode("01AB9XYZ".to_owned());
        assert_eq!(code.shown(), "01AB-9XYZ");
        for typed in ["01AB9XYZ", "01ab-9xyz", " oiAB 9xyz ", "0lab–9xyz"] {
            assert!(code.is_typed(typed), "{typed}");
        }
        for typed in ["", "01AB9XY", "01AB9XYZ0", "01AB9XYA", "--------"] {
            assert!(!code.is_typed(typed), "{typed}");
        }
        assert_eq!(format!("{code:?}"), "ApprovalCode(..)");
    }

    #[test]
    fn two_codes_differ() {
        let codes = [ApprovalCode::random().unwrap(), ApprovalCode::random().unwrap()];
        assert_ne!(codes[0].0, codes[1].0);
        assert_eq!(codes[0].0.len(), CODE_CHARS);
    }
}
