//! Writes the origins of a bundle while everything that a build knew is still there.

use super::{Changed, Evidence, Line, ORIGINS_FORMAT, OriginFile, Origins, Part, Reviewed};
use crate::assemble::Assembled;
use crate::assemble::item_at;
use crate::discovery::{FromDiscovery, Taken};
use crate::file::Shelf;
use crate::items::{Home, id_of};
use crate::load::Loaded;
use crate::overlay::Patched;
use crate::review::{Reviews, decision_at};
use crate::texts::Wording;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use uiap_protocol::text::{LineIndex, Node, Span, Value as Tree, pointer_token};

/// What origins are made from.
pub(crate) struct Known<'k, 't> {
    pub(crate) loaded: &'k Loaded<'t>,
    pub(crate) shelf: &'k Shelf<'t>,
    pub(crate) patched: &'k [Patched],
    pub(crate) wording: &'k Wording,
    pub(crate) discovery: &'k FromDiscovery,
    pub(crate) reviews: &'k Reviews,
}

/// The origins of a bundle; `json` is the bundle as it is written.
pub(crate) fn origins(known: &Known<'_, '_>, assembled: &Assembled, json: &Value, digest: &str) -> Origins {
    let mut writer = Writer::new(known);
    let mut parts = BTreeMap::new();
    if let Some(part) = writer.whole(assembled.app, json.get("app")) {
        parts.insert("/app".to_owned(), part);
    }
    for (list, items) in &assembled.homes {
        for (index, homes) in items.iter().enumerate() {
            let pointer = format!("{}/{index}", list.in_bundle());
            let Some(part) = writer.item(homes, json.pointer(&pointer)) else { continue };
            parts.insert(pointer, part);
        }
    }
    for (number, manifest) in known.loaded.manifests.iter().enumerate() {
        if manifest.is_visible && manifest.kind() == uiap_protocol::authoring::AuthoringKind::Capabilities {
            let part = writer.capabilities(number, json.get("capabilities"));
            parts.entry("/capabilities".to_owned()).or_insert(part);
        }
    }
    for (key, (manifest, span)) in &known.wording.written {
        let text = Node { value: Tree::Null, span: *span };
        let mut part = writer.part(*manifest, &text, None);
        part.review = writer.review(known.reviews.manifests.get(manifest));
        parts.insert(format!("/locales{}", pointer_token(key)), part);
    }
    let files = writer.files();
    Origins { format: ORIGINS_FORMAT.to_owned(), bundle: digest.to_owned(), files, parts }
}

struct Writer<'k, 't> {
    known: &'k Known<'k, 't>,
    /// Sources that are mentioned, and the numbers of their files.
    numbers: HashMap<u32, usize>,
    sources: Vec<u32>,
    lines: HashMap<u32, LineIndex<'t>>,
    /// Changes by overlays, by item.
    changes: HashMap<Home, Vec<&'k Patched>>,
}

impl<'k, 't> Writer<'k, 't> {
    fn new(known: &'k Known<'k, 't>) -> Self {
        let mut changes: HashMap<Home, Vec<&Patched>> = HashMap::new();
        for patched in known.patched {
            if let Some(home) = item_at(patched.manifest, &patched.pointer) {
                changes.entry(home).or_default().push(patched);
            }
        }
        Self { known, numbers: HashMap::new(), sources: Vec::new(), lines: HashMap::new(), changes }
    }

    fn line(&mut self, span: Span) -> Line {
        let next = self.sources.len();
        let number = *self.numbers.entry(span.source).or_insert(next);
        if number == next {
            self.sources.push(span.source);
        }
        let shelf = self.known.shelf;
        let index = self
            .lines
            .entry(span.source)
            .or_insert_with(|| LineIndex::new(shelf.file(span.source).map_or("", |file| file.text)));
        Line(number, index.place(span).line)
    }

    /// The files that are mentioned. A file belongs to the package of the manifest that it holds or is named by.
    fn files(&self) -> Vec<OriginFile> {
        let loaded = self.known.loaded;
        let owner = |source: u32| {
            let of_manifest =
                loaded.manifests.iter().find(|one| one.file.source == source).map(|one| one.package);
            let file = self.known.shelf.file(source)?;
            let by_folder =
                || loaded.packages.iter().position(|package| package.folder.file(&file.path) == file.name);
            loaded.packages.get(of_manifest.or_else(by_folder)?)
        };
        self.sources
            .iter()
            .filter_map(|source| {
                let file = self.known.shelf.file(*source)?;
                let package = owner(*source)?;
                Some(OriginFile {
                    package_id: package.manifest.package_id.as_str().to_owned(),
                    version: package.manifest.version.as_str().to_owned(),
                    path: file.path.clone(),
                    digest: file.digest(),
                })
            })
            .collect()
    }

