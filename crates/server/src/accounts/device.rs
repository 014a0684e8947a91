//! Browsers that have logged in before. A login leaves a cookie that proves it: limits on guessed passwords then count
//! this browser by itself, and strangers who guess at the account do not keep its owner out.
//!
//! The cookie consists of a random id and a digest of the id and the stored hash of the password. The hash is secret,
//! so nobody can make the cookie of an account without its password, and a new password makes all its cookies invalid.

use axum::http::HeaderMap;
use store::User;
use subtle::ConstantTimeEq as _;

use super::secret;
use crate::ApiError;

/// The cookie of a browser that has logged in before.
pub(super) const COOKIE: &str = "agon_device";
/// How long the cookie lasts.
pub(super) const SECONDS: i64 = 365 * 24 * 3600;

/// A new cookie for an account.
pub(super) fn fresh(user: &User) -> Result<String, ApiError> {
    let id = secret::fresh()?;
    Ok(format!("{id}.{}", proof(&id, user)))
}

/// The id of the browser, if it has logged in to this account before.
pub(super) fn known<'a>(headers: &'a HeaderMap, user: Option<&User>) -> Option<&'a str> {
    let (id, given) = super::cookie_named(headers, COOKIE)?.split_once('.')?;
    let is_proven =
        id.len() == secret::HEX && bool::from(given.as_bytes().ct_eq(proof(id, user?).as_bytes()));
    is_proven.then_some(id)
}

fn proof(id: &str, user: &User) -> String {
    secret::digest(&format!("agon device {id} {} {}", user.id, user.password))
}
