#![no_main]

use libfuzzer_sys::fuzz_target;
use uiap_protocol::authoring::CompiledBundle;

fuzz_target!(|bytes: &[u8]| {
    if let Some(tree) = uiap_fuzz::read_json(bytes) {
        uiap_fuzz::decode_both_ways::<CompiledBundle>(&tree);
    }
});
