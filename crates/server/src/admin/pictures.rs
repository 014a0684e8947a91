//! Pictures of descriptions: the organiser uploads them, and the pages show them below the address of the site.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::note;
use crate::extract::{Admin, Json, Path};
use crate::wire::{PictureAsk, PictureInfo};
use crate::{ApiError, App, now_ms};

/// Most bytes of a picture.
const LARGEST: usize = 360 * 1024;

/// The kind of a picture by its first bytes. Other files are refused, vector graphics too: these can hold scripts.
fn kind_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some("png"),
        [0xff, 0xd8, 0xff, ..] => Some("jpeg"),
        [b'G', b'I', b'F', b'8', ..] => Some("gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("webp"),
        _ => None,
    }
}

/// Upload a picture for descriptions and announcements: PNG, JPEG, GIF or WebP.
#[utoipa::path(post, path = "/admin/pictures", tag = "admin", request_body = PictureAsk,
    responses((status = 200, body = PictureInfo)))]
pub(super) async fn add(
    State(app): State<App>,
    Admin(who): Admin,
    Json(ask): Json<PictureAsk>,
) -> Result<Json<PictureInfo>, ApiError> {
    let refused = |message: &str| {
        let hint = format!("send a PNG, JPEG, GIF or WebP of at most {} KB as base64", LARGEST / 1024);
        ApiError::new(axum::http::StatusCode::BAD_REQUEST, "picture", message, hint)
    };
    let bytes = STANDARD.decode(ask.base64.trim()).map_err(|_| refused("this is not base64"))?;
    if bytes.len() > LARGEST {
        return Err(refused("the picture is too large"));
    }
    let kind = kind_of(&bytes).ok_or_else(|| refused("this is no picture that pages can show"))?;
    let digest = app.store.add_picture(kind, &STANDARD.encode(&bytes), now_ms()).await?;
    note(&app, &who, format!("picture {digest}")).await?;
    Ok(Json(PictureInfo { address: format!("/api/v1/pictures/{digest}") }))
}

/// A picture of a description.
#[utoipa::path(get, path = "/pictures/{digest}", tag = "contests", params(("digest" = String, Path)),
    responses((status = 200, description = "The picture", body = Vec<u8>, content_type = "image/png")))]
pub(super) async fn show(State(app): State<App>, Path(digest): Path<String>) -> Result<Response, ApiError> {
    let none = || ApiError::not_found("picture");
    let (kind, text) = app.store.picture(&digest).await?.ok_or_else(none)?;
    let bytes = STANDARD.decode(text).map_err(ApiError::internal)?;
    let headers = [
        (header::CONTENT_TYPE, format!("image/{kind}")),
        (header::CACHE_CONTROL, "public, max-age=31536000, immutable".to_owned()),
    ];
    Ok((headers, bytes).into_response())
}
