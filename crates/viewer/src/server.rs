//! The page and its matches over HTTP, for the machine it runs on.

use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, Path, Query, Request, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use game::{Lang, Selection};
use serde::{Deserialize, Serialize};

use replay::wire::{Challenge, Line, ReplayDelta};

use crate::page::{PAGE, gzip};
use crate::replay_list::ReplayList;

/// A page that waits for news gets an answer after this time in any case.
const PATIENCE: Duration = Duration::from_secs(20);

/// No answer of a person is longer.
const LONGEST_BODY: usize = 64 << 10;

/// A server in threads of its own. It goes when this is dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    runtime: tokio::runtime::Runtime,
}

impl Server {
    /// Starts to serve.
    ///
    /// # Errors
    ///
    /// When the address cannot be listened at.
    pub fn start(replays: Arc<ReplayList>, address: SocketAddr) -> Result<Server, String> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(|error| format!("the server cannot start: {error}"))?;
        let listener = runtime.block_on(tokio::net::TcpListener::bind(address)).map_err(|error| {
            format!("{address} cannot be listened at: {error}; choose another one with --listen")
        })?;
        let address = listener.local_addr().map_err(|error| error.to_string())?;
        let app = routes(replays, address.ip());
        runtime.spawn(async move { axum::serve(listener, app).await });
        Ok(Server { address, runtime })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Serves until the program is stopped.
    pub fn serve_for_ever(self) -> ! {
        self.runtime.block_on(std::future::pending())
    }
}

fn routes(replays: Arc<ReplayList>, listens_at: IpAddr) -> Router {
    Router::new()
        .route("/", get(page))
        .route("/api/replays", get(contents))
        .route("/api/statement", get(statement))
        .route("/api/play", post(play))
        .route("/api/matches/{id}", get(replay))
        .route("/api/matches/{id}/delta", get(delta))
        .route("/api/matches/{id}/record", get(record))
        .route("/api/matches/{id}/check", post(check))
        .route("/api/matches/{id}/answer", post(answer))
        .fallback(|| async { Trouble(StatusCode::NOT_FOUND, "there is no such page".to_owned()) })
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(listens_at, guard))
        .with_state(replays)
}

/// What went wrong, for a person to read.
struct Trouble(StatusCode, String);

impl From<String> for Trouble {
    fn from(why: String) -> Self {
        Trouble(StatusCode::BAD_REQUEST, why)
    }
}

impl IntoResponse for Trouble {
    fn into_response(self) -> Response {
        (self.0, Json(serde_json::json!({"error": self.1}))).into_response()
    }
}

/// A page of another place that has its name lead here must learn nothing: where we listen at this machine only, requests
/// must name it.
async fn guard(State(listens_at): State<IpAddr>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    let name =
        host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(name, _)| name);
    if listens_at.is_loopback() && !matches!(name, "localhost" | "127.0.0.1" | "[::1]") {
        return Trouble(StatusCode::FORBIDDEN, format!("this is not {name:?}; ask for localhost"))
            .into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// Packed where the browser takes it.
fn packed(asked: &HeaderMap, kind: &'static str, bytes: Vec<u8>) -> Response {
    let takes = asked.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let small = takes.is_some_and(|takes| takes.contains("gzip")).then(|| gzip(&bytes).ok()).flatten();
    let kind = (header::CONTENT_TYPE, kind);
    match small {
        Some(small) => ([kind, (header::CONTENT_ENCODING, "gzip")], Body::from(small)).into_response(),
        None => ([kind], Body::from(bytes)).into_response(),
    }
}

fn json(asked: &HeaderMap, value: &impl Serialize) -> Result<Response, Trouble> {
    let bytes = serde_json::to_vec(value).map_err(|error| error.to_string())?;
    Ok(packed(asked, "application/json", bytes))
}

/// Work that may take a while, off the threads that serve.
async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, String> + Send + 'static,
) -> Result<T, Trouble> {
    match tokio::task::spawn_blocking(work).await {
        Ok(done) => Ok(done?),
        Err(error) => Err(Trouble(StatusCode::INTERNAL_SERVER_ERROR, error.to_string())),
    }
}

type Shelf = State<Arc<ReplayList>>;

async fn page(asked: HeaderMap) -> Response {
    packed(&asked, "text/html; charset=utf-8", PAGE.as_bytes().to_vec())
}

async fn contents(State(replays): Shelf, asked: HeaderMap) -> Result<Response, Trouble> {
    json(&asked, &aside(move || Ok(replays.contents())).await?)
}

async fn replay(State(replays): Shelf, Path(id): Path<usize>, asked: HeaderMap) -> Result<Response, Trouble> {
    json(&asked, &aside(move || replays.replay(id)).await?)
}

#[derive(Deserialize)]
struct Since {
    from: usize,
    attempt: u32,
}

async fn delta(
    State(replays): Shelf,
    Path(id): Path<usize>,
    Query(Since { from, attempt }): Query<Since>,
    asked: HeaderMap,
) -> Result<Response, Trouble> {
    let live = replays.live(id)?;
    let more = match tokio::time::timeout(PATIENCE, live.more(from, attempt)).await {
        Ok(more) => more,
        Err(_) => {
            let replay = live.replay();
            ReplayDelta { steps: Vec::new(), done: false, end: replay.end, attempt }
        }
    };
    json(&asked, &more)
}

async fn record(State(replays): Shelf, Path(id): Path<usize>) -> Result<Response, Trouble> {
    let played = replays.record(id)?;
    let name =
        format!("attachment; filename=\"{}-{}.json\"", file_name(&played.header.game), played.header.seed);
    let mut text = serde_json::to_vec(&played).map_err(|error| error.to_string())?;
    text.push(b'\n');
    Ok(([(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_DISPOSITION, name)], text)
        .into_response())
}

fn file_name(game: &str) -> String {
    game.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect()
}

async fn play(State(replays): Shelf, Json(challenge): Json<Challenge>) -> Result<Response, Trouble> {
    let reply = aside(move || replays.play(&challenge)).await?;
    Ok(Json(reply).into_response())
}

async fn check(
    State(replays): Shelf,
    Path(id): Path<usize>,
    Json(Line { line }): Json<Line>,
) -> Result<Response, Trouble> {
    let human_game = replays.human_game(id)?;
    let faults = aside(move || {
        let human_game = human_game.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(human_game.check(line.as_deref().unwrap_or_default()))
    });
    Ok(Json(faults.await?).into_response())
}

async fn answer(
    State(replays): Shelf,
    Path(id): Path<usize>,
    Json(Line { line }): Json<Line>,
) -> Result<Response, Trouble> {
    let human_game = replays.human_game(id)?;
    let reply = aside(move || {
        let mut human_game = human_game.lock().unwrap_or_else(PoisonError::into_inner);
        human_game.answer(line.as_deref())?;
        Ok(human_game.reply(id))
    });
    Ok(Json(reply.await?).into_response())
}

#[derive(Deserialize)]
struct Which {
    game: String,
    league: Option<u8>,
    edition: Option<String>,
    lang: String,
}

/// The rules, one click away: the statement of the league.
async fn statement(Query(which): Query<Which>) -> Result<Response, Trouble> {
    let game = catalog::find(&which.game).map_err(|error| error.to_string())?;
    let asked = Selection { league: which.league, edition: which.edition, players: None };
    let selected = game.select(&asked).map_err(|error| error.to_string())?;
    let lang = if which.lang == "fr" { Lang::Fr } else { Lang::En };
    let text = game.statement(selected, lang).map_err(|error| error.to_string())?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response())
}
