//! Drafts: sources that their authors test without submitting them. A draft is a version with a negative number; its matches
//! are tests, which only its author sees.

use model::{BotId, MatchId, VersionId};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::access::first;
use crate::bots::{VERSION, hex};
use crate::db::{Tx, change};
use crate::value::{Columns, values};
use crate::{NewMatch, NewVersion, Result, Store, Version};

/// The number of drafts of a bot that are kept, with their matches.
const KEPT: i64 = 20;

/// The part of a seat in a test of a draft.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub enum Part {
    /// The match is no test of a draft.
    #[default]
    None,
    /// The draft is tested here: its author may see the match.
    Tested,
    /// An opponent of the draft: its author may not see the match.
    Opponent,
}

impl Part {
    pub(crate) fn of(number: i64) -> Part {
        match number {
            1 => Part::Tested,
            2 => Part::Opponent,
            _ => Part::None,
        }
    }
}

/// The matches that are queued when a draft is built.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TestPlan {
    /// The ladder of the tests.
    pub ladder_id: i64,
    /// Their priority among tests.
    pub priority: i64,
    /// The matches.
    pub matches: Vec<PlannedMatch>,
}

/// A match of a [`TestPlan`].
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PlannedMatch {
    /// The seed of its map.
    pub seed: i64,
    /// The version in each seat; `None` for the draft.
    pub seats: Vec<Option<VersionId>>,
}

impl Tx {
    /// Marks the seats of the matches in which a draft plays.
    pub(crate) async fn mark_tests(&mut self, ids: &[MatchId]) -> Result<()> {
        let sql = "UPDATE seats SET part = CASE WHEN (SELECT v.number FROM versions v WHERE v.id = seats.version_id) < 0 \
                   THEN 1 ELSE 2 END WHERE match_id IN {IDS} AND EXISTS (SELECT 1 FROM seats o JOIN versions v \
                   ON v.id = o.version_id WHERE o.match_id = seats.match_id AND v.number < 0)";
        let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
        self.of_ids(sql, &ids).await.map(|_| ())
    }

    /// Removes the tests of a bot's drafts that are not over, and the drafts that wait to be built. Returns the matches.
    async fn supersede(&mut self, bot: BotId) -> Result<Vec<MatchId>> {
        let sql = "DELETE FROM versions WHERE bot_id = $1 AND number < 0 AND state = 'waiting'";
        self.run(sql, values![bot]).await?;
        let sql = "UPDATE versions SET plan = NULL WHERE bot_id = $1 AND number < 0 AND plan IS NOT NULL";
        self.run(sql, values![bot]).await?;
        let sql = "DELETE FROM matches WHERE state IN ('queued', 'leased') AND seq IS NULL AND id IN (SELECT s.match_id \
                   FROM matches m JOIN seats s ON s.match_id = m.id WHERE m.state IN ('queued', 'leased') AND m.seq IS NULL \
                   AND +s.bot_id = $1 AND s.part = 1) RETURNING id";
        self.all(sql, values![bot]).await?.iter().map(|row| row.id("id")).collect()
    }

    /// Removes the oldest drafts of a bot with their matches. Their record files are removed by [`Store::sweep`].
    async fn prune(&mut self, bot: BotId) -> Result<()> {
        let sql = "SELECT id FROM versions WHERE bot_id = $1 AND number < 0 AND state IN ('ready', 'failed') \
                   ORDER BY number LIMIT 1000 OFFSET $2";
        for row in self.all(sql, values![bot, KEPT]).await? {
            let draft: VersionId = row.id("id")?;
            let sql = "DELETE FROM matches WHERE id IN (SELECT match_id FROM seats WHERE bot_id = $1 AND version_id = $2)";
            self.run(sql, values![bot, draft]).await?;
            self.run("DELETE FROM versions WHERE id = $1", values![draft]).await?;
        }
        Ok(())
    }
}

impl Store {
    /// Stores a draft, which waits to be built. With a plan, it supersedes the tests of the bot's earlier drafts: those that
    /// are not over are removed, also while they are played, and returned.
    ///
    /// # Errors
    ///
    /// When there is no such user or contest, or the database fails.
    pub async fn draft(
        &self,
        new: &NewVersion,
        plan: Option<&TestPlan>,
        now: i64,
    ) -> Result<(Version, Vec<MatchId>)> {
        let digest = hex(&Sha256::digest(new.source.as_bytes()));
        let text = plan.map(|plan| serde_json::json!(plan).to_string());
        change!(self, tx => {
            let bot = tx.ensure_bot(new.contest_id, &new.game, new.user_id, now).await?;
            // Locks the bot, so that two concurrent drafts get different numbers.
            tx.run("UPDATE bots SET name = name WHERE id = $1", values![bot.id]).await?;
            let mut superseded = Vec::new();
            if plan.is_some() {
                superseded = tx.supersede(bot.id).await?;
                tx.prune(bot.id).await?;
            }
            let sql = format!(
                "INSERT INTO versions (bot_id, number, language, source, digest, state, created, league, activate, plan) \
                 SELECT $1, COALESCE(MIN(CASE WHEN number < 0 THEN number END), 0) - 1, $2, $3, $4, 'waiting', $5, $6, 0, $7 \
                 FROM versions WHERE bot_id = $1 RETURNING {VERSION}"
            );
            let values = values![bot.id, &new.language, &new.source, &digest, now, bot.tier, &text];
            (first(tx.list::<Version>(&sql, values).await?, "version")?, superseded)
        })
    }

    /// Queues the planned matches of a draft that is built. Returns their number: 0 if the draft was superseded.
    ///
    /// # Errors
    ///
    /// When there is no such draft, or the database fails.
    pub async fn queue_plan(&self, draft: VersionId, now: i64) -> Result<usize> {
        change!(self, tx => {
            // Locks the draft: a plan is queued once.
            tx.run("UPDATE versions SET plan = plan WHERE id = $1", values![draft]).await?;
            let row = tx.optional("SELECT plan FROM versions WHERE id = $1", values![draft]).await?;
            let text = row.map(|row| row.text_or_none("plan")).transpose()?.flatten();
            let plan: Option<TestPlan> = text.and_then(|text| serde_json::from_str(&text).ok());
            let mut queued = 0;
            if let Some(plan) = plan {
                for one in &plan.matches {
                    let seats = one.seats.iter().map(|seat| seat.unwrap_or(draft)).collect();
                    let new = NewMatch {
                        ladder_id: plan.ladder_id,
                        seed: one.seed,
                        seats,
                        priority: plan.priority,
                        round: 0,
                    };
                    tx.enqueue(&new, now).await?;
                    queued += 1;
                }
                tx.run("UPDATE versions SET plan = NULL WHERE id = $1", values![draft]).await?;
            }
            queued
        })
    }
}
