//! Looking at a page as a picture.
//!
//! Where sensitive fields are to be covered, they are made black for the moment of the picture, by an animation that
//! stands still: it changes no document, so that the page does not act on it, and is gone with the picture.

use super::{LookError, Page, ScreenshotError};
use crate::cdp::CallError;
use crate::deadline::Deadline;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;
use serde_json::{Value, json};
use uiap_protocol::ids::ElementInstanceId;
use uiap_protocol::web::{ElementNode, PageGraph, SnapshotOptions};
use uiap_runtime::surface::{HiddenContent, PictureMask};

/// How often a picture is taken again because something sensitive appeared meanwhile.
const ATTEMPTS_MAX: usize = 3;

/// What a picture shows, and how.
#[derive(Clone, Debug, Default)]
pub struct ScreenshotOptions {
    /// Everything, not only the part in the viewport.
    pub full_page: bool,
    /// Only this part.
    pub clip: Option<Clip>,
    /// Sensitive fields and texts are black. The page is looked at for it, and no picture is taken if they cannot be
    /// covered.
    pub mask_sensitive: bool,
    /// Made smaller if it is wider than this, in pixels.
    pub max_width: Option<u32>,
    /// How it is written.
    pub format: PictureFormat,
}

/// How a picture is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PictureFormat {
    /// PNG: exact.
    #[default]
    Png,
    /// JPEG: small for photographs.
    Jpeg {
        /// From 0 to 100.
        quality: u8,
    },
    /// WebP: the smallest.
    Webp {
        /// From 0 to 100.
        quality: u8,
    },
}

impl PictureFormat {
    /// Its media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Png => "image/png",
            Self::Jpeg { .. } => "image/jpeg",
            Self::Webp { .. } => "image/webp",
        }
    }

    fn members(self) -> Value {
        match self {
            Self::Png => json!({ "format": "png" }),
            Self::Jpeg { quality } => json!({ "format": "jpeg", "quality": quality.min(100) }),
            Self::Webp { quality } => json!({ "format": "webp", "quality": quality.min(100) }),
        }
    }
}

/// A part of a page, in CSS pixels from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the words say what they mean")]
pub struct Clip {
    pub x: f64,
    pub y: f64,
    pub width: f64,
    pub height: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    css_visual_viewport: Seen,
    css_content_size: Size,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Seen {
    page_x: f64,
    page_y: f64,
    client_width: f64,
    client_height: f64,
}

#[derive(Deserialize)]
struct Size {
    width: f64,
    height: f64,
}

impl Page {
    /// The page as a picture.
    pub async fn screenshot(
        &self,
        options: &ScreenshotOptions,
        deadline: Deadline,
    ) -> Result<Vec<u8>, ScreenshotError> {
        if !options.mask_sensitive {
            return self.capture(options, deadline).await;
        }
        self.masked_screenshot(options, &SensitiveMask, deadline).await
    }

    /// The page as a picture in which what the mask names is black. The page is looked at for it before and after, and
    /// no picture is taken if something cannot be covered.
    pub async fn masked_screenshot(
        &self,
        options: &ScreenshotOptions,
        mask: &dyn PictureMask,
        deadline: Deadline,
    ) -> Result<Vec<u8>, ScreenshotError> {
        let mut covered = self.hidden(mask, deadline).await?;
        for _ in 0..ATTEMPTS_MAX {
            let Some(world) = self.cover(&covered, deadline).await? else {
                covered = self.hidden(mask, deadline).await?;
                continue;
            };
            let picture = self.capture(options, deadline).await;
            self.uncover(&world, deadline).await;
            let after = self.hidden(mask, deadline).await?;
            let is_covered = after.elements.iter().all(|id| covered.elements.contains(id))
                && after.texts.iter().all(|text| covered.texts.contains(text));
            if is_covered {
                return picture;
            }
            covered = after;
        }
        Err(ScreenshotError::Uncovered)
    }

