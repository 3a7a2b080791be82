//! The journal of a command: where it is, and what is needed to write it.

use crate::Trouble;
use crate::report::sentence;
use clap::Args;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};
use uiap_runtime::life::Millis;
use uiap_store::{JournalReader, OpenError, Settings, SqliteJournal};

/// Where the journal is below the folder for the state of programs.
const JOURNAL: &str = "uiap/journal.sqlite";
/// That folder below the home of a person, if nothing else is said.
const STATE: &str = ".local/state";

/// The flags of every command that writes or reads the journal.
#[derive(Args, Debug)]
pub(crate) struct JournalFlags {
    /// The journal of actions; by default $`XDG_STATE_HOME/uiap/journal.sqlite`
    #[arg(long, value_name = "FILE")]
    journal: Option<PathBuf>,
}

impl JournalFlags {
    /// Opens the journal to act; what a dead process left open is ended by it.
    pub(crate) fn open(&self) -> Result<SqliteJournal, Trouble> {
        SqliteJournal::open(&self.path()?, Settings::default(), now()).map_err(|error| unopened(&error))
    }

    /// Opens the journal to look.
    pub(crate) fn read(&self) -> Result<JournalReader, Trouble> {
        JournalReader::open(&self.path()?).map_err(|error| unopened(&error))
    }

    /// Where it is.
    pub(crate) fn path(&self) -> Result<PathBuf, Trouble> {
        if let Some(path) = &self.journal {
            return Ok(path.clone());
        }
        // A relative folder in the variable is to be ignored (XDG Base Directory Specification).
        let state = std::env::var_os("XDG_STATE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
        let home = || std::env::home_dir().map(|home| home.join(STATE));
        state.or_else(home).map(|state| state.join(JOURNAL)).ok_or_else(|| {
            Trouble::Missing("There is no home for the journal; name a file with --journal.".to_owned())
        })
    }
}

fn unopened(error: &OpenError) -> Trouble {
    Trouble::Missing(format!("{}.", sentence(&error.to_string())))
}

/// Milliseconds since 1970.
pub(crate) fn now() -> Millis {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    Millis::try_from(since.as_millis()).unwrap_or(Millis::MAX)
}

/// Random bytes of the system, for keys and for names that nobody can guess.
pub(crate) fn random<const LENGTH: usize>() -> Result<[u8; LENGTH], Trouble> {
    let mut bytes = [0; LENGTH];
    getrandom::fill(&mut bytes)
        .map_err(|error| Trouble::Missing(format!("The system gives no random numbers: {error}.")))?;
    Ok(bytes)
}
