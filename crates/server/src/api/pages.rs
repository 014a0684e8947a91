//! The pages of the site, which are embedded in this program, and the few texts beside the API.

use std::collections::BTreeMap;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::io::Write as _;
use std::sync::OnceLock;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{IntoResponse, Response};
use flate2::Compression;
use flate2::write::GzEncoder;
use rust_embed::RustEmbed;

use super::previews;
use crate::extract::MaybeMe;
use crate::guard::headers::Shared;
use crate::{ApiError, App};

/// The output of `cargo xtask web`.
#[derive(RustEmbed)]
#[folder = "../../web/dist-site"]
struct Dist;

struct Page {
    bytes: Vec<u8>,
    packed: Option<Vec<u8>>,
    kind: &'static str,
    tag: String,
}

/// Every file, compressed once.
fn pages() -> &'static BTreeMap<String, Page> {
    static PAGES: OnceLock<BTreeMap<String, Page>> = OnceLock::new();
    PAGES.get_or_init(|| {
        let page = |name: &str| {
            let file = Dist::get(name)?;
            let bytes = file.data.into_owned();
            let packed = pack(&bytes, Compression::best()).filter(|packed| packed.len() < bytes.len());
            let digest = file.metadata.sha256_hash();
            let tag = format!(
                "\"{:016x}\"",
                digest.iter().take(8).fold(0, |tag, &byte| tag << 8 | u64::from(byte))
            );
            Some(Page { bytes, packed, kind: kind_of(name), tag })
        };
        Dist::iter().filter_map(|name| Some((name.to_string(), page(&name)?))).collect()
    })
}

/// Reads and compresses the pages before the first request.
pub(crate) fn prepare() {
    pages();
}

/// The compressed bytes; `None` if compression fails, which does not happen in memory.
pub(crate) fn pack(bytes: &[u8], level: Compression) -> Option<Vec<u8>> {
    let mut packed = GzEncoder::new(Vec::with_capacity(bytes.len() / 4), level);
    packed.write_all(bytes).ok()?;
    packed.finish().ok()
}

/// Whether the client accepts compressed answers.
pub(crate) fn takes_packed(asked: &HeaderMap) -> bool {
    asked
        .get(header::ACCEPT_ENCODING)
        .and_then(|value| value.to_str().ok())
        .is_some_and(|takes| takes.contains("gzip"))
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "json" | "map" | "webmanifest" => "application/json",
        "txt" => "text/plain; charset=utf-8",
        _ => "application/octet-stream",
    }
}

/// Answers every address that is not below `/api`: with a file of the site, or with its page, which shows the view of
/// the address itself. The status is 404 where there is no such view.
pub(crate) async fn page(
    State(app): State<App>,
    me: MaybeMe,
    method: Method,
    uri: Uri,
    asked: HeaderMap,
) -> Response {
    let path = uri.path().trim_start_matches('/');
    if path == "api" || path.starts_with("api/") {
        return ApiError::not_found("thing in the API").into_response();
    }
    if method != Method::GET && method != Method::HEAD {
        return ApiError::new(
            StatusCode::METHOD_NOT_ALLOWED,
            "method",
            "pages can only be read",
            "GET it; changes are made below /api/v1",
        )
        .into_response();
    }
    let pages = pages();
    let (page, keep) = match pages.get(path) {
        Some(page) if path.starts_with("assets/") => (page, "public, max-age=31536000, immutable"),
        Some(page) if path != "index.html" => (page, "public, max-age=3600"),
        _ if path == "favicon.ico" => match icon() {
            Some(page) => (page, "public, max-age=3600"),
            None => return ApiError::not_found("file").into_response(),
        },
        _ if path.starts_with("assets/") => return ApiError::not_found("file").into_response(),
        _ => return view(&app, &me, path, &asked).await,
    };
    let headers = [
        (header::CACHE_CONTROL, HeaderValue::from_static(keep)),
        (header::VARY, HeaderValue::from_static("accept-encoding")),
    ];
    let tag = HeaderValue::from_str(&page.tag).unwrap_or_else(|_| HeaderValue::from_static("\"\""));
    if asked.get(header::IF_NONE_MATCH) == Some(&tag) {
        return (StatusCode::NOT_MODIFIED, headers, [(header::ETAG, tag)]).into_response();
    }
    let kind = [(header::CONTENT_TYPE, HeaderValue::from_static(page.kind)), (header::ETAG, tag)];
    match &page.packed {
        Some(packed) if takes_packed(&asked) => {
            (headers, kind, [(header::CONTENT_ENCODING, "gzip")], packed.as_slice()).into_response()
        }
        _ => (headers, kind, page.bytes.as_slice()).into_response(),
    }
}

