//! Keys: `uiap key new` makes a pair, and other commands sign with the secret one.

use super::bundle::text_in;
use crate::report::sentence;
use crate::{Outcome, Trouble};
use clap::{Args, Subcommand};
use std::ffi::OsString;
use std::fs::OpenOptions;
use std::io::{ErrorKind, IsTerminal as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};
use uiap_store::registry::{KeyFiles, SecretFile, SigningKey};

/// The variable with the password of a key, for machines without a terminal.
const PASSWORD_VARIABLE: &str = "UIAP_KEY_PASSWORD";
/// Longest password, in bytes; minisign takes no longer one.
const PASSWORD_BYTES_MAX: usize = 1024;
/// What the name of a public key has behind the name of the secret one.
const PUBLIC_ENDING: &str = ".pub";
const SECRET_MODE: u32 = 0o600;
const PUBLIC_MODE: u32 = 0o644;

/// Make keys that sign bundles
#[derive(Args)]
pub(crate) struct Key {
    #[command(subcommand)]
    verb: Verb,
}

#[derive(Subcommand)]
enum Verb {
    New(New),
}

impl Key {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        match self.verb {
            Verb::New(new) => new.run(),
        }
    }
}

/// Make a pair of keys, as `minisign -G` does
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap key new team.key                  the secret key team.key and the public one team.key.pub
  uiap key new ci.key --no-password      for a machine that keeps its secrets otherwise

Nothing is overwritten. The password is asked for at the terminal, or comes from the variable UIAP_KEY_PASSWORD or from
the first line of a file (--password-file). Keys of minisign work as well.")]
struct New {
    /// The file of the secret key
    file: PathBuf,
    /// Whoever has the file can sign
    #[arg(long, conflicts_with = "password_file")]
    no_password: bool,
    #[command(flatten)]
    password: PasswordFlags,
}

impl New {
    fn run(self) -> Result<Outcome, Trouble> {
        let public = public_of(&self.file);
        for path in [&self.file, &public] {
            if path.symlink_metadata().is_ok() {
                return Err(there_already(path));
            }
        }
        let password = if self.no_password { None } else { Some(self.password.choose()?) };
        let keys = KeyFiles::new(password.as_deref()).map_err(|error| unusable(&self.file, &error))?;
        put(&self.file, &keys.secret, SECRET_MODE)?;
        put(&public, &keys.public, PUBLIC_MODE)?;
        let mut out = std::io::stdout().lock();
        writeln!(out, "The secret key is {}: keep it to yourself.", self.file.display())?;
        writeln!(out, "The public key is {}: whoever trusts it says --trust.", public.display())?;
        Ok(Outcome::Yes)
    }
}

fn public_of(secret: &Path) -> PathBuf {
    let mut name = OsString::from(secret);
    name.push(PUBLIC_ENDING);
    PathBuf::from(name)
}

fn put(path: &Path, text: &str, mode: u32) -> Result<(), Trouble> {
    let file = OpenOptions::new().write(true).create_new(true).mode(mode).open(path);
    let written = file.and_then(|mut file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    });
    written.map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => there_already(path),
        _ => Trouble::WrongUse(format!("{} cannot be written: {error}.", path.display())),
    })
}

fn there_already(path: &Path) -> Trouble {
    Trouble::WrongUse(format!(
        "{} is there already, and a key is never overwritten. Name another file.",
        path.display()
    ))
}

/// Where a password comes from. It is never an argument: those are seen by everybody on the machine.
#[derive(Args, Debug)]
struct PasswordFlags {
    /// A file whose first line is the password of the key
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

impl PasswordFlags {
    /// The password of a key that is there.
    fn ask(&self, key: &Path) -> Result<String, Trouble> {
        match self.given()? {
            Some(password) => Ok(password),
            None => prompted(&format!("Password of {}: ", key.display())),
        }
    }

    /// The password of a new key. Nobody sees what is typed, so it is typed twice.
    fn choose(&self) -> Result<String, Trouble> {
        if let Some(password) = self.given()? {
            return Ok(password);
        }
        let password = prompted("Password of the new key: ")?;
        if password.is_empty() {
            return Err(Trouble::WrongUse(
                "The password is empty. Say --no-password if none is meant.".to_owned(),
            ));
        }
        if prompted("The same again: ")? != password {
            return Err(Trouble::WrongUse("The two passwords differ. No key was made.".to_owned()));
        }
        Ok(password)
    }

    /// The password from the file or the variable.
    fn given(&self) -> Result<Option<String>, Trouble> {
        let Some(path) = &self.password_file else {
            let given = std::env::var_os(PASSWORD_VARIABLE);
            let not_text = |_| Trouble::WrongUse(format!("{PASSWORD_VARIABLE} is not text."));
            return given.map(|text| text.into_string().map_err(not_text).and_then(bounded)).transpose();
        };
        let text = text_in(path)?;
        let text = text.ok_or_else(|| Trouble::WrongUse(format!("There is no file {}.", path.display())))?;
        bounded(text.lines().next().unwrap_or_default().to_owned()).map(Some)
    }
}

fn bounded(password: String) -> Result<String, Trouble> {
    if password.len() > PASSWORD_BYTES_MAX {
        return Err(Trouble::WrongUse(format!("A password has at most {PASSWORD_BYTES_MAX} bytes.")));
    }
    Ok(password)
}

fn prompted(question: &str) -> Result<String, Trouble> {
    if !std::io::stdin().is_terminal() {
        return Err(Trouble::WrongUse(format!(
            "The key has a password, and there is no terminal to ask for it. Set {PASSWORD_VARIABLE}, or say --password-file."
        )));
    }
    bounded(rpassword::prompt_password(question)?)
}

/// The key to sign with.
#[derive(Args, Debug)]
pub(crate) struct KeyFlags {
    /// The secret key to sign with, of minisign or of `uiap key new`
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    #[command(flatten)]
    password: PasswordFlags,
}

impl KeyFlags {
    /// The key, if one is named.
    pub(crate) fn open(&self) -> Result<Option<SigningKey>, Trouble> {
        let Some(path) = &self.key else { return Ok(None) };
        let text = text_in(path)?;
        let text = text.ok_or_else(|| Trouble::WrongUse(format!("There is no key {}.", path.display())))?;
        let file = SecretFile::read(&text).map_err(|error| unusable(path, &error))?;
        let password = if file.has_password() { Some(self.password.ask(path)?) } else { None };
        file.open(password.as_deref()).map(Some).map_err(|error| unusable(path, &error))
    }
}

fn unusable(path: &Path, error: &uiap_store::registry::KeyError) -> Trouble {
    Trouble::WrongUse(format!(
        "--key {}: {}. Nothing was done.",
        path.display(),
        sentence(&error.to_string())
    ))
}
