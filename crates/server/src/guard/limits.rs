//! Rate limits. Attempts of strangers are counted in memory ([`Attempts`](super::attempts::Attempts)); actions of
//! accounts are counted in the database, one after the other, so that of any number of actions at the same moment at most
//! the limit are allowed.

use std::net::IpAddr;
use std::time::Duration;

use crate::{ApiError, App, now_ms};

const MINUTE: Duration = Duration::from_mins(1);
const HOUR: Duration = Duration::from_hours(1);

/// One address may make this many times the attempts of a pair of address and account, at all accounts together; and
/// so may all addresses together at one account.
const TOGETHER: i64 = 5;

/// Most pictures and clips that one address may ask for in a minute.
const PICTURES: i64 = 60;

/// An action of an account that is limited.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Submissions of bots.
    Upload,
    /// Requests for a match against a boss.
    Trial,
    /// Tests of drafts, and bots on recorded turns. Nobody reaches this limit by hand: fair turns in the queues bound the work.
    Test,
    /// Changes of passwords, mail addresses and tokens.
    Account,
}

impl Limit {
    fn word(self) -> &'static str {
        match self {
            Limit::Upload => "upload",
            Limit::Trial => "trial",
            Limit::Test => "test",
            Limit::Account => "account",
        }
    }

    /// Counts an action of an account.
    ///
    /// # Errors
    /// When there were too many.
    pub async fn of_account(self, app: &App, name: &str) -> Result<(), ApiError> {
        let most = match self {
            Limit::Upload => app.config.uploads_per_hour,
            Limit::Trial => 120,
            Limit::Test => 1200,
            Limit::Account => 30,
        };
        let key = format!("account {}", key_of(name));
        let window = i64::try_from(HOUR.as_millis()).unwrap_or(i64::MAX);
        match app.store.attempt(self.word(), &key, now_ms(), window, most).await? {
            None => Ok(()),
            Some(wait) => Err(too_often(most, HOUR, Duration::from_millis(wait.unsigned_abs()))),
        }
    }
}

/// Counts an attempt to log in. `device` is the id of a browser that has logged in to this account before: such a
/// browser is counted by itself, so that strangers who guess passwords do not keep it out. The account need not
/// exist: the answer must not tell whether it does.
///
/// # Errors
/// When there were too many attempts.
pub(crate) fn login(app: &App, address: IpAddr, name: &str, device: Option<&str>) -> Result<(), ApiError> {
    let (most, name) = (app.config.logins_per_minute, key_of(name));
    if let Some(device) = device {
        return count(app, format!("login device {device}"), most, MINUTE);
    }
    // One address uses up only a part of the attempts at an account: what the first line refuses does not count below.
    count(app, format!("login pair {address} {name}"), most, MINUTE)?;
    count(app, format!("login address {address}"), most * TOGETHER, MINUTE)?;
    count(app, format!("login account {name}"), most * TOGETHER, MINUTE)
}

/// Counts an attempt to make an account.
///
/// # Errors
/// When there were too many attempts.
pub(crate) fn signup(app: &App, address: IpAddr) -> Result<(), ApiError> {
    count(app, format!("signup {address}"), app.config.signups_per_hour, HOUR)
}

/// Counts an attempt to use a code for a forgotten password, or to request one for an account.
///
/// # Errors
/// When there were too many attempts.
pub(crate) fn reset(app: &App, address: IpAddr, name: Option<&str>) -> Result<(), ApiError> {
    let (most, window) = (app.config.logins_per_minute, 10 * MINUTE);
    count(app, format!("reset address {address}"), most, window)?;
    name.map_or(Ok(()), |name| count(app, format!("reset account {}", key_of(name)), most, window))
}

/// Counts a request for a picture or a clip of a match.
///
/// # Errors
/// When there were too many requests.
pub(crate) fn picture(app: &App, address: IpAddr) -> Result<(), ApiError> {
    count(app, format!("picture {address}"), PICTURES, MINUTE)
}

fn count(app: &App, key: String, most: i64, window: Duration) -> Result<(), ApiError> {
    let wait = app.guard.attempts.attempt(key, usize::try_from(most).unwrap_or(0), window);
    wait.map_or(Ok(()), |wait| Err(too_often(most, window, wait)))
}

/// The error for too many actions in `window`; `left` is the time until the next one is allowed.
fn too_often(most: i64, window: Duration, left: Duration) -> ApiError {
    let per = match window {
        MINUTE => "a minute".to_owned(),
        HOUR => "an hour".to_owned(),
        window => format!("{} minutes", window.as_secs() / 60),
    };
    let seconds = u32::try_from(left.as_millis().div_ceil(1000)).unwrap_or(u32::MAX);
    ApiError::too_many(format!("limit reached: at most {most} in {per}"), seconds)
}

/// Keys are at most as long as names, whatever the client sent; other spellings of a name mean the same account.
fn key_of(name: &str) -> String {
    name.chars().filter(char::is_ascii_graphic).take(40).collect::<String>().to_lowercase()
}
