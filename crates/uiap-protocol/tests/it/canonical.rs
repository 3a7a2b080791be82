//! The canonical form, held against the vectors of RFC 8785.

use proptest::prelude::*;
use serde_json::{Map, Number, Value, json};
use uiap_protocol::canonical::{Object, Piece, canonical, written};
use uiap_protocol::seal::{Rehash, digest, hash};

/// Appendix B: the bits of a number, and its text.
const NUMBERS: &str = "
0000000000000000 0
8000000000000000 0
0000000000000001 5e-324
8000000000000001 -5e-324
7fefffffffffffff 1.7976931348623157e+308
ffefffffffffffff -1.7976931348623157e+308
4340000000000000 9007199254740992
c340000000000000 -9007199254740992
4430000000000000 295147905179352830000
44b52d02c7e14af5 9.999999999999997e+22
44b52d02c7e14af6 1e+23
44b52d02c7e14af7 1.0000000000000001e+23
444b1ae4d6e2ef4e 999999999999999700000
444b1ae4d6e2ef4f 999999999999999900000
444b1ae4d6e2ef50 1e+21
3eb0c6f7a0b5ed8c 9.999999999999997e-7
3eb0c6f7a0b5ed8d 0.000001
41b3de4355555553 333333333.3333332
41b3de4355555554 333333333.33333325
41b3de4355555555 333333333.3333333
41b3de4355555556 333333333.3333334
41b3de4355555557 333333333.33333343
becbf647612f3696 -0.0000033333333333333333
43143ff3c1cb0959 1424953923781206.2
";

#[test]
fn numbers_are_written_as_the_rfc_writes_them() {
    for line in NUMBERS.lines().filter(|line| !line.is_empty()) {
        let (bits, text) = line.split_once(' ').expect("two words");
        let float = f64::from_bits(u64::from_str_radix(bits, 16).expect("bits"));
        assert_eq!(canonical(&Value::from(float)), text, "{bits}");
    }
}

#[test]
fn the_examples_of_the_rfc_come_out_as_it_says() {
    let value: Value = serde_json::from_str(
        r#"{"numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
            "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/", "literals": [null, true, false]}"#,
    )
    .expect("JSON");
    assert_eq!(
        canonical(&value),
        r#"{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}"#
    );
    let names =
        json!({"\u{20ac}": 1, "\r": 2, "\u{fb33}": 3, "1": 4, "\u{1f600}": 5, "\u{80}": 6, "\u{f6}": 7});
    assert_eq!(
        canonical(&names),
        "{\"\\r\":2,\"1\":4,\"\u{80}\":6,\"\u{f6}\":7,\"\u{20ac}\":1,\"\u{1f600}\":5,\"\u{fb33}\":3}"
    );
}

#[test]
fn a_digest_is_of_everything_but_itself() {
    let of = |value: Value| digest(value.as_object().expect("an object"));
    // What `printf '{}' | sha256sum` says.
    let empty = "sha256:44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a";
    assert_eq!(of(json!({})), empty);
    assert_eq!(of(json!({"digest": "sha256:00"})), empty);
    assert_eq!(of(json!({"a": 1, "b": 1.0})), of(json!({"b": 1, "a": 1.0})));
    assert_ne!(of(json!({"app": {"digest": "x"}})), of(json!({"app": {}})));
}

fn values() -> impl Strategy<Value = Value> {
    // What lies between is written like a whole number that no program keeps exactly, and refused when it is read.
    let plain = |float: &f64| float.abs() < 9.0e15 || float.abs() >= 1e21;
    let number = any::<f64>().prop_filter("written plainly", plain);
    let number = number.prop_filter_map("finite", |float| Number::from_f64(float).map(Value::Number));
    let whole = (-9_007_199_254_740_991_i64..=9_007_199_254_740_991).prop_map(Value::from);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        number,
        whole,
        any::<String>().prop_map(Value::from)
    ];
    leaf.prop_recursive(4, 64, 8, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..8).prop_map(Value::from),
            prop::collection::vec((any::<String>(), inner), 0..8)
                .prop_map(|members| Value::Object(members.into_iter().collect::<Map<_, _>>())),
        ]
    })
}

