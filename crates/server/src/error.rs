//! What can go wrong, told to people and to programs.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use store::{ErrorKind, StoreError};

use crate::wire::{ErrorBody, Wrong};

/// A request that cannot be answered as asked.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The status.
    pub status: StatusCode,
    /// A word that never changes, for programs.
    pub code: &'static str,
    /// What is wrong, for people.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// Seconds after which it is worth another try.
    pub retry_after: Option<u32>,
}

impl ApiError {
    /// Something is wrong.
    pub fn new(
        status: StatusCode,
        code: &'static str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> ApiError {
        ApiError { status, code, message: message.into(), hint: hint.into(), retry_after: None }
    }

    /// 400: the request itself is wrong.
    pub fn bad(message: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::BAD_REQUEST, "bad_request", message, hint)
    }

    /// 401: nobody is signed in.
    pub fn sign_in() -> ApiError {
        ApiError::new(
            StatusCode::UNAUTHORIZED,
            "sign_in",
            "this needs an account",
            "POST /api/v1/login, or send the header `Authorization: Bearer agon_...` with a token",
        )
    }

    /// 403: somebody is signed in, and may not.
    pub fn forbidden(message: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "forbidden", message, hint)
    }

    /// 404: `what` does not exist, or is not for the asker; which of the two is not told.
    pub fn not_found(what: &str) -> ApiError {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("there is no such {what}"),
            "look at the address; GET /api/v1/openapi.json lists what can be asked",
        )
    }

    /// 409: it does not fit to how things stand.
    pub fn conflict(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, code, message, hint)
    }

    /// 429: too often.
    pub fn too_many(message: impl Into<String>, retry_after: u32) -> ApiError {
        let hint = format!("try again in {retry_after} seconds");
        let problem = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message, hint);
        ApiError { retry_after: Some(retry_after), ..problem }
    }

    /// 503: too much is going on.
    pub fn busy(message: impl Into<String>, retry_after: u32) -> ApiError {
        let hint = format!("try again in {retry_after} seconds");
        let problem = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message, hint);
        ApiError { retry_after: Some(retry_after), ..problem }
    }

    /// 500: our fault. What happened goes to the log, not to the asker.
    pub fn internal(what: impl std::fmt::Display) -> ApiError {
        log(&format!("internal error: {what}"));
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "something went wrong here",
            "try again; the log of the server tells more to whoever runs it",
        )
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> ApiError {
        match error.kind {
            ErrorKind::NotFound => ApiError::not_found("thing"),
            ErrorKind::Conflict => {
                ApiError::conflict("conflict", error.message, "read how things stand now, and try again")
            }
            ErrorKind::Busy => {
                log(&format!("the database is busy: {error}"));
                ApiError::busy("the database does not answer now", 5)
            }
            ErrorKind::Full => {
                log(&format!("the disk is full: {error}"));
                let hint = "nothing can be changed until whoever runs the site makes room; reading goes on";
                ApiError::new(StatusCode::INSUFFICIENT_STORAGE, "full", "the disk of the site is full", hint)
            }
            ErrorKind::Other => ApiError::internal(error),
        }
    }
}

/// A line for whoever runs the server.
#[expect(clippy::print_stderr, reason = "the log of a server is its standard error output")]
pub(crate) fn log(line: &str) {
    eprintln!("agon: {}", game::text::safe_line(line, 2000));
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ApiError { status, code, message, hint, retry_after } = self;
        let body = ErrorBody { error: Wrong { code: code.to_owned(), message, hint } };
        let mut response = (status, axum::Json(body)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
