//! Step 6: references to texts become texts, in the language of the build if it has one.

use crate::file::Shelf;
use crate::findings::{Findings, Place};
use crate::load::{Loaded, Manifest};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use uiap_protocol::authoring::{AppManifest, AuthoringKind, BuildContext, ManifestSpec};
use uiap_protocol::finding::Code;
use uiap_protocol::ids::Locale;
use uiap_protocol::text::{Node, Span, pointer_token};
use uiap_protocol::text_value::{AuthoredText, LocaleMessage};
use uiap_protocol::workflow::{StepBody, WorkflowDefinition};

/// The texts of a build.
#[derive(Debug, Default)]
pub(crate) struct Wording {
    /// Every text that the package which is built can use, by namespace and key, for the language of the context.
    pub(crate) locales: BTreeMap<String, String>,
    /// Where each of them is written: the manifest, and the place in it.
    pub(crate) written: BTreeMap<String, (usize, Span)>,
    /// Where texts that stood behind references come from: manifest, pointer, and the place of the text.
    pub(crate) resolved: HashMap<(usize, String), Span>,
}

/// A text of a locale pack, put together from all packs that have something of it.
#[derive(Clone, Debug)]
struct Message {
    wording: LocaleMessage,
    namespace_length: usize,
    manifest: usize,
    place: Span,
    pointer: String,
}

/// The languages in which a text is looked for.
struct Wanted<'c> {
    locale: Option<&'c Locale>,
    default: Option<&'c Locale>,
}

impl Wanted<'_> {
    /// The text for the language of the context: exactly that one, its language, that of the application, any.
    fn pick<'m>(&self, message: &'m LocaleMessage) -> &'m str {
        let by_locale = message.by_locale.as_ref();
        let find = |wanted: &str| {
            by_locale?.iter().find(|(locale, _)| locale.as_str() == wanted).map(|(_, text)| text.as_str())
        };
        let exact = self.locale.map(Locale::as_str);
        let language = exact.and_then(|locale| locale.split('-').next());
        let default = self.default.map(Locale::as_str);
        [exact, language, default].into_iter().flatten().find_map(find).unwrap_or(&message.default)
    }
}

pub(crate) fn resolve_texts(
    loaded: &mut Loaded<'_>,
    context: &BuildContext,
    shelf: &Shelf<'_>,
    findings: &mut Findings,
) -> Wording {
    let app = app_of(loaded).cloned();
    let default = app.as_ref().and_then(|app| app.default_locale.clone());
    warn_of_unsupported(context, app.as_ref(), loaded, findings);
    let wanted = Wanted { locale: context.locale.as_ref(), default: default.as_ref() };
    let mut wording = Wording::default();
    let messages: Vec<_> =
        (0..loaded.packages.len()).map(|package| messages_of(loaded, package, shelf, findings)).collect();
    let writers = writers(loaded);
    for number in 0..loaded.manifests.len() {
        let is_partial = loaded.is_partial;
        let Some(manifest) = loaded.manifests.get_mut(number) else { continue };
        if !has_texts_to_resolve(&manifest.document.spec, context) {
            continue;
        }
        let tree = Arc::clone(&manifest.tree);
        let mut resolver = Resolver {
            wanted: &wanted,
            messages: &messages,
            writers: &writers,
            package: manifest.package,
            tree: &tree,
            manifest: number,
            wording: &mut wording,
            missing: Vec::new(),
        };
        each_text(&mut Arc::make_mut(&mut manifest.document).spec, &mut |pointer, text| {
            resolver.resolve(pointer, text);
        });
        let missing = resolver.missing;
        // A pack that could not be read may have it.
        for Missing { pointer, reference, package } in missing.into_iter().filter(|_| !is_partial) {
            let message = format!("The text \"{reference}\" is in no locale pack, and has no fallback.");
            let known = messages.get(package).into_iter().flat_map(|messages| messages.keys());
            findings
                .warning(Code::NeedsReview, manifest.place(pointer), message)
                .requirement("AUT-5.7-5")
                .help("Add it to a locale pack, or write a fallback.")
                .did_you_mean(&reference, known.map(String::as_str));
        }
    }
    let Some(messages) = messages.last().filter(|_| loaded.root().is_some()) else { return wording };
    // What could not be read may use it.
    if !loaded.is_partial {
        hint_at_unused(loaded, loaded.packages.len().saturating_sub(1), messages, findings);
    }
    let is_visible =
        |message: &Message| loaded.manifests.get(message.manifest).is_some_and(|one| one.is_visible);
    for (key, message) in messages.iter().filter(|(_, message)| is_visible(message)) {
        wording.locales.insert(key.clone(), wanted.pick(&message.wording).to_owned());
        wording.written.insert(key.clone(), (message.manifest, message.place));
    }
    wording
}

