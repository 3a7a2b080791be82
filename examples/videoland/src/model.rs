//! The things Videoland is about.

use serde::{Deserialize, Serialize};

/// What somebody may do, weakest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Role {
    Viewer,
    Editor,
    Admin,
}

/// Somebody who can sign in.
#[derive(Clone, Debug)]
pub(crate) struct Account {
    pub(crate) name: String,
    pub(crate) role: Role,
    pub(crate) password: String,
    pub(crate) profile: Profile,
    pub(crate) appearance: Appearance,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Profile {
    pub(crate) display_name: String,
    pub(crate) email: String,
    pub(crate) about: String,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Appearance {
    pub(crate) theme: Theme,
    pub(crate) density: Density,
    pub(crate) reduce_motion: bool,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Theme {
    System,
    Light,
    Dark,
}

#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Density {
    Comfortable,
    Compact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Status {
    Draft,
    Review,
    Published,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Visibility {
    #[default]
    Private,
    Team,
    Public,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Comment {
    pub(crate) id: u32,
    pub(crate) author: String,
    pub(crate) text: String,
}

/// A video. Everything but the comments travels in lists too.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Video {
    pub(crate) id: u32,
    pub(crate) title: String,
    pub(crate) use_case: String,
    pub(crate) category: String,
    pub(crate) tags: Vec<String>,
    /// Planned day, `YYYY-MM-DD`, or empty.
    pub(crate) date: String,
    pub(crate) visibility: Visibility,
    pub(crate) captions: bool,
    pub(crate) quality: u8,
    pub(crate) volume: f64,
    pub(crate) file_name: String,
    pub(crate) description: String,
    pub(crate) status: Status,
    pub(crate) owner: String,
    pub(crate) views: u32,
    pub(crate) seconds: u32,
    pub(crate) updated: String,
    #[serde(skip)]
    pub(crate) comments: Vec<Comment>,
}

/// Somebody on the team; not everybody can sign in.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Member {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) email: String,
    pub(crate) role: Role,
    pub(crate) invited: bool,
}

/// An API token; its secret is shown once and not kept.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Token {
    pub(crate) id: u32,
    pub(crate) name: String,
    pub(crate) hint: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Plan {
    Free,
    Team,
    Business,
}

#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Billing {
    pub(crate) plan: Plan,
    pub(crate) card_holder: String,
    /// The last four digits; the rest is never kept.
    pub(crate) card_hint: String,
}
