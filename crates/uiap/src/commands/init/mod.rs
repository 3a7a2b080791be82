//! `uiap init`: the beginning of a package.
//!
//! What is written stands in `package/`, as valid manifests with three words that are replaced. Beside it go the
//! schemas that this program checks by, so that an editor knows the same rules without a network.

use crate::{Outcome, Trouble};
use clap::Args;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use uiap_protocol::generate::schema_of;
use uiap_protocol::ids::ID_LENGTH_MAX;
use uiap_protocol::kinds::Kind;
use url::Url;

/// Begin a UIAP package: a small one that is complete, with comments and schemas for your editor
#[derive(Args)]
#[command(after_help = "\
Examples:
  uiap init                                     into the folder uiap
  uiap init app/uiap --name 'My shop' --url http://127.0.0.1:8080

Nothing is written where one of the files exists already.")]
pub(crate) struct Init {
    /// The folder of the package
    #[arg(default_value = "uiap")]
    dir: PathBuf,
    /// What the application is called in ids; by default after the folder
    #[arg(long)]
    app_id: Option<String>,
    /// What people call the application; by default after its id
    #[arg(long)]
    name: Option<String>,
    /// Where the application runs while you develop it
    #[arg(long, default_value = "http://127.0.0.1:3000")]
    url: String,
}

/// The manifests, by their path in the package.
const MANIFESTS: [(&str, &str); 13] = [
    ("package.uiap.yaml", include_str!("package/package.uiap.yaml")),
    ("app.uiap.yaml", include_str!("package/app.uiap.yaml")),
    ("capabilities/core.uiap.yaml", include_str!("package/capabilities/core.uiap.yaml")),
    ("bindings/routes.uiap.yaml", include_str!("package/bindings/routes.uiap.yaml")),
    ("bindings/elements.uiap.yaml", include_str!("package/bindings/elements.uiap.yaml")),
    ("actions/core.uiap.yaml", include_str!("package/actions/core.uiap.yaml")),
    ("policies/default.uiap.yaml", include_str!("package/policies/default.uiap.yaml")),
    ("policies/default.policy-test.yaml", include_str!("package/policies/default.policy-test.yaml")),
    ("workflows/support.uiap.yaml", include_str!("package/workflows/support.uiap.yaml")),
    ("locales/common.uiap.yaml", include_str!("package/locales/common.uiap.yaml")),
    ("overlays/staging.uiap.yaml", include_str!("package/overlays/staging.uiap.yaml")),
    ("overlays/prod.uiap.yaml", include_str!("package/overlays/prod.uiap.yaml")),
    ("reviews/approvals.uiap.yaml", include_str!("package/reviews/approvals.uiap.yaml")),
];

/// The kinds of document in a package, including those that are not there from the beginning.
const SCHEMAS: [&str; 12] = [
    "Package",
    "App",
    "Capabilities",
    "Bindings",
    "Actions",
    "PolicySet",
    "WorkflowCatalog",
    "LocalePack",
    "Overlay",
    "ReviewSet",
    "DiscoveryImport",
    "policy-test",
];

/// Most characters of the id of an application: ids that begin with it are ids too.
const APP_ID_LENGTH_MAX: usize = ID_LENGTH_MAX / 2;

impl Init {
    pub(crate) fn run(self) -> Result<Outcome, Trouble> {
        let words = self.words()?;
        let manifests = MANIFESTS.iter().map(|(path, text)| (self.dir.join(path), words.put_into(text)));
        let schemas = SCHEMAS.iter().filter_map(|name| {
            let schema = schema_of(Kind::named(name)?);
            Some((self.dir.join(format!("schemas/{name}.schema.json")), format!("{schema:#}\n")))
        });
        let files: Vec<_> = manifests.chain(schemas).collect();
        refuse_if_any_exists(files.iter().map(|(path, _)| path.as_path()))?;
        for (path, text) in &files {
            write(path, text)?;
        }
        self.say_what_comes_next()?;
        Ok(Outcome::Yes)
    }