/// The package that each file belongs to.
fn writers(loaded: &Loaded<'_>) -> HashMap<u32, usize> {
    loaded.manifests.iter().map(|manifest| (manifest.file.source, manifest.package)).collect()
}

pub(crate) fn app_of<'l>(loaded: &'l Loaded<'_>) -> Option<&'l AppManifest> {
    loaded.manifests.iter().rev().filter(|manifest| manifest.is_visible).find_map(|manifest| match &manifest
        .document
        .spec
    {
        ManifestSpec::App(app) => Some(app),
        _ => None,
    })
}

fn warn_of_unsupported(
    context: &BuildContext,
    app: Option<&AppManifest>,
    loaded: &Loaded<'_>,
    findings: &mut Findings,
) {
    let Some((locale, supported)) =
        context.locale.as_ref().zip(app.and_then(|app| app.supported_locales.as_ref()))
    else {
        return;
    };
    if supported.contains(locale) {
        return;
    }
    let app = loaded.manifests.iter().find(|manifest| manifest.kind() == AuthoringKind::App);
    let place = app.map(|app| app.place("/spec/supportedLocales")).unwrap_or_default();
    let message = format!("The build is for the locale {locale}, which the application does not list.");
    findings
        .warning(Code::UndeclaredWord, place, message)
        .help("Add it to \"supportedLocales\", or build for another.")
        .requirement("AUT-8-2");
}

/// The texts that a package can use: its own and those of what it imports itself.
fn messages_of(
    loaded: &Loaded<'_>,
    package: usize,
    shelf: &Shelf<'_>,
    findings: &mut Findings,
) -> BTreeMap<String, Message> {
    let mut messages: BTreeMap<String, Message> = BTreeMap::new();
    let imported = loaded.packages.get(package).map(|package| &package.imports);
    let is_seen = |one: &Manifest<'_>| {
        one.package == package
            || imported.is_some_and(|imported| imported.values().any(|number| *number == one.package))
    };
    for (number, manifest) in loaded.manifests.iter().enumerate().filter(|(_, one)| is_seen(one)) {
        let ManifestSpec::LocalePack(pack) = &manifest.document.spec else { continue };
        for (namespace, content) in &pack.namespaces {
            for (key, message) in &content.messages {
                let pointer =
                    format!("/spec/namespaces{}/messages{}", pointer_token(namespace), pointer_token(key));
                let found = Message {
                    wording: message.clone(),
                    namespace_length: namespace.len(),
                    manifest: number,
                    place: manifest.tree.locate(&pointer, true),
                    pointer,
                };
                let flat = format!("{namespace}.{key}");
                match messages.get_mut(&flat) {
                    None => {
                        messages.insert(flat, found);
                    }
                    // Of two ways to read a key, the longer namespace is meant (finding M17).
                    Some(known) if known.namespace_length != found.namespace_length => {
                        if known.namespace_length < found.namespace_length {
                            *known = found;
                        }
                    }
                    Some(known) => {
                        if let Err(what) = join(&mut known.wording, &found.wording) {
                            let message = format!(
                                "The text \"{flat}\" has two different {what}: here, and at {}.",
                                shelf.place(known.place)
                            );
                            let place = Place { span: found.place, pointer: found.pointer };
                            findings
                                .error(Code::Conflict, place, message)
                                .help("Write it in one pack only, or change the other by an overlay.")
                                .requirement("AUT-7.1-9");
                        }
                    }
                }
            }
        }
    }
    messages
}

