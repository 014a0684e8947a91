//! The tools of the arena for programs that speak the Model Context Protocol, at `/mcp`.
//!
//! A tool sends one or two requests to the API in this process, with the account and the address of the client. The API
//! checks rights and limits, and no tool can reach more than the API.

use std::fmt::Write as _;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::{ConnectInfo, Request};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, Uri, header};
use hyper::service::Service as _;
use hyper_util::service::TowerToHyperService;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use rmcp::handler::server::tool::Extension;
use rmcp::handler::server::wrapper::Parameters;
use rmcp::model::{Implementation, ServerCapabilities, ServerConfig};
use rmcp::schemars::{self, JsonSchema};
use rmcp::transport::streamable_http_server::session::never::NeverSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{ServerHandler, tool, tool_handler, tool_router};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::accounts::Known;
use crate::guard;
use crate::wire::{ErrorBody, own_answers};

/// The address of the tools.
pub(crate) const PATH: &str = "/mcp";

/// Most bytes of an answer of the API.
const LONGEST_ANSWER: usize = 64 << 20;

/// Advice for the program that calls the tools.
const INSTRUCTIONS: &str = "\
An arena where programs play games against each other. The usual way: list_games, read_statement for the league of your \
bot (a new bot is in tier 0), new_bot for a starter program, test_bot until it plays well, submit_bot. Builds and matches take \
seconds to minutes: bot_logs with the id of the version shows the state, the compiler's output and the matches; bot_logs with \
the id of a match shows the answers of your bot and why it failed; analyse_match shows the turns that decided it. \
arena_status shows the places of your bots.";

/// The service behind [`PATH`]. `api` answers the requests of the tools.
pub(crate) fn service(api: Router) -> StreamableHttpService<Tools, NeverSessionManager> {
    let tools = Tools { api };
    // The guard has checked the host, and every request has its own answer: there are no sessions.
    let config = StreamableHttpServerConfig::default()
        .with_legacy_session_mode(false)
        .with_json_response(true)
        .disable_allowed_hosts()
        .with_max_request_body_bytes(guard::UPLOAD_BYTES);
    StreamableHttpService::new(move || Ok(tools.clone()), Arc::new(NeverSessionManager::default()), config)
}

/// The tools.
#[derive(Clone, Debug)]
pub(crate) struct Tools {
    api: Router,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct StatementAsk {
    /// Name of the game, as `list_games` gives it
    game: String,
    /// Tier: the position of the league among the leagues of the game, from 0; default: 0
    tier: Option<u8>,
    /// Language of the text: `en` or `fr`; default: `en`
    lang: Option<String>,
    /// Key of the contest; default: the permanent contest `arena`
    contest: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct KitAsk {
    /// Name of the game
    game: String,
    /// Programming language, as `list_games` gives it
    language: String,
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct SubmitAsk {
    /// Name of the game
    game: String,
    /// Programming language, as `list_games` gives it
    language: String,
    /// Text of the program, at most 100,000 characters
    source: String,
    /// Whether the version plays for you as soon as it is built; if false, it plays one match against the boss that does not
    /// count; default: true
    #[serde(default = "yes")]
    activate: bool,
    /// Key of the contest; default: the permanent contest `arena`
    contest: Option<String>,
}

fn yes() -> bool {
    true
}

#[derive(Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct TestAsk {
    /// Name of the game
    game: String,
    /// Programming language, as `list_games` gives it
    language: String,
    /// Text of the program, at most 100,000 characters
    source: String,
    /// Opponents: `boss`, `@NAME` (a built-in bot), `version:ID` (your own), `bot:ID` (in your league); default: the boss
    #[serde(default)]
    opponents: Vec<String>,
    /// Number of players; default: the first number that the league offers
    players: Option<u8>,
    /// Seat of your program, from 0; default: all seats in turn
    seat: Option<u8>,
    /// Seed of the first match, a whole number as text; default: a random seed
    seed: Option<String>,
    /// Number of matches, at most 20; default: 1
    matches: Option<u8>,
    /// Key of the contest; default: the permanent contest `arena`
    contest: Option<String>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct LogsAsk {
    /// Id of a version: its state, the compiler's output and its test matches
    version: Option<i64>,
    /// Id of a match: the result, the answers of your bot and why it failed
    #[serde(rename = "match")]
    game_match: Option<i64>,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct MatchAsk {
    /// Id of a match that is over
    #[serde(rename = "match")]
    game_match: i64,
}

/// The result of a tool: a text, or the reason why there is none.
type Told = Result<String, String>;

#[tool_router]
impl Tools {
    #[tool(
        description = "The games, their leagues and time limits, the programming languages and the contests of this arena"
    )]
    async fn list_games(&self, Extension(parts): Extension<Parts>) -> Told {
        self.get(&parts, "/site").await
    }

    #[tool(description = "The rules and the protocol of a game in a league, as Markdown")]
    async fn read_statement(
        &self,
        Extension(parts): Extension<Parts>,
        Parameters(ask): Parameters<StatementAsk>,
    ) -> Told {
        let mut path = format!("/games/{}/statement?tier={}", word(&ask.game), ask.tier.unwrap_or(0));
        for (name, value) in [("lang", &ask.lang), ("contest", &ask.contest)] {
            if let Some(value) = value {
                write!(path, "&{name}={}", word(value)).map_err(|error| error.to_string())?;
            }
        }
        self.get(&parts, &path).await
    }

    #[tool(
        description = "A starter program for a game in a programming language: it reads all input and plays a sensible move"
    )]
    async fn new_bot(&self, Extension(parts): Extension<Parts>, Parameters(ask): Parameters<KitAsk>) -> Told {
        let kits = self.get_json(&parts, &format!("/games/{}/kits", word(&ask.game))).await?;
        let kits = kits.as_array().map(Vec::as_slice).unwrap_or_default();
        let language = |kit: &Value| kit["language"].as_str().unwrap_or_default().to_owned();
        let found = kits.iter().find(|kit| language(kit).eq_ignore_ascii_case(&ask.language));
        found.map(Value::to_string).ok_or_else(|| {
            let known: Vec<String> = kits.iter().map(language).collect();
            format!("there is no starter program in this language; choose one of: {}", known.join(", "))
        })
    }

