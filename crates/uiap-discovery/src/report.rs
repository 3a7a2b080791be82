//! The report of a run: one page that shows everything, works without a network and asks nobody.
//!
//! Start at [`write()`]. The page is made of `web/report`, bundled and committed, and of the package as data. What comes from
//! explored pages is never markup: it stands in the page as JSON that cannot end its element, and the script turns it into
//! text only. A content security policy says the same to the browser: no script but this one, and no request at all.

use crate::diff::Change;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};
use std::collections::BTreeMap;
use std::io::{self, Write};
use uiap_protocol::discovery::DiscoveryPackage;

const SCRIPT: &str = include_str!("../../../web/report/dist/report.js");
const STYLE: &str = include_str!("../../../web/report/dist/report.css");

/// Most bytes of pictures that are put into the page itself; the others are links to their files.
pub const PICTURES_BYTES_MAX: usize = 24 * 1024 * 1024;

/// A picture of a state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// What it is, such as `image/webp`.
    pub media_type: String,
    /// The picture.
    pub bytes: Vec<u8>,
}

/// What is different between two packages, under a title.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// What was compared.
    pub title: String,
    /// What is different.
    pub changes: Vec<Change>,
}

/// What goes into a report beside the package.
#[derive(Clone, Debug, Default)]
pub struct Enclosed {
    /// Pictures, by the ids of their records of evidence.
    pub pictures: BTreeMap<String, Picture>,
    /// Differences to other packages: of an earlier run, or of somebody else's.
    pub differences: Vec<Difference>,
}

/// Writes the report of a run as one page. Nothing of a large package is there a second time meanwhile.
pub fn write(out: &mut impl Write, package: &DiscoveryPackage, enclosed: &Enclosed) -> io::Result<()> {
    // A picture that is not in the page may lie beside it, in the folder of the run.
    let policy = format!(
        "default-src 'none'; script-src '{}'; style-src '{}'; img-src data:; base-uri 'none'; form-action 'none'",
        digest(SCRIPT),
        digest(STYLE)
    );
    write!(
        out,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta http-equiv=\"Content-Security-Policy\" content=\"{policy}\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"referrer\" content=\"no-referrer\">\n<link rel=\"icon\" href=\"data:,\">\n\
         <title>Discovery report</title>\n<style>{STYLE}</style>\n</head>\n<body>\n\
         <noscript>This report is drawn by a script. The same is in the discovery package beside it.</noscript>\n\
         <script type=\"application/json\" id=\"data\">"
    )?;
    let differences: Vec<Value> = enclosed
        .differences
        .iter()
        .map(|one| json!({ "title": one.title, "changes": one.changes }))
        .collect();
    let members = [
        ("\"pictures\":", pictures(package, enclosed).into()),
        ("\"differences\":", Value::from(differences)),
    ];
    let mut contained = Contained(&mut *out);
    contained.write_all(b"{\"package\":")?;
    serde_json::to_writer(&mut contained, package)?;
    for (name, member) in members {
        contained.write_all(b",")?;
        contained.write_all(name.as_bytes())?;
        serde_json::to_writer(&mut contained, &member)?;
    }
    contained.write_all(b"}")?;
    write!(out, "</script>\n<script>{SCRIPT}</script>\n</body>\n</html>\n")
}

/// The pictures of states as data addresses, as long as there is room for them.
fn pictures(package: &DiscoveryPackage, enclosed: &Enclosed) -> Map<String, Value> {
    let mut room = PICTURES_BYTES_MAX;
    let mut pictures = Map::new();
    let wanted = package.transition_graph.states.iter().filter_map(|state| state.screenshot_ref.as_ref());
    for id in wanted {
        let Some(picture) = enclosed.pictures.get(id.as_str()) else { continue };
        let is_picture = picture.media_type.strip_prefix("image/").is_some_and(|kind| {
            kind.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.'))
        });
        if !is_picture || picture.bytes.len() > room {
            continue;
        }
        room -= picture.bytes.len();
        let address = format!("data:{};base64,{}", picture.media_type, STANDARD.encode(&picture.bytes));
        pictures.insert(id.as_str().to_owned(), Value::from(address));
    }
    pictures
}

/// JSON that cannot end the element that it stands in, whatever its texts are: these letters stand in texts only, and never
/// inside another letter.
struct Contained<W>(W);

impl<W: Write> Write for Contained<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| matches!(byte, b'<' | b'>' | b'&')) {
            let escaped: &[u8] = match part.last() {
                Some(b'<') => b"\\u003c",
                Some(b'>') => b"\\u003e",
                Some(b'&') => b"\\u0026",
                _ => {
                    self.0.write_all(part)?;
                    continue;
                }
            };
            self.0.write_all(part.get(..part.len() - 1).unwrap_or_default())?;
            self.0.write_all(escaped)?;
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// What a content security policy calls an inline text.
fn digest(text: &str) -> String {
    format!("sha256-{}", STANDARD.encode(Sha256::digest(text.as_bytes())))
}