    fn words(&self) -> Result<Words, Trouble> {
        let app_id = self.app_id.clone().unwrap_or_else(|| id_after(&self.dir));
        if !is_app_id(&app_id) {
            return Err(Trouble::WrongUse(format!(
                "\"{app_id}\" cannot be the id of an application. Use lower-case letters, digits and hyphens, such as \
                 --app-id my-shop."
            )));
        }
        let name = self.name.clone().unwrap_or_else(|| name_after(&app_id));
        if name.trim().is_empty() {
            return Err(Trouble::WrongUse(
                "The name of the application is empty; say it with --name.".to_owned(),
            ));
        }
        let url = Url::parse(&self.url).ok().filter(|url| matches!(url.scheme(), "http" | "https"));
        let url = url.ok_or_else(|| {
            Trouble::WrongUse(format!("\"{}\" is no address such as http://127.0.0.1:3000.", self.url))
        })?;
        let url = url.as_str().trim_end_matches('/').to_owned();
        Ok(Words { app_id, name, url })
    }

    fn say_what_comes_next(&self) -> Result<(), Trouble> {
        let dir = self.dir.display();
        let mut out = std::io::stdout().lock();
        writeln!(out, "{} documents and {} schemas are in {dir}.", MANIFESTS.len(), SCHEMAS.len())?;
        writeln!(out, "Next, replace the items by what your application has, and ask as often as you like:")?;
        writeln!(out, "  uiap check {dir}          is it sound")?;
        writeln!(out, "  uiap policy test {dir}    does the policy decide what you expect")?;
        writeln!(out, "  uiap build {dir}          would it become a bundle")?;
        Ok(())
    }
}

/// What is put into the manifests.
struct Words {
    app_id: String,
    name: String,
    url: String,
}

impl Words {
    fn put_into(&self, text: &str) -> String {
        // A JSON text is a YAML text too, whatever is in it.
        let quoted = |text: &str| serde_json::Value::from(text).to_string();
        // The name comes last: nothing in it is replaced again.
        text.replace("APP_ID", &self.app_id)
            .replace("APP_URL", &quoted(&self.url))
            .replace("APP_NAME", &quoted(&self.name))
    }
}

/// The id of an application whose package is in this folder: the name of the folder, or of the one around `uiap`.
fn id_after(dir: &Path) -> String {
    let whole = std::path::absolute(dir).unwrap_or_else(|_| dir.to_owned());
    let names = whole.components().rev().filter_map(|part| match part {
        std::path::Component::Normal(name) => name.to_str(),
        _ => None,
    });
    let id = names.map(slug).find(|id| id != "uiap" && is_app_id(id));
    id.unwrap_or_else(|| "my-app".to_owned())
}

fn slug(name: &str) -> String {
    let letters = name.chars().map(|letter| letter.to_ascii_lowercase());
    let plain: String =
        letters.map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    plain.trim_matches('-').to_owned()
}

fn is_app_id(id: &str) -> bool {
    let legal = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    id.len() <= APP_ID_LENGTH_MAX
        && id.starts_with(|first: char| first.is_ascii_lowercase())
        && !id.ends_with('-')
        && id.bytes().all(legal)
}

/// `my-shop` as people would write it.
fn name_after(app_id: &str) -> String {
    let spaced = app_id.replace('-', " ");
    let mut letters = spaced.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}

fn refuse_if_any_exists<'p>(mut paths: impl Iterator<Item = &'p Path>) -> Result<(), Trouble> {
    match paths.find(|path| path.symlink_metadata().is_ok()) {
        Some(path) => Err(Trouble::WrongUse(format!(
            "{} exists already, and nothing was written. Choose another folder, or remove it first.",
            path.display()
        ))),
        None => Ok(()),
    }
}

fn write(path: &Path, text: &str) -> Result<(), Trouble> {
    let cannot =
        |error: std::io::Error| Trouble::WrongUse(format!("{} cannot be written: {error}.", path.display()));
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder).map_err(cannot)?;
    }
    let mut file = OpenOptions::new().write(true).create_new(true).open(path).map_err(cannot)?;
    file.write_all(text.as_bytes()).map_err(cannot)
}
