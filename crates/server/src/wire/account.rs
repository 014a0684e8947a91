//! Accounts, notices, tokens.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The signed-in user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Me {
    /// The account; null for a visitor.
    pub user: Option<Account>,
    /// Value of the header `x-agon-csrf`, which every change made with the session cookie needs.
    pub csrf: String,
    /// Number of notices that the user has not seen.
    pub notices_unseen: i64,
    /// For admins: the failure of the storage that pauses the arena; null while the storage works.
    pub storage_failure: Option<String>,
}

/// An account, as its owner sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Account {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Mail address.
    pub email: Option<String>,
    /// Rights.
    pub role: Role,
    /// Language of the user: `en` or `fr`.
    pub lang: String,
    /// Time of creation.
    pub created: i64,
    /// Whether the user must change the password before any other request.
    pub must_change: bool,
    /// A few words for the public page of the user.
    pub about: Option<String>,
}

/// A request to delete the user's own account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct DeleteMe {
    /// Current password.
    pub password: String,
}

/// The rights of an account.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// May submit bots and play.
    Player,
    /// May also administer the site.
    Admin,
}

/// A request to create an account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct SignupAsk {
    /// Name: 3 to 32 characters, letters, digits, `-`, `_` and `.`.
    pub name: String,
    /// Password: at least 8 characters.
    pub password: String,
    /// Mail address, to reset a forgotten password.
    pub email: Option<String>,
    /// Code of an invitation; required if sign-up is by invitation.
    pub invitation: Option<String>,
    /// Language of the user: `en` or `fr`.
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
    /// Password of the account.
    pub password: String,
}

/// Changes to the user's own account; absent fields stay as they are.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct MePatch {
    /// Current password; required to change the password or the mail address.
    pub old_password: Option<String>,
    /// New password.
    pub password: Option<String>,
    /// New mail address; an empty text removes it.
    pub email: Option<String>,
    /// A few words for the public page of the user, at most 300 characters; an empty text removes them.
    pub about: Option<String>,
    /// Language of the user: `en` or `fr`.
    pub lang: Option<String>,
}

/// A request to set a new password with a one-time code.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ResetAsk {
    /// One-time code.
    pub code: String,
    /// New password.
    pub password: String,
}

/// A request for a mail with a one-time code. The answer does not tell whether the account exists.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ResetRequest {
    /// Name of the account.
    pub name: String,
}

/// A notice to a user.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct NoticeInfo {
    /// Id.
    pub id: i64,
    /// Time of the notice.
    pub at: i64,
    /// Kind of the notice: `promotion`, `paused`, `build_failed`, `contest`...
    pub kind: String,
    /// Details; the fields depend on the kind.
    #[schema(value_type = Object)]
    #[cfg_attr(test, ts(type = "Record<string, unknown>"))]
    pub data: serde_json::Value,
    /// Whether the user has seen it.
    pub seen: bool,
}

/// An API token, without its secret.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenInfo {
    /// Id.
    pub id: i64,
    /// Name that its owner chose.
    pub name: String,
    /// Rights: `read`, `submit`, `admin`.
    pub scopes: Vec<String>,
    /// Time of creation.
    pub created: i64,
    /// Time of last use; null if it was never used.
    pub used: Option<i64>,
}

/// A request to create an API token.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct TokenAsk {
    /// Name of the token.
    pub name: String,
    /// Rights: `read`, `submit`, `admin`.
    pub scopes: Vec<String>,
}

/// A new API token. Only this answer contains the secret.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct TokenMade {
    /// The secret, for the header `Authorization: Bearer ...`.
    pub token: String,
    /// The token without its secret.
    pub info: TokenInfo,
}
