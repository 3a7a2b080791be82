//! Step 10: whether everything is far enough for the channel that it is built for.

use crate::assemble::{Assembled, is_published_whole};
use crate::context::selects;
use crate::findings::{Findings, Place};
use crate::items::{Home, Homes, List, id_of};
use crate::load::{Loaded, Package, place_in};
use crate::overlay::Patched;
use crate::review::{Reviews, Standing, rank};
use std::collections::BTreeSet;
use uiap_protocol::authoring::{
    BuildContext, ImplementationKind, ReleaseChannel, ReleaseChannelSpec, RequiredReviewState, ReviewState,
};
use uiap_protocol::finding::Code;
use uiap_protocol::wire::JsonObject;

/// What the channel of a context demands; an error if the package is not published there.
fn channel_of(
    root: &Package<'_>,
    context: &BuildContext,
    findings: &mut Findings,
) -> Option<ReleaseChannelSpec> {
    let name = context.channel?;
    let Some(publish) = &root.manifest.publish else { return Some(ungated(name)) };
    let channel = publish.channels.iter().find(|channel| channel.name == name).cloned();
    if channel.is_none() {
        let message = format!("The package is not published on the channel {name}.");
        let names = publish.channels.iter().map(|channel| channel.name.as_str());
        findings
            .error(Code::GateFailed, place_in(root, "/spec/publish/channels".to_owned()), message)
            .requirement("AUT-9-1")
            .did_you_mean(name.as_str(), names);
    }
    channel
}

/// What a channel demands of a package that says nothing about it: for prod what prod should ask for anyway.
fn ungated(name: ReleaseChannel) -> ReleaseChannelSpec {
    let is_prod = name == ReleaseChannel::Prod;
    ReleaseChannelSpec {
        name,
        selectors: None,
        required_review_state: is_prod.then_some(RequiredReviewState::Approved),
        allow_waivers: None,
        forbid_generated_only: Some(is_prod),
        require_digest: None,
        extra: JsonObject::new(),
    }
}

pub(crate) fn check_gates(
    loaded: &Loaded<'_>,
    context: &BuildContext,
    reviews: &Reviews,
    assembled: &Assembled,
    patched: &[Patched],
    findings: &mut Findings,
) {
    let Some(root) = loaded.root() else { return };
    let Some(channel) = channel_of(root, context, findings) else { return };
    if channel.selectors.as_ref().is_some_and(|selectors| !selectors.iter().any(|one| selects(one, context)))
    {
        let message = format!("The channel {} is not for this context.", channel.name);
        let channels = root.manifest.publish.iter().flat_map(|publish| &publish.channels);
        let number = channels.map(|one| one.name).position(|name| name == channel.name).unwrap_or_default();
        findings
            .error(Code::GateFailed, place_in(root, format!("/spec/publish/channels/{number}/selectors")), message)
            .help("Build for another environment, tenant, locale, user or version, as the selectors of the channel say.")
            .requirement("AUT-9-1");
    }
    let mut gate = Gate { loaded, channel: &channel, findings };
    gate.package(root);
    for (_, homes) in &assembled.homes {
        for home in homes.iter().flat_map(Homes::iter) {
            if let Some(standing) = reviews.items.get(home) {
                gate.item(*home, standing);
            }
        }
    }
    let overlays = patched.iter().map(|patched| patched.overlay);
    let whole = loaded
        .manifests
        .iter()
        .enumerate()
        .filter(|(_, one)| one.is_visible && is_published_whole(one.kind()));
    let manifests: BTreeSet<usize> = overlays.chain(whole.map(|(number, _)| number)).collect();
    for number in manifests {
        if let Some(standing) = reviews.manifests.get(&number) {
            gate.manifest(number, standing);
        }
    }
    forbid_unimplemented(loaded, context, reviews, assembled, findings);
}

struct Gate<'g, 't> {
    loaded: &'g Loaded<'t>,
    channel: &'g ReleaseChannelSpec,
    findings: &'g mut Findings,
}

impl Gate<'_, '_> {
    fn item(&mut self, home: Home, standing: &Standing) {
        let Some(manifest) = self.loaded.manifests.get(home.manifest) else { return };
        let what = || format!("The {} \"{}\"", home.list.one(), id_of(self.loaded, home).unwrap_or_default());
        self.check(what, || manifest.place(home.pointer()), standing);
    }

