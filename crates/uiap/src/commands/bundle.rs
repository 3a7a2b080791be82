//! The bundle of a command: it is loaded whole, unchanged and from somebody who is trusted, or not at all.

use super::supplies::Supplies;
use crate::Trouble;
use crate::report::sentence;
use clap::Args;
use std::ffi::OsString;
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use uiap_protocol::authoring::{Admission, Admitted, CompiledBundle, NotAdmitted};
use uiap_protocol::seal::{SEAL_BYTES_MAX, TrustedKey};
use uiap_store::registry::SIGNATURE_ENDING;

/// The profile that the pages of this program have.
const PROFILE: &str = "web@0.1";
/// The extensions that this program knows. Workflows are carried and not run.
const EXTENSIONS: [&str; 3] = ["uiap.discovery", "uiap.policy", "uiap.workflow"];

/// Which bundle, and whose.
#[derive(Args, Debug)]
pub(crate) struct BundleFlags {
    /// What is known about the application: a compiled bundle
    #[arg(long, value_name = "FILE")]
    bundle: Option<PathBuf>,
    /// Load the bundle only if this key signed it, a public key of minisign; may be given more than once. The
    /// signature stands beside the bundle as FILE.minisig
    #[arg(long, value_name = "FILE", requires = "bundle")]
    trust: Vec<PathBuf>,
}

impl BundleFlags {
    /// The bundle, if one is named. What a person should know about it goes to stderr.
    pub(crate) fn load(&self, supplies: Supplies) -> Result<Option<CompiledBundle>, Trouble> {
        let Some(path) = &self.bundle else { return Ok(None) };
        let trusted = self.trust.iter().map(|path| key_in(path)).collect::<Result<Vec<_>, _>>()?;
        let document = supplies.bundle(path)?;
        let signature = if trusted.is_empty() { None } else { text_in(&signature_of(path))? };
        let admission = Admission { profile: PROFILE, extensions: &EXTENSIONS, trusted: &trusted };
        let admitted = admission.admit(&document, signature.as_deref());
        let admitted = admitted.map_err(|error| refused(path, &error))?;
        remark(&admitted)?;
        Ok(Some(admitted.bundle))
    }
}

fn refused(path: &Path, error: &NotAdmitted) -> Trouble {
    let place = match error {
        NotAdmitted::NoSignature => format!(" There is no file {}.", signature_of(path).display()),
        _ => String::new(),
    };
    let told = format!(
        "The bundle {} is not loaded: {error}.{place} {} Nothing was done.",
        path.display(),
        error.advice()
    );
    match error {
        NotAdmitted::Core { .. }
        | NotAdmitted::Profile { .. }
        | NotAdmitted::UnknownExtension { .. }
        | NotAdmitted::ExtensionVersion { .. } => Trouble::WrongUse(told),
        NotAdmitted::NotABundle { .. }
        | NotAdmitted::Changed { .. }
        | NotAdmitted::NoDigest
        | NotAdmitted::NoSignature
        | NotAdmitted::Signature(_) => Trouble::Other(anyhow::anyhow!(told)),
    }
}

/// What a person should know about a bundle that is used.
fn remark(admitted: &Admitted) -> Result<(), Trouble> {
    let Admitted { bundle, signed_by } = admitted;
    let mut stderr = std::io::stderr();
    if let Some(key) = signed_by {
        writeln!(stderr, "The bundle is signed with the key {key}.")?;
    }
    if bundle.digest.is_none() {
        writeln!(stderr, "The bundle has no digest: nobody can tell whether it was changed.")?;
    }
    if let Some(workflows) = bundle.workflows.as_ref().filter(|workflows| !workflows.is_empty()) {
        writeln!(
            stderr,
            "The bundle has workflows ({}); they are carried and not run yet.",
            workflows.len()
        )?;
    }
    Ok(())
}

pub(super) fn key_in(path: &Path) -> Result<TrustedKey, Trouble> {
    let wrong = |why: &str| {
        let told = sentence(why);
        Trouble::WrongUse(format!("--trust {}: {told}. It takes the file of a public key.", path.display()))
    };
    let text = text_in(path)?.ok_or_else(|| wrong("there is no such file"))?;
    TrustedKey::read(&text).map_err(|error| wrong(&error.to_string()))
}

pub(super) fn signature_of(bundle: &Path) -> PathBuf {
    let mut name = OsString::from(bundle);
    name.push(SIGNATURE_ENDING);
    PathBuf::from(name)
}

/// The text in a file of a few lines; nothing, if there is no such file. One byte more than is allowed is read, which
/// shows that there is too much.
pub(super) fn text_in(path: &Path) -> Result<Option<String>, Trouble> {
    let mut bytes = Vec::new();
    let opened = std::fs::File::open(path);
    match opened.and_then(|file| file.take(SEAL_BYTES_MAX as u64 + 1).read_to_end(&mut bytes)) {
        Ok(_) => Ok(Some(String::from_utf8_lossy(&bytes).into_owned())),
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Trouble::WrongUse(format!("{} cannot be read: {error}.", path.display()))),
    }
}