/// Puts the languages of two entries for one text together; says what they differ in.
fn join(known: &mut LocaleMessage, other: &LocaleMessage) -> Result<(), String> {
    if known.default != other.default {
        return Err("defaults".to_owned());
    }
    for (locale, text) in other.by_locale.iter().flatten() {
        let by_locale = known.by_locale.get_or_insert_default();
        if by_locale.get(locale).is_some_and(|known| known != text) {
            return Err(format!("forms for {locale}"));
        }
        by_locale.insert(locale.clone(), text.clone());
    }
    Ok(())
}

fn hint_at_unused(
    loaded: &Loaded<'_>,
    package: usize,
    messages: &BTreeMap<String, Message>,
    findings: &mut Findings,
) {
    let is_own = |message: &Message| {
        loaded.manifests.get(message.manifest).is_some_and(|manifest| manifest.package == package)
    };
    let mut own = messages.iter().filter(|(_, message)| is_own(message)).peekable();
    if own.peek().is_none() {
        return;
    }
    let used = used_in(loaded, package);
    for (key, message) in own {
        if !used.contains(key.as_str()) {
            let place = Place { span: message.place, pointer: message.pointer.clone() };
            findings
                .hint(Code::TextUnused, place, format!("Nothing uses the text \"{key}\"."))
                .help("Remove it, unless the application itself reads it from the bundle.")
                .requirement("AUT-5.7-1");
        }
    }
}

/// Every text that a package refers to, for whatever context.
fn used_in<'l>(loaded: &'l Loaded<'_>, package: usize) -> HashSet<&'l str> {
    fn collect<'n>(node: &'n Node<'_>, used: &mut HashSet<&'n str>) {
        // Other things have a "ref" too, but never only that and a fallback.
        if node.members().iter().all(|member| member.key == "ref" || member.key == "fallback") {
            used.extend(node.member("ref").and_then(Node::as_text));
        }
        let inner = node.items().iter().chain(node.members().iter().map(|member| &member.node));
        inner.for_each(|node| collect(node, used));
    }
    let mut used = HashSet::new();
    for manifest in loaded.manifests.iter().filter(|manifest| manifest.package == package) {
        for tree in manifest.file.tree.iter().chain([&manifest.tree]) {
            collect(tree, &mut used);
        }
    }
    used
}

struct Resolver<'r, 'c, 't> {
    wanted: &'r Wanted<'c>,
    /// The texts that each package can use.
    messages: &'r [BTreeMap<String, Message>],
    writers: &'r HashMap<u32, usize>,
    package: usize,
    tree: &'r Node<'t>,
    manifest: usize,
    wording: &'r mut Wording,
    missing: Vec<Missing>,
}

/// A text that is nowhere.
struct Missing {
    pointer: String,
    reference: String,
    /// The package that refers to it.
    package: usize,
}

impl Resolver<'_, '_, '_> {
    /// The package that wrote a reference: an overlay may have put it into the manifest of another.
    fn writer(&self, pointer: &str) -> usize {
        let source = self.tree.locate(pointer, false).source;
        self.writers.get(&source).copied().unwrap_or(self.package)
    }

    fn resolve(&mut self, pointer: String, text: &mut AuthoredText) {
        let resolved = match text {
            AuthoredText::Plain(_) => return,
            AuthoredText::Localized(message) => self.spoken(message),
            AuthoredText::Reference(reference) => {
                let key = reference.r#ref.as_str();
                let package = self.writer(&pointer);
                let message = self.messages.get(package).and_then(|messages| messages.get(key));
                match (message, &reference.fallback) {
                    (Some(message), _) => {
                        self.wording.resolved.insert((self.manifest, pointer), message.place);
                        self.spoken(&message.wording)
                    }
                    (None, Some(fallback)) => AuthoredText::Plain(fallback.clone()),
                    (None, None) => {
                        self.missing.push(Missing { pointer, reference: key.to_owned(), package });
                        AuthoredText::Plain(key.to_owned())
                    }
                }
            }
        };
        *text = resolved;
    }

    /// One text if the language is known, otherwise all of them.
    fn spoken(&self, message: &LocaleMessage) -> AuthoredText {
        if self.wanted.locale.is_some() || message.by_locale.is_none() {
            return AuthoredText::Plain(self.wanted.pick(message).to_owned());
        }
        AuthoredText::Localized(message.clone())
    }
}

