//! Writes the origins of a bundle while everything that a build knew is still there.

use super::{Changed, Evidence, Line, ORIGINS_FORMAT, OriginFile, Part, Reviewed};
use crate::assemble::Assembled;
use crate::assemble::item_at;
use crate::discovery::{FromDiscovery, Taken};
use crate::file::Shelf;
use crate::items::{ByHome, Home, List, id_of};
use crate::load::{Loaded, Manifest};
use crate::overlay::Patched;
use crate::review::{Reviews, decision_at};
use crate::texts::Wording;
use serde_json::Value;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Arc;
use uiap_protocol::authoring::{AuthoringDocument, AuthoringKind, CompiledBundle};
use uiap_protocol::canonical::{Object, Piece, written};
use uiap_protocol::text::{Node, Span, Value as Tree, pointer_token, push_pointer_token};

/// What origins are made from.
pub(crate) struct Known<'k, 't> {
    pub(crate) loaded: &'k Loaded<'t>,
    pub(crate) shelf: &'k Shelf<'t>,
    pub(crate) patched: &'k [Patched],
    pub(crate) wording: &'k Wording,
    pub(crate) discovery: &'k FromDiscovery,
    pub(crate) reviews: &'k Reviews,
}

/// What was written about manifests in the last build, by their full names.
#[derive(Debug, Default)]
pub(crate) struct OriginsMemory<'t>(HashMap<String, Remembered<'t>>);

/// What was written about the items of a manifest. It holds as long as the manifest is the very same.
#[derive(Debug)]
struct Remembered<'t> {
    tree: Arc<Node<'t>>,
    document: Arc<AuthoringDocument>,
    /// By list and place in it.
    items: BTreeMap<List, Vec<Option<Box<Item>>>>,
}

impl<'t> Remembered<'t> {
    fn item(&self, home: &Home) -> Option<&Item> {
        self.items.get(&home.list)?.get(home.index)?.as_deref()
    }

    /// The place for what is written about an item.
    fn slot(&mut self, home: &Home) -> Option<&mut Option<Box<Item>>> {
        let items = self.items.entry(home.list).or_default();
        if items.len() <= home.index {
            items.resize_with(home.index + 1, || None);
        }
        items.get_mut(home.index)
    }

    fn of(manifest: &Manifest<'t>, memory: &mut OriginsMemory<'t>) -> Self {
        let known = memory.0.remove(&manifest.id).filter(|known| {
            Arc::ptr_eq(&known.tree, &manifest.tree) && Arc::ptr_eq(&known.document, &manifest.document)
        });
        known.unwrap_or_else(|| Self {
            tree: Arc::clone(&manifest.tree),
            document: Arc::clone(&manifest.document),
            items: BTreeMap::new(),
        })
    }
}

/// What was written about an item.
#[derive(Debug)]
struct Item {
    /// No other place says something about it.
    is_alone: bool,
    /// All but what is inside.
    part: Part,
    /// The canonical text of what is inside, and the numbers that files had in it.
    inside: String,
    files: Vec<(u32, usize)>,
    /// The canonical text of everything.
    text: String,
}

