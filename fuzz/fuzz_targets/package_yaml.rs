#![no_main]

use libfuzzer_sys::fuzz_target;
use uiap_protocol::authoring::AuthoringDocument;
use uiap_protocol::check::{Expectation, check};
use uiap_protocol::text::{Format, Limits, read, utf8};

fuzz_target!(|bytes: &[u8]| {
    let checked = check("fuzz.yaml", bytes, Expectation { format: Some(Format::Yaml), kind: None });
    assert_eq!(checked.value.is_some(), !checked.has_errors(), "sound and refused at once, or neither");
    let Ok(text) = utf8(bytes, Limits::DOCUMENT) else { return };
    if let Ok(tree) = read(text, Format::Yaml, Limits::DOCUMENT) {
        uiap_fuzz::decode_both_ways::<AuthoringDocument>(&tree);
    }
});
