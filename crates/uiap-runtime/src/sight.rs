//! Finding a target by looking at a picture, where nothing else leads to it (ACT 10.5).
//!
//! Start at [`Eyes`]. Whoever runs an action may lend it eyes; without them nobody looks and nothing is done by a
//! picture. What they say is only a point. Whether it hits the target is for the surface to say, and whether it did
//! anything for the verification.

use serde_json::{Value, json};
use std::pin::Pin;
use uiap_protocol::action::{ActionRequest, ResolvedTarget};
use uiap_protocol::seal::hash;

/// A point of a picture, from its upper left corner.
#[derive(Clone, Copy, Debug, PartialEq)]
#[expect(missing_docs, reason = "the words say what they mean")]
pub struct Point {
    pub x: f64,
    pub y: f64,
}

/// What an application shows. Points in it count by its width and height, however many dots it has.
#[derive(Clone, Debug, PartialEq)]
pub struct Picture {
    /// The picture.
    pub bytes: Vec<u8>,
    /// How it is written, such as `image/png`.
    pub media_type: &'static str,
    /// How wide it is.
    pub width: f64,
    /// How high it is.
    pub height: f64,
}

impl Picture {
    /// Whether a point lies in it. What is no number lies nowhere.
    pub fn contains(&self, Point { x, y }: Point) -> bool {
        (0.0..self.width).contains(&x) && (0.0..self.height).contains(&y)
    }

    /// Its hash: what stands for it where it was looked at.
    pub fn digest(&self) -> String {
        hash(&self.bytes)
    }
}

/// What is looked for.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'s> {
    /// What was asked for, by whoever is asked now.
    pub request: &'s ActionRequest,
    /// In what it must be.
    pub target: Option<&'s ResolvedTarget>,
    /// What there is to look at.
    pub picture: &'s Picture,
}

/// Looks at pictures for one who runs actions.
pub trait Eyes: Send + Sync {
    /// Where in the picture that is to be pressed; nothing, if it is not to be seen.
    fn find<'s>(&'s self, sought: Sought<'s>) -> Pin<Box<dyn Future<Output = Option<Point>> + Send + 's>>;
}

/// What came of looking, for the record.
#[derive(Clone, Debug, PartialEq)]
pub struct Sighting {
    /// The point that was named.
    pub point: Option<Point>,
    /// Which picture was looked at.
    pub digest: String,
    /// Its width and height.
    pub size: (f64, f64),
}

impl Sighting {
    /// As it is written down.
    pub fn to_json(&self) -> Value {
        let point = self.point.map(|Point { x, y }| json!({ "x": x, "y": y }));
        let (width, height) = self.size;
        json!({ "point": point, "picture": { "digest": self.digest, "width": width, "height": height } })
    }
}
