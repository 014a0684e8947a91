//! The bodies of requests and answers of the API. The TypeScript types (`web/src/site/wire.ts`) and the OpenAPI document are generated
//! from these. Times are milliseconds since 1970; seeds are strings, since they have 64 bits.

mod account;
mod admin;
mod board;
mod bots;
mod contests;
mod events;
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
pub use matches::*;
pub use site::*;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Every error: `{"error": {...}}`, with the right status.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ErrorBody {
    /// What is wrong.
    pub error: ErrorInfo,
}

/// What is wrong with a request.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ErrorInfo {
    /// A word that never changes, for programs: `not_found`, `too_many`, `bad_request`...
    pub code: String,
    /// What is wrong, for people.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

/// A text in both languages.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Text {
    /// English.
    pub en: String,
    /// French.
    pub fr: String,
}

/// It is done.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Done {
    /// Always true.
    pub ok: bool,
}

impl Done {
    /// It is done.
    pub const YES: Done = Done { ok: true };
}