/// Whether resolving would change anything: large manifests without texts are not copied.
fn has_texts_to_resolve(spec: &ManifestSpec, context: &BuildContext) -> bool {
    let needs = |text: &AuthoredText| match text {
        AuthoredText::Plain(_) => false,
        AuthoredText::Localized(message) => context.locale.is_some() || message.by_locale.is_none(),
        AuthoredText::Reference(_) => true,
    };
    let needed = |text: Option<&AuthoredText>| text.is_some_and(needs);
    match spec {
        ManifestSpec::Bindings(bindings) => {
            bindings.routes.iter().flatten().any(|route| needed(route.title.as_ref()))
                || bindings.scopes.iter().flatten().any(|scope| needed(scope.title.as_ref()))
                || bindings.elements.iter().flatten().any(|element| needed(element.name.as_ref()))
        }
        ManifestSpec::WorkflowCatalog(_) => true,
        _ => false,
    }
}

/// Visits every text of a manifest that may be a reference.
fn each_text(spec: &mut ManifestSpec, visit: &mut impl FnMut(String, &mut AuthoredText)) {
    match spec {
        ManifestSpec::Bindings(bindings) => {
            for (index, route) in bindings.routes.iter_mut().flatten().enumerate() {
                visit_some(&mut route.title, || format!("/spec/routes/{index}/title"), visit);
            }
            for (index, scope) in bindings.scopes.iter_mut().flatten().enumerate() {
                visit_some(&mut scope.title, || format!("/spec/scopes/{index}/title"), visit);
            }
            for (index, element) in bindings.elements.iter_mut().flatten().enumerate() {
                // Those that say what they are called need no copy.
                if !matches!(element.name, None | Some(AuthoredText::Plain(_))) {
                    let name = &mut element.to_mut().name;
                    visit_some(name, || format!("/spec/elements/{index}/name"), visit);
                }
            }
        }
        ManifestSpec::WorkflowCatalog(catalog) => {
            for (index, workflow) in catalog.workflows.iter_mut().enumerate() {
                texts_of_workflow(
                    &mut workflow.definition,
                    &format!("/spec/workflows/{index}/definition"),
                    visit,
                );
            }
        }
        _ => {}
    }
}

fn texts_of_workflow(
    workflow: &mut WorkflowDefinition,
    pointer: &str,
    visit: &mut impl FnMut(String, &mut AuthoredText),
) {
    visit(format!("{pointer}/title"), &mut workflow.title);
    visit_some(&mut workflow.description, || format!("{pointer}/description"), visit);
    for (index, parameter) in workflow.parameters.iter_mut().flatten().enumerate() {
        visit_some(&mut parameter.description, || format!("{pointer}/parameters/{index}/description"), visit);
    }
    for (index, step) in workflow.steps.iter_mut().enumerate() {
        visit_some(&mut step.title, || format!("{pointer}/steps/{index}/title"), visit);
        visit_some(&mut step.text, || format!("{pointer}/steps/{index}/text"), visit);
        if let StepBody::Handoff { reason, .. } = &mut step.body {
            visit_some(reason, || format!("{pointer}/steps/{index}/reason"), visit);
        }
    }
}

fn visit_some(
    text: &mut Option<AuthoredText>,
    pointer: impl Fn() -> String,
    visit: &mut impl FnMut(String, &mut AuthoredText),
) {
    if let Some(text) = text {
        visit(pointer(), text);
    }
}