proptest! {
    #[test]
    fn what_is_written_reads_as_the_same_and_is_written_alike(value in values()) {
        let text = canonical(&value);
        let tree = uiap_protocol::text::read(
            &text, uiap_protocol::text::Format::Json, uiap_protocol::text::Limits::DOCUMENT,
        );
        prop_assert!(tree.is_ok(), "{text}: {:?}", tree.err());
        let again: Value = tree.expect("a tree").to_json();
        prop_assert_eq!(canonical(&again), text);
    }
    #[test]
    fn one_pass_writes_what_a_json_value_would_be(value in values(), more in values()) {
        prop_assert_eq!(written(&value).expect("JSON"), canonical(&value));
        let object = json!({"b": value, "a\n": more, "\u{e000}": [more], "\u{1f600}": {}});
        prop_assert_eq!(written(&object).expect("JSON"), canonical(&object));
        prop_assert_eq!(Object::of(&object).expect("JSON").text(), canonical(&object));
        let members = object.as_object().expect("an object");
        let texts: Vec<_> = members.values().map(canonical).collect();
        let put: Object<'_> = members.keys().zip(&texts).map(|(name, text)| (name.into(), text.as_str().into())).collect();
        prop_assert_eq!(put.text(), canonical(&object));
        let mut outer = Object::default();
        outer.put("list", Piece::List(texts.iter().map(String::as_str).collect()));
        outer.put("inner", Piece::Object(put));
        let list: Value = members.values().cloned().collect();
        prop_assert_eq!(outer.text(), canonical(&json!({"inner": object, "list": list})));
    }
}

/// Members as they come, some of them twice.
struct Given(Vec<(String, Value)>);

impl serde::Serialize for Given {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

proptest! {
    #[test]
    fn one_pass_sorts_members_and_keeps_the_last_of_two(
        names in prop::collection::vec(prop_oneof!["[a-c~\\\\\"\n!]{0,3}", any::<String>()], 0..12),
        value in values(),
    ) {
        let members = names.into_iter().enumerate().map(|(place, name)| (name, json!([place, value])));
        let given = Given(members.collect());
        let json = serde_json::to_value(&given).expect("JSON");
        prop_assert_eq!(written(&given).expect("JSON"), canonical(&json));
        prop_assert_eq!(Object::of(&given).expect("JSON").text(), canonical(&json));
        for name in ["", "b", "digest", "\u{e000}"] {
            let (mut unsealed, mut wanted) = (json.clone(), json.clone());
            unsealed.as_object_mut().expect("an object").remove(name);
            let short = Object::of(&given).expect("JSON").unsealed(name);
            let seal = short.text().to_owned();
            prop_assert_eq!(&seal, &canonical(&unsealed));
            let text = short.sealed(&seal);
            wanted.as_object_mut().expect("an object").insert(name.to_owned(), json!(seal));
            prop_assert_eq!(text, canonical(&wanted));
        }
        let list = [&given, &given];
        prop_assert_eq!(written(&list).expect("JSON"), canonical(&json!([json, json])));
    }
}

/// Bytes, and bytes that are the same up to some place: several kept states long, or none.
fn alike() -> impl Strategy<Value = (Vec<u8>, usize, Vec<u8>)> {
    let length = prop_oneof![1 => 0_usize..200, 3 => 130_000_usize..200_000];
    (length, any::<u8>(), any::<prop::sample::Index>(), prop::collection::vec(any::<u8>(), 0..100))
        .prop_map(|(length, byte, place, end)| (vec![byte; length], place.index(length + 1), end))
}

proptest! {
    // Hashing is slow where it is not optimised.
    #![proptest_config(ProptestConfig::with_cases(12))]
    #[test]
    fn what_was_hashed_before_does_not_matter(texts in prop::collection::vec(alike(), 1..4)) {
        let mut rehash = Rehash::default();
        for (bytes, place, end) in texts {
            let changed = [bytes.get(..place).unwrap_or_default(), &end].concat();
            for bytes in [&bytes, &changed, &changed, &bytes] {
                prop_assert_eq!(rehash.hash(bytes), hash(bytes));
            }
        }
    }
}
