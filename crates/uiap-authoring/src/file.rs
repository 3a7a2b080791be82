//! Files that a build has read, as trees.

use crate::hands::Hands;
use crate::sources::{Folder, Sources, Unreadable};
use elsa::sync::FrozenVec;
use std::collections::HashMap;
use std::sync::{Arc, OnceLock};
use uiap_protocol::authoring::AuthoringDocument;
use uiap_protocol::finding::{Diagnostic, Finding, Severity};
use uiap_protocol::seal;
use uiap_protocol::text::{Format, Limits, LineIndex, Node, Span, read, utf8};
use uiap_protocol::wire::{Wire, decode};

/// The texts of all files that builds have read, so that trees can point into them.
#[derive(Default)]
pub struct Texts(FrozenVec<String>);

impl std::fmt::Debug for Texts {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_tuple("Texts").field(&self.0.len()).finish()
    }
}

/// A file that was read.
#[derive(Debug)]
pub(crate) struct File<'t> {
    /// What it is called in findings.
    pub(crate) name: String,
    /// Where it lies in its package.
    pub(crate) path: String,
    /// Its number among the files of a build.
    pub(crate) source: u32,
    pub(crate) text: &'t str,
    pub(crate) tree: Result<Arc<Node<'t>>, Finding>,
    manifest: OnceLock<Inspected<AuthoringDocument>>,
    digest: OnceLock<String>,
    lines: OnceLock<LineIndex<'t>>,
}

/// What a tree says as a document of some kind, and what was found.
pub(crate) type Inspected<T> = (Option<Arc<T>>, Vec<Finding>);

impl<'t> File<'t> {
    fn new(name: String, path: &str, source: u32, bytes: &[u8], texts: &'t Texts) -> Self {
        let refused = |fault: uiap_protocol::text::Fault| {
            let mut finding = Finding::from(fault);
            if let Some(span) = &mut finding.span {
                span.source = source;
            }
            finding.requirement = Some("AUT-SEC-3");
            finding
        };
        let (text, tree) = match utf8(bytes, Limits::DOCUMENT) {
            Ok(text) => {
                let text = texts.0.push_get(text.to_owned());
                let tree = read(text, format_of(path, text), Limits::DOCUMENT);
                (text, tree.map(|tree| Arc::new(tree.from_source(source))))
            }
            Err(fault) => (texts.0.push_get(String::from_utf8_lossy(bytes).into_owned()), Err(fault)),
        };
        Self {
            name,
            path: path.to_owned(),
            source,
            text,
            tree: tree.map_err(refused),
            manifest: OnceLock::new(),
            digest: OnceLock::new(),
            lines: OnceLock::new(),
        }
    }

    /// What the file says as a manifest; looked at once, however many builds use it.
    pub(crate) fn manifest(&self) -> &Inspected<AuthoringDocument> {
        self.manifest.get_or_init(|| self.inspect())
    }

    /// What the file says as a document of a kind.
    pub(crate) fn inspect<T: Wire>(&self) -> Inspected<T> {
        match &self.tree {
            Ok(tree) => inspect(tree),
            Err(finding) => (None, vec![finding.clone()]),
        }
    }

    /// What the content hashes to, however its lines end.
    pub(crate) fn digest(&self) -> &str {
        self.digest.get_or_init(|| {
            if self.text.contains('\r') {
                return seal::hash(self.text.replace("\r\n", "\n").as_bytes());
            }
            seal::hash(self.text.as_bytes())
        })
    }

    /// Where its lines begin.
    pub(crate) fn lines(&self) -> &LineIndex<'t> {
        self.lines.get_or_init(|| LineIndex::new(self.text))
    }
}

fn format_of(path: &str, text: &str) -> Format {
    match path.rsplit_once('.').map(|(_, extension)| extension) {
        Some("json") => Format::Json,
        Some("yaml" | "yml") => Format::Yaml,
        _ => Format::guess(text),
    }
}

/// Decodes a tree and gives what is found its place.
pub(crate) fn inspect<T: Wire>(tree: &Node<'_>) -> Inspected<T> {
    let (value, mut findings) = decode::<T>(tree);
    for finding in &mut findings {
        finding.span = Some(tree.locate(&finding.pointer, finding.on_key));
    }
    (value.map(Arc::new), findings)
}

/// A file as its source has it.
enum Fetched<'t> {
    /// The same as before.
    Known(Arc<File<'t>>),
    New(Raw),
}

impl Fetched<'_> {
    fn raw(&self) -> Option<&Raw> {
        match self {
            Self::Known(_) => None,
            Self::New(raw) => Some(raw),
        }
    }
}

/// A file that nobody has looked into.
struct Raw {
    name: String,
    path: String,
    source: u32,
    bytes: Vec<u8>,
}

impl Raw {
    fn parsed<'t>(&self, texts: &'t Texts) -> File<'t> {
        File::new(self.name.clone(), &self.path, self.source, &self.bytes, texts)
    }
}

/// The files of a build and, for the next one, those that did not change since.
#[derive(Debug)]
pub(crate) struct Shelf<'t> {
    texts: &'t Texts,
    /// By number; nothing where a file is gone.
    files: Vec<Option<Arc<File<'t>>>>,
    numbers: HashMap<String, u32>,
}

