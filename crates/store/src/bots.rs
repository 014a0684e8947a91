//! Bots and their versions.

use model::{BotId, Tier, UserId, VersionId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use sqlx::any::AnyRow;

use crate::access::first;
use crate::builds::ProgramRef;
use crate::db::{Tx, change};
use crate::value::{Columns, FromRow, values};
use crate::{Result, Store, StoreError};

/// An entrant of a contest: a user has one bot per game; a built-in bot has one per tier it plays in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Bot {
    /// Its number.
    pub id: BotId,
    /// The contest.
    pub contest_id: i64,
    /// The game.
    pub game: String,
    /// The owner; `None` for a built-in bot.
    pub user_id: Option<UserId>,
    /// The name of the built-in bot, if it is one.
    pub built_in: Option<String>,
    /// Its display name.
    pub name: String,
    /// Its tier.
    pub tier: Tier,
    /// The version that plays; `None` until a version is activated.
    pub active_version: Option<VersionId>,
    /// Why it is paused and gets no matches.
    pub paused: Option<String>,
    /// When it was created.
    pub created: i64,
}

model::words! {
    /// The build state of a version.
    VersionState {
        /// Waits to be built.
        Waiting = "waiting",
        /// Is being built.
        Building = "building",
        /// Could not be built.
        Failed = "failed",
        /// Can play.
        Ready = "ready",
    }
}

/// One submission of a bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Version {
    /// Its number in the store.
    pub id: VersionId,
    /// Its bot.
    pub bot_id: BotId,
    /// Its number among the versions of its bot, from 1. A draft, which can only be tested, has a negative number.
    pub number: i64,
    /// The programming language; the literal `house` for a built-in bot.
    pub language: String,
    /// The SHA-256 of the source, in hexadecimal.
    pub digest: String,
    /// Its build state.
    pub state: VersionState,
    /// The output of the compiler. For its owner only.
    pub build_log: Option<String>,
    /// When it was submitted.
    pub created: i64,
    /// The tier of its bot at that time.
    pub tier: Tier,
    /// Whether it becomes the active version as soon as it is built.
    pub activate: bool,
    /// The number of builds that failed by our fault.
    pub attempts: i64,
    /// The token of its current build.
    pub lease: Option<i64>,
    /// The worker that builds it or has built it.
    pub builder: Option<String>,
    /// Its program in the object store of a cluster.
    pub program: Option<ProgramRef>,
}

impl Version {
    /// Whether it is a draft: its source was tested, not submitted.
    pub fn is_draft(&self) -> bool {
        self.number < 0
    }
}

/// A version to submit.
#[derive(Clone, Debug)]
pub struct NewVersion {
    /// The contest.
    pub contest_id: i64,
    /// The game.
    pub game: String,
    /// The user who submits it.
    pub user_id: UserId,
    /// The programming language.
    pub language: String,
    /// The source.
    pub source: String,
    /// Whether it becomes the active version as soon as it is built.
    pub activate: bool,
}

impl FromRow for Bot {
    fn from_row(row: &AnyRow) -> Result<Bot> {
        Ok(Bot {
            id: row.id("id")?,
            contest_id: row.int("contest_id")?,
            game: row.text("game")?,
            user_id: row.id_or_none("user_id")?,
            built_in: row.text_or_none("house")?,
            name: row.text("name")?,
            tier: row.id("league")?,
            active_version: row.id_or_none("active_version")?,
            paused: row.text_or_none("paused")?,
            created: row.int("created")?,
        })
    }
}

impl FromRow for Version {
    fn from_row(row: &AnyRow) -> Result<Version> {
        Ok(Version {
            id: row.id("id")?,
            bot_id: row.id("bot_id")?,
            number: row.int("number")?,
            language: row.text("language")?,
            digest: row.text("digest")?,
            state: row.word("state")?,
            build_log: row.text_or_none("build_log")?,
            created: row.int("created")?,
            tier: row.id("league")?,
            activate: row.flag("activate")?,
            attempts: row.int("attempts")?,
            lease: row.int_or_none("lease")?,
            builder: row.text_or_none("builder")?,
            program: ProgramRef::of(row)?,
        })
    }
}

