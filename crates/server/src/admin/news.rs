//! Announcements of the organiser.

use axum::extract::State;
use store::{Announcement, NewAnnouncement};

use super::note;
use crate::extract::{Admin, Json, Path};
use crate::wire::{AnnouncementAsk, AnnouncementInfo, Done};
use crate::{ApiError, App, now_ms};

fn info(kept: Announcement) -> AnnouncementInfo {
    let Announcement { id, en, fr, starts, ends } = kept;
    AnnouncementInfo { id, en, fr, starts, ends }
}

/// All announcements, past and to come.
#[utoipa::path(get, path = "/admin/announcements", tag = "admin",
    responses((status = 200, body = Vec<AnnouncementInfo>)))]
pub(super) async fn announcements(
    State(app): State<App>,
    _who: Admin,
) -> Result<Json<Vec<AnnouncementInfo>>, ApiError> {
    Ok(Json(app.store.all_announcements().await?.into_iter().map(info).collect()))
}

/// Create an announcement.
#[utoipa::path(post, path = "/admin/announcements", tag = "admin", request_body = AnnouncementAsk,
    responses((status = 200, body = AnnouncementInfo)))]
pub(super) async fn announce(
    State(app): State<App>,
    Admin(who): Admin,
    Json(ask): Json<AnnouncementAsk>,
) -> Result<Json<AnnouncementInfo>, ApiError> {
    let starts = ask.starts.unwrap_or_else(now_ms);
    let fits = |text: &str| (1..=500).contains(&text.trim().chars().count());
    if !fits(&ask.en) || !fits(&ask.fr) {
        return Err(ApiError::bad(
            "an announcement has 1 to 500 characters in each language",
            "send `en` and `fr`",
        ));
    }
    if ask.ends.is_some_and(|ends| ends <= starts) {
        return Err(ApiError::bad(
            "it ends before it starts",
            "send `ends` after `starts`, in milliseconds since 1970",
        ));
    }
    let clean = |text: &str| game::text::safe_text(text.trim(), 500);
    let new = NewAnnouncement { en: clean(&ask.en), fr: clean(&ask.fr), starts, ends: ask.ends };
    let made = app.store.announce(&new).await?;
    app.responses.forget();
    note(&app, &who, format!("announcement {}", made.id)).await?;
    Ok(Json(info(made)))
}

/// Delete an announcement.
#[utoipa::path(delete, path = "/admin/announcements/{id}", tag = "admin", params(("id" = i64, Path, description = "its number")),
    responses((status = 200, body = Done)))]
pub(super) async fn unannounce(
    State(app): State<App>,
    Admin(who): Admin,
    Path(id): Path<i64>,
) -> Result<Json<Done>, ApiError> {
    if !app.store.drop_announcement(id).await? {
        return Err(ApiError::not_found("announcement"));
    }
    app.responses.forget();
    note(&app, &who, format!("announcement {id} taken back")).await?;
    Ok(Json(Done::YES))
}