/// The canonical text of the origins of a bundle.
pub(crate) fn origins<'t>(
    known: &Known<'_, 't>,
    assembled: &Assembled,
    digest: &str,
    memory: &mut OriginsMemory<'t>,
) -> Option<String> {
    let manifests = &known.loaded.manifests;
    let mut remembered: Vec<_> = manifests.iter().map(|one| Remembered::of(one, memory)).collect();
    let mut writer = Writer::new(known);
    let mut parts = Vec::new();
    if let Some(part) = writer.whole(assembled.app, json(&assembled.bundle.app).as_ref()) {
        parts.push(("/app".into(), written(&part).ok()?.into()));
    }
    for (list, items) in &assembled.homes {
        for (index, homes) in items.iter().enumerate() {
            let Some(home) = homes.first() else { continue };
            let slot = remembered.get_mut(home.manifest).and_then(|manifest| manifest.slot(home));
            let Some(slot) = slot else { continue };
            // What several places say together changes with each of them.
            let before = slot.take().filter(|item| item.is_alone && homes.len() == 1);
            *slot = writer.item(homes, before, || item_json(&assembled.bundle, *list, index));
        }
    }
    let mut capabilities = None;
    for (number, manifest) in manifests.iter().enumerate() {
        if manifest.is_visible && manifest.kind() == AuthoringKind::Capabilities {
            let document = assembled.bundle.capabilities.as_ref().and_then(json);
            let part = writer.capabilities(number, document.as_ref());
            capabilities.get_or_insert(part);
        }
    }
    if let Some(part) = capabilities {
        parts.push(("/capabilities".into(), written(&part).ok()?.into()));
    }
    for (key, (manifest, span)) in &known.wording.written {
        let text = Node { value: Tree::Null, span: *span };
        let mut part = writer.part(*manifest, &text, None);
        part.review = writer.review(known.reviews.manifests.get(manifest));
        parts.push((format!("/locales{}", pointer_token(key)).into(), written(&part).ok()?.into()));
    }
    let files = writer.files();
    for (list, items) in &assembled.homes {
        for (index, homes) in items.iter().enumerate() {
            let item = homes.first().and_then(|home| remembered.get(home.manifest)?.item(home));
            parts.extend(
                item.map(|item| (format!("{}/{index}", list.in_bundle()).into(), item.text.as_str().into())),
            );
        }
    }
    let mut origins = Object::default();
    origins.put("format", written(ORIGINS_FORMAT).ok()?);
    origins.put("bundle", written(digest).ok()?);
    origins.put("files", written(&files).ok()?);
    origins.put("parts", Piece::Object(parts.into_iter().collect()));
    let text = origins.text();
    drop(origins);
    memory.0 = manifests.iter().map(|one| one.id.clone()).zip(remembered).collect();
    Some(text)
}

fn json<T: serde::Serialize>(value: &T) -> Option<Value> {
    serde_json::to_value(value).ok()
}

/// An item as the bundle has it.
fn item_json(bundle: &CompiledBundle, list: List, index: usize) -> Option<Value> {
    let bindings = bundle.bindings.as_ref();
    match list {
        List::Routes => bindings?.routes.as_ref()?.get(index).and_then(json),
        List::Scopes => bindings?.scopes.as_ref()?.get(index).and_then(json),
        List::Elements => bindings?.elements.as_ref()?.get(index).and_then(json),
        List::Actions => bundle.actions.as_ref()?.get(index).and_then(json),
        List::Policies => bundle.policies.as_ref()?.get(index).and_then(json),
        List::Workflows => bundle.workflows.as_ref()?.get(index).and_then(json),
    }
}

struct Writer<'k, 't> {
    known: &'k Known<'k, 't>,
    /// Sources that are mentioned, and the numbers of their files.
    numbers: HashMap<u32, usize>,
    sources: Vec<u32>,
    /// Changes by overlays, by item.
    changes: ByHome<Vec<&'k Patched>>,
}

impl<'k, 't> Writer<'k, 't> {
    fn new(known: &'k Known<'k, 't>) -> Self {
        let mut changes: ByHome<Vec<&Patched>> = ByHome::default();
        for patched in known.patched {
            if let Some(home) = item_at(patched.manifest, &patched.pointer) {
                changes.entry(home).or_default().push(patched);
            }
        }
        Self { known, numbers: HashMap::new(), sources: Vec::new(), changes }
    }

    /// The number of a file, which is mentioned from now on.
    fn number(&mut self, source: u32) -> usize {
        let next = self.sources.len();
        let number = *self.numbers.entry(source).or_insert(next);
        if number == next {
            self.sources.push(source);
        }
        number
    }

    fn line(&mut self, span: Span) -> Line {
        let file = self.known.shelf.file(span.source);
        Line(self.number(span.source), file.map_or(1, |file| file.lines().line(span)))
    }

