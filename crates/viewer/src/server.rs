//! Serves the page and its matches over HTTP, for the machine it runs on.

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

use replay::wire::{Challenge, Continuation, Line, ReplayDelta, Trial};

use crate::error::{RequestError, StartError};
use crate::page::{PAGE, gzip};
use crate::replay_list::ReplayList;

/// A page that waits for new steps gets an answer after this time in any case.
const PATIENCE: Duration = Duration::from_secs(20);

/// Longest body of a request, in bytes.
const LONGEST_BODY: usize = 64 << 10;

/// A server with its own threads. It stops when this is dropped.
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
    pub fn start(replays: Arc<ReplayList>, address: SocketAddr) -> Result<Server, StartError> {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .map_err(StartError::System)?;
        let listener = runtime
            .block_on(tokio::net::TcpListener::bind(address))
            .map_err(|error| StartError::Listen { address, error })?;
        let address = listener.local_addr().map_err(StartError::System)?;
        let app = routes(replays, address.ip());
        runtime.spawn(async move { axum::serve(listener, app).await });
        Ok(Server { address, runtime })
    }

    /// The address it listens at.
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
        .route("/api/matches/{id}/analysis", post(analysis))
        .route("/api/matches/{id}/run", post(run))
        .route("/api/matches/{id}/continue", post(continue_from))
        .route("/api/matches/{id}/question", get(question))
        .route("/api/matches/{id}/check", post(check))
        .route("/api/matches/{id}/answer", post(answer))
        .fallback(|| async { RequestError::NoPage })
        .layer(DefaultBodyLimit::max(LONGEST_BODY))
        .layer(from_fn_with_state(listens_at, guard))
        .with_state(replays)
}

impl RequestError {
    /// The status of the answer: 5xx if the fault is ours.
    fn status(&self) -> StatusCode {
        match self {
            RequestError::NoPage => StatusCode::NOT_FOUND,
            RequestError::OtherHost(_) => StatusCode::FORBIDDEN,
            RequestError::Statement(_) | RequestError::Json(_) | RequestError::Work(_) => {
                StatusCode::INTERNAL_SERVER_ERROR
            }
            RequestError::HumanGame(error) if error.is_ours() => StatusCode::INTERNAL_SERVER_ERROR,
            _ => StatusCode::BAD_REQUEST,
        }
    }
}

impl IntoResponse for RequestError {
    fn into_response(self) -> Response {
        let status = self.status();
        if status.is_server_error() {
            tracing::error!(target: "agon::viewer", error = %self, "a request failed");
        }
        (status, Json(serde_json::json!({"error": self.to_string()}))).into_response()
    }
}

/// Refuses requests for other host names if the server listens on this machine only: another site whose name resolves
/// to this machine must not read anything.
async fn guard(State(listens_at): State<IpAddr>, request: Request, next: Next) -> Response {
    let host = request.headers().get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    let name =
        host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(name, _)| name);
    if listens_at.is_loopback() && !matches!(name, "localhost" | "127.0.0.1" | "[::1]") {
        return RequestError::OtherHost(name.to_owned()).into_response();
    }
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

/// An answer, compressed if the browser accepts it.
fn packed(asked: &HeaderMap, kind: &'static str, bytes: Vec<u8>) -> Response {
    let takes = asked.get(header::ACCEPT_ENCODING).and_then(|value| value.to_str().ok());
    let small = takes.is_some_and(|takes| takes.contains("gzip")).then(|| gzip(&bytes).ok()).flatten();
    let kind = (header::CONTENT_TYPE, kind);
    match small {
        Some(small) => ([kind, (header::CONTENT_ENCODING, "gzip")], Body::from(small)).into_response(),
        None => ([kind], Body::from(bytes)).into_response(),
    }
}

fn json(asked: &HeaderMap, value: &impl Serialize) -> Result<Response, RequestError> {
    let bytes = serde_json::to_vec(value)?;
    Ok(packed(asked, "application/json", bytes))
}

/// Runs work that may take a while on a separate thread.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, RequestError> + Send + 'static,
) -> Result<T, RequestError> {
    tokio::task::spawn_blocking(work).await?
}

type Replays = State<Arc<ReplayList>>;

async fn page(asked: HeaderMap) -> Response {
    packed(&asked, "text/html; charset=utf-8", PAGE.as_bytes().to_vec())
}

async fn contents(State(replays): Replays, asked: HeaderMap) -> Result<Response, RequestError> {
    json(&asked, &blocking(move || Ok(replays.contents())).await?)
}

