//! The replay of a match, its next steps, its record. `replay::redact` decides which parts the client may see; a
//! match with hidden information is shown when it is over.

use std::convert::Infallible;
use std::io::Read as _;
use std::sync::Arc;
use std::time::Duration;

use axum::Extension;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::record::{Entry, Played};
use flate2::read::MultiGzDecoder;
use model::MatchId;
use moka::sync::Cache;
use replay::wire::{ReplayDelta, ReplayEnd};
use replay::{Live, redact};
use serde::Deserialize;
use store::{MatchRow, MatchState};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use super::packed::Packed;
use super::{aside, convert, matches};
use crate::extract::{Address, MaybeMe, Path, Query};
use crate::wire::ErrorBody;
use crate::{ApiError, App};

/// A client that waits for new steps gets an answer after this time in any case.
const PATIENCE: Duration = Duration::from_secs(20);
/// Longest record in bytes.
const LONGEST_RECORD: u64 = 256 << 20;
/// Most bytes of compressed replays and records in the cache; and of the last answers to clients that follow matches.
const CACHED_BYTES: u64 = 32 << 20;
/// Longer answers are compressed before they are sent.
const LONG: usize = 256 << 10;
/// Replays and records that are made at the same time.
const MAKING: usize = 2;
/// How long a client waits until its replay is made.
const TURN: Duration = Duration::from_secs(15);
/// How long an export waits until a record is made.
const EXPORT_TURN: Duration = Duration::from_mins(10);

/// The form of a finished match.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
enum Form {
    Replay,
    Record,
}

/// Compressed replays and records of finished matches that were asked for lately, by the seats of the client.
#[derive(Debug)]
pub struct ReplayCache {
    kept: Cache<(MatchId, Form, Vec<u8>), Packed>,
    /// Limits the replays that are made at the same time: the matches that are being played come first.
    making: Semaphore,
}

impl Default for ReplayCache {
    fn default() -> ReplayCache {
        let kept =
            Cache::builder().max_capacity(CACHED_BYTES).weigher(|_, packed: &Packed| packed.weight()).build();
        ReplayCache { kept, making: Semaphore::new(MAKING) }
    }
}

impl ReplayCache {
    async fn turn(&self, wait: Duration) -> Result<SemaphorePermit<'_>, ApiError> {
        match tokio::time::timeout(wait, self.making.acquire()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(ApiError::busy("too many replays are asked for at this moment", 5)),
        }
    }
}

/// The last answers to the clients that follow matches and see only public data: many clients send the same request.
#[derive(Debug)]
pub struct LiveCache {
    last: Cache<MatchId, Last>,
    /// Matches that are being played: their players do not change.
    rows: Cache<MatchId, Arc<MatchRow>>,
}

impl Default for LiveCache {
    fn default() -> LiveCache {
        let last = Cache::builder()
            .max_capacity(CACHED_BYTES)
            .weigher(|_, last: &Last| u32::try_from(last.text.len()).unwrap_or(u32::MAX))
            .build();
        LiveCache { last, rows: Cache::new(FOLLOWED) }
    }
}

/// The progress of a match: the attempt, the number of steps, whether the match has ended.
type Reach = (u32, usize, bool);

/// The progress of a match that is over: greater than that of any match that is being played.
const OVER: Reach = (u32::MAX, usize::MAX, true);

#[derive(Clone, Debug)]
struct Last {
    /// The request.
    from: usize,
    attempt: u32,
    /// The progress of the match when the answer was made.
    reach: Reach,
    text: Bytes,
}

/// Most matches in the cache.
const FOLLOWED: u64 = 64;

impl LiveCache {
    fn last(&self, id: MatchId, from: usize, attempt: u32, reach: Reach) -> Option<Bytes> {
        let last = self.last.get(&id)?;
        ((last.from, last.attempt, last.reach) == (from, attempt, reach)).then_some(last.text)
    }

    /// The public answer; `None` if there is nothing new.
    fn delta(&self, id: MatchId, live: &Live, from: usize, attempt: u32) -> Option<Bytes> {
        let reach = live.reach();
        if let Some(text) = self.last(id, from, attempt, reach) {
            return Some(text);
        }
        let text = bytes_of(live.delta(from, attempt)?, &[]);
        // If the match went on meanwhile, no client asks for this answer again.
        self.last.insert(id, Last { from, attempt, reach, text: text.clone() });
        Some(text)
    }
}

/// The public names of the players.
pub(super) fn names(row: &MatchRow) -> Vec<&str> {
    row.seats.iter().map(|seat| seat.name.as_str()).collect()
}

