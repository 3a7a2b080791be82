//! Step 4: what is taken over from discovery runs, and only what rules name.

mod convert;

use crate::file::{Shelf, inspect};
use crate::findings::{Findings, Place};
use crate::items::{List, items_of};
use crate::load::{Loaded, Manifest};
use crate::overlay::at_mut;
use crate::sources::{Sources, Unreadable};
use crate::vouching::embeds;
use convert::{Discovered, discovered};
use std::collections::HashMap;
use std::sync::Arc;
use uiap_protocol::authoring::{
    AcceptanceMode, AuthoringKind, BuildContext, DiscoveryAcceptanceRule, DiscoveryImportManifest,
    DiscoveryItemKind, ManifestSpec, ReleaseChannel, ReviewState,
};
use uiap_protocol::discovery::DiscoveryPackage;
use uiap_protocol::finding::Code;
use uiap_protocol::ids::Text;
use uiap_protocol::text::{Member, Node, Span, Value};

/// How the ids of proposals begin.
const PROPOSED: &str = "candidate.";

/// What was taken over from discovery, and on what it rests.
#[derive(Clone, Debug)]
pub(crate) struct Taken {
    pub(crate) state: ReviewState,
    pub(crate) run_id: String,
    pub(crate) evidence: Vec<String>,
    /// The manifest that took it over, and by which rule.
    pub(crate) import: usize,
    pub(crate) rule: usize,
    /// Where it stands in the discovery package.
    pub(crate) place: Span,
}

/// What discovery contributed: items of manifests, by manifest, list and id.
#[derive(Debug, Default)]
pub(crate) struct FromDiscovery {
    pub(crate) taken: HashMap<(usize, List, String), Taken>,
    /// Evidence for items that were written by hand.
    pub(crate) linked: HashMap<(usize, List, String), Taken>,
}

pub(crate) fn take_over<'t>(
    loaded: &mut Loaded<'t>,
    context: &BuildContext,
    shelf: &mut Shelf<'t>,
    sources: &dyn Sources,
    findings: &mut Findings,
) -> FromDiscovery {
    let mut from = FromDiscovery::default();
    let is_embedding = embeds(loaded);
    for number in 0..loaded.manifests.len() {
        let Some(import) = loaded.manifests.get(number).cloned() else { continue };
        let ManifestSpec::DiscoveryImport(rules) = &import.document.spec else { continue };
        let Some((package, tree)) = open(loaded, &import, rules, shelf, sources, findings) else {
            loaded.is_partial = true;
            continue;
        };
        let mut taking = Taking {
            loaded,
            number,
            import: &import,
            rules,
            context,
            found: discovered(&package, &tree),
            run_id: package.run.run_id.as_str(),
            is_embedding,
            from: &mut from,
            findings,
        };
        taking.run();
    }
    from
}

/// The discovery package that an import names.
fn open<'t>(
    loaded: &Loaded<'t>,
    import: &Manifest<'t>,
    rules: &DiscoveryImportManifest,
    shelf: &mut Shelf<'t>,
    sources: &dyn Sources,
    findings: &mut Findings,
) -> Option<(Arc<DiscoveryPackage>, Arc<Node<'t>>)> {
    let Some(path) = rules.source.r#ref.as_ref().map(Text::as_str) else {
        let message = "The import does not say in which file the run is.";
        findings
            .error(Code::MissingMember, import.place("/spec/source"), message)
            .help("Add \"ref\".")
            .requirement("AUT-5.10-1");
        return None;
    };
    let place = import.place("/spec/source/ref");
    let folder = &loaded.packages.get(import.package)?.folder;
    let file = match shelf.open(sources, folder, path) {
        Ok(file) => file,
        Err(why) => {
            let (code, requirement) = match why {
                Unreadable::Outside => (Code::PathEscapes, "AUT-SEC-3"),
                _ => (Code::Unreadable, "AUT-5.10-1"),
            };
            findings
                .error(code, place, format!("{} cannot be read: {why}.", folder.file(path)))
                .help("Name a file in the folder of the package; nothing is fetched from elsewhere.")
                .requirement(requirement);
            return None;
        }
    };
    let (package, found) = file.inspect::<DiscoveryPackage>();
    findings.list.extend(found);
    let package = package?;
    if rules.source.run_id.as_ref().is_some_and(|wanted| *wanted != package.run.run_id) {
        let message =
            format!("The import is for another run than {}, which {path} holds.", package.run.run_id);
        findings
            .error(Code::Inconsistent, import.place("/spec/source/runId"), message)
            .requirement("AUT-10-3");
        return None;
    }
    Some((package, Arc::clone(file.tree.as_ref().ok()?)))
}

