//! Builds of versions: a version waits, is leased to a builder for some time, and ends as ready or failed.

use model::{UserId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::access::first;
use crate::bots::VERSION;
use crate::db::change;
use crate::value::{Columns, Value, values};
use crate::{Result, Store, Version, VersionState};

/// A built program in the object store of a cluster.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramRef {
    /// SHA-256 of the packed program.
    pub digest: String,
    /// The platform for which it was built.
    pub platform: String,
}

impl ProgramRef {
    /// From the columns `program` and `platform`.
    pub(crate) fn of(row: &AnyRow) -> Result<Option<ProgramRef>> {
        let found = row.text_or_none("program")?.zip(row.text_or_none("platform")?);
        Ok(found.map(|(digest, platform)| ProgramRef { digest, platform }))
    }
}

/// The languages of the versions that a builder takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Languages<'a> {
    /// Only these.
    Only(&'a [String]),
    /// All but these.
    Except(&'a [String]),
}

/// A builder that asks for a version.
#[derive(Clone, Copy, Debug)]
pub struct BuildTurn<'a> {
    /// Its name.
    pub builder: &'a str,
    /// The languages that it takes.
    pub languages: Languages<'a>,
    /// The time.
    pub now: i64,
    /// The end of the lease.
    pub until: i64,
}

/// The result of a build.
#[derive(Clone, Debug)]
pub enum Built {
    /// The version can play; the output of the compiler.
    Ready(String),
    /// The version cannot play; the output of the compiler.
    Failed(String),
    /// The compiler ran into its time limit; its output. The account loses its next turn in the queue of builds.
    Slow(String),
    /// The build failed by our fault; the reason, for the admin.
    Ours(String),
}

/// A build that has ended.
#[derive(Clone, Copy, Debug)]
pub struct EndedBuild<'a> {
    /// The version.
    pub version: VersionId,
    /// The token of the build.
    pub lease: i64,
    /// The name of the builder.
    pub builder: &'a str,
    /// The result.
    pub built: &'a Built,
    /// The program in the object store of the cluster.
    pub program: Option<&'a ProgramRef>,
}

/// The number of attempts at a build that fails by our fault.
const BUILD_ATTEMPTS: i64 = 3;
/// The wait before the second attempt at a build, in milliseconds. The wait before the third is four times as long.
const BUILD_AGAIN: i64 = 10_000;
/// The message for the author of a version that could not be built by our fault.
const OUR_FAULT: &str = "the server could not build this version, by its own fault; its admin is told: submit the version again later";

/// The next version to build, with its account: the oldest version of the account that was served longest ago and has no
/// running build; versions that failed by our fault come after the account's other versions. `$1` is the time, `$2` an
/// account that is left out, `{LANGUAGES}` a condition.
const NEXT_TO_BUILD: &str = "SELECT v.id, u.id AS user_id, u.build_skips FROM versions v \
    JOIN bots b ON b.id = v.bot_id JOIN users u ON u.id = b.user_id \
    WHERE v.state = 'waiting' AND v.not_before <= $1 AND u.id <> $2 AND {LANGUAGES} AND NOT EXISTS (SELECT 1 FROM versions w \
    JOIN bots c ON c.id = w.bot_id WHERE w.state = 'building' AND c.user_id = u.id) \
    ORDER BY COALESCE((SELECT MAX(o.build_turn) FROM users o WHERE o.network = u.network), u.build_turn), \
    u.build_turn, v.attempts, v.id LIMIT 1";
/// Nobody's account.
const NOBODY: UserId = UserId(-1);

impl BuildTurn<'_> {
    /// The query for the next version, and its values without this account.
    fn next(&self) -> (String, impl Fn(UserId) -> Vec<Value>) {
        let (word, names) = match self.languages {
            Languages::Only(names) => ("IN", names),
            Languages::Except(names) => ("NOT IN", names),
        };
        // A list must not be empty; no language has an empty name.
        let names: Vec<Value> = names.iter().map(Value::from).chain([Value::from("")]).collect();
        let places: Vec<String> = (3..names.len() + 3).map(|place| format!("${place}")).collect();
        let languages = format!("v.language {word} ({})", places.join(", "));
        let now = self.now;
        let values = move |but: UserId| [vec![Value::from(now), Value::from(but)], names.clone()].concat();
        (NEXT_TO_BUILD.replace("{LANGUAGES}", &languages), values)
    }
}