    #[tool(
        description = "Builds a program and plays test matches, which count for nobody; the result has the `id` for bot_logs"
    )]
    async fn test_bot(
        &self,
        Extension(parts): Extension<Parts>,
        Parameters(ask): Parameters<TestAsk>,
    ) -> Told {
        self.post(&parts, "/tests", &json!(ask)).await
    }

    #[tool(description = "Submits a program; the result has the `id` of the version for bot_logs")]
    async fn submit_bot(
        &self,
        Extension(parts): Extension<Parts>,
        Parameters(ask): Parameters<SubmitAsk>,
    ) -> Told {
        self.post(&parts, "/submissions", &json!(ask)).await
    }

    #[tool(description = "Your bots: their leagues, active versions, places and ratings")]
    async fn arena_status(&self, Extension(parts): Extension<Parts>) -> Told {
        self.get(&parts, "/me/bots").await
    }

    #[tool(description = "The output of the compiler for a version, or the answers of your bot in a match")]
    async fn bot_logs(
        &self,
        Extension(parts): Extension<Parts>,
        Parameters(ask): Parameters<LogsAsk>,
    ) -> Told {
        match (ask.version, ask.game_match) {
            (Some(version), None) => {
                let mut page = self.get_json(&parts, &format!("/versions/{version}")).await?;
                // The client has the source.
                page.as_object_mut().map(|page| page.remove("source"));
                Ok(page.to_string())
            }
            (None, Some(id)) => {
                let page = self.get_json(&parts, &format!("/matches/{id}")).await?;
                let mine: Vec<u8> = serde_json::from_value(page["mine"].clone()).unwrap_or_default();
                if mine.is_empty() {
                    return Err(format!(
                        "no bot of yours plays in match {id}; logs are for their authors alone"
                    ));
                }
                let replay = match page["info"]["state"].as_str() {
                    Some("done") => self.get_json(&parts, &format!("/matches/{id}/replay")).await?,
                    _ => Value::Null,
                };
                let answers = own_answers(&replay, &mine);
                Ok(json!({"match": page["info"], "mine": mine, "details": page["details"], "answers": answers})
                    .to_string())
            }
            _ => Err("give either `version` or `match`".to_owned()),
        }
    }

    #[tool(
        description = "Who was likely to win at each turn of a match, the turns that decided it, and better answers"
    )]
    async fn analyse_match(
        &self,
        Extension(parts): Extension<Parts>,
        Parameters(ask): Parameters<MatchAsk>,
    ) -> Told {
        self.post(&parts, &format!("/matches/{}/analysis", ask.game_match), &json!({})).await
    }
}

#[tool_handler]
impl ServerHandler for Tools {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new("agon-arena", env!("CARGO_PKG_VERSION")))
            .with_instructions(INSTRUCTIONS)
    }
}

/// A text as one part of an address.
fn word(text: &str) -> String {
    utf8_percent_encode(text, NON_ALPHANUMERIC).to_string()
}

impl Tools {
    async fn get(&self, client: &Parts, path: &str) -> Told {
        self.request(client, Method::GET, path, None).await
    }

    async fn get_json(&self, client: &Parts, path: &str) -> Result<Value, String> {
        let text = self.get(client, path).await?;
        serde_json::from_str(&text).map_err(|error| error.to_string())
    }

    async fn post(&self, client: &Parts, path: &str, body: &Value) -> Told {
        self.request(client, Method::POST, path, Some(body)).await
    }

    /// Sends a request to the API on behalf of a client. The error is the message and the hint of the API.
    async fn request(&self, client: &Parts, method: Method, path: &str, body: Option<&Value>) -> Told {
        guard::check_length(path.len()).map_err(|error| format!("{}; {}", error.message, error.hint))?;
        let address: Uri =
            format!("/api/v1{path}").parse().map_err(|_| "this is no name of the arena".to_owned())?;
        let mut request = Request::new(body.map_or_else(Body::empty, |body| Body::from(body.to_string())));
        *request.method_mut() = method;
        *request.uri_mut() = address;
        // The name of the client is in the headers where it comes through a proxy.
        let headers = request.headers_mut();
        headers.clone_from(&client.headers);
        for name in [header::ACCEPT_ENCODING, header::CONTENT_LENGTH, header::IF_NONE_MATCH, header::RANGE] {
            headers.remove(name);
        }
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        // The account was found by the guard.
        if let Some(known) = client.extensions.get::<Known>() {
            request.extensions_mut().insert(known.clone());
        }
        if let Some(connected) = client.extensions.get::<ConnectInfo<SocketAddr>>() {
            request.extensions_mut().insert(*connected);
        }
        let answered = TowerToHyperService::new(self.api.clone()).call(request).await;
        let answer = answered.unwrap_or_else(|never| match never {});
        let status = answer.status();
        let body = axum::body::to_bytes(answer.into_body(), LONGEST_ANSWER).await;
        let body = body.map_err(|_| "the answer is too long".to_owned())?;
        let text = String::from_utf8_lossy(&body).into_owned();
        if status.is_success() {
            return Ok(text);
        }
        Err(match serde_json::from_str::<ErrorBody>(&text) {
            Ok(ErrorBody { error }) => format!("{}; {}", error.message, error.hint),
            Err(_) => format!("the arena answered {status}"),
        })
    }
}