    fn manifest(&mut self, number: usize, standing: &Standing) {
        let Some(manifest) = self.loaded.manifests.get(number) else { return };
        self.check(|| format!("The manifest {}", manifest.id), || manifest.place("/metadata"), standing);
    }

    /// The package itself is reviewed by its own word only, and only if it says one.
    fn package(&mut self, root: &Package<'_>) {
        let document = root.file.manifest().0.as_ref();
        let Some(state) = document.and_then(|document| document.metadata.review_state) else { return };
        let standing = Standing { state, decision: None, waiver: None, is_only_generated: false };
        let what = || format!("The package {}", root.manifest.package_id);
        self.check(what, || place_in(root, "/metadata/reviewState".to_owned()), &standing);
    }

    /// Reports what does not get through; `what` and `place` are asked for only then.
    fn check(&mut self, what: impl Fn() -> String, place: impl Fn() -> Place, standing: &Standing) {
        let channel = self.channel.name;
        let required = self.channel.required_review_state.unwrap_or(RequiredReviewState::Draft);
        let needed = match required {
            RequiredReviewState::Draft => 0,
            RequiredReviewState::InReview => 1,
            RequiredReviewState::Approved => 2,
        };
        let is_waived = standing.waiver.is_some() && self.channel.allow_waivers == Some(true);
        match rank(standing.state) {
            None => {
                let message = format!("{} is {}; nothing of that kind is published.", what(), standing.state);
                self.findings
                    .error(Code::GateFailed, place(), message)
                    .help("Leave it out with a selector or an overlay, or decide anew in a ReviewSet.")
                    .requirement("AUT-9-5");
            }
            Some(rank) if rank < needed && !is_waived => {
                let message = format!(
                    "{} is {}, and the channel {channel} asks for {required}.",
                    what(),
                    standing.state
                );
                let help = if standing.waiver.is_some() {
                    "There is a waiver, but the channel accepts none. Have it reviewed, or build for another channel."
                } else {
                    "Have it reviewed and record the decision in a ReviewSet, or build for another channel."
                };
                self.findings.error(Code::GateFailed, place(), message).help(help).requirement("AUT-9-5");
            }
            Some(_)
                if standing.is_only_generated
                    && self.channel.forbid_generated_only == Some(true)
                    && !is_waived =>
            {
                let message =
                    format!("Only a machine has written {}, and nobody has approved it.", lower(&what()));
                self.findings
                    .error(Code::GateFailed, place(), message)
                    .help("Look at it, and record the decision in a ReviewSet.")
                    .requirement("AUT-5.6-3");
            }
            Some(_) => {}
        }
    }
}

fn lower(what: &str) -> String {
    what.strip_prefix("The ").map_or_else(|| what.to_owned(), |rest| format!("the {rest}"))
}

/// What nothing carries out cannot be approved for prod.
fn forbid_unimplemented(
    loaded: &Loaded<'_>,
    context: &BuildContext,
    reviews: &Reviews,
    assembled: &Assembled,
    findings: &mut Findings,
) {
    if context.channel != Some(ReleaseChannel::Prod) {
        return;
    }
    let homes = assembled.homes.iter().find(|(list, _)| *list == List::Actions);
    for (action, homes) in
        assembled.bundle.actions.iter().flatten().zip(homes.iter().flat_map(|(_, homes)| homes))
    {
        let is_none = action.implementation.as_ref().is_some_and(|one| one.kind == ImplementationKind::None);
        let home = is_none.then_some(homes.first());
        let Some((home, standing)) = home.and_then(|home| Some((home, reviews.items.get(&home)?))) else {
            continue;
        };
        if standing.state == ReviewState::Approved
            && let Some(manifest) = loaded.manifests.get(home.manifest)
        {
            let message = format!(
                "The action \"{}\" is approved for prod, but nothing carries it out.",
                action.descriptor.id
            );
            findings
                .error(
                    Code::ImplementationMissing,
                    manifest.place(format!("{}/implementation", home.pointer())),
                    message,
                )
                .help("Implement it, or leave it out of prod with a selector.")
                .requirement("AUT-5.4-5");
        }
    }
}
