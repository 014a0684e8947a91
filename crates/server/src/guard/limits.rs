//! Rate limits. Every attempt is recorded first and *then* counted: of any number of attempts at the same moment, at
//! most the limit are allowed, however they interleave.

use std::net::IpAddr;

use super::address::counted;
use crate::{ApiError, App, now_ms};

const MINUTE: i64 = 60_000;
const HOUR: i64 = 60 * MINUTE;

/// The actions that are limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Attempts to log in.
    Login,
    /// New accounts.
    Signup,
    /// Attempts to use or request a code for a forgotten password.
    Reset,
    /// Submissions of bots.
    Upload,
    /// Requests for a match against a boss.
    Trial,
    /// Changes of passwords, mail addresses and tokens.
    Account,
}

impl Limit {
    fn word(self) -> &'static str {
        match self {
            Limit::Login => "login",
            Limit::Signup => "signup",
            Limit::Reset => "reset",
            Limit::Upload => "upload",
            Limit::Trial => "trial",
            Limit::Account => "account",
        }
    }

    /// The number of requests, and the period in milliseconds in which they are counted.
    fn most(self, app: &App) -> (i64, i64) {
        match self {
            Limit::Login => (app.config.logins_per_minute, MINUTE),
            Limit::Signup => (app.config.signups_per_hour, HOUR),
            Limit::Reset => (app.config.logins_per_minute, 10 * MINUTE),
            Limit::Upload => (app.config.uploads_per_hour, HOUR),
            Limit::Trial => (120, HOUR),
            Limit::Account => (30, HOUR),
        }
    }

    async fn count(self, app: &App, key: String) -> Result<(), ApiError> {
        let (most, window) = self.most(app);
        let count = app.store.attempt(self.word(), &key, now_ms(), window).await?;
        if count <= most {
            return Ok(());
        }
        let per = if window == HOUR { "an hour".to_owned() } else { format!("{} minutes", window / MINUTE) };
        let message =
            format!("too often: at most {most} in {}", if window == MINUTE { "a minute" } else { &per });
        Err(ApiError::too_many(message, u32::try_from(window / 1000).unwrap_or(u32::MAX)))
    }

    /// Counts an attempt for an account. The account need not exist: the answer must not tell whether it does.
    ///
    /// # Errors
    /// When there were too many attempts.
    pub async fn of_account(self, app: &App, name: &str) -> Result<(), ApiError> {
        // Keys are at most as long as names, whatever the client sent.
        let name: String = name.chars().filter(char::is_ascii_graphic).take(40).collect();
        self.count(app, format!("account {}", name.to_lowercase())).await
    }

    /// Counts an attempt for an address.
    ///
    /// # Errors
    /// When there were too many attempts.
    pub async fn of_address(self, app: &App, address: IpAddr) -> Result<(), ApiError> {
        self.count(app, format!("address {}", counted(address))).await
    }
}
