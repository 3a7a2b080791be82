//! The file that says where secrets come from. It holds none itself.

use super::origin;
use crate::Trouble;
use crate::commands::documents::{bytes_of, format_of};
use std::collections::BTreeMap;
use std::path::Path;
use uiap_protocol::text::{Format, Limits, read};
use uiap_server::secrets::{Secret, Vault};

/// The secrets of a file.
pub(in crate::commands) fn vault(path: &Path) -> Result<Vault, Trouble> {
    let wrong = |why: &str| {
        let form = "It names each secret with its origins, and env or file.";
        Trouble::WrongUse(format!("--secrets {}: {why}. {form}", path.display()))
    };
    let bytes = bytes_of(path)?;
    let text = String::from_utf8(bytes).map_err(|_| wrong("it is no text"))?;
    let format = format_of(path).unwrap_or_else(|| Format::guess(&text));
    let tree =
        read(&text, format, Limits::DOCUMENT).map_err(|fault| wrong(fault.message.trim_end_matches('.')))?;
    let secrets: BTreeMap<String, Secret> =
        serde_json::from_value(tree.to_json()).map_err(|error| wrong(&error.to_string()))?;
    let secrets = secrets.into_iter().map(|(name, mut secret)| {
        if secret.env.is_some() == secret.file.is_some() {
            return Err(wrong(&format!("the secret \"{name}\" needs env or file, and not both")));
        }
        let origins = secret.origins.iter().map(|text| origin(text));
        secret.origins =
            origins.collect::<Result<_, _>>().map_err(|why| wrong(&format!("\"{name}\": {why}")))?;
        Ok((name, secret))
    });
    Ok(Vault::new(secrets.collect::<Result<_, _>>()?))
}