impl<'t> Shelf<'t> {
    pub(crate) fn new(texts: &'t Texts) -> Self {
        Self { texts, files: Vec::new(), numbers: HashMap::new() }
    }

    /// Reads a file, or takes it as it was read before if it is still the same.
    pub(crate) fn open(
        &mut self,
        sources: &dyn Sources,
        folder: &Folder,
        path: &str,
    ) -> Result<Arc<File<'t>>, Unreadable> {
        Ok(match self.fetch(sources, folder, path)? {
            Fetched::Known(file) => file,
            Fetched::New(raw) => self.put(Arc::new(raw.parsed(self.texts))),
        })
    }

    /// Reads manifests, as [`Shelf::open`] does; many hands look at what they say.
    pub(crate) fn open_manifests(
        &mut self,
        sources: &dyn Sources,
        paths: &[(&Folder, &str)],
        hands: &dyn Hands,
    ) -> Vec<Result<Arc<File<'t>>, Unreadable>> {
        let fetched: Vec<_> = paths.iter().map(|(folder, path)| self.fetch(sources, folder, path)).collect();
        let raw: Vec<&Raw> = fetched.iter().filter_map(|one| one.as_ref().ok()?.raw()).collect();
        let parsed: Vec<OnceLock<Arc<File<'t>>>> = raw.iter().map(|_| OnceLock::new()).collect();
        let texts = self.texts;
        hands.share(raw.len(), &|job| {
            if let Some((raw, parsed)) = raw.get(job).zip(parsed.get(job)) {
                let file = parsed.get_or_init(|| Arc::new(raw.parsed(texts)));
                file.manifest();
                // Origins name it.
                file.digest();
            }
        });
        let mut parsed = parsed.into_iter();
        let mut file_of = |raw: &Raw| {
            parsed.next().and_then(OnceLock::into_inner).unwrap_or_else(|| Arc::new(raw.parsed(texts)))
        };
        fetched
            .into_iter()
            .map(|one| {
                Ok(match one? {
                    Fetched::Known(file) => file,
                    Fetched::New(raw) => self.put(file_of(&raw)),
                })
            })
            .collect()
    }

    fn fetch(
        &mut self,
        sources: &dyn Sources,
        folder: &Folder,
        path: &str,
    ) -> Result<Fetched<'t>, Unreadable> {
        let name = folder.file(path);
        let known = self.numbers.get(&name).copied();
        let place = known.and_then(|source| self.files.get_mut(source as usize));
        let bytes = sources.read(folder, path).inspect_err(|_| {
            place.into_iter().for_each(|file| *file = None);
        })?;
        if let Some(file) = known.and_then(|source| self.file(source))
            && file.text.as_bytes() == bytes
        {
            return Ok(Fetched::Known(Arc::clone(file)));
        }
        let source = known.unwrap_or_else(|| {
            let next = u32::try_from(self.files.len()).unwrap_or(u32::MAX);
            self.files.push(None);
            self.numbers.insert(name.clone(), next);
            next
        });
        Ok(Fetched::New(Raw { name, path: path.to_owned(), source, bytes }))
    }

    fn put(&mut self, file: Arc<File<'t>>) -> Arc<File<'t>> {
        if let Some(place) = self.files.get_mut(file.source as usize) {
            *place = Some(Arc::clone(&file));
        }
        file
    }

    pub(crate) fn file(&self, source: u32) -> Option<&Arc<File<'t>>> {
        self.files.get(source as usize)?.as_ref()
    }

    /// The name and text of a file, by its name.
    pub(crate) fn text(&self, name: &str) -> Option<(String, String)> {
        let file = self.file(*self.numbers.get(name)?)?;
        Some((file.name.clone(), file.text.to_owned()))
    }

    /// Gives findings the places that people know, in the order of files and lines.
    pub(crate) fn diagnostics(&self, findings: Vec<Finding>) -> Vec<Diagnostic> {
        let mut by_source: HashMap<u32, Vec<Finding>> = HashMap::new();
        for finding in findings {
            by_source.entry(finding.span.unwrap_or_default().source).or_default().push(finding);
        }
        let mut diagnostics = Vec::new();
        for (source, findings) in by_source {
            let (name, text) = self.file(source).map_or(("", ""), |file| (file.name.as_str(), file.text));
            diagnostics.extend(Diagnostic::locate(findings, name, text, None));
        }
        diagnostics.sort_by(|one, other| {
            (&one.file, one.span.start, one.code, &one.message).cmp(&(
                &other.file,
                other.span.start,
                other.code,
                &other.message,
            ))
        });
        diagnostics.dedup();
        diagnostics
    }

    /// A place as people write it: `file:line:column`.
    pub(crate) fn place(&self, span: Span) -> String {
        let Some(file) = self.file(span.source) else { return String::new() };
        let place = file.lines().place(span);
        format!("{}:{}:{}", file.name, place.line, place.column)
    }
}

/// Whether one of the findings makes a build fail.
pub(crate) fn has_errors(findings: &[Finding]) -> bool {
    findings.iter().any(|finding| finding.severity == Severity::Error)
}
