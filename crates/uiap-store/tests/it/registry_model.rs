//! Random publishing beside a model of it that fits on a page.

use crate::press::{Folder, assert_sound, bundle, current, digest_of, line, publish};
use proptest::prelude::*;
use std::collections::BTreeMap;
use uiap_protocol::authoring::ReleaseChannel;
use uiap_store::registry::{PublishError, Published, Registry};

const PACKAGES: [&str; 3] = ["shop.uiap", "@acme/Shop", "@acme/shop"];
const CHANNELS: [ReleaseChannel; 3] = [ReleaseChannel::Dev, ReleaseChannel::Staging, ReleaseChannel::Prod];

/// Somebody publishes a version of a package to a channel, with some content.
#[derive(Clone, Copy, Debug)]
struct Deed {
    package: usize,
    channel: usize,
    version: u64,
    content: u8,
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let deed = (0..PACKAGES.len(), 0..CHANNELS.len(), 0..4_u64, 0..2_u8);
    let deed =
        deed.prop_map(|(package, channel, version, content)| Deed { package, channel, version, content });
    proptest::collection::vec(deed, 1..24)
}

/// What is published in one row: contents by version.
type Row = BTreeMap<u64, u8>;

/// What should come of it.
fn expected(row: &mut Row, deed: Deed) -> &'static str {
    match (row.get(&deed.version), row.last_key_value()) {
        (Some(content), _) if *content == deed.content => "before",
        (Some(_), _) => "taken",
        (None, Some((newest, _))) if *newest > deed.version => "older",
        (None, _) => {
            row.insert(deed.version, deed.content);
            "new"
        }
    }
}

fn told(result: &Result<Published, Box<PublishError>>) -> &'static str {
    match result.as_ref().map_err(|error| &**error) {
        Ok(Published::New(_)) => "new",
        Ok(Published::Before(_)) => "before",
        Err(PublishError::Taken { .. }) => "taken",
        Err(PublishError::Older { .. }) => "older",
        Err(_) => "something else",
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn a_registry_is_like_its_model(deeds in deeds()) {
        let folder = Folder::new("model");
        let registry = Registry::at(folder.registry());
        let mut rows: BTreeMap<(usize, usize), Row> = BTreeMap::new();
        for deed in deeds {
            let (package, channel) = (PACKAGES[deed.package], CHANNELS[deed.channel]);
            // Above nine, so that versions are not in the order of their letters.
            let version_of = |version: u64| format!("0.{}.0", version + 8);
            let made = |version: u64, content: u8| {
                bundle(package, &version_of(version), channel.as_str(), &content.to_string())
            };
            let result = publish(&registry, &made(deed.version, deed.content));
            let row = rows.entry((deed.package, deed.channel)).or_default();
            prop_assert_eq!(told(&result), expected(row, deed), "{:?}: {:?}", deed, result);
            let (newest, content) = row.last_key_value().expect("something is published");
            let now = current(&registry, &line(package, channel));
            let expected = made(*newest, *content);
            prop_assert_eq!(now.as_deref(), Some(digest_of(&expected)));
        }
        assert_sound(&registry, &[], "at the end");
        let report = registry.verify(&[]);
        prop_assert_eq!(report.releases.len(), rows.values().map(Row::len).sum::<usize>());
        let currents = report.releases.iter().filter(|release| release.is_current).count();
        prop_assert_eq!(currents, rows.values().filter(|row| !row.is_empty()).count());
        prop_assert!(report.leftovers.is_empty());
    }
}
