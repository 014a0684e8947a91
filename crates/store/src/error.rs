//! The error of the store. Its kind says what a caller can do.

use std::fmt;

/// The usual result of the store.
pub type Result<T> = std::result::Result<T, StoreError>;

/// What a caller can do about an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorKind {
    /// The thing asked for, or one it refers to, is not there.
    NotFound,
    /// It contradicts what is stored: a name that is taken, a state that does not allow it.
    Conflict,
    /// The database does not answer now; asking again later may help.
    Busy,
    /// The disk is full. Reading goes on.
    Full,
    /// Anything else: our fault or the database's.
    Other,
}

/// Why the store could not do what it was asked.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct StoreError {
    /// What can be done about it.
    pub kind: ErrorKind,
    /// What happened, in a sentence.
    pub message: String,
    /// Nothing was changed, and the same again may well succeed at once.
    pub(crate) again: bool,
}

impl StoreError {
    /// An error with its sentence.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> StoreError {
        StoreError { kind, message: message.into(), again: false }
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

/// SQLite's numbers and PostgreSQL's classes of errors.
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
        // Serialisation failure, deadlock; the server was stopped or is starting.
        "40001" | "40P01" | "57P01" | "57P02" | "57P03" => (ErrorKind::Busy, true),
        "13" | "53100" => (ErrorKind::Full, false),
        // 5 is busy and 6 locked; the higher bytes of SQLite's numbers say more about them.
        other => match other.parse::<u32>().map(|code| code & 0xff) {
            Ok(5 | 6) if other.len() <= 4 => (ErrorKind::Busy, true),
            Ok(13) if other.len() <= 4 => (ErrorKind::Full, false),
            _ if other.starts_with("08") || other.starts_with("53") => (ErrorKind::Busy, true),
            _ => (ErrorKind::Other, false),
        },
    }
}