/// The columns of a version, except its source, which may be long.
pub(crate) const VERSION: &str = "id, bot_id, number, language, digest, state, build_log, created, league, activate, attempts, lease, builder, program, platform";

impl Tx {
    pub(crate) async fn bot(&mut self, id: BotId) -> Result<Bot> {
        let bot = self.find("SELECT * FROM bots WHERE id = $1", values![id]).await?;
        bot.ok_or_else(|| StoreError::not_found(format!("bot {id}")))
    }

    /// Removes the waiting matches of a bot from the queue.
    pub(crate) async fn cancel_of_bot(&mut self, bot: BotId) -> Result<u64> {
        // The queue is short, the bot's log is long: the plus sign stops the query planners from starting at the log.
        self.run(
            "DELETE FROM matches WHERE state = 'queued' AND seq IS NULL AND id IN (SELECT s.match_id FROM matches m \
             JOIN seats s ON s.match_id = m.id WHERE m.state = 'queued' AND m.seq IS NULL AND +s.bot_id = $1)",
            values![bot],
        )
        .await
    }

    pub(crate) async fn version(&mut self, id: VersionId) -> Result<Version> {
        let version =
            self.find(&format!("SELECT {VERSION} FROM versions WHERE id = $1"), values![id]).await?;
        version.ok_or_else(|| StoreError::not_found(format!("version {id}")))
    }

    pub(crate) async fn ensure_bot(
        &mut self,
        contest: i64,
        game: &str,
        user: UserId,
        now: i64,
    ) -> Result<Bot> {
        self.run(
            "INSERT INTO bots (contest_id, game, user_id, name, league, created) \
             SELECT $1, $2, id, name, $5, $4 FROM users WHERE id = $3 \
             ON CONFLICT (contest_id, game, user_id) DO NOTHING",
            values![contest, game, user, now, Tier::FIRST],
        )
        .await?;
        let sql = "SELECT * FROM bots WHERE contest_id = $1 AND game = $2 AND user_id = $3";
        let bot = self.find(sql, values![contest, game, user]).await?;
        bot.ok_or_else(|| StoreError::not_found(format!("user {user}")))
    }

    async fn make_active(&mut self, version: &Version) -> Result<()> {
        let sql = "UPDATE bots SET active_version = $2, paused = NULL WHERE id = $1";
        self.run(sql, values![version.bot_id, version.id]).await?;
        self.relist(version.bot_id).await
    }
}