struct Taking<'a, 't> {
    loaded: &'a mut Loaded<'t>,
    number: usize,
    import: &'a Manifest<'t>,
    rules: &'a DiscoveryImportManifest,
    context: &'a BuildContext,
    found: Vec<Discovered>,
    run_id: &'a str,
    /// The bundle says itself what was found by discovery.
    is_embedding: bool,
    from: &'a mut FromDiscovery,
    findings: &'a mut Findings,
}

impl Taking<'_, '_> {
    fn run(&mut self) {
        self.check_rejections();
        for (index, rule) in self.rules.accept.iter().enumerate() {
            let pointer = format!("/spec/accept/{index}");
            let Some(target) = self.target(rule, &pointer) else { continue };
            for found in self.accepted(rule, &pointer) {
                self.take(rule, index, target, &found);
            }
        }
    }

    fn place(&self, pointer: String) -> Place {
        self.import.place(pointer)
    }

    fn target(&mut self, rule: &DiscoveryAcceptanceRule, pointer: &str) -> Option<usize> {
        let id = rule.target_manifest_id.as_str();
        let place = self.place(format!("{pointer}/targetManifestId"));
        let own = self.loaded.named(self.import.package, id).filter(|_| !id.contains(':'));
        let Some(target) = own else {
            if !self.loaded.is_partial {
                let names = self.loaded.names(self.import.package).filter(|name| !name.contains(':'));
                self.findings
                    .error(
                        Code::DanglingReference,
                        place,
                        format!("There is no manifest \"{id}\" in this package."),
                    )
                    .requirement("AUT-5.10-1")
                    .did_you_mean(id, names);
            }
            return None;
        };
        let kind = self.loaded.manifests.get(target)?.kind();
        let wanted = home_of(rule.kind);
        if kind != wanted {
            let message = format!("A {} cannot go into {id}, which is of kind {kind}.", rule.kind);
            self.findings
                .error(Code::Inconsistent, place, message)
                .help(format!("Name a manifest of kind {wanted}."))
                .requirement("AUT-5.10-1");
            return None;
        }
        Some(target)
    }

    /// A rejection with a typing error would let through what was meant.
    fn check_rejections(&mut self) {
        for (rule, rejection) in self.rules.reject.iter().flatten().enumerate() {
            let pointer = format!("/spec/reject/{rule}");
            self.check_ids(rejection.kind, rejection.ids.as_ref(), &pointer);
        }
    }

    /// What a rule names must be in the run.
    fn check_ids(&mut self, kind: DiscoveryItemKind, ids: Option<&Vec<Text>>, pointer: &str) {
        let known: Vec<&str> =
            self.found.iter().filter(|found| found.kind == kind).map(|found| found.id.as_str()).collect();
        for (index, id) in ids.into_iter().flatten().enumerate() {
            if !known.contains(&id.as_str()) {
                let place = self.import.place(format!("{pointer}/ids/{index}"));
                self.findings
                    .error(Code::DanglingReference, place, format!("The run has no {kind} \"{id}\"."))
                    .requirement("AUT-5.10-3")
                    .did_you_mean(id.as_str(), known.iter().copied());
            }
        }
    }

