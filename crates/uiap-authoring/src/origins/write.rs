//! Writes the origins of a bundle while everything that a build knew is still there.

use super::lines::{Lines, Spot, push_index};
use super::{Changed, Evidence, Line, ORIGINS_FORMAT, OriginFile, Part, Reviewed};
use crate::assemble::Assembled;
use crate::assemble::item_at;
use crate::discovery::{FromDiscovery, Taken};
use crate::file::Shelf;
use crate::hands::{Hands, of_each};
use crate::items::{ByHome, Home, Homes, List, id_of};
use crate::load::{Loaded, Manifest};
use crate::overlay::Patched;
use crate::review::{Reviews, decision_at};
use crate::texts::Wording;
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, OnceLock};
use uiap_protocol::authoring::{AuthoringDocument, AuthoringKind, CompiledBundle};
use uiap_protocol::canonical::{Object, Piece, written};
use uiap_protocol::text::{Format, Limits, Node, Span, Value as Tree, pointer_token, read};

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
    items: BTreeMap<List, FxHashMap<usize, Option<Box<Item>>>>,
}

impl<'t> Remembered<'t> {
    fn item(&self, home: &Home) -> Option<&Item> {
        self.items.get(&home.list)?.get(&home.index)?.as_deref()
    }

    /// The place for what is written about an item.
    fn slot(&mut self, home: &Home) -> &mut Option<Box<Item>> {
        self.items.entry(home.list).or_default().entry(home.index).or_default()
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
    /// The number of the file that it stands in.
    source: u32,
    /// All but what is inside.
    part: Part,
    /// The canonical text of what is inside, and the numbers that files had in it.
    inside: String,
    files: Vec<(u32, usize)>,
    /// The canonical text of everything.
    text: String,
}

/// An item of the bundle that something is to be written about.
struct Asked<'k> {
    list: List,
    index: usize,
    homes: &'k Homes,
    /// Something was written about it before, and may still hold.
    is_known: bool,
}

/// What is to be written about an item, and is not written yet.
struct Draft {
    is_alone: bool,
    source: u32,
    part: Part,
    lines: Lines,
    files: Vec<(u32, usize)>,
}

impl Draft {
    fn written(&self) -> Option<(String, String)> {
        let inside = self.lines.text(&self.files);
        let text = text_of(&self.part, &inside)?;
        Some((inside, text))
    }
}

/// The canonical text of the origins of a bundle, and the digest of the bundle, which `digest` works out meanwhile.
pub(crate) fn origins<'t>(
    known: &Known<'_, 't>,
    assembled: &Assembled,
    digest: &(dyn Fn() -> String + Sync),
    memory: &mut OriginsMemory<'t>,
    hands: &dyn Hands,
) -> Option<(String, String)> {
    let manifests = &known.loaded.manifests;
    let mut remembered: Vec<_> = manifests.iter().map(|one| Remembered::of(one, memory)).collect();
    let asked = asked(assembled, &mut remembered);
    let new: Vec<_> = asked.iter().filter(|asked| !asked.is_known).collect();
    let sealed = OnceLock::new();
    let besides = || {
        sealed.get_or_init(digest);
    };
    let walked = of_each(hands, &new, &besides, &|asked| lines_of(known, assembled, asked));
    let digest = sealed.into_inner().unwrap_or_else(digest);
    let mut writer = Writer::new(known);
    let mut parts = Vec::new();
    if let Some(part) = writer.whole(assembled.app, json(&assembled.bundle.app).as_deref()) {
        parts.push(("/app".into(), written(&part).ok()?.into()));
    }
    let mut walked = walked.into_iter();
    let mut drafts = Vec::new();
    for asked in &asked {
        let home = asked.homes.first();
        let before = remembered.get_mut(home.manifest).and_then(|manifest| manifest.slot(&home).as_mut());
        let lines = match before {
            Some(item) if asked.is_known => {
                if writer.keep(asked.homes, item).is_some() {
                    continue;
                }
                lines_of(known, assembled, asked)
            }
            _ => walked.next().flatten(),
        };
        drafts.extend(lines.and_then(|lines| Some((home, writer.draft(asked.homes, lines)?))));
    }
    write(drafts, &mut remembered, hands);
    parts.extend(writer.wholes(assembled)?);
    let files = writer.files();
    let mut lists: Vec<_> = assembled.homes.iter().collect();
    lists.sort_by_key(|(list, _)| list.in_bundle());
    for (list, items) in lists {
        for index in in_order_of_names(items.len()) {
            let home = items.get(index).map(Homes::first);
            let item = home.and_then(|home| remembered.get(home.manifest)?.item(&home));
            parts.extend(
                item.map(|item| (format!("{}/{index}", list.in_bundle()).into(), item.text.as_str().into())),
            );
        }
    }
    let mut origins = Object::default();
    origins.put("format", written(ORIGINS_FORMAT).ok()?);
    origins.put("bundle", written(&digest).ok()?);
    origins.put("files", written(&files).ok()?);
    origins.put("parts", Piece::Object(parts.into_iter().collect()));
    let text = origins.text();
    drop(origins);
    memory.0 = manifests.iter().map(|one| one.id.clone()).zip(remembered).collect();
    Some((text, digest))
}