/// A record that is in the store but cannot be shown.
#[derive(Debug, thiserror::Error)]
enum StoredRecordError {
    #[error(transparent)]
    Pack(#[from] std::io::Error),
    #[error(transparent)]
    Read(#[from] catalog::record::ReadError),
    #[error("a map instead of a match")]
    Map,
    #[error(transparent)]
    Replay(#[from] replay::ReplayError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

fn later() -> ApiError {
    ApiError::conflict(
        "hidden",
        "this match hides information and is still being played",
        "its replay can be had when it is over",
    )
}

fn nothing_yet(row: &MatchRow) -> ApiError {
    match row.state {
        MatchState::Void => ApiError::new(
            StatusCode::GONE,
            "void",
            "this match failed by our fault and counts for nobody",
            "watch another one",
        ),
        MatchState::Queued | MatchState::Leased => ApiError::conflict(
            "not_yet",
            "this match has not begun",
            "ask again in a moment, or follow /api/v1/events",
        ),
        MatchState::Done => ApiError::not_found("record"),
    }
}

/// Reads the record of a match from the store.
pub(super) async fn read(app: &App, row: &MatchRow) -> Result<Played, ApiError> {
    let digest = row.record.as_deref().ok_or_else(|| nothing_yet(row))?;
    let packed = app.store.read_record(digest).await?;
    aside(move || {
        let mut text = Vec::new();
        if packed.starts_with(&[0x1F, 0x8B]) {
            let unpacked = MultiGzDecoder::new(packed.as_slice()).take(LONGEST_RECORD).read_to_end(&mut text);
            unpacked?;
        } else {
            text = packed;
        }
        match catalog::record::read(&text)? {
            Entry::Played(played) => Ok(*played),
            Entry::Map(..) => Err(StoredRecordError::Map),
        }
    })
    .await?
    .map_err(|error| ApiError::internal(format!("record of match {}: {error}", row.id)))
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");

/// Sends a text. A long text is compressed first, so that a client that does not read costs little memory.
async fn send(app: &App, asked: &HeaderMap, text: Bytes) -> Result<Response, ApiError> {
    if text.len() <= LONG {
        return Ok(([(header::CONTENT_TYPE, JSON)], text).into_response());
    }
    let folder = app.config.data.clone();
    let packed = aside(move || Packed::text(&text, &folder)).await?.map_err(ApiError::internal)?;
    Ok(packed.response(asked))
}

/// A finished match, with the parts that the client may see. The client waits at most `wait` until it is made.
async fn finished(
    app: &App,
    row: Arc<MatchRow>,
    mine: Vec<u8>,
    form: Form,
    wait: Duration,
) -> Result<Packed, ApiError> {
    let key = (row.id, form, mine.clone());
    if let Some(packed) = app.replay_cache.kept.get(&key) {
        return Ok(packed);
    }
    let _turn = app.replay_cache.turn(wait).await?;
    // Another client may have asked for the same meanwhile.
    if let Some(packed) = app.replay_cache.kept.get(&key) {
        return Ok(packed);
    }
    let mut played = read(app, &row).await?;
    let folder = app.config.data.clone();
    let made = aside(move || match form {
        Form::Replay => {
            let mut replay = replay::replay_of(&played)?;
            redact::replay(&mut replay, &names(&row), &mine);
            Ok::<_, StoredRecordError>(Packed::value(&replay, &folder)?)
        }
        Form::Record => {
            redact::record(&mut played, &names(&row), &mine);
            Ok(Packed::value(&played, &folder)?)
        }
    });
    let packed = made.await?.map_err(ApiError::internal)?;
    app.replay_cache.kept.insert(key, packed.clone());
    Ok(packed)
}

/// The replay of a match. While the match is being played: the steps so far.
#[utoipa::path(get, path = "/matches/{id}/replay", tag = "matches", params(("id" = i64, Path)), responses(
    (status = 200, description = "`header`, `steps`, `done`, `attempt`, `end`", body = Object), (status = 409, description = "Not yet, or hidden until it is over", body = ErrorBody),
    (status = 410, description = "The match is void", body = ErrorBody),
))]
pub(crate) async fn replay(
    State(app): State<App>,
    me: MaybeMe,
    Path(id): Path<MatchId>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let (row, live) = find(&app, id, &me).await?;
    let mine = convert::seats_of(&row, me.0.as_ref());
    let packed = match live {
        Some(live) => {
            let _turn = app.replay_cache.turn(TURN).await?;
            let folder = app.config.data.clone();
            let made = aside(move || {
                let mut replay = live.replay();
                redact::replay(&mut replay, &names(&row), &mine);
                Packed::value(&replay, &folder)
            });
            made.await?.map_err(ApiError::internal)?
        }
        None => finished(&app, row, mine, Form::Replay, TURN).await?,
    };
    Ok(packed.response(&asked))
}

/// A match that the client may see; with its live replay if it is being played and may be followed.
async fn find(app: &App, id: MatchId, me: &MaybeMe) -> Result<(Arc<MatchRow>, Option<Live>), ApiError> {
    // First the service, then the store: a match leaves the service when it is recorded, so it is found in one of them.
    let Some((_, live)) = app.service.watch(id) else {
        let row = matches::find(app, id, me).await?;
        return if row.state == MatchState::Done {
            Ok((Arc::new(row), None))
        } else {
            Err(nothing_yet(&row))
        };
    };
    let row = match app.live_cache.rows.get(&id) {
        Some(row) => row,
        None => {
            let row = Arc::new(matches::find(app, id, me).await?);
            app.live_cache.rows.insert(id, Arc::clone(&row));
            row
        }
    };
    if !convert::may_see(&row, me.0.as_ref()) {
        return Err(ApiError::not_found("match"));
    }
    Ok((row, Some(live.ok_or_else(later)?)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Since {
    /// The number of steps that the client has.
    from: usize,
    /// The `attempt` of the replay that these steps belong to.
    attempt: u32,
}

/// The steps of a match since the last request. Waits up to 20 seconds for new steps. If the match is over, the answer
/// contains its end.
#[utoipa::path(get, path = "/matches/{id}/delta", tag = "matches", params(("id" = i64, Path), Since), responses(
    (status = 200, description = "`steps`, `done`, `end`, `attempt`", body = Object),
))]
pub(crate) async fn delta(
    State(app): State<App>,
    me: MaybeMe,
    Address(address): Address,
    Path(id): Path<MatchId>,
    Query(Since { from, attempt }): Query<Since>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let (row, live) = find(&app, id, &me).await?;
    let mine = convert::seats_of(&row, me.0.as_ref());
    // If the match ended between two requests, the missing steps are in the record.
    let Some(live) = live else {
        let text = ended(&app, row, mine, from, attempt).await?;
        return send(&app, &asked, text).await;
    };
    let answer = move |app: &App, live: &Live| {
        if mine.is_empty() {
            return app.live_cache.delta(id, live, from, attempt);
        }
        live.delta(from, attempt).map(|delta| bytes_of(delta, &mine))
    };
    if let Some(text) = answer(&app, &live) {
        return send(&app, &asked, text).await;
    }
    // The answer begins now and ends with the next step. Meanwhile the request has a slot of the clients that wait, not
    // one of the requests that are worked on.
    let slot = app.guard.listeners.take(address)?;
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, Infallible>>(1);
    tokio::spawn(async move {
        tokio::select! {
            // Whether the match changed or the time is over: the answer is made below.
            _ = tokio::time::timeout(PATIENCE, live.changed(from, attempt)) => {}
            () = sender.closed() => return,
        }
        let nothing = || ReplayDelta { steps: Vec::new(), done: false, end: ReplayEnd::default(), attempt };
        let text = answer(&app, &live).unwrap_or_else(|| bytes_of(nothing(), &[]));
        // The client may be gone.
        let _ = sender.send(Ok(text)).await;
    });
    let body = Body::from_stream(ReceiverStream::new(receiver));
    Ok(([(header::CONTENT_TYPE, JSON)], Extension(slot), body).into_response())
}

fn bytes_of(mut delta: ReplayDelta, mine: &[u8]) -> Bytes {
    redact::delta(&mut delta, mine);
    // The value consists of maps with string keys, so it can be serialised.
    serde_json::to_vec(&delta).unwrap_or_default().into()
}

/// The answer to a client that follows a match which is over.
async fn ended(
    app: &App,
    row: Arc<MatchRow>,
    mine: Vec<u8>,
    from: usize,
    attempt: u32,
) -> Result<Bytes, ApiError> {
    let (id, is_public) = (row.id, mine.is_empty());
    let kept = || app.live_cache.last(id, from, attempt, OVER).filter(|_| is_public);
    if let Some(text) = kept() {
        return Ok(text);
    }
    let _turn = app.replay_cache.turn(TURN).await?;
    if let Some(text) = kept() {
        return Ok(text);
    }
    let played = read(app, &row).await?;
    let made = aside(move || {
        let mut replay = replay::replay_of(&played)?;
        redact::replay(&mut replay, &names(&row), &mine);
        let steps = replay.steps.split_off(from.min(replay.steps.len()));
        let text = serde_json::to_vec(&ReplayDelta { steps, done: true, end: replay.end, attempt })?;
        Ok::<_, StoredRecordError>(text)
    });
    let text: Bytes = made.await?.map_err(ApiError::internal)?.into();
    if is_public {
        app.live_cache.last.insert(id, Last { from, attempt, reach: OVER, text: text.clone() });
    }
    Ok(text)
}

/// The public record of a match, for an export.
pub(crate) async fn public_record(app: &App, row: MatchRow) -> Result<Packed, ApiError> {
    finished(app, Arc::new(row), Vec::new(), Form::Record, EXPORT_TURN).await
}

/// The record of a finished match: rules, seed and answers, from which the match can be computed again.
#[utoipa::path(get, path = "/matches/{id}/record", tag = "matches", params(("id" = i64, Path)), responses(
    (status = 200, description = "A record, as `agon watch` and `agon verify` read it", body = Object),
))]
pub(crate) async fn record(
    State(app): State<App>,
    me: MaybeMe,
    Path(id): Path<MatchId>,
    asked: HeaderMap,
) -> Result<Response, ApiError> {
    let row = matches::find(&app, id, &me).await?;
    let mine = convert::seats_of(&row, me.0.as_ref());
    let name = format!("attachment; filename=\"{}-{id}.json\"", row.game);
    let name = HeaderValue::from_str(&name).map_err(ApiError::internal)?;
    let mut response = finished(&app, Arc::new(row), mine, Form::Record, TURN).await?.response(&asked);
    response.headers_mut().insert(header::CONTENT_DISPOSITION, name);
    Ok(response)
}