async fn replay(
    State(replays): Replays,
    Path(id): Path<usize>,
    asked: HeaderMap,
) -> Result<Response, RequestError> {
    json(&asked, &blocking(move || replays.replay(id)).await?)
}

#[derive(Deserialize)]
struct Since {
    from: usize,
    attempt: u32,
}

async fn delta(
    State(replays): Replays,
    Path(id): Path<usize>,
    Query(Since { from, attempt }): Query<Since>,
    asked: HeaderMap,
) -> Result<Response, RequestError> {
    let live = replays.live(id)?;
    let delta = match tokio::time::timeout(PATIENCE, live.next_delta(from, attempt)).await {
        Ok(delta) => delta,
        Err(_) => {
            let replay = live.replay();
            ReplayDelta { steps: Vec::new(), done: false, end: replay.end, attempt }
        }
    };
    json(&asked, &delta)
}

async fn record(State(replays): Replays, Path(id): Path<usize>) -> Result<Response, RequestError> {
    let played = replays.record(id)?;
    let name =
        format!("attachment; filename=\"{}-{}.json\"", file_name(&played.header.game), played.header.seed);
    let mut text = serde_json::to_vec(&played)?;
    text.push(b'\n');
    Ok(([(header::CONTENT_TYPE, "application/json".to_owned()), (header::CONTENT_DISPOSITION, name)], text)
        .into_response())
}

fn file_name(game: &str) -> String {
    game.chars().filter(|c| c.is_ascii_alphanumeric() || *c == '-').collect()
}

async fn play(State(replays): Replays, Json(challenge): Json<Challenge>) -> Result<Response, RequestError> {
    let reply = blocking(move || replays.play(&challenge)).await?;
    Ok(Json(reply).into_response())
}

/// The body is JSON although it is empty: a page of another site cannot send that without asking first.
async fn analysis(
    State(replays): Replays,
    Path(id): Path<usize>,
    asked: HeaderMap,
    Json(()): Json<()>,
) -> Result<Response, RequestError> {
    json(&asked, &blocking(move || replays.analyse(id)).await?)
}

async fn run(
    State(replays): Replays,
    Path(id): Path<usize>,
    Json(trial): Json<Trial>,
) -> Result<Response, RequestError> {
    let tried = blocking(move || replays.run(id, &trial)).await?;
    Ok(Json(tried).into_response())
}

async fn continue_from(
    State(replays): Replays,
    Path(id): Path<usize>,
    Json(ask): Json<Continuation>,
) -> Result<Response, RequestError> {
    let reply = blocking(move || replays.continue_from(id, &ask)).await?;
    Ok(Json(reply).into_response())
}

async fn question(State(replays): Replays, Path(id): Path<usize>) -> Result<Response, RequestError> {
    let reply = blocking(move || replays.question(id)).await?;
    Ok(Json(reply).into_response())
}

async fn check(
    State(replays): Replays,
    Path(id): Path<usize>,
    Json(Line { line }): Json<Line>,
) -> Result<Response, RequestError> {
    let human_game = replays.human_game(id)?;
    let faults = blocking(move || {
        let human_game = human_game.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(human_game.check(line.as_deref().unwrap_or_default()))
    });
    Ok(Json(faults.await?).into_response())
}

async fn answer(
    State(replays): Replays,
    Path(id): Path<usize>,
    Json(Line { line }): Json<Line>,
) -> Result<Response, RequestError> {
    let human_game = replays.human_game(id)?;
    let reply = blocking(move || {
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

/// The statement of the league.
async fn statement(Query(which): Query<Which>) -> Result<Response, RequestError> {
    let game = catalog::find(&which.game)?;
    let asked = Selection { league: which.league, edition: which.edition, players: None };
    let selected = game.select(&asked)?;
    let lang = if which.lang == "fr" { Lang::Fr } else { Lang::En };
    let text = game.statement(selected, lang)?;
    Ok(([(header::CONTENT_TYPE, "text/markdown; charset=utf-8")], text).into_response())
}

#[cfg(test)]
mod tests {
    use replay::HumanGameError;

    use super::*;

    #[test]
    fn a_failed_built_in_bot_is_an_error_of_the_server() {
        let failed = HumanGameError::BuiltInBot { name: "boss-1".into(), why: "the input has ended".into() };
        let response = RequestError::from(failed).into_response();
        assert_eq!(response.status(), StatusCode::INTERNAL_SERVER_ERROR);
        let asked_wrongly = HumanGameError::Seat { seat: 7, players: 2 };
        assert_eq!(RequestError::from(asked_wrongly).into_response().status(), StatusCode::BAD_REQUEST);
    }
}
