//! The administration of the site.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::{BotRef, MatchInfo, Role, Text};

/// The state of the site.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Overview {
    /// Matches in the queue.
    pub queued: i64,
    /// Matches that are being played.
    pub running: i64,
    /// Finished matches.
    pub done: i64,
    /// Void matches: failed too often by a fault of the server.
    pub voids: i64,
    /// Versions that wait to be built.
    pub building: i64,
    /// Accounts.
    pub users: i64,
    /// Bots of users.
    pub bots: i64,
    /// Whether the queue is paused, so that no new match begins.
    pub paused: bool,
    /// Workers, which play the matches.
    pub workers: Vec<WorkerInfo>,
    /// Paused bots.
    pub pauses: Vec<PausedBot>,
    /// Checks of this host: the sandbox, the programming languages.
    pub doctor: Vec<DoctorLine>,
    /// Database: `sqlite` or `postgres`.
    pub database: String,
    /// Number of clients that listen to events.
    pub listeners: i64,
    /// Start time of the server.
    pub since: i64,
}

/// A worker.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkerInfo {
    /// Name.
    pub name: String,
    /// Current activity.
    pub doing: String,
    /// Id of the match that it plays.
    pub match_id: Option<i64>,
    /// Start time of this activity.
    pub since: i64,
}

/// The workers of the cluster that plays for the arena.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClusterWorkers {
    /// Whether the arena has a cluster.
    pub cluster: bool,
    /// Whether this server plans the matches; of several servers, one does.
    pub leads: bool,
    /// All workers that were ever seen, by name.
    pub workers: Vec<ClusterWorker>,
}

/// A worker of a cluster, as it announced itself.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct ClusterWorker {
    /// Name.
    pub name: String,
    /// Name of its host.
    pub host: String,
    /// Version of its program.
    pub version: String,
    /// Level of its sandbox.
    pub level: String,
    /// Number of cores for matches.
    pub cores: i64,
    /// Turns of random games that a core plays per second.
    pub speed: i64,
    /// The longest interruption of a program when it was measured, in microseconds.
    pub noise_us: i64,
    /// Whether it takes matches that time decides.
    pub timed: bool,
    /// Matches that it has played since its start.
    pub played: i64,
    /// Matches that it could not play.
    pub failures: i64,
    /// Submissions that it has built since its start.
    pub built: i64,
    /// Programming languages that it can compile.
    pub languages: Vec<String>,
    /// Matches per second.
    pub rate: f64,
    /// When it was seen for the first time.
    pub first_seen: i64,
    /// When it was seen last.
    pub last_seen: i64,
    /// Whether it plays.
    pub state: ClusterWorkerState,
    /// Why it is disabled or suspected.
    pub why: Option<WorkerReason>,
}

/// Why a worker of a cluster is disabled or suspected.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum WorkerReason {
    /// More timeouts and crashes than elsewhere.
    Failures {
        /// Number of seats.
        played: i64,
        /// Failures in them.
        seen: i64,
        /// Failures that the same bots would have elsewhere.
        expected: i64,
    },
    /// A bot wins more or less often than elsewhere.
    Wins {
        /// Id of the bot.
        bot: i64,
        /// Number of its matches.
        played: i64,
        /// Wins in them.
        seen: i64,
        /// Wins that it would have elsewhere.
        expected: i64,
    },
    /// Deterministic bots played a match differently than on another worker.
    Differs {
        /// Id of the match.
        match_id: i64,
        /// Name of the other worker.
        other: String,
    },
    /// Its result is not the one that the rules give.
    FalseResult {
        /// Id of the match.
        match_id: i64,
        /// What is wrong with it, in English.
        details: String,
    },
    /// Another reason, in English.
    Text {
        /// The text.
        text: String,
    },
}

/// Whether a worker of a cluster plays.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[cfg_attr(test, derive(ts_rs::TS))]
pub enum ClusterWorkerState {
    /// It takes work.
    Active,
    /// It takes no more work.
    Drained,
    /// It takes no work, and its results are refused.
    Disabled,
}

/// A change of a worker of a cluster.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct WorkerPatch {
    /// Whether it plays.
    pub state: ClusterWorkerState,
}

/// A paused bot.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PausedBot {
    /// The bot.
    pub bot: BotRef,
    /// Name of the game.
    pub game: String,
    /// Reason.
    pub why: String,
}

/// A check of this host.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct DoctorLine {
    /// Subject of the check.
    pub what: String,
    /// Whether the check succeeded.
    pub fine: bool,
    /// Result of the check, and how to fix a problem.
    pub says: String,
}

/// A page of the list of accounts.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UserPage {
    /// The accounts.
    pub users: Vec<UserInfo>,
    /// Number of the page, from 0.
    pub page: i64,
    /// Whether there is a next page.
    pub more: bool,
}

/// An account, as administrators see it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct UserInfo {
    /// Id.
    pub id: i64,
    /// Name.
    pub name: String,
    /// Mail address.
    pub email: Option<String>,
    /// Rights.
    pub role: Role,
    /// Time of creation.
    pub created: i64,
    /// Whether the account is blocked.
    pub blocked: bool,
}

