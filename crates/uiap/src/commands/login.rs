//! The login of a command: a file that says how to sign in, and where its secrets come from.

use super::documents::bytes_of;
use super::mcp::secrets::vault;
use crate::Trouble;
use crate::login::Login;
use clap::Args;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use uiap_protocol::text::{Format, Limits, read};
use uiap_server::secrets::Vault;

/// Who signs in, and how.
#[derive(Args, Debug)]
pub(crate) struct LoginFlags {
    /// Sign in first, as this file says
    #[arg(long, value_name = "FILE")]
    login: Option<PathBuf>,
    /// Where secrets come from that a login or an argument names as secret:NAME
    #[arg(long, value_name = "FILE")]
    secrets: Option<PathBuf>,
}

impl LoginFlags {
    /// The login, if one is named.
    pub(crate) fn login(&self) -> Result<Option<Login>, Trouble> {
        self.login.as_deref().map(|path| login_in(path).map(|(login, _)| login)).transpose()
    }

    /// The secrets of the file; none without one.
    pub(crate) fn vault(&self) -> Result<Arc<Vault>, Trouble> {
        let vault = self.secrets.as_deref().map_or_else(|| Ok(Vault::default()), vault)?;
        Ok(Arc::new(vault))
    }
}

/// A login that makes sense by itself, and as it stands in the file.
pub(super) fn login_in(path: &Path) -> Result<(Login, serde_json::Value), Trouble> {
    let wrong = |why: &str| Trouble::WrongUse(format!("--login {}: {why}.", path.display()));
    let text = String::from_utf8(bytes_of(path)?).map_err(|_| wrong("it is no text"))?;
    let tree = read(&text, Format::guess(&text), Limits::DOCUMENT);
    let tree = tree.map_err(|fault| wrong(fault.message.trim_end_matches('.')))?.to_json();
    let login: Login = serde_json::from_value(tree.clone()).map_err(|error| wrong(&error.to_string()))?;
    login.check()?;
    Ok((login, tree))
}
