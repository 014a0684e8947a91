//! People.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Who is asking.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// The account; nothing for a visitor.
    pub user: Option<Account>,
    /// Goes into the header `x-agon-csrf` of every change made with a cookie.
    pub csrf: String,
    /// Notices that were not looked at.
    pub notices_unseen: i64,
}

/// An account, as its owner sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Account {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its mail address.
    pub email: Option<String>,
    /// What it may do.
    pub role: Role,
    /// `en` or `fr`.
    pub lang: String,
    /// Since when.
    pub created: i64,
    /// Whether the password must be changed before anything else.
    pub must_change: bool,
}

/// The rights of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Play.
    Player,
    /// Run the site.
    Admin,
}

/// A request for an account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct SignupAsk {
    /// 3 to 32 letters, digits, `-`, `_`, `.`.
    pub name: String,
    /// At least 8 characters.
    pub password: String,
    /// For a forgotten password.
    pub email: Option<String>,
    /// The code of an invitation, where one is needed.
    pub invitation: Option<String>,
    /// `en` or `fr`.
    pub lang: Option<String>,
}

/// A request to log in.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct LoginAsk {
    /// Name of the account.
    pub name: String,
    /// Its password.
    pub password: String,
}

/// What an account changes about itself.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct MePatch {
    /// The password now; needed to change password or address.
    pub old_password: Option<String>,
    /// The new password.
    pub password: Option<String>,
    /// The new address; an empty one takes it away.
    pub email: Option<String>,
    /// `en` or `fr`.
    pub lang: Option<String>,
}

/// A new password by a one-time code.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ResetAsk {
    /// The code.
    pub code: String,
    /// The new password.
    pub password: String,
}

/// A request for a new password. The answer is always the same.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ResetRequest {
    /// Name of the account.
    pub name: String,
}

/// Something an account should know.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NoticeInfo {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: i64,
    /// `promotion`, `paused`, `build_failed`, `contest`...
    pub kind: String,
    /// What is known, by name.
    #[schema(value_type = Object)]
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub data: serde_json::Value,
    /// Whether it was looked at.
    pub seen: bool,
}

/// A token, without its secret.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenInfo {
    /// Its number.
    pub id: i64,
    /// What its owner calls it.
    pub name: String,
    /// What it may do: `read`, `submit`, `admin`.
    pub scopes: Vec<String>,
    /// When it was made.
    pub created: i64,
    /// When it was used last.
    pub used: Option<i64>,
}

/// A token is wanted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct TokenAsk {
    /// What to call it.
    pub name: String,
    /// What it may do: `read`, `submit`, `admin`.
    pub scopes: Vec<String>,
}

/// A new token. Its secret is in this answer only.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenMade {
    /// Goes into the header `Authorization: Bearer ...`.
    pub token: String,
    /// What is known of it.
    pub info: TokenInfo,
}
