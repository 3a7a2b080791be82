//! Videos: reading, making, changing, sharing, removing.

use std::sync::Arc;

use axum::Json;
use axum::extract::{Path, Query, State};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::error::ApiError;
use crate::model::{Comment, Role, Status, Video, Visibility};
use crate::request::{Change, Nothing, Reply, parse_id};
use crate::seed::{CATEGORIES, TODAY, USE_CASES};
use crate::session::Caller;
use crate::world::{App, World};

const VIDEOS_MAX: usize = 2_000;
const TRASH_MAX: usize = 200;
const COMMENTS_MAX: usize = 200;
const PER_PAGE_MAX: usize = 500;
const TITLE_CHARS_MAX: usize = 120;
const TEXT_CHARS_MAX: usize = 4_000;
const TAGS_MAX: usize = 12;
const QUALITY_STEP: u8 = 5;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub(super) struct ListQuery {
    search: String,
    status: String,
    sort: String,
    dir: String,
    page: usize,
    per_page: usize,
}

impl Default for ListQuery {
    fn default() -> Self {
        let text = String::new;
        Self { search: text(), status: text(), sort: text(), dir: text(), page: 1, per_page: 20 }
    }
}

/// What somebody says about a new video.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Draft {
    title: String,
    #[serde(default)]
    use_case: String,
    #[serde(default)]
    category: String,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    date: String,
    #[serde(default)]
    visibility: Visibility,
    #[serde(default)]
    captions: bool,
    #[serde(default = "default_quality")]
    quality: u8,
    #[serde(default = "default_volume")]
    volume: f64,
    #[serde(default)]
    file_name: String,
    #[serde(default)]
    description: String,
}

/// What may be changed later.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Edit {
    title: Option<String>,
    description: Option<String>,
    visibility: Option<Visibility>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Share {
    email: String,
    #[serde(default)]
    message: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NewComment {
    text: String,
}

pub(super) async fn list(
    State(app): State<Arc<App>>,
    _caller: Caller,
    Query(query): Query<ListQuery>,
) -> Json<Value> {
    let world = app.world();
    let wanted = query.search.trim().to_lowercase();
    let mut found: Vec<&Video> = world
        .videos
        .values()
        .filter(|video| video.title.to_lowercase().contains(&wanted))
        .filter(|video| query.status.is_empty() || json!(video.status) == query.status.as_str())
        .collect();
    match query.sort.as_str() {
        "title" => found.sort_by_key(|video| video.title.to_lowercase()),
        "views" => found.sort_by_key(|video| video.views),
        "updated" => found.sort_by(|a, b| a.updated.cmp(&b.updated)),
        _ => {}
    }
    if query.dir == "desc" {
        found.reverse();
    }
    let per_page = query.per_page.clamp(1, PER_PAGE_MAX);
    let first = query.page.saturating_sub(1).saturating_mul(per_page);
    let page: Vec<&Video> = found.iter().skip(first).take(per_page).copied().collect();
    Json(json!({ "total": found.len(), "page": query.page.max(1), "perPage": per_page, "videos": page }))
}

pub(super) async fn one(
    State(app): State<Arc<App>>,
    _caller: Caller,
    Path(id): Path<String>,
) -> Result<Json<Value>, ApiError> {
    let world = app.world();
    let video = world.videos.get(&parse_id(&id)?).ok_or(ApiError::NotFound)?;
    Ok(Json(json!({ "video": video, "comments": video.comments })))
}

pub(super) async fn create(change: Change) -> Result<Reply, ApiError> {
    change.apply(Role::Editor, |world, caller, draft: Draft| {
        let draft = checked(draft)?;
        if world.videos.len() >= VIDEOS_MAX {
            return Err(ApiError::Full { limit: VIDEOS_MAX });
        }
        let id = world.take_id();
        let video = from_draft(id, draft, &caller.user);
        let answer = json!({ "video": video });
        world.videos.insert(id, video);
        world.effect("video.created", id);
        Ok(Reply::created(answer))
    })
}

pub(super) async fn edit(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Editor, |world, _, edit: Edit| {
        // Everything is checked before anything changes: a refused edit leaves no trace.
        let title = edit.title.map(|title| checked_title(&title)).transpose()?;
        let description = edit.description.map(|text| checked_text("description", &text)).transpose()?;
        let video = find(world, id)?;
        if let Some(title) = title {
            video.title = title;
        }
        if let Some(description) = description {
            video.description = description;
        }
        if let Some(visibility) = edit.visibility {
            video.visibility = visibility;
        }
        TODAY.clone_into(&mut video.updated);
        let answer = json!({ "video": video });
        world.effect("video.updated", id);
        Ok(Reply::ok(answer))
    })
}

