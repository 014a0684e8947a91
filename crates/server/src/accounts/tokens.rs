//! Tokens for programs. The secret is shown once, when it is made.

use axum::extract::State;
use axum::http::StatusCode;
use store::Token;

use super::secret;
use crate::extract::{Json, Me as AuthUser, Path, Person};
use crate::guard::limits::Limit;
use crate::wire::{Done, Role, TokenAsk, TokenInfo, TokenMade};
use crate::{ApiError, App, now_ms};

/// The scopes of a token.
const SCOPES: [&str; 3] = ["read", "submit", "admin"];
/// Most tokens of one account.
const MOST: usize = 20;

/// The API tokens of the signed-in user.
#[utoipa::path(get, path = "/me/tokens", tag = "accounts",
    responses((status = 200, body = Vec<TokenInfo>)))]
pub(super) async fn list(
    State(app): State<App>,
    AuthUser(who): AuthUser,
) -> Result<Json<Vec<TokenInfo>>, ApiError> {
    Ok(Json(app.store.list_tokens(who.id).await?.into_iter().map(info).collect()))
}

fn info(token: Token) -> TokenInfo {
    let Token { id, name, scopes, created, used, .. } = token;
    TokenInfo { id, name, scopes: scopes.split(' ').map(str::to_owned).collect(), created, used }
}

/// Create an API token. Only this answer contains the secret.
#[utoipa::path(post, path = "/me/tokens", tag = "accounts", request_body = TokenAsk,
    responses((status = 200, body = TokenMade)))]
pub(super) async fn make(
    State(app): State<App>,
    Person(who): Person,
    Json(ask): Json<TokenAsk>,
) -> Result<Json<TokenMade>, ApiError> {
    let invalid = |wrong: &str, hint: &str| ApiError::new(StatusCode::BAD_REQUEST, "token", wrong, hint);
    let name = ask.name.trim();
    if !(1..=60).contains(&name.chars().count()) || name.chars().any(char::is_control) {
        return Err(invalid(
            "a token's name has 1 to 60 visible characters",
            "name it after where it is used",
        ));
    }
    let scopes: Vec<&str> =
        SCOPES.into_iter().filter(|scope| ask.scopes.iter().any(|asked| asked == scope)).collect();
    if scopes.is_empty() || ask.scopes.iter().any(|asked| !SCOPES.contains(&asked.as_str())) {
        return Err(invalid(
            "a token has some of the scopes `read`, `submit`, `admin`",
            "ask for the least it needs",
        ));
    }
    if scopes.contains(&"admin") && who.role != Role::Admin {
        return Err(ApiError::forbidden("the scope `admin` is for the organiser", "leave it out"));
    }
    Limit::Account.of_account(&app, &who.name).await?;
    if app.store.list_tokens(who.id).await?.len() >= MOST {
        return Err(ApiError::conflict(
            "too_many_tokens",
            format!("an account has at most {MOST} tokens"),
            "take one back first",
        ));
    }
    let token = format!("{}{}", secret::TOKEN_PREFIX, secret::fresh()?);
    let made =
        app.store.create_token(who.id, name, &secret::digest(&token), &scopes.join(" "), now_ms()).await?;
    Ok(Json(TokenMade { token, info: info(made) }))
}

/// Delete an API token.
#[utoipa::path(delete, path = "/me/tokens/{id}", tag = "accounts", params(("id" = i64, Path, description = "its number")),
    responses((status = 200, body = Done)))]
pub(super) async fn revoke(
    State(app): State<App>,
    Person(who): Person,
    Path(id): Path<i64>,
) -> Result<Json<Done>, ApiError> {
    if app.store.revoke_token(who.id, id, now_ms()).await? {
        Ok(Json(Done::YES))
    } else {
        Err(ApiError::not_found("token"))
    }
}
