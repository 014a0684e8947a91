//! The bodies of requests and answers of the API. The TypeScript types (`web/src/site/wire.ts`) and the OpenAPI document are generated
//! from these. Times are milliseconds since 1970; seeds are strings, since they have 64 bits.

mod account;
mod admin;
mod board;
mod bots;
mod contests;
mod events;
mod logs;
mod matches;
mod site;

#[cfg(test)]
mod types;

pub use account::*;
pub use admin::*;
pub use board::*;
pub use bots::*;
pub use contests::*;
pub use events::*;
pub use logs::*;
pub use matches::*;
pub use site::*;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The body of every error: `{"error": {...}}`.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ErrorBody {
    /// The error.
    pub error: ErrorInfo,
}

/// An error, for programs and for people.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ErrorInfo {
    /// A stable word for programs: `not_found`, `too_many`, `bad_request`...
    pub code: String,
    /// Description of the error, for people.
    pub message: String,
    /// How to fix it.
    pub hint: String,
}

/// A text in both languages.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Text {
    /// English text.
    pub en: String,
    /// French text.
    pub fr: String,
}

/// The request succeeded.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Done {
    /// Always true.
    pub ok: bool,
}

impl Done {
    /// The request succeeded.
    pub const YES: Done = Done { ok: true };
}
