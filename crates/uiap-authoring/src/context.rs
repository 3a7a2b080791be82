//! For whom and where a package is built, and whether something is meant for that.

use uiap_protocol::authoring::{BuildContext, ManifestSelector};

/// Whether a selector means this context: all its members must match, any item of a member will do. A member that the
/// context says nothing about does not match.
pub(crate) fn selects(selector: &ManifestSelector, context: &BuildContext) -> bool {
    let environment = context.environment.as_ref();
    let locale = context.locale.as_ref();
    let tenant = context.tenant_id.as_ref();
    let profile = context.principal_profile.as_ref();
    let version = context.app_version.as_ref();
    is_among(selector.environments.as_deref(), environment, PartialEq::eq)
        && is_among(selector.channels.as_deref(), context.channel.as_ref(), PartialEq::eq)
        && is_among(selector.locales.as_deref(), locale, PartialEq::eq)
        && is_among(selector.tenant_ids.as_deref(), tenant, PartialEq::eq)
        && is_among(selector.principal_profiles.as_deref(), profile, PartialEq::eq)
        && is_among(selector.app_version_ranges.as_deref(), version, |range, version| {
            range.contains(version.as_str())
        })
}

fn is_among<W, G>(wanted: Option<&[W]>, given: Option<&G>, matches: impl Fn(&W, &G) -> bool) -> bool {
    wanted.is_none_or(|wanted| given.is_some_and(|given| wanted.iter().any(|one| matches(one, given))))
}