    fn item(&mut self, homes: &[Home], json: Option<&Value>) -> Option<Part> {
        let (home, rest) = homes.split_first()?;
        let manifest = self.known.loaded.manifests.get(home.manifest)?;
        let pointer = format!("{}{}", home.pointer(), home.list.inner());
        let node = crate::overlay::at(&manifest.tree, &pointer)?;
        let id = id_of(self.known.loaded, *home).unwrap_or_default().to_owned();
        let mut part = self.part(home.manifest, node, json);
        part.also = rest
            .iter()
            .filter_map(|home| {
                let manifest = self.known.loaded.manifests.get(home.manifest)?;
                Some(manifest.place(home.pointer()).span)
            })
            .collect::<Vec<_>>()
            .into_iter()
            .map(|span| self.line(span))
            .collect();
        part.overlays = self.overlays(*home, &pointer);
        part.texts = self.texts(home.manifest, &pointer, json);
        let key = (home.manifest, home.list, id);
        part.discovery = match (self.known.discovery.taken.get(&key), self.known.discovery.linked.get(&key)) {
            (Some(taken), _) => Some(self.evidence(taken, false)),
            (None, Some(linked)) => Some(self.evidence(linked, true)),
            (None, None) => None,
        };
        part.review = self.review(self.known.reviews.items.get(home));
        Some(part)
    }

    fn whole(&mut self, manifest: usize, json: Option<&Value>) -> Option<Part> {
        let node = crate::overlay::at(&self.known.loaded.manifests.get(manifest)?.tree, "/spec")?;
        let mut part = self.part(manifest, node, json);
        part.overlays = self.changes_of_manifest(manifest, "/spec");
        part.review = self.review(self.known.reviews.manifests.get(&manifest));
        Some(part)
    }

    fn capabilities(&mut self, manifest: usize, json: Option<&Value>) -> Part {
        let known = self.known;
        let node = known
            .loaded
            .manifests
            .get(manifest)
            .and_then(|one| crate::overlay::at(&one.tree, "/spec/document"));
        let empty = Node { value: Tree::Null, span: Span::default() };
        let mut part = self.part(manifest, node.unwrap_or(&empty), json);
        part.overlays = self.changes_of_manifest(manifest, "/spec/document");
        part.review = self.review(known.reviews.manifests.get(&manifest));
        part
    }

    fn part(&mut self, manifest: usize, node: &Node<'_>, json: Option<&Value>) -> Part {
        let at = self.line(node.span);
        let mut inside = BTreeMap::new();
        if let Some(json) = json {
            self.inside(node, json, at, &mut String::new(), &mut inside);
        }
        let manifest =
            self.known.loaded.manifests.get(manifest).map_or_else(String::new, |one| one.id.clone());
        Part {
            manifest,
            at,
            also: Vec::new(),
            inside,
            overlays: Vec::new(),
            texts: BTreeMap::new(),
            discovery: None,
            review: None,
        }
    }