/// The icon of the site, which the page itself names by its address under `assets`.
fn icon() -> Option<&'static Page> {
    pages().iter().find(|(name, _)| name.starts_with("assets/mark")).map(|(_, page)| page)
}

/// The page, with the title and the preview of the view that it will show.
async fn view(app: &App, me: &MaybeMe, path: &str, asked: &HeaderMap) -> Response {
    let Some(page) = pages().get("index.html") else { return ApiError::not_found("page").into_response() };
    let preview = match previews::preview(app, me, path).await {
        Ok(preview) => preview,
        // The page shows the error itself.
        Err(error) => {
            tracing::debug!(target: "agon::server", code = error.code, "no preview");
            Some(previews::Preview::default())
        }
    };
    let root = app.address();
    // An address that is not one of ours is not repeated.
    let (status, address) = match preview {
        Some(_) => (StatusCode::OK, format!("{root}/{path}")),
        None => (StatusCode::NOT_FOUND, format!("{root}/")),
    };
    let tags = preview.unwrap_or_default().tags(&app.config.title, &address, &root);
    let html = String::from_utf8_lossy(&page.bytes).replacen("<title>Agon</title>", &tags, 1);
    let mut hasher = DefaultHasher::new();
    html.hash(&mut hasher);
    let tag = HeaderValue::from_str(&format!("\"{:016x}\"", hasher.finish()))
        .unwrap_or_else(|_| HeaderValue::from_static("\"\""));
    let headers = [
        (header::CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8")),
        (header::CACHE_CONTROL, HeaderValue::from_static("no-cache")),
        (header::ETAG, tag.clone()),
    ];
    if asked.get(header::IF_NONE_MATCH) == Some(&tag) {
        return (StatusCode::NOT_MODIFIED, headers).into_response();
    }
    if path.starts_with("embed/") {
        return (status, headers, axum::Extension(Shared), html).into_response();
    }
    (status, headers, html).into_response()
}

/// The addresses that crawlers may read.
#[utoipa::path(get, path = "/robots.txt", tag = "site", responses((status = 200, description = "Text", body = String)))]
pub(crate) async fn robots() -> Response {
    let headers = [
        (header::CONTENT_TYPE, "text/plain; charset=utf-8"),
        (header::CACHE_CONTROL, "public, max-age=3600"),
    ];
    // Previews need the pictures of matches.
    (headers, "User-agent: *\nAllow: /api/v1/matches/*/picture.png\nDisallow: /api/\nDisallow: /admin\n")
        .into_response()
}

/// Whether the server can answer requests. Queries the database.
#[utoipa::path(get, path = "/healthz", tag = "site", responses(
    (status = 200, description = "Ready", body = String),
    (status = 503, description = "The database does not answer", body = crate::wire::ErrorBody),
))]
pub(crate) async fn healthz(State(app): State<App>) -> Result<Response, ApiError> {
    app.store.setting("ready").await.map_err(|error| {
        tracing::warn!(target: "agon::server", error = %crate::error::log_line(&error), "not ready");
        ApiError::busy("the database does not answer", 5)
    })?;
    Ok(([(header::CACHE_CONTROL, "no-store")], "ready\n").into_response())
}

/// A short guide to taking part by program, for coding agents and people.
#[utoipa::path(get, path = "/llms.txt", tag = "site", responses((status = 200, description = "Markdown", body = String)))]
pub(crate) async fn llms(State(app): State<App>) -> Response {
    let kind =
        [(header::CONTENT_TYPE, "text/plain; charset=utf-8"), (header::CACHE_CONTROL, "public, max-age=300")];
    let text =
        include_str!("llms.txt").replace("{title}", &app.config.title).replace("{site}", &app.address());
    (kind, text).into_response()
}
