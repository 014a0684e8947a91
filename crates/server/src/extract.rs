//! Extractors for the parts of a request. A part that is not valid becomes an [`ApiError`].

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Request};
use axum::http::request::Parts;
use model::UserId;
use serde::de::DeserializeOwned;

use crate::wire::Role;
use crate::{ApiError, App, accounts};

/// An account that is signed in.
#[derive(Clone, Debug)]
pub struct AuthUser {
    /// Number of the account.
    pub id: UserId,
    /// Its name.
    pub name: String,
    /// Its role.
    pub role: Role,
    /// `en` or `fr`.
    pub lang: String,
    /// Whether the password must be changed before anything else.
    pub must_change: bool,
    /// The method of signing in.
    pub by: By,
    /// The accounts of its teams, for which it acts.
    pub teams: Vec<UserId>,
}

/// The method of signing in.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum By {
    /// By a cookie; the number of the session.
    Session(i64),
    /// By a token with these scopes.
    Token(Vec<String>),
}

impl AuthUser {
    /// Whether a bot with this owner is the client's: its own, or one of its teams.
    pub fn owns(&self, owner: Option<UserId>) -> bool {
        owner.is_some_and(|owner| owner == self.id || self.teams.contains(&owner))
    }

    /// Whether the client has the scope `scope`: `read`, `submit`, `admin`.
    pub fn may(&self, scope: &str) -> bool {
        match &self.by {
            By::Session(_) => true,
            By::Token(scopes) => scopes.iter().any(|held| held == scope),
        }
    }

    fn needs(self, scope: &'static str) -> Result<AuthUser, ApiError> {
        if self.may(scope) {
            return Ok(self);
        }
        Err(ApiError::new(
            axum::http::StatusCode::FORBIDDEN,
            "scope",
            format!("this token may not: it lacks the scope `{scope}`"),
            "make a token with this scope on the page of your account",
        ))
    }
}

/// The client, signed in or not. A token without the scope `read` counts as not signed in.
#[derive(Clone, Debug)]
pub struct MaybeMe(pub Option<AuthUser>);

/// A client that is signed in and may read the data of the account.
#[derive(Clone, Debug)]
pub struct Me(pub AuthUser);

/// A client that is signed in by a cookie: tokens may not change the account itself.
#[derive(Clone, Debug)]
pub struct Person(pub AuthUser);

/// A client that may submit bots.
#[derive(Clone, Debug)]
pub struct Submitter(pub AuthUser);

/// The organiser.
#[derive(Clone, Debug)]
pub struct Admin(pub AuthUser);

impl FromRequestParts<App> for MaybeMe {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(MaybeMe(accounts::who(app, parts).await?.filter(|signed| signed.may("read"))))
    }
}

async fn signed(parts: &Parts, app: &App) -> Result<AuthUser, ApiError> {
    let signed = accounts::who(app, parts).await?.ok_or_else(ApiError::sign_in)?;
    if signed.must_change && !parts.uri.path().ends_with("/me") {
        return Err(ApiError::new(
            axum::http::StatusCode::FORBIDDEN,
            "must_change",
            "the password of this account must be changed first",
            "PATCH /api/v1/me with `old_password` and `password`",
        ));
    }
    Ok(signed)
}

impl FromRequestParts<App> for Me {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Me(signed(parts, app).await?.needs("read")?))
    }
}

impl FromRequestParts<App> for Person {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let signed = signed(parts, app).await?;
        match signed.by {
            By::Session(_) => Ok(Person(signed)),
            By::Token(_) => Err(ApiError::forbidden(
                "tokens may not change the account they belong to",
                "sign in with name and password",
            )),
        }
    }
}

impl FromRequestParts<App> for Submitter {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Submitter(signed(parts, app).await?.needs("submit")?))
    }
}

impl FromRequestParts<App> for Admin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let signed = signed(parts, app).await?.needs("admin")?;
        if signed.role == Role::Admin {
            return Ok(Admin(signed));
        }
        Err(ApiError::forbidden("this is for the organiser", "ask the organiser"))
    }
}

/// The address under which the client is counted; behind a trusted proxy, the one that the proxy names.
#[derive(Clone, Copy, Debug)]
pub struct Address(pub IpAddr);

impl FromRequestParts<App> for Address {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        Ok(Address(crate::guard::address(app, parts)))
    }
}

/// The address of the other end of the connection.
pub(crate) fn peer(parts: &Parts) -> IpAddr {
    let connected = parts.extensions.get::<ConnectInfo<SocketAddr>>();
    connected.map_or(IpAddr::from([0, 0, 0, 0]), |ConnectInfo(address)| address.ip())
}

/// A JSON body.
#[derive(Clone, Copy, Debug)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        match axum::Json::<T>::from_request(request, app).await {
            Ok(axum::Json(value)) => Ok(Json(value)),
            Err(rejection) => Err(ApiError::new(
                rejection.status(),
                match rejection.status().as_u16() {
                    413 => "too_large",
                    415 => "not_json",
                    _ => "bad_request",
                },
                game::text::safe_line(&rejection.body_text(), 500),
                "send JSON with the header `content-type: application/json`; GET /api/v1/openapi.json describes its form",
            )),
        }
    }
}

impl<T: serde::Serialize> axum::response::IntoResponse for Json<T> {
    fn into_response(self) -> axum::response::Response {
        axum::Json(self.0).into_response()
    }
}

/// The query of an address.
#[derive(Clone, Copy, Debug)]
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match axum::extract::Query::<T>::from_request_parts(parts, app).await {
            Ok(axum::extract::Query(value)) => Ok(Query(value)),
            Err(rejection) => Err(ApiError::bad(
                game::text::safe_line(&rejection.body_text(), 500),
                "GET /api/v1/openapi.json lists what may stand behind the `?`",
            )),
        }
    }
}

/// The variable parts of a path.
#[derive(Clone, Copy, Debug)]
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<App> for Path<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        match axum::extract::Path::<T>::from_request_parts(parts, app).await {
            Ok(axum::extract::Path(value)) => Ok(Path(value)),
            Err(_) => Err(ApiError::not_found("page")),
        }
    }
}
