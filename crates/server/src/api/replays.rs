//! Watching a match: its replay, what comes next, its record. What a bot wrote to its standard error output, and what went wrong
//! with it in detail, is for its owner only; a match with hidden information is shown when it is over.

use std::collections::{BTreeMap, VecDeque};
use std::convert::Infallible;
use std::io::Read as _;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use catalog::record::{Entry, Played};
use flate2::Compression;
use flate2::read::MultiGzDecoder;
use model::MatchId;
use replay::Live;
use replay::wire::{PlayerInfo, Replay, ReplayDelta, ReplayEnd, Step};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::{MatchRow, MatchState};
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio_stream::wrappers::ReceiverStream;
use utoipa::IntoParams;

use super::{aside, convert, matches, pages};
use crate::extract::{MaybeMe, Path, Query};
use crate::wire::ErrorBody;
use crate::{ApiError, App};

/// Somebody who waits for news gets an answer after this time in any case.
const PATIENCE: Duration = Duration::from_secs(20);
/// A record that unpacks to more is not of a match.
const LONGEST_RECORD: u64 = 256 << 20;
/// ReplayCache that are kept, packed, for the next one who asks.
const STORIES_KEPT: usize = 32 << 20;
/// Records that are told at the same time.
const TELLING: usize = 2;
/// How long one waits to be told a record.
const TURN: Duration = Duration::from_secs(15);

/// ReplayCache of finished matches as strangers may see them, packed; the last ones asked for.
#[derive(Debug)]
pub struct ReplayCache {
    kept: Mutex<VecDeque<(MatchId, Bytes)>>,
    /// Records that may be told at the same time: the matches that are being played come first.
    telling: Semaphore,
}

impl Default for ReplayCache {
    fn default() -> ReplayCache {
        ReplayCache { kept: Mutex::default(), telling: Semaphore::new(TELLING) }
    }
}

impl ReplayCache {
    fn get(&self, id: MatchId) -> Option<Bytes> {
        let mut kept = lock(&self.kept);
        let at = kept.iter().position(|(other, _)| *other == id)?;
        let found = kept.remove(at)?;
        kept.push_front(found.clone());
        Some(found.1)
    }

    async fn turn(&self) -> Result<SemaphorePermit<'_>, ApiError> {
        match tokio::time::timeout(TURN, self.telling.acquire()).await {
            Ok(Ok(permit)) => Ok(permit),
            _ => Err(ApiError::busy("too many replays are asked for at this step", 5)),
        }
    }

    fn keep(&self, id: MatchId, replay: Bytes) {
        let mut kept = lock(&self.kept);
        kept.push_front((id, replay));
        let mut size = 0;
        kept.retain(|(_, replay)| {
            size += replay.len();
            size <= STORIES_KEPT
        });
    }
}

/// What strangers who follow a match were told last, by match: they are many, and mostly ask the same.
#[derive(Default, Debug)]
pub struct LiveCache {
    last: Mutex<BTreeMap<MatchId, Last>>,
    /// Matches that are being played: who plays does not change.
    rows: Mutex<BTreeMap<MatchId, Arc<MatchRow>>>,
}

/// The attempt, how many steps there are, whether nothing more will come.
type Reach = (u32, usize, bool);

/// Further than any match that is being played.
const OVER: Reach = (u32::MAX, usize::MAX, true);

#[derive(Debug)]
struct Last {
    /// What was asked.
    from: usize,
    attempt: u32,
    /// How far the match was.
    reach: Reach,
    text: Bytes,
}

/// Matches of which something is kept.
const FOLLOWED: usize = 64;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Keeps something of a match, and forgets the oldest match where that is too much.
fn put<T>(all: &Mutex<BTreeMap<MatchId, T>>, id: MatchId, value: T) {
    let mut all = lock(all);
    all.insert(id, value);
    if all.len() > FOLLOWED {
        all.pop_first();
    }
}

impl LiveCache {
    fn last(&self, id: MatchId, from: usize, attempt: u32, reach: Reach) -> Option<Bytes> {
        let all = lock(&self.last);
        let last = all.get(&id)?;
        ((last.from, last.attempt, last.reach) == (from, attempt, reach)).then(|| last.text.clone())
    }