    async fn capture(
        &self,
        options: &ScreenshotOptions,
        deadline: Deadline,
    ) -> Result<Vec<u8>, ScreenshotError> {
        #[derive(Deserialize)]
        struct Picture {
            data: String,
        }
        let mut params = options.format.members();
        let clip = match options.clip {
            Some(clip) => Some(clip),
            None if options.full_page => Some(self.whole(deadline).await?),
            None if options.max_width.is_some() => Some(self.viewport(deadline).await?),
            None => None,
        };
        if let Some(members) = params.as_object_mut() {
            members.insert("captureBeyondViewport".to_owned(), json!(options.full_page));
            if let Some(Clip { x, y, width, height }) = clip {
                let widest = options.max_width.map_or(width, f64::from).max(1.0);
                let scale = if width > widest { widest / width } else { 1.0 };
                let clip = json!({ "x": x, "y": y, "width": width, "height": height, "scale": scale });
                members.insert("clip".to_owned(), clip);
            }
        }
        let Picture { data } = self.call("Page.captureScreenshot", params, deadline).await?;
        STANDARD.decode(data).map_err(|_| ScreenshotError::Picture)
    }

    /// What must not be seen.
    async fn hidden(&self, mask: &dyn PictureMask, deadline: Deadline) -> Result<HiddenContent, LookError> {
        Ok(mask.hidden(&self.look(&SnapshotOptions::default(), deadline).await?.graph))
    }

    /// Makes what must not be seen black; gives the world in which it is remembered, or nothing if the page was
    /// replaced. Elements that stand in frames of other origins cannot be reached: then all frames are black. So are
    /// frames that cannot be searched, where texts must not be seen.
    async fn cover(&self, hidden: &HiddenContent, deadline: Deadline) -> Result<Option<String>, LookError> {
        const COVER: &str = include_str!("cover.js");
        let Some(world) = self.world(deadline).await? else { return Ok(None) };
        let expression = format!("({COVER})({}, {})", json!(hidden.elements), json!(hidden.texts));
        let done = self.evaluate::<serde::de::IgnoredAny>(&world, &expression, deadline).await?;
        let Some(done) = done else { return Ok(None) };
        done.into_value().map_err(|message| LookError::Publisher { message })?;
        Ok(Some(world))
    }

    async fn uncover(&self, world: &str, deadline: Deadline) {
        let expression = "globalThis.__uiapVeil?.splice(0).forEach((veil) => veil.cancel())";
        // If the document is gone, so is what covered it.
        let _ = self.evaluate::<serde::de::IgnoredAny>(world, expression, deadline).await;
    }

    async fn metrics(&self, deadline: Deadline) -> Result<Metrics, CallError> {
        self.call("Page.getLayoutMetrics", json!({}), deadline).await
    }

    /// How large that is which is seen of the page, in CSS pixels: what a picture of it shows.
    pub(crate) async fn seen_size(&self, deadline: Deadline) -> Result<(f64, f64), CallError> {
        let Seen { client_width, client_height, .. } = self.metrics(deadline).await?.css_visual_viewport;
        Ok((client_width, client_height))
    }

    async fn viewport(&self, deadline: Deadline) -> Result<Clip, CallError> {
        let Seen { page_x, page_y, client_width, client_height } =
            self.metrics(deadline).await?.css_visual_viewport;
        Ok(Clip { x: page_x, y: page_y, width: client_width, height: client_height })
    }

    /// The whole page.
    async fn whole(&self, deadline: Deadline) -> Result<Clip, CallError> {
        let Size { width, height } = self.metrics(deadline).await?.css_content_size;
        Ok(Clip { x: 0.0, y: 0.0, width, height })
    }
}

/// The elements of a graph whose content must not be seen.
pub(super) fn sensitive(graph: &PageGraph) -> Vec<ElementInstanceId> {
    let is_sensitive = |element: &&ElementNode| element.state.ui.sensitive == Some(true);
    graph.elements.iter().filter(is_sensitive).map(|element| element.instance_id.clone()).collect()
}

/// Hides what fields hold that hide it themselves, whatever a policy says.
struct SensitiveMask;

impl PictureMask for SensitiveMask {
    fn hidden(&self, page: &PageGraph) -> HiddenContent {
        HiddenContent { elements: sensitive(page), texts: Vec::new() }
    }
}
