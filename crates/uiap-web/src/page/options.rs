//! How the pages of a context behave.

use super::{BridgeOptions, DialogPolicy, Downloads, Proxy};
use std::str::FromStr;

/// Largest side of a page, in CSS pixels.
const SIDE_MAX: u32 = 10_000;

/// How the pages of a context behave.
#[derive(Clone, Debug, Default)]
pub struct ContextOptions {
    /// How large they are.
    pub viewport: Viewport,
    /// Who answers their dialogs.
    pub dialogs: DialogPolicy,
    /// What becomes of the files they offer.
    pub downloads: Downloads,
    /// What may be looked into besides what they show to everybody.
    pub bridge: BridgeOptions,
    /// The only way by which their requests leave the browser.
    pub proxy: Option<Proxy>,
    /// The language and country they are shown in, such as `de-CH`: what they ask servers for, and how they write
    /// dates and numbers. Workers keep those of the browser.
    pub locale: Option<String>,
}

/// The size of a page in CSS pixels, such as `1280x800`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Viewport {
    pub(super) width: u32,
    pub(super) height: u32,
}

impl Default for Viewport {
    fn default() -> Self {
        Self { width: 1280, height: 800 }
    }
}

impl std::fmt::Display for Viewport {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{}x{}", self.width, self.height)
    }
}

/// A text is not the size of a page.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{text}\" is not a size such as 1280x800, each side from 1 to {SIDE_MAX}")]
pub struct BadViewport {
    text: String,
}

impl FromStr for Viewport {
    type Err = BadViewport;

    fn from_str(text: &str) -> Result<Self, BadViewport> {
        let side = |text: &str| text.parse().ok().filter(|side| (1..=SIDE_MAX).contains(side));
        let sides = text.split_once('x').and_then(|(width, height)| Some((side(width)?, side(height)?)));
        let (width, height) = sides.ok_or_else(|| BadViewport { text: text.to_owned() })?;
        Ok(Self { width, height })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_size_is_two_sides() {
        assert_eq!("390x844".parse::<Viewport>().unwrap().to_string(), "390x844");
        for bad in ["", "x", "390", "390x", "0x10", "10x10001", "-1x5", "1x2x3", "a x b"] {
            assert!(bad.parse::<Viewport>().is_err(), "{bad}");
        }
    }
}