impl Store {
    /// Leases the next version to a builder. Accounts take turns: the account that was served longest ago is next, with its
    /// oldest version. New accounts from one network share a turn. An account has one build at a time, and loses its turn to other
    /// accounts after a build that ran into the compiler's time limit.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn next_to_build(&self, turn: &BuildTurn<'_>) -> Result<Option<Version>> {
        let (sql, values_without) = turn.next();
        // Usually no version waits, and then nothing is locked.
        if self.optional(&sql, &values_without(NOBODY)).await?.is_none() {
            return Ok(None);
        }
        change!(self, tx => {
            // One caller at a time.
            let token = tx.number("UPDATE counters SET value = value + 1 WHERE name = 'lease' RETURNING value", &[]).await?;
            loop {
                let Some(next) = tx.optional(&sql, &values_without(NOBODY)).await? else { break None };
                let user: UserId = next.id("user_id")?;
                let skips = next.int("build_skips")? > 0
                    && tx.optional(&sql, &values_without(user)).await?.is_some();
                let turns = "UPDATE users SET build_skips = 0, build_turn = (SELECT MAX(build_turn) FROM users) + 1 WHERE id = $1";
                tx.run(turns, values![user]).await?;
                if !skips {
                    let lease = format!(
                        "UPDATE versions SET state = 'building', lease = $2, lease_until = $3, builder = $4 WHERE id = $1 \
                         RETURNING {VERSION}"
                    );
                    let id: VersionId = next.id("id")?;
                    break tx.find(&lease, values![id, token, turn.until, turn.builder]).await?;
                }
            }
        })
    }

    /// Puts versions whose build was interrupted back into the queue of builds, except those of builders whose names begin with
    /// `keep`. Returns their number. Called at the start of a server.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn requeue_builds(&self, keep: Option<&str>) -> Result<u64> {
        let sql = "UPDATE versions SET state = 'waiting', lease = NULL WHERE state = 'building' \
                   AND (builder IS NULL OR $1 = '' OR substr(builder, 1, length($1)) <> $1)";
        self.run(sql, values![keep.unwrap_or_default()]).await
    }

    /// Puts a version back into the queue of builds, where it waits until `not_before`. No fault is counted. Returns whether the
    /// lease was valid.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn give_back_build(&self, version: VersionId, lease: i64, not_before: i64) -> Result<bool> {
        let sql = "UPDATE versions SET state = 'waiting', lease = NULL, not_before = $3 \
                   WHERE id = $1 AND lease = $2 AND state = 'building'";
        Ok(self.run(sql, values![version, lease, not_before]).await? > 0)
    }

    /// The versions that are leased to builders whose names begin with `builder`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn builds_leased_to(&self, builder: &str) -> Result<Vec<Version>> {
        let sql = format!(
            "SELECT {VERSION} FROM versions WHERE state = 'building' AND lease IS NOT NULL \
             AND substr(builder, 1, length($1)) = $1 ORDER BY id"
        );
        self.list(&sql, values![builder]).await
    }

    /// Extends all leases of builders whose names begin with `builder`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn renew_builds(&self, builder: &str, until: i64) -> Result<u64> {
        let sql = "UPDATE versions SET lease_until = $2 WHERE state = 'building' \
                   AND substr(builder, 1, length($1)) = $1";
        self.run(sql, values![builder, until]).await
    }

    /// Puts versions whose lease expired back into the queue of builds, and returns their number. Later results of their builders
    /// are refused.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn expire_builds(&self, now: i64) -> Result<u64> {
        let sql = "UPDATE versions SET state = 'waiting', lease = NULL WHERE state = 'building' AND lease_until < $1";
        self.run(sql, values![now]).await
    }

    /// Stores the result of a build; `None` if its lease is not valid any more: nothing was changed. If the version cannot play,
    /// the bot's owner gets a notice `build_failed`. A build that failed by our fault is tried again later, three times in all;
    /// then the version has failed, and the admin's log says why.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn built(&self, ended: &EndedBuild<'_>, now: i64) -> Result<Option<Version>> {
        let built = ended.built;
        change!(self, tx => {
            // Locks the version, so that its result is stored once.
            let sql = format!(
                "UPDATE versions SET lease = NULL, lease_until = NULL WHERE id = $1 AND lease = $2 AND state = 'building' \
                 RETURNING {VERSION}"
            );
            let before: Option<Version> = tx.find(&sql, values![ended.version, ended.lease]).await?;
            let Some(before) = before else { return Ok(None) };
            let (state, log, attempts) = match built {
                Built::Ready(log) => (VersionState::Ready, Some(log.as_str()), before.attempts),
                Built::Failed(log) | Built::Slow(log) => (VersionState::Failed, Some(log.as_str()), before.attempts),
                Built::Ours(_) if before.attempts + 1 < BUILD_ATTEMPTS => {
                    (VersionState::Waiting, None, before.attempts + 1)
                }
                Built::Ours(_) => (VersionState::Failed, Some(OUR_FAULT), before.attempts + 1),
            };
            let sql = format!(
                "UPDATE versions SET state = $2, build_log = $3, attempts = $4, not_before = $5, builder = $6, program = $7, \
                 platform = $8 WHERE id = $1 RETURNING {VERSION}"
            );
            let not_before = now + BUILD_AGAIN * attempts * attempts;
            let (digest, platform) = (
                ended.program.map(|program| program.digest.as_str()),
                ended.program.map(|program| program.platform.as_str()),
            );
            let values =
                values![before.id, state.word(), log, attempts, not_before, ended.builder, digest, platform];
            let version = first(tx.list::<Version>(&sql, values).await?, "such version")?;
            let bot = tx.bot(version.bot_id).await?;
            if let (VersionState::Failed, Some(user), false) = (state, bot.user_id, version.is_draft()) {
                let data = serde_json::json!({"bot": bot.id, "game": bot.game, "version": version.id, "number": version.number});
                tx.notice(user, now, "build_failed", &data).await?;
            }
            match built {
                Built::Slow(_) => {
                    let sql = "UPDATE users SET build_skips = 1 WHERE id = $1";
                    tx.run(sql, values![bot.user_id]).await?;
                }
                Built::Ours(why) if state == VersionState::Failed => {
                    let what = format!(
                        "version {} of bot {} could not be built in {BUILD_ATTEMPTS} attempts, by the server's fault: {why}",
                        version.number, bot.id
                    );
                    tx.audit(now, &what).await?;
                }
                _ => {}
            }
            Some(version)
        })
    }
}