    fn keep(&self, id: MatchId, last: Last) {
        put(&self.last, id, last);
    }

    fn row(&self, id: MatchId) -> Option<Arc<MatchRow>> {
        lock(&self.rows).get(&id).cloned()
    }

    fn keep_row(&self, row: MatchRow) -> Arc<MatchRow> {
        let row = Arc::new(row);
        put(&self.rows, row.id, Arc::clone(&row));
        row
    }

    /// What a stranger is told; nothing where there is nothing new.
    fn news(&self, id: MatchId, live: &Live, from: usize, attempt: u32) -> Option<Bytes> {
        let reach = live.reach();
        if let Some(text) = self.last(id, from, attempt, reach) {
            return Some(text);
        }
        let text = bytes_of(live.news(from, attempt)?, &[]);
        // LadderRef the match went on meanwhile nobody will ask for this again, and that is all.
        self.keep(id, Last { from, attempt, reach, text: text.clone() });
        Some(text)
    }
}

/// Takes out of steps what only the owners of the seats not in `mine` may know.
fn hide(steps: &mut [Step], end: &mut ReplayEnd, mine: &[u8]) {
    let is_mine = |seat: usize| mine.iter().any(|&own| usize::from(own) == seat);
    for step in steps {
        for (seat, said) in step.answers.iter_mut().enumerate() {
            if let Some(said) = said
                && !is_mine(seat)
            {
                said.stderr = None;
            }
        }
    }
    for (seat, metrics) in end.metrics.iter_mut().enumerate() {
        if !is_mine(seat) {
            // They were read from the same output.
            metrics.clear();
        }
    }
}

fn hide_story(replay: &mut Replay, row: &MatchRow, mine: &[u8]) {
    hide(&mut replay.steps, &mut replay.end, mine);
    replay.header.again = None;
    replay.header.players =
        row.seats.iter().map(|seat| PlayerInfo { name: convert::name(&seat.name) }).collect();
}

/// Takes out of a record what only the owners of the seats not in `mine` may know.
fn hide_record(played: &mut Played, row: &MatchRow, mine: &[u8]) {
    let is_mine = |seat: usize| mine.iter().any(|&own| usize::from(own) == seat);
    for turn in &mut played.turns {
        if !is_mine(turn.player.into()) {
            turn.stderr = None;
        }
    }
    for (seat, bot) in played.bots.iter_mut().flatten().enumerate() {
        bot.name = row.seats.get(seat).map_or_else(String::new, |row| convert::name(&row.name));
        bot.command.clone_from(&bot.name);
        if !is_mine(seat) {
            bot.digest = None;
        }
    }
    if let Some(Value::Array(details)) =
        played.outcome.as_mut().and_then(|outcome| outcome.get_mut("details"))
    {
        for (_, details) in details.iter_mut().enumerate().filter(|(seat, _)| !is_mine(*seat)) {
            *details = Value::Null;
        }
    }
    if let Some(Value::Array(metrics)) = &mut played.metrics {
        for (_, metrics) in metrics.iter_mut().enumerate().filter(|(seat, _)| !is_mine(*seat)) {
            *metrics = json!({});
        }
    }
    played.host = None;
}

/// Details of a failure with all texts cleaned.
pub(crate) fn cleaned(details: Value) -> Value {
    match details {
        Value::String(text) => Value::String(game::text::safe_text(&text, 20_000)),
        Value::Array(all) => all.into_iter().map(cleaned).collect(),
        Value::Object(all) => {
            Value::Object(all.into_iter().map(|(key, value)| (key, cleaned(value))).collect::<Map<_, _>>())
        }
        other => other,
    }
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
            "ask again in a step, or follow /api/v1/events",
        ),
        MatchState::Done => ApiError::not_found("record"),
    }
}

/// The record of a match, from the store.
async fn read(app: &App, row: &MatchRow) -> Result<Played, ApiError> {
    let digest = row.record.as_deref().ok_or_else(|| nothing_yet(row))?;
    let packed = app.store.read_record(digest).await?;
    aside(move || {
        let mut text = Vec::new();
        if packed.starts_with(&[0x1F, 0x8B]) {
            let unpacked = MultiGzDecoder::new(packed.as_slice()).take(LONGEST_RECORD).read_to_end(&mut text);
            unpacked.map_err(|error| error.to_string())?;
        } else {
            text = packed;
        }
        match catalog::record::read(&text).map_err(|error| error.to_string())? {
            Entry::Played(played) => Ok(*played),
            Entry::Map(..) => Err("a map instead of a match".to_owned()),
        }
    })
    .await?
    .map_err(|why| ApiError::internal(format!("record of match {}: {why}", row.id)))
}