/// Changes to an account by an administrator; absent fields stay as they are.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct UserPatch {
    /// Rights.
    pub role: Option<Role>,
    /// Whether the account is blocked.
    pub blocked: Option<bool>,
}

/// A link that works once.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct OneTimeLink {
    /// One-time code that the link contains.
    pub code: String,
    /// Address.
    pub url: String,
    /// Time of expiry.
    pub expires: i64,
}

/// A request to create an invitation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct InvitationAsk {
    /// Key of the contest; null for an invitation to sign up on the site.
    pub contest: Option<String>,
    /// Number of times it can be used; default: 1.
    pub uses: Option<i64>,
    /// Days until it expires; default: 14.
    pub days: Option<i64>,
}

/// An invitation that can still be used.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct InvitationInfo {
    /// Id.
    pub id: i64,
    /// Purpose: `signup` or `contest`.
    pub kind: String,
    /// Key of the contest; null for an invitation to sign up on the site.
    pub contest: Option<String>,
    /// Time of creation.
    pub created: i64,
    /// Time of expiry.
    pub expires: i64,
    /// Number of times it can still be used.
    pub uses_left: i64,
}

/// A contest to create.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ContestAsk {
    /// Name in addresses: small letters, digits and `-`.
    pub key: String,
    /// Display name.
    pub title: String,
    /// Start time.
    pub starts: i64,
    /// End time.
    pub ends: i64,
    /// Whether an invitation is required.
    pub invited_only: bool,
    /// Games.
    pub games: Vec<ContestGameAsk>,
    /// Number of finalists: the best bots of the highest tier that a bot has reached.
    pub final_top: i64,
    /// Number of matches of each finalist.
    pub final_matches: i64,
    /// Description, in Markdown; default: none.
    pub about: Option<Text>,
    /// Prizes, in Markdown; default: none.
    pub prizes: Option<Text>,
    /// Maximum number of members of a team, at most 20; default: 1, everybody plays alone.
    pub team_size: Option<u32>,
}

/// A game of a contest.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ContestGameAsk {
    /// Name.
    pub game: String,
    /// Keys of the leagues of the contest; default: all leagues of the game.
    pub leagues: Option<Vec<String>>,
    /// Edition of the rules; default: the edition of each league.
    pub edition: Option<String>,
}

/// Changes to a contest; absent fields stay as they are.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct ContestPatch {
    /// Display name.
    pub title: Option<String>,
    /// Start time; can be changed only before the start.
    pub starts: Option<i64>,
    /// End time.
    pub ends: Option<i64>,
    /// Whether an invitation is required.
    pub invited_only: Option<bool>,
    /// Description, in Markdown.
    pub about: Option<Text>,
    /// Prizes, in Markdown.
    pub prizes: Option<Text>,
}

/// Accounts to create, as CSV.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct BulkAsk {
    /// One account per line: name, and optionally a mail address after a comma. At most 500 lines.
    pub csv: String,
    /// Key of a contest of which the accounts become members.
    pub contest: Option<String>,
}

/// A line of a bulk creation of accounts.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct BulkLine {
    /// Name.
    pub name: String,
    /// First password, which must be changed at the first login; null if the account was not created.
    pub password: Option<String>,
    /// Reason why the account was not created; null if it was.
    pub wrong: Option<String>,
}

/// An announcement on all pages.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AnnouncementInfo {
    /// Id.
    pub id: i64,
    /// English text.
    pub en: String,
    /// French text.
    pub fr: String,
    /// Time from which it is shown.
    pub starts: i64,
    /// Time until which it is shown; null for no end.
    pub ends: Option<i64>,
}

/// An announcement to create.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct AnnouncementAsk {
    /// English text.
    pub en: String,
    /// French text.
    pub fr: String,
    /// Time from which it is shown; default: now.
    pub starts: Option<i64>,
    /// Time until which it is shown; null for no end.
    pub ends: Option<i64>,
}

/// A request to compute all ratings again.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
#[cfg_attr(test, ts(optional_fields))]
pub struct RecomputeAsk {
    /// Whether to compare only and change nothing.
    pub check: bool,
}

/// The progress of the current or last recomputation.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct Recompute {
    /// Whether it is running.
    pub running: bool,
    /// Matches processed.
    pub done: i64,
    /// Matches to process.
    pub total: i64,
    /// Number of standings and seats that differed; null before the end, and if it failed.
    pub differences: Option<i64>,
    /// Error; null if it did not fail.
    pub error: Option<String>,
    /// End time; null before the end.
    pub finished: Option<i64>,
}

/// A void match.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct VoidInfo {
    /// The match.
    pub info: MatchInfo,
    /// Reason.
    pub why: String,
    /// Number of attempts to play it.
    pub attempts: i64,
}

/// A line of the audit log.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct AuditLine {
    /// Id.
    pub id: i64,
    /// Time.
    pub at: i64,
    /// Name of the user; null for the server itself.
    pub user: Option<String>,
    /// Action.
    pub what: String,
}

/// A picture to upload.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PictureAsk {
    /// The bytes of the picture, as base64.
    pub base64: String,
}

/// An uploaded picture.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[cfg_attr(test, derive(ts_rs::TS))]
pub struct PictureInfo {
    /// Address for Markdown: `![description](address)`.
    pub address: String,
}
