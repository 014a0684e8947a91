//! What the organiser sees and says.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BotRef, MatchInfo, Role};

/// The state of the site.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Overview {
    /// Matches that wait.
    pub queued: i64,
    /// Matches that are being played.
    pub running: i64,
    /// Matches recorded.
    pub done: i64,
    /// Matches given up.
    pub voids: i64,
    /// Versions that wait to be built.
    pub building: i64,
    /// People.
    pub users: i64,
    /// Bots of people.
    pub bots: i64,
    /// Whether no match is begun at the moment.
    pub paused: bool,
    /// Who plays the matches.
    pub workers: Vec<WorkerInfo>,
    /// Bots that were paused.
    pub pauses: Vec<PausedBot>,
    /// What this host can do: the box, the languages.
    pub doctor: Vec<DoctorLine>,
    /// `sqlite` or `postgres`.
    pub database: String,
    /// Who follows events now.
    pub listeners: i64,
    /// Since when the server runs.
    pub since: i64,
}

/// A worker.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkerInfo {
    /// Its name.
    pub name: String,
    /// What it does now.
    pub doing: String,
    /// The match it plays.
    pub match_id: Option<i64>,
    /// Since when.
    pub since: i64,
}

/// A bot that does not play any more.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PausedBot {
    /// Who.
    pub bot: BotRef,
    /// Name of the game.
    pub game: String,
    /// Why.
    pub why: String,
}

/// A line about this host.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoctorLine {
    /// What was looked at.
    pub what: String,
    /// Whether it is fine.
    pub fine: bool,
    /// What was found, and what to do.
    pub says: String,
}

/// Some accounts.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UserPage {
    /// The accounts.
    pub users: Vec<UserInfo>,
    /// Which page, from 0.
    pub page: i64,
    /// Whether there is a next one.
    pub more: bool,
}

/// An account, as the organiser sees it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UserInfo {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its mail address.
    pub email: Option<String>,
    /// What it may do.
    pub role: Role,
    /// Since when.
    pub created: i64,
    /// Whether it is locked out.
    pub blocked: bool,
}

/// What the organiser changes about an account.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct UserPatch {
    /// What it may do.
    pub role: Option<Role>,
    /// Whether it is locked out.
    pub blocked: Option<bool>,
}

/// A link that works once.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OneTimeLink {
    /// The code in it.
    pub code: String,
    /// The address.
    pub url: String,
    /// Until when.
    pub expires: i64,
}

/// An invitation is wanted.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct InvitationAsk {
    /// The contest it is for; nothing for the site.
    pub contest: Option<String>,
    /// How many may use it; 1 where it is not said.
    pub uses: Option<i64>,
    /// Days it can be used; 14 where it is not said.
    pub days: Option<i64>,
}

/// An invitation that can still be used.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InvitationInfo {
    /// Its number.
    pub id: i64,
    /// What it opens: `signup` or `contest`.
    pub kind: String,
    /// The contest it is for; nothing for the site.
    pub contest: Option<String>,
    /// When it was made.
    pub created: i64,
    /// Until when it can be used.
    pub expires: i64,
    /// How often it can still be used.
    pub uses_left: i64,
}

/// A contest is made.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ContestAsk {
    /// Its name in addresses: small letters, digits, `-`.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// When it starts.
    pub starts: i64,
    /// When it ends.
    pub ends: i64,
    /// Whether an invitation is needed.
    pub invited_only: bool,
    /// What is played.
    pub games: Vec<ContestGameAsk>,
    /// Number of bots of the highest league that play for the final places.
    pub final_top: i64,
    /// Number of matches of each.
    pub final_matches: i64,
}

/// A game of a contest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ContestGameAsk {
    /// Its name.
    pub game: String,
    /// Keys of its leagues; all where there are none.
    pub leagues: Option<Vec<String>>,
    /// The edition of its rules, where it is not the usual one.
    pub edition: Option<String>,
}

/// What is changed about a contest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ContestPatch {
    /// Its name for people.
    pub title: Option<String>,
    /// When it starts; only before it has.
    pub starts: Option<i64>,
    /// When it ends.
    pub ends: Option<i64>,
    /// Whether an invitation is needed.
    pub invited_only: Option<bool>,
}

/// Something said to everybody.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnnouncementInfo {
    /// Its number.
    pub id: i64,
    /// English.
    pub en: String,
    /// French.
    pub fr: String,
    /// From when.
    pub starts: i64,
    /// Until when.
    pub ends: Option<i64>,
}

/// Something to be said to everybody.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct AnnouncementAsk {
    /// English.
    pub en: String,
    /// French.
    pub fr: String,
    /// From when; now where it is not said.
    pub starts: Option<i64>,
    /// Until when.
    pub ends: Option<i64>,
}

/// The ratings are to be computed again.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct RecomputeAsk {
    /// Only compare, change nothing.
    pub check: bool,
}

/// How far a recomputation is.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Recompute {
    /// Whether it goes on.
    pub running: bool,
    /// Matches folded.
    pub done: i64,
    /// Matches in all.
    pub total: i64,
    /// What came of the last one: standings and seats that differed.
    pub differences: Option<i64>,
    /// Why it failed.
    pub error: Option<String>,
    /// When it ended.
    pub finished: Option<i64>,
}

/// A match that was given up.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VoidInfo {
    /// The match.
    pub info: MatchInfo,
    /// Why.
    pub why: String,
    /// How often it was tried.
    pub attempts: i64,
}

/// Something that was done.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditLine {
    /// Its number.
    pub id: i64,
    /// When.
    pub at: i64,
    /// By whom.
    pub user: Option<String>,
    /// What.
    pub what: String,
}
