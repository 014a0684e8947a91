//! Pictures and clips of finished matches, for previews on other sites and for people who share a turn. They are drawn by the
//! code of the viewer, one at a time; the last ones are kept in memory.

use std::time::Duration;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use model::MatchId;
use moka::sync::Cache;
use serde::Deserialize;
use store::MatchState;
use tokio::sync::Semaphore;
use utoipa::IntoParams;
use viewer::{Look, Renderer};

use super::{aside, matches, replays};
use crate::extract::{Address, MaybeMe, Path, Query};
use crate::guard::headers::Shared;
use crate::guard::limits;
use crate::{ApiError, App};

/// Most bytes of pictures in the cache.
const CACHED_BYTES: u64 = 32 << 20;
/// How long a client waits until its picture is drawn.
const TURN: Duration = Duration::from_secs(10);
/// The widths of pictures and clips in pixels: pictures have the width that previews of messengers use.
const PICTURE_WIDTH: u32 = 1200;
const CLIP_WIDTH: u32 = 480;
/// Most turns of a clip.
const MOST_TURNS: usize = 40;
/// The time of a turn in a clip, in hundredths of a second.
const CLIP_PACE: u16 = 30;

/// A picture or a clip.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Drawing {
    Picture { turn: i64, dark: bool },
    Clip { from: usize, to: usize, dark: bool },
}

/// The pictures that were asked for lately.
#[derive(Debug)]
pub struct Pictures {
    kept: Cache<(MatchId, Drawing), Bytes>,
    /// One picture is drawn at a time: the matches that are being played come first.
    drawing: Semaphore,
}

impl Default for Pictures {
    fn default() -> Pictures {
        let weight = |_: &_, bytes: &Bytes| u32::try_from(bytes.len()).unwrap_or(u32::MAX);
        let kept = Cache::builder().max_capacity(CACHED_BYTES).weigher(weight).build();
        Pictures { kept, drawing: Semaphore::new(1) }
    }
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct PictureAsk {
    /// The turn, 0 is the start; negative turns count from the end. Default: the last turn.
    turn: Option<i64>,
    /// Whether to use dark colours; default: false.
    dark: Option<bool>,
}

/// A picture of a turn of a finished match, 1200 pixels wide.
#[utoipa::path(get, path = "/matches/{id}/picture.png", tag = "matches", params(("id" = i64, Path), PictureAsk), responses(
    (status = 200, description = "The picture", body = Vec<u8>, content_type = "image/png"),
))]
pub(crate) async fn picture(
    State(app): State<App>,
    me: MaybeMe,
    Address(address): Address,
    Path(id): Path<MatchId>,
    Query(ask): Query<PictureAsk>,
) -> Result<Response, ApiError> {
    limits::picture(&app, address)?;
    let drawing = Drawing::Picture { turn: ask.turn.unwrap_or(-1), dark: ask.dark.unwrap_or(false) };
    draw(&app, &me, id, drawing).await
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClipAsk {
    /// The first turn.
    from: usize,
    /// The last turn, at most 40 turns later.
    to: usize,
    /// Whether to use dark colours; default: false.
    dark: Option<bool>,
}

/// A clip of some turns of a finished match, 480 pixels wide.
#[utoipa::path(get, path = "/matches/{id}/clip.gif", tag = "matches", params(("id" = i64, Path), ClipAsk), responses(
    (status = 200, description = "The clip", body = Vec<u8>, content_type = "image/gif"),
))]
pub(crate) async fn clip(
    State(app): State<App>,
    me: MaybeMe,
    Address(address): Address,
    Path(id): Path<MatchId>,
    Query(ask): Query<ClipAsk>,
) -> Result<Response, ApiError> {
    limits::picture(&app, address)?;
    if ask.to < ask.from || ask.to - ask.from > MOST_TURNS {
        return Err(ApiError::bad("the clip has no turns or too many", "choose at most 40 turns"));
    }
    draw(&app, &me, id, Drawing::Clip { from: ask.from, to: ask.to, dark: ask.dark.unwrap_or(false) }).await
}

async fn draw(app: &App, me: &MaybeMe, id: MatchId, drawing: Drawing) -> Result<Response, ApiError> {
    let row = matches::find(app, id, me).await?;
    if row.state != MatchState::Done {
        return Err(ApiError::conflict("not_yet", "this match is not over", "ask again when it is"));
    }
    let key = (id, drawing);
    let bytes = match app.pictures.kept.get(&key) {
        Some(bytes) => bytes,
        None => {
            let turn = tokio::time::timeout(TURN, app.pictures.drawing.acquire()).await;
            let Ok(Ok(_turn)) = turn else {
                return Err(ApiError::busy("too many pictures are asked for at this moment", 10));
            };
            // Another client may have asked for the same meanwhile.
            if let Some(bytes) = app.pictures.kept.get(&key) {
                bytes
            } else {
                let played = replays::read(app, &row).await?;
                let names: Vec<String> = replays::names(&row).into_iter().map(str::to_owned).collect();
                let made = aside(move || {
                    let mut replay = replay::replay_of(&played).map_err(ApiError::internal)?;
                    let names: Vec<&str> = names.iter().map(String::as_str).collect();
                    replay::redact::replay(&mut replay, &names, &[]);
                    render(&Renderer::new(&replay).map_err(ApiError::internal)?, drawing)
                });
                let bytes = Bytes::from(made.await??);
                app.pictures.kept.insert(key, bytes.clone());
                bytes
            }
        }
    };
    let kind = match drawing {
        Drawing::Picture { .. } => "image/png",
        Drawing::Clip { .. } => "image/gif",
    };
    // The picture of a test is for its author only.
    let keep =
        if super::convert::may_see(&row, None) { "public, max-age=86400" } else { "private, no-store" };
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static(kind)),
        (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
    ];
    Ok((headers, axum::Extension(Shared), bytes).into_response())
}

fn render(renderer: &Renderer, drawing: Drawing) -> Result<Vec<u8>, ApiError> {
    let last = renderer.steps().saturating_sub(1);
    let drawn = match drawing {
        Drawing::Picture { turn, dark } => {
            let turn = if turn < 0 { last as i64 + 1 + turn } else { turn };
            let turn = usize::try_from(turn).unwrap_or(0).min(last);
            renderer.png(turn as f64, Look { dark, width: PICTURE_WIDTH })
        }
        Drawing::Clip { from, to, dark } => {
            let mut clip = Vec::new();
            let turns = (from.min(last), to.min(last));
            let look = Look { dark, width: CLIP_WIDTH };
            renderer.gif(turns, 1, CLIP_PACE, look, &mut clip, |_| {}).map(|()| clip)
        }
    };
    drawn.map_err(ApiError::internal)
}