/// Every item of the bundle, in the order in which files get their numbers.
fn asked<'k>(assembled: &'k Assembled, remembered: &mut [Remembered<'_>]) -> Vec<Asked<'k>> {
    let mut asked = Vec::new();
    for (list, items) in &assembled.homes {
        for (index, homes) in items.iter().enumerate() {
            let Some(manifest) = remembered.get_mut(homes.first().manifest) else { continue };
            let slot = manifest.slot(&homes.first());
            // What several places say together changes with each of them.
            let is_known = slot.as_ref().is_some_and(|item| item.is_alone && homes.rest().is_empty());
            if !is_known {
                *slot = None;
            }
            asked.push(Asked { list: *list, index, homes, is_known });
        }
    }
    asked
}

/// Writes what is to be written about items, with many hands.
fn write(drafts: Vec<(Home, Draft)>, remembered: &mut [Remembered<'_>], hands: &dyn Hands) {
    let texts = of_each(hands, &drafts, &|| {}, &|(_, draft)| draft.written());
    for ((home, draft), texts) in drafts.into_iter().zip(texts) {
        let Draft { is_alone, source, part, files, .. } = draft;
        if let Some((manifest, (inside, text))) = remembered.get_mut(home.manifest).zip(texts) {
            *manifest.slot(&home) = Some(Box::new(Item { is_alone, source, part, inside, files, text }));
        }
    }
}

/// The lines of what is inside an item.
fn lines_of(known: &Known<'_, '_>, assembled: &Assembled, asked: &Asked<'_>) -> Option<Lines> {
    let home = asked.homes.first();
    let node = written_at(&known.loaded.manifests.get(home.manifest)?.tree, home)?;
    let text = item_text(&assembled.bundle, asked.list, asked.index);
    let kept = text.as_ref().and_then(|text| read(text, Format::Json, Limits::DOCUMENT).ok());
    Some(Lines::of(known.shelf, node, kept.as_ref()))
}

/// The numbers below `count`, in the order of their names: 0, 1, 10, 11, 2. What is in order already need not be put
/// into it.
fn in_order_of_names(count: usize) -> Vec<usize> {
    let mut numbers = Vec::with_capacity(count);
    numbers.extend((count > 0).then_some(0));
    let mut next = 1;
    while numbers.len() < count {
        numbers.push(next);
        if next * 10 < count {
            next *= 10;
            continue;
        }
        while next % 10 == 9 || next + 1 >= count {
            next /= 10;
            if next == 0 {
                return numbers;
            }
        }
        next += 1;
    }
    numbers
}

fn json<T: serde::Serialize>(value: &T) -> Option<String> {
    written(value).ok()
}

/// The canonical text of an item as the bundle has it.
fn item_text(bundle: &CompiledBundle, list: List, index: usize) -> Option<Cow<'_, str>> {
    fn anew<T: serde::Serialize>(items: Option<&Vec<T>>, index: usize) -> Option<Cow<'_, str>> {
        items?.get(index).and_then(json).map(Cow::Owned)
    }
    let bindings = bundle.bindings.as_ref();
    match list {
        List::Routes => anew(bindings?.routes.as_ref(), index),
        List::Scopes => anew(bindings?.scopes.as_ref(), index),
        List::Elements => bindings?.elements.as_ref()?.get(index)?.canonical().map(Cow::Borrowed),
        List::Actions => bundle.actions.as_ref()?.get(index)?.canonical().map(Cow::Borrowed),
        List::Policies => anew(bundle.policies.as_ref(), index),
        List::Workflows => anew(bundle.workflows.as_ref(), index),
    }
}

struct Writer<'k, 't> {
    known: &'k Known<'k, 't>,
    /// Sources that are mentioned, and the numbers of their files.
    numbers: FxHashMap<u32, usize>,
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
        Self { known, numbers: FxHashMap::default(), sources: Vec::new(), changes }
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
        let Spot { source, line } = Spot::of(self.known.shelf, span);
        Line(self.number(source), line)
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

