//! The claim of a test: which requirements it proves.
//!
//! Start at [`proves!`](crate::proves). The claims are read from the source by `cargo xtask matrix`, which knows all
//! requirement ids (`conformance/requirements/`) and refuses an unknown one.

/// Names the requirements that the surrounding test proves.
///
/// It stands in the body of a test and does nothing when the test runs. Claim an id only in a test that fails when
/// the behaviour is removed.
///
/// ```
/// fn an_unknown_role_is_refused() {
///     uiap_testkit::proves!["CAP-4-1", "CAP-2-2"];
///     // what shows it
/// }
/// # an_unknown_role_is_refused();
/// ```
#[macro_export]
macro_rules! proves {
    ($($id:literal),+ $(,)?) => {
        const {
            let _: &[&str] = &[$($id),+];
        }
    };
}
