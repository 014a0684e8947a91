//! Errors of the API.

use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};

use replay::HumanGameError;
use store::{ErrorKind, StoreError};

use crate::wire::{ErrorBody, ErrorInfo};

/// An error that is sent to the client.
#[derive(Clone, Debug)]
pub struct ApiError {
    /// The HTTP status.
    pub status: StatusCode,
    /// A stable identifier for programs.
    pub code: &'static str,
    /// A description for people.
    pub message: String,
    /// Advice for the client.
    pub hint: String,
    /// Seconds after which the client may try again.
    pub retry_after: Option<u32>,
}

impl ApiError {
    /// An error with the given status, code, message and hint.
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

    /// 401: the client is not signed in.
    pub fn sign_in() -> ApiError {
        ApiError::new(
            StatusCode::UNAUTHORIZED,
            "sign_in",
            "this needs an account",
            "POST /api/v1/login, or send the header `Authorization: Bearer agon_...` with a token",
        )
    }

    /// 403: the account may not do this.
    pub fn forbidden(message: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::FORBIDDEN, "forbidden", message, hint)
    }

    /// 404: `what` does not exist, or the client may not see it; the answer is the same.
    pub fn not_found(what: &str) -> ApiError {
        ApiError::new(
            StatusCode::NOT_FOUND,
            "not_found",
            format!("there is no such {what}"),
            "look at the address; GET /api/v1/openapi.json lists what can be asked",
        )
    }

    /// 409: the request does not fit the current state.
    pub fn conflict(code: &'static str, message: impl Into<String>, hint: impl Into<String>) -> ApiError {
        ApiError::new(StatusCode::CONFLICT, code, message, hint)
    }

    /// 429: too many requests.
    pub fn too_many(message: impl Into<String>, retry_after: u32) -> ApiError {
        let hint = format!("try again in {retry_after} seconds");
        let problem = ApiError::new(StatusCode::TOO_MANY_REQUESTS, "too_many", message, hint);
        ApiError { retry_after: Some(retry_after), ..problem }
    }

    /// 503: the server is busy.
    pub fn busy(message: impl Into<String>, retry_after: u32) -> ApiError {
        let hint = format!("try again in {retry_after} seconds");
        let problem = ApiError::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message, hint);
        ApiError { retry_after: Some(retry_after), ..problem }
    }

    /// 500: our fault. The reason goes to the log, not to the client.
    pub fn internal(what: impl std::fmt::Display) -> ApiError {
        let error = log_line(what);
        tracing::error!(target: "agon::server", %error, "internal error");
        ApiError::new(
            StatusCode::INTERNAL_SERVER_ERROR,
            "internal",
            "the server failed; the request is not at fault",
            "try again; the log of the server has the reason",
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
                tracing::warn!(target: "agon::store", error = %log_line(&error), "the database is busy");
                ApiError::busy("the database does not answer now", 5)
            }
            ErrorKind::Full => {
                tracing::error!(target: "agon::store", error = %log_line(&error), "the disk is full");
                let hint = "nothing can be changed until the organiser makes room; reading works";
                ApiError::new(StatusCode::INSUFFICIENT_STORAGE, "full", "the disk of the site is full", hint)
            }
            ErrorKind::Other => ApiError::internal(error),
        }
    }
}

/// A text for the log: one line, without control characters, shortened.
pub(crate) fn log_line(text: impl std::fmt::Display) -> String {
    game::text::safe_line(&text.to_string(), 2000)
}

impl From<HumanGameError> for ApiError {
    fn from(error: HumanGameError) -> ApiError {
        if error.is_ours() {
            return ApiError::internal(error);
        }
        let hint = "look at /api/v1/site for the games, leagues and seats";
        ApiError::bad(game::text::safe_line(&error.to_string(), 500), hint)
    }
}

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let ApiError { status, code, message, hint, retry_after } = self;
        let body = ErrorBody { error: ErrorInfo { code: code.to_owned(), message, hint } };
        let mut response = (status, axum::Json(body)).into_response();
        if let Some(seconds) = retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_built_in_bot_is_an_error_of_the_server() {
        let failed = HumanGameError::BuiltInBot { name: "boss-1".into(), why: "the input has ended".into() };
        let error = ApiError::from(failed);
        assert_eq!((error.status, error.code), (StatusCode::INTERNAL_SERVER_ERROR, "internal"));
        assert!(!error.message.contains("boss-1"));
        let asked_wrongly = ApiError::from(HumanGameError::Seat { seat: 7, players: 2 });
        assert_eq!(asked_wrongly.status, StatusCode::BAD_REQUEST);
        assert!(asked_wrongly.message.contains("seat 7"));
    }
}
