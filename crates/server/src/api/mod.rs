//! The API for everybody: the site, boards, matches, bots, contests, games of persons, events; and the pages.

mod boards;
mod bots;
mod contests;
pub(crate) mod convert;
mod drafts;
pub(crate) mod events;
mod human_games;
mod matches;
mod mcp;
pub(crate) mod news;
mod packed;
mod pages;
mod pictures;
mod previews;
pub(crate) mod replays;
pub(crate) mod response_cache;
mod reviews;
mod site;
mod versions;

use axum::Router;
use axum::http::header;
use tower_http::CompressionLevel;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{DefaultPredicate, Predicate as _, SizeAbove};
use utoipa::OpenApi as _;
use utoipa::openapi::security::{ApiKey, ApiKeyValue, Http, HttpAuthScheme, SecurityScheme};
use utoipa::openapi::{Content, OpenApi, Ref, RefOr, ResponseBuilder};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::{ApiError, App, accounts, admin, guard};

pub use human_games::HumanGames;
pub(crate) use mcp::PATH as MCP_PATH;
pub(crate) use pages::prepare;
pub use pictures::Pictures;
pub use replays::{LiveCache, ReplayCache};
pub use response_cache::ResponseCache;
pub use reviews::Reviews;
pub use site::SiteCache;

/// Shorter answers are not compressed.
const WORTH_PACKING: u64 = 8 << 10;

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Agon",
        description = "The API of the site: the pages use it for all they show and do. Changes made with the session cookie need the header `x-agon-csrf` with the `csrf` of GET /api/v1/me; changes made with a token do not. Every error is an `ErrorBody` with a stable code. Times are milliseconds since 1970. A `tier` is the position of a league among the leagues of a game in a contest, from 0 for the lowest.",
    ),
    tags(
        (name = "site"), (name = "games"), (name = "accounts"), (name = "bots"), (name = "matches"), (name = "boards"),
        (name = "contests"), (name = "human-games"), (name = "events"), (name = "admin"),
    ),
    security((), ("session" = []), ("token" = [])),
    components(schemas(crate::wire::ErrorBody)),
)]
struct Described;

/// Everything below `/api/v1`.
fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(site::site))
        .routes(routes!(site::search))
        .routes(routes!(site::statement))
        .routes(routes!(site::kits))
        .routes(routes!(boards::board))
        .routes(routes!(boards::side_quest))
        .routes(routes!(matches::matches))
        .routes(routes!(matches::live))
        .routes(routes!(matches::page))
        .routes(routes!(replays::replay))
        .routes(routes!(replays::delta))
        .routes(routes!(replays::record))
        .routes(routes!(pictures::picture))
        .routes(routes!(pictures::clip))
        .routes(routes!(reviews::analysis))
        .routes(routes!(reviews::run))
        .routes(routes!(human_games::continue_match))
        .routes(routes!(bots::bot))
        .routes(routes!(bots::fight))
        .routes(routes!(bots::head_to_head))
        .routes(routes!(bots::maps))
        .routes(routes!(bots::mine))
        .routes(routes!(bots::user))
        .routes(routes!(versions::submit))
        .routes(routes!(versions::version))
        .routes(routes!(versions::activate))
        .routes(routes!(versions::test))
        .routes(routes!(drafts::test_draft))
        .routes(routes!(versions::trial))
        .routes(routes!(contests::contests))
        .routes(routes!(contests::contest))
        .routes(routes!(contests::join))
        .routes(routes!(contests::create_team))
        .routes(routes!(contests::join_team))
        .routes(routes!(contests::leave_team))
        .routes(routes!(human_games::begin))
        .routes(routes!(human_games::question))
        .routes(routes!(human_games::replay))
        .routes(routes!(human_games::check))
        .routes(routes!(human_games::answer))
        .routes(routes!(human_games::record))
        .routes(routes!(events::events))
        .merge(accounts::routes())
        .merge(admin::routes())
        .routes(routes!(openapi))
}

/// The OpenAPI description of this API.
#[utoipa::path(get, path = "/openapi.json", tag = "site", responses((status = 200, description = "OpenAPI", body = Object)))]
async fn openapi() -> axum::response::Response {
    use axum::response::IntoResponse as _;
    static TEXT: std::sync::OnceLock<String> = std::sync::OnceLock::new();
    let text = TEXT.get_or_init(|| serde_json::to_string(&described()).unwrap_or_default());
    (
        [(header::CONTENT_TYPE, "application/json"), (header::CACHE_CONTROL, "public, max-age=300")],
        text.as_str(),
    )
        .into_response()
}

fn whole() -> (Router<App>, OpenApi) {
    OpenApiRouter::with_openapi(Described::openapi())
        .nest("/api/v1", routes())
        .routes(routes!(pages::healthz))
        .routes(routes!(pages::llms))
        .routes(routes!(pages::robots))
        .split_for_parts()
}

/// The OpenAPI description of all routes.
pub fn described() -> OpenApi {
    let mut described = whole().1;
    env!("CARGO_PKG_VERSION").clone_into(&mut described.info.version);
    let components = described.components.get_or_insert_default();
    let cookie = SecurityScheme::ApiKey(ApiKey::Cookie(ApiKeyValue::new("agon_session")));
    components.add_security_scheme("session", cookie);
    components.add_security_scheme("token", SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer)));
    for path in described.paths.paths.values_mut() {
        let operations = [&mut path.get, &mut path.post, &mut path.put, &mut path.patch, &mut path.delete];
        for operation in operations.into_iter().flatten() {
            operation.responses.responses.extend(refusals());
        }
    }
    described
}

/// The errors that every request may get: the request is wrong or not allowed, or the server fails or is full.
fn refusals() -> impl Iterator<Item = (String, RefOr<utoipa::openapi::Response>)> {
    let refusal = |(statuses, about): (&str, &str)| {
        let body = Content::new(Some(Ref::from_schema_name("ErrorBody")));
        let response = ResponseBuilder::new().description(about).content("application/json", body).build();
        (statuses.to_owned(), RefOr::T(response))
    };
    let statuses = [("4XX", "The request is wrong, or not allowed"), ("5XX", "The server fails, or is full")];
    statuses.into_iter().map(refusal)
}

/// The whole site.
pub(crate) fn router(app: &App) -> Router {
    let (routes, _) = whole();
    let tools = mcp::service(routes.clone().with_state(app.clone()));
    let worth_it = DefaultPredicate::new().and(SizeAbove::new(WORTH_PACKING));
    let router = routes
        .route_service(MCP_PATH, tools)
        .route_layer(axum::middleware::from_fn(guard::note_route))
        .fallback(pages::page)
        .method_not_allowed_fallback(|| async {
            ApiError::new(
                axum::http::StatusCode::METHOD_NOT_ALLOWED,
                "method",
                "this cannot be done here",
                "GET /api/v1/openapi.json lists what can be asked, and how",
            )
        })
        .layer(CompressionLayer::new().quality(CompressionLevel::Fastest).compress_when(worth_it))
        .with_state(app.clone());
    guard::layer(router, app)
}

/// Runs work that may take a while on a separate thread.
pub(crate) async fn aside<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ApiError> {
    let span = tracing::Span::current();
    tokio::task::spawn_blocking(move || span.in_scope(work)).await.map_err(ApiError::internal)
}