    /// What a rule accepts and no rule rejects.
    fn accepted(&mut self, rule: &DiscoveryAcceptanceRule, pointer: &str) -> Vec<Discovered> {
        if rule.ids.is_none() && self.context.channel == Some(ReleaseChannel::Prod) {
            let message = format!("Every {} of a run would go into prod.", rule.kind);
            self.findings
                .error(Code::NeedsReview, self.place(pointer.to_owned()), message)
                .help("Name what was looked at in \"ids\".")
                .requirement("AUT-5.10-3");
        }
        self.check_ids(rule.kind, rule.ids.as_ref(), pointer);
        let is_named = |ids: Option<&Vec<Text>>, id: &str| {
            ids.is_none_or(|ids| ids.iter().any(|one| one.as_str() == id))
        };
        let is_rejected = |found: &Discovered| {
            let mut rejections = self.rules.reject.iter().flatten();
            rejections.any(|reject| reject.kind == found.kind && is_named(reject.ids.as_ref(), &found.id))
        };
        let is_accepted = |found: &&Discovered| {
            found.kind == rule.kind && is_named(rule.ids.as_ref(), &found.id) && !is_rejected(found)
        };
        self.found.iter().filter(is_accepted).cloned().collect()
    }

    fn take(&mut self, rule: &DiscoveryAcceptanceRule, index: usize, target: usize, found: &Discovered) {
        let Some(list) = found.list else { return self.take_review(index, target, found) };
        let mode = rule.mode.unwrap_or(AcceptanceMode::Copy);
        let state = match (mode, found.state) {
            (_, ReviewState::Rejected) => ReviewState::Rejected,
            (AcceptanceMode::Promote, _) => ReviewState::InReview,
            (_, state) => state,
        };
        let taken = Taken {
            state,
            run_id: self.run_id.to_owned(),
            evidence: found.evidence.clone(),
            import: self.number,
            rule: index,
            place: found.place,
        };
        // What a run proposes has another name than what became of it.
        let id = match mode {
            AcceptanceMode::Link => found.id.strip_prefix(PROPOSED).unwrap_or(&found.id),
            AcceptanceMode::Copy | AcceptanceMode::Promote => &found.id,
        };
        let key = (target, list, id.to_owned());
        let Some(manifest) = self.loaded.manifests.get_mut(target) else { return };
        let written = items_of(manifest)
            .into_iter()
            .find(|(of, _, written)| *of == list && *written == id)
            .map(|(_, place, _)| place);
        if mode == AcceptanceMode::Link {
            let Some(place) = written else {
                let message = format!("{} has no {} \"{id}\" to be linked.", manifest.id, list.one());
                let place = self.import.place(format!("/spec/accept/{index}"));
                self.findings
                    .error(Code::DanglingReference, place, message)
                    .help("Write it there, or take it over with mode copy or promote.")
                    .requirement("AUT-5.10-5");
                return;
            };
            if self.is_embedding {
                embed(manifest, list, place, &taken, self.import);
            }
            self.from.linked.insert(key, taken);
            return;
        }
        if written.is_some() {
            let message = format!("{} has the {} \"{}\" already.", manifest.id, list.one(), found.id);
            let place = self.import.place(format!("/spec/accept/{index}"));
            self.findings
                .error(Code::Conflict, place, message)
                .help("Take it over with mode link: then the run is evidence for what is written there.")
                .requirement("AUT-6.2-3");
            return;
        }
        if found.needs_review {
            let message =
                format!("The run itself says that the {} \"{}\" needs a review.", list.one(), found.id);
            let place = self.import.place(format!("/spec/accept/{index}"));
            self.findings.warning(Code::NeedsReview, place, message).requirement("AUT-10-4");
        }
        insert(
            Arc::make_mut(&mut manifest.tree),
            list.member(),
            Node::made_at(found.place, found.content.clone()),
        );
        let (document, findings) = inspect(&manifest.tree);
        match document {
            Some(document) => {
                manifest.document = document;
                if self.is_embedding {
                    let place = items_of(manifest).iter().filter(|(of, ..)| *of == list).count();
                    embed(manifest, list, place.saturating_sub(1), &taken, self.import);
                }
                self.from.taken.insert(key, taken);
            }
            None => {
                self.findings.list.extend(findings);
                self.loaded.is_partial = true;
            }
        }
    }

