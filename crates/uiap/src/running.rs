//! What a runtime of this program is set to.

use crate::Trouble;
use crate::keeping::{now, random};
use std::io::Write;
use uiap_protocol::authoring::CompiledBundle;
use uiap_protocol::ids::{ID_LENGTH_MAX, Id};
use uiap_runtime::consent::ConsentKey;
use uiap_runtime::shell::Settings;
use uiap_runtime::standing::Standing;

/// The settings of a runtime, with keys of its own.
pub(crate) fn settings(standing: Standing, application: Id) -> Result<Settings, Trouble> {
    Ok(Settings {
        policy: standing.policy,
        principal: standing.principal,
        lent: standing.lent,
        application,
        consent_key: ConsentKey::new(random()?),
        digest_key: random()?,
        chance,
        clock: now,
    })
}

/// Whose application it is. Without a bundle an application is what is served from one place.
pub(crate) fn application_of(bundle: Option<&CompiledBundle>, address: &str) -> Result<Id, Trouble> {
    if let Some(bundle) = bundle {
        return Ok(bundle.app.app_id.clone());
    }
    let origin = url::Url::parse(address).ok().map(|url| url.origin()).filter(url::Origin::is_tuple);
    let name = origin.map_or_else(|| address.to_owned(), |origin| origin.ascii_serialization());
    let id = Id::new(name.chars().take(ID_LENGTH_MAX).collect::<String>());
    Ok(id.map_err(anyhow::Error::new)?)
}

/// A number that nobody can guess.
pub(crate) fn chance() -> [u8; 16] {
    random().unwrap_or_else(|_| {
        // A name that can be guessed would be a lie; the journal says what became of the action.
        let _ = writeln!(std::io::stderr(), "error: The system gives no random numbers any more.");
        std::process::exit(3)
    })
}