const JSON: HeaderValue = HeaderValue::from_static("application/json");

fn packed(asked: &HeaderMap, packed: Bytes) -> Response {
    if pages::takes_packed(asked) {
        return (
            [(header::CONTENT_TYPE, JSON), (header::CONTENT_ENCODING, HeaderValue::from_static("gzip"))],
            packed,
        )
            .into_response();
    }
    let mut text = Vec::new();
    match MultiGzDecoder::new(&*packed).read_to_end(&mut text) {
        Ok(_) => ([(header::CONTENT_TYPE, JSON)], text).into_response(),
        Err(error) => ApiError::internal(error).into_response(),
    }
}

/// Everything there is to see of a match: of one that is over all of it, of one that is being played what happened so far.
#[utoipa::path(get, path = "/matches/{id}/replay", tag = "matches", params(("id" = i64, Path)), responses(
    (status = 200, description = "`opening`, `steps`, `done`, `attempt`, `end`", body = Object),
    (status = 404, body = ErrorBody), (status = 409, description = "Not yet, or hidden until it is over", body = ErrorBody),
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
    let is_public = mine.is_empty();
    if let Some(live) = live {
        let text = aside(move || {
            let mut replay = live.replay();
            hide_story(&mut replay, &row, &mine);
            serde_json::to_vec(&replay)
                .map(|text| pages::pack(&text, Compression::fast()).unwrap_or_default())
        });
        return Ok(packed(&asked, text.await?.map_err(ApiError::internal)?.into()));
    }
    let kept = || app.replay_cache.get(id).filter(|_| is_public);
    if let Some(replay) = kept() {
        return Ok(packed(&asked, replay));
    }
    let _turn = app.replay_cache.turn().await?;
    // Somebody who asked for the same may just have been told.
    if let Some(replay) = kept() {
        return Ok(packed(&asked, replay));
    }
    let played = read(&app, &row).await?;
    let text = aside(move || {
        let mut replay = replay::replay_of(&played)?;
        hide_story(&mut replay, &row, &mine);
        let text = serde_json::to_vec(&replay).map_err(|error| error.to_string())?;
        pages::pack(&text, Compression::fast()).ok_or_else(|| "it cannot be packed".to_owned())
    });
    let text: Bytes = text.await?.map_err(ApiError::internal)?.into();
    if is_public {
        app.replay_cache.keep(id, text.clone());
    }
    Ok(packed(&asked, text))
}

/// A match the asker may see; with how it goes, where it is being played and may be watched.
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
    let row = match app.live_cache.row(id) {
        Some(row) => row,
        None => app.live_cache.keep_row(matches::find(app, id, me).await?),
    };
    if !convert::may_see(&row, me.0.as_ref()) {
        return Err(ApiError::not_found("match"));
    }
    Ok((row, Some(live.ok_or_else(later)?)))
}

#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub(crate) struct Since {
    /// How many steps are known already.
    from: usize,
    /// The `attempt` of the replay they belong to.
    attempt: u32,
}