impl Store {
    /// The bot with this number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn bot(&self, id: BotId) -> Result<Option<Bot>> {
        self.find("SELECT * FROM bots WHERE id = $1", values![id]).await
    }

    /// The bot of a user in a game of a contest.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn bot_of(&self, contest: i64, game: &str, user: UserId) -> Result<Option<Bot>> {
        let sql = "SELECT * FROM bots WHERE contest_id = $1 AND game = $2 AND user_id = $3";
        self.find(sql, values![contest, game, user]).await
    }

    /// The bots of a user, in all contests.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn bots_of_user(&self, user: UserId) -> Result<Vec<Bot>> {
        self.list("SELECT * FROM bots WHERE user_id = $1 ORDER BY contest_id, game", values![user]).await
    }

    /// The built-in bots of a game in a contest, from the lowest tier up.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn built_in_bots(&self, contest: i64, game: &str) -> Result<Vec<Bot>> {
        let sql = "SELECT * FROM bots WHERE contest_id = $1 AND game = $2 AND house IS NOT NULL ORDER BY league, id";
        self.list(sql, values![contest, game]).await
    }

    /// The user's bot; it is created in the first tier if it does not exist.
    ///
    /// # Errors
    ///
    /// When there is no such user or contest, or the database fails.
    pub async fn ensure_bot(&self, contest: i64, game: &str, user: UserId, now: i64) -> Result<Bot> {
        change!(self, tx => tx.ensure_bot(contest, game, user, now).await?)
    }

    /// A built-in bot of a tier, with its only version ready and active; it is created if it does not exist. `title` is
    /// its display name.
    ///
    /// # Errors
    ///
    /// When there is no such contest, or the database fails.
    pub async fn ensure_built_in_bot(
        &self,
        contest: i64,
        game: &str,
        built_in: &str,
        title: &str,
        tier: Tier,
        now: i64,
    ) -> Result<Bot> {
        const FIND: &str =
            "SELECT * FROM bots WHERE contest_id = $1 AND game = $2 AND house = $3 AND league = $4";
        let key = values![contest, game, built_in, tier];
        let found: Option<Bot> = self.find(FIND, key).await?;
        if let Some(bot) = found.filter(|bot| bot.active_version.is_some() && bot.name == title) {
            return Ok(bot);
        }
        change!(self, tx => {
            tx.lock().await?;
            let sql = "INSERT INTO bots (contest_id, game, house, name, league, created) VALUES ($1, $2, $3, $6, $4, $5) \
                       ON CONFLICT (contest_id, game, house, league) DO UPDATE SET name = excluded.name";
            tx.run(sql, values![contest, game, built_in, tier, now, title]).await?;
            let bot: Bot = tx.find(FIND, key).await?.ok_or_else(|| StoreError::not_found("such house bot"))?;
            let sql = "INSERT INTO versions (bot_id, number, language, source, digest, state, created, league, activate) \
                       VALUES ($1, 1, 'house', '', '', 'ready', $2, $3, 1) ON CONFLICT (bot_id, number) DO NOTHING";
            tx.run(sql, values![bot.id, now, tier]).await?;
            let sql = format!("SELECT {VERSION} FROM versions WHERE bot_id = $1 AND number = 1");
            let version: Version =
                tx.find(&sql, values![bot.id]).await?.ok_or_else(|| StoreError::not_found("such version"))?;
            tx.make_active(&version).await?;
            tx.bot(bot.id).await?
        })
    }

    /// Stores a submission: the user's bot is created if it does not exist; the version gets the next number and waits
    /// to be built.
    ///
    /// # Errors
    ///
    /// When there is no such user or contest, or the database fails.
    pub async fn submit(&self, new: &NewVersion, now: i64) -> Result<Version> {
        let digest = hex(&Sha256::digest(new.source.as_bytes()));
        change!(self, tx => {
            let bot = tx.ensure_bot(new.contest_id, &new.game, new.user_id, now).await?;
            // Locks the bot, so that two concurrent submissions get different numbers.
            tx.run("UPDATE bots SET name = name WHERE id = $1", values![bot.id]).await?;
            let sql = format!(
                "INSERT INTO versions (bot_id, number, language, source, digest, state, created, league, activate) \
                 SELECT $1, COALESCE(MAX(CASE WHEN number > 0 THEN number END), 0) + 1, $2, $3, $4, 'waiting', $5, $6, $7 FROM versions WHERE bot_id = $1 \
                 RETURNING {VERSION}"
            );
            let values =
                values![bot.id, &new.language, &new.source, &digest, now, bot.tier, new.activate];
            first(tx.list::<Version>(&sql, values).await?, "version")?
        })
    }

    /// Makes a version the active version of its bot: a version without a history on the ladders of its bot's tier
    /// starts as a newcomer there, and the bot is no longer paused. Waiting matches of other versions are still played.
    ///
    /// # Errors
    ///
    /// `Conflict` when the version is not built, the account of its author is blocked, or the contest is not running;
    /// when there is no such version, and when the database fails.
    pub async fn activate(&self, version: VersionId, now: i64) -> Result<Bot> {
        change!(self, tx => {
            tx.lock().await?;
            let version = tx.version(version).await?;
            if version.state != VersionState::Ready {
                let message = format!("version {} is {}: only one that is built can play", version.number, version.state);
                return Err(StoreError::conflict(message));
            }
            if version.is_draft() {
                return Err(StoreError::conflict("a draft cannot play: submit its source"));
            }
            let bot = tx.bot(version.bot_id).await?;
            let sql = "SELECT id FROM users WHERE id = $1 AND blocked = 1";
            if tx.optional(sql, values![bot.user_id]).await?.is_some() {
                return Err(StoreError::conflict("the account of the bot's author is blocked"));
            }
            let sql = "SELECT id FROM contests WHERE id = $1 AND state = 'running' AND (ends IS NULL OR ends > $2)";
            if tx.optional(sql, values![bot.contest_id, now]).await?.is_none() {
                return Err(StoreError::conflict("the contest is not running"));
            }
            tx.make_active(&version).await?;
            tx.bot(version.bot_id).await?
        })
    }

    /// Pauses a bot with a reason, which its owner reads in a notice `paused`, or resumes it. The waiting matches of a
    /// paused bot are removed from the queue.
    ///
    /// # Errors
    ///
    /// When there is no such bot, or the database fails.
    pub async fn set_paused(&self, bot: BotId, why: Option<&str>, now: i64) -> Result<()> {
        change!(self, tx => {
            tx.lock().await?;
            let before = tx.bot(bot).await?;
            match why {
                Some(why) => tx.pause(&before, why, now).await?,
                None => tx.run("UPDATE bots SET paused = NULL WHERE id = $1", values![bot]).await.map(|_| ())?,
            }
        })
    }

    /// The versions of a bot whose number is below `before`, without drafts, the newest first; at most 200.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn versions(&self, bot: BotId, before: Option<i64>) -> Result<Vec<Version>> {
        let sql = format!(
            "SELECT {VERSION} FROM versions WHERE bot_id = $1 AND number > 0 AND number < $2 ORDER BY number DESC LIMIT 200"
        );
        self.list(&sql, values![bot, before.unwrap_or(i64::MAX)]).await
    }

    /// The version with this number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn version(&self, id: VersionId) -> Result<Option<Version>> {
        self.find(&format!("SELECT {VERSION} FROM versions WHERE id = $1"), values![id]).await
    }

    /// The source of a version. Only for its owner and for the builder.
    ///
    /// # Errors
    ///
    /// When there is no such version, or the database fails.
    pub async fn source(&self, version: VersionId) -> Result<String> {
        let row = self.optional("SELECT source FROM versions WHERE id = $1", values![version]).await?;
        row.ok_or_else(|| StoreError::not_found(format!("version {version}")))?.text("source")
    }

    /// The sources of versions, in any order; versions that do not exist are left out.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn sources(&self, versions: &[VersionId]) -> Result<Vec<String>> {
        if versions.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<i64> = versions.iter().map(|version| version.0).collect();
        let mut tx = self.snapshot().await?;
        let rows = tx.of_ids("SELECT source FROM versions WHERE id IN {IDS}", &ids).await?;
        rows.iter().map(|row| row.text("source")).collect()
    }
}

impl Tx {
    pub(crate) async fn pause(&mut self, bot: &Bot, why: &str, now: i64) -> Result<()> {
        self.run("UPDATE bots SET paused = $2 WHERE id = $1", values![bot.id, why]).await?;
        self.cancel_of_bot(bot.id).await?;
        if let Some(user) = bot.user_id {
            let data = serde_json::json!({"bot": bot.id, "game": bot.game, "why": why});
            self.notice(user, now, "paused", &data).await?;
        }
        Ok(())
    }
}

/// Bytes in hexadecimal.
pub(crate) fn hex(bytes: &[u8]) -> String {
    use std::fmt::Write as _;
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        let _ = write!(text, "{byte:02x}");
        text
    })
}