pub(super) async fn delete(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Admin, |world, _, Nothing {}| {
        let video = world.videos.remove(&id).ok_or(ApiError::NotFound)?;
        if world.trash.len() >= TRASH_MAX {
            world.trash.pop_first();
        }
        world.trash.insert(id, video);
        world.effect("video.deleted", id);
        Ok(Reply::ok(json!({ "id": id })))
    })
}

/// Takes a deletion back.
pub(super) async fn restore(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Admin, |world, _, Nothing {}| {
        let video = world.trash.remove(&id).ok_or(ApiError::NotFound)?;
        let answer = json!({ "video": video });
        world.videos.insert(id, video);
        world.effect("video.restored", id);
        Ok(Reply::ok(answer))
    })
}

pub(super) async fn duplicate(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Editor, |world, caller, Nothing {}| {
        if world.videos.len() >= VIDEOS_MAX {
            return Err(ApiError::Full { limit: VIDEOS_MAX });
        }
        let mut copy = find(world, id)?.clone();
        copy.id = world.take_id();
        copy.title = shortened(&format!("{} (Kopie)", copy.title));
        copy.status = Status::Draft;
        copy.owner.clone_from(&caller.user);
        copy.views = 0;
        copy.comments = Vec::new();
        let (new_id, answer) = (copy.id, json!({ "video": copy }));
        world.videos.insert(new_id, copy);
        world.effect("video.created", new_id);
        Ok(Reply::created(answer))
    })
}

/// Cannot be taken back.
pub(super) async fn publish(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Admin, |world, _, Nothing {}| {
        let video = find(world, id)?;
        if video.status == Status::Published {
            return Err(ApiError::Conflict("the video is published already"));
        }
        video.status = Status::Published;
        video.visibility = Visibility::Public;
        let answer = json!({ "video": video });
        world.effect("video.published", id);
        Ok(Reply::ok(answer))
    })
}

/// Would send mail; here the ledger is the mailbox.
pub(super) async fn share(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Editor, |world, _, share: Share| {
        find(world, id)?;
        let email = checked_email(&share.email)?;
        checked_text("message", &share.message)?;
        world.effect("mail.sent", format!("video/{id} to {email}"));
        Ok(Reply::ok(json!({ "email": email })))
    })
}

pub(super) async fn comment(Path(id): Path<String>, change: Change) -> Result<Reply, ApiError> {
    let id = parse_id(&id)?;
    change.apply(Role::Viewer, |world, caller, comment: NewComment| {
        let text = checked_text("text", &comment.text)?;
        if text.is_empty() {
            return Err(ApiError::field("text", "required"));
        }
        let author = world
            .accounts
            .get(&caller.user)
            .map(|account| account.profile.display_name.clone())
            .unwrap_or_default();
        let comment_id = world.take_id();
        let video = find(world, id)?;
        if video.comments.len() >= COMMENTS_MAX {
            return Err(ApiError::Full { limit: COMMENTS_MAX });
        }
        let comment = Comment { id: comment_id, author, text };
        let answer = json!({ "comment": comment });
        video.comments.push(comment);
        world.effect("comment.created", comment_id);
        Ok(Reply::created(answer))
    })
}