/// What happened since: waits up to 20 seconds for something new. The answer to a match that is over is its end.
#[utoipa::path(get, path = "/matches/{id}/delta", tag = "matches", params(("id" = i64, Path), Since), responses(
    (status = 200, description = "`steps`, `done`, `end`, `attempt`", body = Object),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
))]
pub(crate) async fn delta(
    State(app): State<App>,
    me: MaybeMe,
    Path(id): Path<MatchId>,
    Query(Since { from, attempt }): Query<Since>,
) -> Result<Response, ApiError> {
    let (row, live) = find(&app, id, &me).await?;
    let mine = convert::seats_of(&row, me.0.as_ref());
    // LadderRef it ended between two questions, what is missing is in the record.
    let Some(live) = live else { return ended(&app, row, mine, from, attempt).await };
    let tell = move |app: &App, live: &Live| {
        if mine.is_empty() {
            return app.live_cache.news(id, live, from, attempt);
        }
        live.news(from, attempt).map(|more| bytes_of(more, &mine))
    };
    if let Some(text) = tell(&app, &live) {
        return Ok(([(header::CONTENT_TYPE, JSON)], text).into_response());
    }
    // The answer begins now and ends when there is something to tell: nobody else waits for the turn of this request.
    let (sender, receiver) = tokio::sync::mpsc::channel::<Result<Bytes, Infallible>>(1);
    tokio::spawn(async move {
        tokio::select! {
            // What came is not looked at: it is told as strangers or owners may know it.
            _ = tokio::time::timeout(PATIENCE, live.changed(from, attempt)) => {}
            () = sender.closed() => return,
        }
        let nothing = || ReplayDelta { steps: Vec::new(), done: false, end: ReplayEnd::default(), attempt };
        let text = tell(&app, &live).unwrap_or_else(|| bytes_of(nothing(), &[]));
        // Nobody may be there any more to be told.
        let _ = sender.send(Ok(text)).await;
    });
    let body = Body::from_stream(ReceiverStream::new(receiver));
    Ok(([(header::CONTENT_TYPE, JSON)], body).into_response())
}

fn bytes_of(mut more: ReplayDelta, mine: &[u8]) -> Bytes {
    hide(&mut more.steps, &mut more.end, mine);
    // It is made of maps with string keys: it can be written.
    serde_json::to_vec(&more).unwrap_or_default().into()
}

async fn ended(
    app: &App,
    row: Arc<MatchRow>,
    mine: Vec<u8>,
    from: usize,
    attempt: u32,
) -> Result<Response, ApiError> {
    let (id, is_public) = (row.id, mine.is_empty());
    let kept = || app.live_cache.last(id, from, attempt, OVER).filter(|_| is_public);
    let answer = |text: Bytes| ([(header::CONTENT_TYPE, JSON)], text).into_response();
    if let Some(text) = kept() {
        return Ok(answer(text));
    }
    let _turn = app.replay_cache.turn().await?;
    if let Some(text) = kept() {
        return Ok(answer(text));
    }
    let played = read(app, &row).await?;
    let told = aside(move || {
        let mut replay = replay::replay_of(&played)?;
        hide_story(&mut replay, &row, &mine);
        let steps = replay.steps.split_off(from.min(replay.steps.len()));
        serde_json::to_vec(&ReplayDelta { steps, done: true, end: replay.end, attempt })
            .map_err(|error| error.to_string())
    });
    let text: Bytes = told.await?.map_err(ApiError::internal)?.into();
    if is_public {
        app.live_cache.keep(id, Last { from, attempt, reach: OVER, text: text.clone() });
    }
    Ok(answer(text))
}

/// The record of a match as the owner of the seats `mine` may see it.
pub(crate) async fn public_record(app: &App, row: MatchRow, mine: Vec<u8>) -> Result<Played, ApiError> {
    let mut played = read(app, &row).await?;
    hide_record(&mut played, &row, &mine);
    Ok(played)
}

/// The record of a match that is over: rules, seed and answers, from which everything can be computed again.
#[utoipa::path(get, path = "/matches/{id}/record", tag = "matches", params(("id" = i64, Path)), responses(
    (status = 200, description = "A record, as `agon watch` and `agon verify` read it", body = Object),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
))]
pub(crate) async fn record(
    State(app): State<App>,
    me: MaybeMe,
    Path(id): Path<MatchId>,
) -> Result<Response, ApiError> {
    let row = matches::find(&app, id, &me).await?;
    let mine = convert::seats_of(&row, me.0.as_ref());
    let mut played = read(&app, &row).await?;
    let name = format!("attachment; filename=\"{}-{id}.json\"", row.game);
    let text = aside(move || {
        hide_record(&mut played, &row, &mine);
        serde_json::to_vec(&played)
    });
    let text = text.await?.map_err(ApiError::internal)?;
    let name = HeaderValue::from_str(&name).map_err(ApiError::internal)?;
    Ok(([(header::CONTENT_TYPE, JSON), (header::CONTENT_DISPOSITION, name)], text).into_response())
}