    /// Brings up to date what was written about an item; nothing if it does not hold any more.
    fn keep(&mut self, homes: &Homes, item: &mut Item) -> Option<()> {
        let at = Line(self.number(item.source), item.part.at.1);
        if !item.files.iter().all(|(source, number)| self.number(*source) == *number) {
            return None;
        }
        let home = homes.first();
        if self.is_plain(&home, at, &item.part) {
            return Some(());
        }
        let part = self.around(homes, self.known.loaded.manifests.get(home.manifest)?, at);
        if item.part != part {
            item.text = text_of(&part, &item.inside)?;
            item.part = part;
        }
        Some(())
    }

    /// Whether there is nothing to be said about an item but where it stands and how far its review is, and `part` says
    /// just that. Most items of most packages are so; what would be said about them need not be made to be compared.
    fn is_plain(&self, home: &Home, at: Line, part: &Part) -> bool {
        let known = self.known;
        let Part { manifest: _, at: was_at, also, inside: _, overlays, texts, discovery, review } = part;
        let says_no_more = also.is_empty() && overlays.is_empty() && texts.is_empty() && discovery.is_none();
        let is_no_more = !self.changes.contains_key(home)
            && known.wording.resolved.is_empty()
            && known.discovery.taken.is_empty()
            && known.discovery.linked.is_empty();
        let standing = known.reviews.items.get(home);
        let is_reviewed_so = match (review, standing) {
            (None, None) => true,
            (Some(Reviewed { state, by: None, decided_at: None, at: None, is_waived: false }), Some(now)) => {
                now.decision.is_none() && now.waiver.is_none() && state == now.state.as_str()
            }
            _ => false,
        };
        *was_at == at && says_no_more && is_no_more && is_reviewed_so
    }

    /// What is to be written about an item.
    fn draft(&mut self, homes: &Homes, lines: Lines) -> Option<Draft> {
        let home = homes.first();
        let manifest = self.known.loaded.manifests.get(home.manifest)?;
        let node = written_at(&manifest.tree, home)?;
        let at = self.line(node.span);
        let files = self.numbers_of(&lines);
        let part = self.around(homes, manifest, at);
        Some(Draft { is_alone: homes.rest().is_empty(), source: node.span.source, part, lines, files })
    }

    fn numbers_of(&mut self, lines: &Lines) -> Vec<(u32, usize)> {
        lines.sources.iter().map(|source| (*source, self.number(*source))).collect()
    }

    /// What is to be said about an item, but for what is inside.
    fn around(&mut self, homes: &Homes, manifest: &Manifest<'_>, at: Line) -> Part {
        let known = self.known;
        let mut part = Part::at(&manifest.id, at);
        let home = &homes.first();
        for home in homes.rest() {
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

    /// What is said about parts that are no items and come behind them.
    fn wholes(&mut self, assembled: &Assembled) -> Option<Vec<(Cow<'static, str>, Piece<'static>)>> {
        let known = self.known;
        let mut parts: Vec<(Cow<'static, str>, Piece<'static>)> = Vec::new();
        let mut capabilities = None;
        for (number, manifest) in known.loaded.manifests.iter().enumerate() {
            if manifest.is_visible && manifest.kind() == AuthoringKind::Capabilities {
                let document = assembled.bundle.capabilities.as_ref().and_then(json);
                let part = self.capabilities(number, document.as_deref());
                capabilities.get_or_insert(part);
            }
        }
        if let Some(part) = capabilities {
            parts.push(("/capabilities".into(), written(&part).ok()?.into()));
        }
        for (key, (manifest, span)) in &known.wording.written {
            let text = Node { value: Tree::Null, span: *span };
            let mut part = self.part(*manifest, &text, None);
            part.review = self.review(known.reviews.manifests.get(manifest));
            parts.push((format!("/locales{}", pointer_token(key)).into(), written(&part).ok()?.into()));
        }
        Some(parts)
    }

    fn whole(&mut self, manifest: usize, json: Option<&str>) -> Option<Part> {
        let node = crate::overlay::at(&self.known.loaded.manifests.get(manifest)?.tree, "/spec")?;
        let mut part = self.part(manifest, node, json);
        part.overlays = self.changes_of_manifest(manifest, "/spec");
        part.review = self.review(self.known.reviews.manifests.get(&manifest));
        Some(part)
    }

    fn capabilities(&mut self, manifest: usize, json: Option<&str>) -> Part {
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

    fn part(&mut self, manifest: usize, node: &Node<'_>, json: Option<&str>) -> Part {
        let at = self.line(node.span);
        let kept = json.and_then(|json| read(json, Format::Json, Limits::DOCUMENT).ok());
        let lines = Lines::of(self.known.shelf, node, kept.as_ref());
        let inside = lines.lines(&self.numbers_of(&lines));
        let manifest = self.known.loaded.manifests.get(manifest).map_or("", |one| one.id.as_str());
        Part { inside, ..Part::at(manifest, at) }
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