    /// A question of the run becomes a decision that something needs a review.
    fn take_review(&mut self, index: usize, target: usize, found: &Discovered) {
        let about = found.about.as_deref();
        let home = about.and_then(|about| {
            self.loaded.manifests.iter().find_map(|manifest| {
                let is_here = manifest.package == self.import.package
                    && items_of(manifest).iter().any(|(_, _, id)| *id == about);
                is_here.then(|| manifest.document.metadata.id.as_str().to_owned())
            })
        });
        let (Some(about), Some(home)) = (about, home) else {
            let message = format!("The run asks about something that is in no manifest: {}", found.note);
            let place = self.import.place(format!("/spec/accept/{index}"));
            self.findings.warning(Code::NeedsReview, place, message).requirement("AUT-10-4");
            return;
        };
        let decision = serde_json::json!({
            "target": { "manifestId": home, "itemId": about },
            "state": "needs_review",
            "by": format!("discovery:{}", self.run_id),
            "at": found.at,
            "comment": found.note,
        });
        let Some(manifest) = self.loaded.manifests.get_mut(target) else { return };
        insert(Arc::make_mut(&mut manifest.tree), "decisions", Node::made_at(found.place, decision));
        if let (Some(document), _) = inspect(&manifest.tree) {
            manifest.document = document;
        }
    }
}

fn home_of(kind: DiscoveryItemKind) -> AuthoringKind {
    match kind {
        DiscoveryItemKind::Route | DiscoveryItemKind::Scope | DiscoveryItemKind::Element => {
            AuthoringKind::Bindings
        }
        DiscoveryItemKind::Action => AuthoringKind::Actions,
        DiscoveryItemKind::WorkflowCandidate => AuthoringKind::WorkflowCatalog,
        DiscoveryItemKind::ReviewItem => AuthoringKind::ReviewSet,
    }
}

/// Writes into the metadata of an item which run found it, on what evidence, and which manifest took it over.
fn embed(manifest: &mut Manifest<'_>, list: List, index: usize, taken: &Taken, import: &Manifest<'_>) {
    let provenance = serde_json::json!([{
        "source": "discovery",
        "ref": taken.run_id,
        "note": format!("evidence {}, taken over by {}", taken.evidence.join(", "), import.id),
        "evidence": taken.evidence,
        "import": import.id,
    }]);
    let item = format!("/spec/{}/{index}{}", list.member(), list.inner());
    let kept = at_mut(Arc::make_mut(&mut manifest.tree), &item)
        .and_then(|item| member(item, "metadata", taken.place))
        .and_then(|metadata| member(metadata, "provenance", taken.place));
    if let Some(kept) = kept {
        *kept = Node::made_at(taken.place, provenance);
    }
    if let (Some(document), _) = inspect(&manifest.tree) {
        manifest.document = document;
    }
}

/// A member of an object; an empty object if there was none.
fn member<'n, 't>(node: &'n mut Node<'t>, name: &'static str, place: Span) -> Option<&'n mut Node<'t>> {
    let Value::Object(members) = &mut node.value else { return None };
    if !members.iter().any(|member| member.key == name) {
        let node = Node::made_at(place, serde_json::json!({}));
        members.push(Member { key: name.into(), key_span: place, node });
    }
    members.iter_mut().find(|member| member.key == name).map(|member| &mut member.node)
}

/// Puts an item behind those of a list of a manifest.
fn insert<'t>(tree: &mut Node<'t>, list: &'static str, item: Node<'t>) {
    let Value::Object(members) = &mut tree.value else { return };
    let Some(spec) = members.iter_mut().find(|member| member.key == "spec") else { return };
    let Value::Object(members) = &mut spec.node.value else { return };
    match members.iter_mut().find(|member| member.key == list) {
        Some(Member { node: Node { value: Value::List(items), .. }, .. }) => items.push(item),
        _ => {
            let span = item.span;
            let node = Node { value: Value::List(vec![item]), span };
            members.push(Member { key: list.into(), key_span: span, node });
        }
    }
}