    /// The files that are mentioned. A file belongs to the package of the manifest that it holds or is named by.
    fn files(&self) -> Vec<OriginFile> {
        let loaded = self.known.loaded;
        let mut packages: HashMap<u32, usize> = HashMap::new();
        for manifest in &loaded.manifests {
            packages.entry(manifest.file.source).or_insert(manifest.package);
        }
        let owner = |source: u32| {
            let of_manifest = packages.get(&source).copied();
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
                    digest: file.digest().to_owned(),
                })
            })
            .collect()
    }

    /// What is to be written about an item. What was written before is kept as far as it still holds.
    fn item(
        &mut self,
        homes: &[Home],
        before: Option<Box<Item>>,
        json: impl FnOnce() -> Option<Value>,
    ) -> Option<Box<Item>> {
        let home = homes.first()?;
        let manifest = self.known.loaded.manifests.get(home.manifest)?;
        let node = written_at(&manifest.tree, *home)?;
        let at = self.line(node.span);
        let before =
            before.filter(|item| item.files.iter().all(|(source, number)| self.number(*source) == *number));
        if let Some(mut item) = before {
            let part = self.around(homes, manifest, at);
            if item.part != part {
                item.text = text_of(&part, &item.inside)?;
                item.part = part;
            }
            return Some(item);
        }
        let lines = self.lines_inside(node, json().as_ref(), at);
        let files = lines.sources.iter().map(|source| (*source, self.number(*source))).collect();
        let (inside, part) = (lines.text(), self.around(homes, manifest, at));
        let text = text_of(&part, &inside)?;
        Some(Box::new(Item { is_alone: homes.len() == 1, part, inside, files, text }))
    }

    /// What is to be said about an item, but for what is inside.
    fn around(&mut self, homes: &[Home], manifest: &Manifest<'_>, at: Line) -> Part {
        let known = self.known;
        let mut part = Part::at(&manifest.id, at);
        let Some((home, rest)) = homes.split_first() else { return part };
        for home in rest {
            if let Some(manifest) = known.loaded.manifests.get(home.manifest) {
                part.also.push(self.line(manifest.place(home.pointer()).span));
            }
        }
        if let Some(changes) = self.changes.get(home).cloned() {
            part.overlays = self.changed(&changes, &inner_pointer(*home));
        }
        if !known.wording.resolved.is_empty() {
            part.texts = self.texts(manifest, *home);
        }
        if !known.discovery.taken.is_empty() || !known.discovery.linked.is_empty() {
            part.discovery = self.discovered(*home);
        }
        part.review = self.review(known.reviews.items.get(home));
        part
    }

    fn discovered(&mut self, home: Home) -> Option<Evidence> {
        let id = id_of(self.known.loaded, home).unwrap_or_default().to_owned();
        let key = (home.manifest, home.list, id);
        match (self.known.discovery.taken.get(&key), self.known.discovery.linked.get(&key)) {
            (Some(taken), _) => Some(self.evidence(taken, false)),
            (None, Some(linked)) => Some(self.evidence(linked, true)),
            (None, None) => None,
        }
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
        let inside = self.lines_inside(node, json, at).lines();
        let manifest = self.known.loaded.manifests.get(manifest).map_or("", |one| one.id.as_str());
        Part { inside, ..Part::at(manifest, at) }
    }

    /// Lines of what is inside, as far as the bundle has it.
    fn lines_inside(&mut self, node: &Node<'_>, json: Option<&Value>, around: Line) -> Lines {
        let mut lines = Lines::default();
        if let Some(json) = json {
            self.inside(node, json, around, &mut lines);
        }
        lines
    }

    fn inside(&mut self, node: &Node<'_>, json: &Value, around: Line, lines: &mut Lines) {
        let length = lines.pointer.len();
        match (&node.value, json) {
            (Tree::Object(members), Value::Object(kept)) => {
                for member in members {
                    let Some(json) = kept.get(member.key.as_ref()) else { continue };
                    push_pointer_token(&mut lines.pointer, &member.key);
                    let is_of_one_text = member.node.span.source == member.key_span.source;
                    let span = if is_of_one_text { member.key_span } else { member.node.span };
                    self.inside_at(span, &member.node, json, around, lines);
                    lines.pointer.truncate(length);
                }
            }
            (Tree::List(items), Value::Array(kept)) => {
                for (index, (item, json)) in items.iter().zip(kept).enumerate() {
                    push_index(&mut lines.pointer, index);
                    self.inside_at(item.span, item, json, around, lines);
                    lines.pointer.truncate(length);
                }
            }
            _ => {}
        }
    }

    fn inside_at(&mut self, span: Span, node: &Node<'_>, json: &Value, around: Line, lines: &mut Lines) {
        let line = self.line(span);
        lines.mention(span.source);
        if line != around {
            lines.put(line);
        }
        self.inside(node, json, line, lines);
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
    fn texts(&mut self, manifest: &Manifest<'_>, home: Home) -> BTreeMap<String, Line> {
        let mut references = Vec::new();
        if let Some(node) = written_at(&manifest.tree, home) {
            references_in(node, &mut String::new(), &mut references);
        }
        let pointer = inner_pointer(home);
        let resolved = &self.known.wording.resolved;
        let found = references.into_iter().filter_map(|inside| {
            let span = resolved.get(&(home.manifest, format!("{pointer}{inside}")))?;
            Some((inside, *span))
        });
        found.collect::<Vec<_>>().into_iter().map(|(inside, span)| (inside, self.line(span))).collect()
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

/// Lines of what is inside something, by pointer.
#[derive(Debug, Default)]
struct Lines {
    /// Where the walk is.
    pointer: String,
    /// Pointers, each with its line behind it, where each of the two ends, and the line once more.
    written: String,
    ends: Vec<(usize, usize, Line)>,
    /// The files that are mentioned, as they are met.
    sources: Vec<u32>,
}

impl Lines {
    fn mention(&mut self, source: u32) {
        if !self.sources.contains(&source) {
            self.sources.push(source);
        }
    }

    /// What the walk has come to is on this line.
    fn put(&mut self, line: Line) {
        self.written.push_str(&self.pointer);
        let pointer_end = self.written.len();
        let _ = write!(self.written, "[{},{}]", line.0, line.1);
        self.ends.push((pointer_end, self.written.len(), line));
    }

    fn entries(&self) -> impl Iterator<Item = (&str, &str, Line)> {
        let mut start = 0;
        self.ends.iter().map(move |(pointer_end, end, line)| {
            let pointer = self.written.get(start..*pointer_end).unwrap_or_default();
            start = *end;
            (pointer, self.written.get(*pointer_end..*end).unwrap_or_default(), *line)
        })
    }

    /// The canonical text.
    fn text(&self) -> String {
        self.entries().map(|(pointer, text, _)| (pointer.into(), text.into())).collect::<Object<'_>>().text()
    }

    fn lines(&self) -> BTreeMap<String, Line> {
        self.entries().map(|(pointer, _, line)| (pointer.to_owned(), line)).collect()
    }
}

fn push_index(pointer: &mut String, index: usize) {
    pointer.push('/');
    let _ = write!(pointer, "{index}");
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

fn text_of(part: &Part, inside: &str) -> Option<String> {
    let mut object = Object::of(part).ok()?;
    if inside != "{}" {
        object.put("inside", inside);
    }
    Some(object.text())
}

/// What an item says, in the manifest that it is written in.
fn written_at<'n, 't>(tree: &'n Node<'t>, home: Home) -> Option<&'n Node<'t>> {
    let item = tree.member("spec")?.member(home.list.member())?.items().get(home.index)?;
    match home.list {
        List::Workflows => item.member("definition"),
        _ => Some(item),
    }
}

fn inner_pointer(home: Home) -> String {
    format!("{}{}", home.pointer(), home.list.inner())
}