    /// Lines of what is inside, as far as the bundle has it.
    fn inside(
        &mut self,
        node: &Node<'_>,
        json: &Value,
        around: Line,
        pointer: &mut String,
        lines: &mut BTreeMap<String, Line>,
    ) {
        let length = pointer.len();
        match (&node.value, json) {
            (Tree::Object(members), Value::Object(kept)) => {
                for member in members {
                    let Some(json) = kept.get(member.key.as_ref()) else { continue };
                    pointer.push_str(&pointer_token(&member.key));
                    let line = self.line(Span {
                        source: member.node.span.source,
                        ..if member.node.span.source == member.key_span.source {
                            member.key_span
                        } else {
                            member.node.span
                        }
                    });
                    if line != around {
                        lines.insert(pointer.clone(), line);
                    }
                    self.inside(&member.node, json, line, pointer, lines);
                    pointer.truncate(length);
                }
            }
            (Tree::List(items), Value::Array(kept)) => {
                for (index, (item, json)) in items.iter().zip(kept).enumerate() {
                    push_index(pointer, index);
                    let line = self.line(item.span);
                    if line != around {
                        lines.insert(pointer.clone(), line);
                    }
                    self.inside(item, json, line, pointer, lines);
                    pointer.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn overlays(&mut self, home: Home, pointer: &str) -> Vec<Changed> {
        let changes = self.changes.get(&home).cloned().unwrap_or_default();
        self.changed(&changes, pointer)
    }

    fn changes_of_manifest(&mut self, manifest: usize, pointer: &str) -> Vec<Changed> {
        let inside: Vec<&Patched> = self
            .known
            .patched
            .iter()
            .filter(|patched| patched.manifest == manifest && patched.pointer.starts_with(pointer))
            .collect();
        self.changed(&inside, pointer)
    }

    fn changed(&mut self, changes: &[&Patched], pointer: &str) -> Vec<Changed> {
        let known = self.known;
        changes
            .iter()
            .filter_map(|patched| {
                let overlay = known.loaded.manifests.get(patched.overlay)?;
                let at = self.line(overlay.place(format!("/spec/patches/{}", patched.patch)).span);
                let inside = patched.pointer.strip_prefix(pointer).unwrap_or_default();
                Some(Changed { pointer: inside.to_owned(), overlay: overlay.id.clone(), at })
            })
            .collect()
    }

    /// Texts that stood behind references in an item.
    fn texts(&mut self, manifest: usize, pointer: &str, json: Option<&Value>) -> BTreeMap<String, Line> {
        let mut texts = BTreeMap::new();
        if json.is_none() || self.known.wording.resolved.is_empty() {
            return texts;
        }
        let known = self.known;
        let Some(node) =
            known.loaded.manifests.get(manifest).and_then(|one| crate::overlay::at(&one.tree, pointer))
        else {
            return texts;
        };
        let mut references = Vec::new();
        references_in(node, &mut String::new(), &mut references);
        for inside in references {
            if let Some(span) = known.wording.resolved.get(&(manifest, format!("{pointer}{inside}"))) {
                let line = self.line(*span);
                texts.insert(inside, line);
            }
        }
        texts
    }

    fn evidence(&mut self, taken: &Taken, only_linked: bool) -> Evidence {
        let import = self.known.loaded.manifests.get(taken.import);
        let at = import
            .map(|import| import.place(format!("/spec/accept/{}", taken.rule)).span)
            .unwrap_or_default();
        Evidence {
            run_id: taken.run_id.clone(),
            evidence: taken.evidence.clone(),
            manifest: import.map_or_else(String::new, |import| import.id.clone()),
            at: self.line(at),
            found_at: self.line(taken.place),
            only_linked,
        }
    }

    fn review(&mut self, standing: Option<&crate::review::Standing>) -> Option<Reviewed> {
        let standing = standing?;
        let loaded = self.known.loaded;
        let decision = standing.decision.and_then(|entry| decision_at(loaded, entry));
        let list = if standing.decision.is_some() { "decisions" } else { "waivers" };
        let entry = standing.decision.or(standing.waiver);
        let place = entry.and_then(|entry| {
            Some(loaded.manifests.get(entry.manifest)?.place(format!("/spec/{list}/{}", entry.index)).span)
        });
        Some(Reviewed {
            state: standing.state.to_string(),
            by: decision.map(|decision| decision.by.as_str().to_owned()),
            decided_at: decision.map(|decision| decision.at.to_string()),
            at: place.map(|span| self.line(span)),
            is_waived: standing.waiver.is_some(),
        })
    }
}

fn push_index(pointer: &mut String, index: usize) {
    pointer.push('/');
    pointer.push_str(&index.to_string());
}

/// Where references to texts are.
fn references_in(node: &Node<'_>, pointer: &mut String, found: &mut Vec<String>) {
    let length = pointer.len();
    match &node.value {
        Tree::Object(members) => {
            if node.member("ref").is_some_and(|reference| reference.as_text().is_some()) {
                found.push(pointer.clone());
            }
            for member in members {
                pointer.push_str(&pointer_token(&member.key));
                references_in(&member.node, pointer, found);
                pointer.truncate(length);
            }
        }
        Tree::List(items) => {
            for (index, item) in items.iter().enumerate() {
                push_index(pointer, index);
                references_in(item, pointer, found);
                pointer.truncate(length);
            }
        }
        _ => {}
    }
}