fn find(world: &mut World, id: u32) -> Result<&mut Video, ApiError> {
    world.videos.get_mut(&id).ok_or(ApiError::NotFound)
}

fn default_quality() -> u8 {
    80
}

fn default_volume() -> f64 {
    50.0
}

/// The draft with tidied values, or every field that is wrong.
fn checked(mut draft: Draft) -> Result<Draft, ApiError> {
    let mut wrong = std::collections::BTreeMap::new();
    match checked_title(&draft.title) {
        Ok(title) => draft.title = title,
        Err(ApiError::Invalid(fields)) => wrong.extend(fields),
        Err(other) => return Err(other),
    }
    if !draft.use_case.is_empty() && !USE_CASES.contains(&draft.use_case.as_str()) {
        wrong.insert("useCase", "unknown");
    }
    if !draft.category.is_empty() && !CATEGORIES.contains(&draft.category.as_str()) {
        wrong.insert("category", "unknown");
    }
    if draft.tags.len() > TAGS_MAX || draft.tags.iter().any(|tag| tag.chars().count() > TITLE_CHARS_MAX) {
        wrong.insert("tags", "too_long");
    }
    if !draft.date.is_empty() && !is_day(&draft.date) {
        wrong.insert("date", "format");
    }
    if draft.quality > 100 || !draft.quality.is_multiple_of(QUALITY_STEP) {
        wrong.insert("quality", "range");
    }
    if !(1.0..=100.0).contains(&draft.volume) {
        wrong.insert("volume", "range");
    }
    if draft.file_name.chars().count() > TITLE_CHARS_MAX {
        wrong.insert("fileName", "too_long");
    }
    if draft.description.chars().count() > TEXT_CHARS_MAX {
        wrong.insert("description", "too_long");
    }
    if wrong.is_empty() { Ok(draft) } else { Err(ApiError::Invalid(wrong)) }
}

fn checked_title(title: &str) -> Result<String, ApiError> {
    let title = title.trim();
    if title.is_empty() {
        return Err(ApiError::field("title", "required"));
    }
    if title.chars().count() > TITLE_CHARS_MAX {
        return Err(ApiError::field("title", "too_long"));
    }
    Ok(title.to_owned())
}

pub(super) fn checked_text(field: &'static str, text: &str) -> Result<String, ApiError> {
    if text.chars().count() > TEXT_CHARS_MAX {
        return Err(ApiError::field(field, "too_long"));
    }
    Ok(text.trim().to_owned())
}

pub(super) fn checked_email(email: &str) -> Result<String, ApiError> {
    let email = email.trim();
    let plausible = email.split_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    if !plausible || email.chars().count() > TITLE_CHARS_MAX || email.contains(char::is_whitespace) {
        return Err(ApiError::field("email", "format"));
    }
    Ok(email.to_owned())
}

fn is_day(text: &str) -> bool {
    let mut parts = text.split('-').map(str::parse::<u16>);
    matches!(
        (text.len(), parts.next(), parts.next(), parts.next(), parts.next()),
        (10, Some(Ok(_)), Some(Ok(1..=12)), Some(Ok(1..=31)), None)
    )
}

fn shortened(title: &str) -> String {
    title.chars().take(TITLE_CHARS_MAX).collect()
}

fn from_draft(id: u32, draft: Draft, owner: &str) -> Video {
    Video {
        id,
        title: draft.title,
        use_case: draft.use_case,
        category: draft.category,
        tags: draft.tags,
        date: draft.date,
        visibility: draft.visibility,
        captions: draft.captions,
        quality: draft.quality,
        volume: draft.volume,
        file_name: draft.file_name,
        description: draft.description,
        status: Status::Draft,
        owner: owner.to_owned(),
        views: 0,
        seconds: 0,
        updated: TODAY.to_owned(),
        comments: Vec::new(),
    }
}
