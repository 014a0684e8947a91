//! The error of the store. Its kind tells the caller how to react.

use std::fmt;

/// The result type of the store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// How a caller can react to an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The requested object, or an object it refers to, does not exist.
    NotFound,
    /// The request contradicts the stored data: a name that is taken, a state that does not allow it.
    Conflict,
    /// The database does not answer now; a later retry may succeed.
    Busy,
    /// The disk is full. Reads still work.
    Full,
    /// Any other error: our fault or the database's.
    Other,
}

/// An error of the store.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    /// How a caller can react.
    pub kind: ErrorKind,
    /// A sentence that says what happened.
    pub message: String,
    /// Nothing was changed, and an immediate retry may succeed.
    pub(crate) again: bool,
}

impl StoreError {
    /// An error with its message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> StoreError {
        StoreError { kind, message: message.into(), again: false }
    }

    /// Whether the storage failed and the same call may succeed later: the database does not answer, a disk is full.
    pub fn is_storage(&self) -> bool {
        matches!(self.kind, ErrorKind::Busy | ErrorKind::Full)
    }

    pub(crate) fn not_found(what: impl fmt::Display) -> StoreError {
        StoreError::new(ErrorKind::NotFound, format!("there is no {what}"))
    }

    pub(crate) fn conflict(message: impl Into<String>) -> StoreError {
        StoreError::new(ErrorKind::Conflict, message)
    }

    pub(crate) fn other(message: impl Into<String>) -> StoreError {
        StoreError::new(ErrorKind::Other, message)
    }
}

impl From<std::io::Error> for StoreError {
    fn from(error: std::io::Error) -> StoreError {
        let kind = match error.kind() {
            std::io::ErrorKind::NotFound => ErrorKind::NotFound,
            std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => ErrorKind::Full,
            _ => ErrorKind::Other,
        };
        StoreError::new(kind, error.to_string())
    }
}

impl From<model::WordError> for StoreError {
    fn from(error: model::WordError) -> StoreError {
        StoreError::other(error.to_string())
    }
}

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> StoreError {
        let (kind, again) = match &error {
            sqlx::Error::RowNotFound => (ErrorKind::NotFound, false),
            sqlx::Error::PoolTimedOut | sqlx::Error::PoolClosed => (ErrorKind::Busy, false),
            sqlx::Error::Io(_) | sqlx::Error::Tls(_) | sqlx::Error::WorkerCrashed => (ErrorKind::Busy, true),
            sqlx::Error::Database(inner) => of_database(inner.as_ref()),
            _ => (ErrorKind::Other, false),
        };
        let message = match kind {
            ErrorKind::Full => format!("the disk of the database is full: {error}"),
            ErrorKind::Busy => format!("the database does not answer now: {error}"),
            _ => error.to_string(),
        };
        StoreError { kind, message, again }
    }
}

/// Maps SQLite's error codes and PostgreSQL's error classes.
fn of_database(error: &dyn sqlx::error::DatabaseError) -> (ErrorKind, bool) {
    use sqlx::error::ErrorKind as Sql;
    match error.kind() {
        Sql::UniqueViolation | Sql::CheckViolation | Sql::NotNullViolation => {
            return (ErrorKind::Conflict, false);
        }
        Sql::ForeignKeyViolation => return (ErrorKind::NotFound, false),
        _ => {}
    }
    let code = error.code().unwrap_or_default();
    match code.as_ref() {
        // Serialization failure, deadlock; the server was stopped or is starting; the database takes no connections, or
        // no writes, for a while; its disk fails.
        "40001" | "40P01" | "57P01" | "57P02" | "57P03" | "55000" | "25006" | "58030" => {
            (ErrorKind::Busy, true)
        }
        "13" | "53100" => (ErrorKind::Full, false),
        // 5 is busy and 6 is locked; the higher bytes of SQLite's codes hold details.
        other => match other.parse::<u32>().map(|code| code & 0xff) {
            Ok(5 | 6) if other.len() <= 4 => (ErrorKind::Busy, true),
            // The file is read-only, cannot be read or written, or cannot be opened.
            Ok(8 | 10 | 14) if other.len() <= 4 => (ErrorKind::Busy, false),
            Ok(13) if other.len() <= 4 => (ErrorKind::Full, false),
            _ if other.starts_with("08") || other.starts_with("53") => (ErrorKind::Busy, true),
            _ => (ErrorKind::Other, false),
        },
    }
}
