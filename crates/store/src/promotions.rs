//! Promotions, the best of five against a boss, and the matches of a version.

use model::{BotId, LadderKind, MatchId, Tier, Trial, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::bots::Bot;
use crate::db::{Tx, change};
use crate::value::{Columns as _, FromRow, values};
use crate::{MatchRow, MatchState, Outcome, Result, Store, StoreError};

/// The number of a bot's last matches that are searched.
const LAST: i64 = 2_000;

/// A promotion to the next tier.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Promotion {
    /// Its number.
    pub id: i64,
    /// The bot.
    pub bot_id: BotId,
    /// The version that earned it.
    pub version_id: VersionId,
    /// The tier before the promotion.
    pub from_tier: Tier,
    /// The tier after the promotion.
    pub to_tier: Tier,
    /// The match that led to it; `None` when an admin promoted the bot.
    pub match_id: Option<MatchId>,
    /// When it happened.
    pub at: i64,
}

/// The state of a trial.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TrialRow {
    /// The number of the trial of its bot.
    pub round: i64,
    /// The version.
    pub version_id: VersionId,
    /// Its bot.
    pub bot_id: BotId,
    /// The results of its finished matches.
    #[serde(flatten)]
    pub trial: Trial,
    /// Matches of the trial that wait or are being played.
    pub waiting: i64,
}

impl FromRow for Promotion {
    fn from_row(row: &AnyRow) -> Result<Promotion> {
        Ok(Promotion {
            id: row.int("id")?,
            bot_id: row.id("bot_id")?,
            version_id: row.id("version_id")?,
            from_tier: row.id("from_league")?,
            to_tier: row.id("to_league")?,
            match_id: row.id_or_none("match_id")?,
            at: row.int("at")?,
        })
    }
}

/// A boss fight: all matches of one best of five.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FightRow {
    /// The number of the fight of its bot, from 1.
    pub round: i64,
    /// The tier of the boss.
    pub tier: Tier,
    /// The version that fights.
    pub version_id: VersionId,
    /// The result so far.
    pub trial: Trial,
    /// Whether no match of the fight waits or is being played, and the fight is decided.
    pub over: bool,
    /// When it began.
    pub began: i64,
    /// Its matches, the oldest first.
    pub matches: Vec<MatchRow>,
}

impl FightRow {
    /// The fight of a bot with these matches; `None` without a match.
    fn of(bot: BotId, matches: Vec<MatchRow>) -> Option<FightRow> {
        let first = matches.first()?;
        let own = |row: &MatchRow| row.seats.iter().find(|seat| seat.bot_id == bot).cloned();
        let (round, tier, began, version_id) =
            (first.round, first.tier, first.created, own(first)?.version_id);
        let (mut trial, mut all_played) = (Trial::default(), true);
        for row in &matches {
            match own(row).and_then(|seat| seat.outcome) {
                Some(Outcome::Won) => trial.wins += 1,
                Some(Outcome::Drawn) => trial.draws += 1,
                Some(Outcome::Lost) => trial.losses += 1,
                None => all_played &= row.state == MatchState::Void,
            }
        }
        let over = all_played && trial.verdict().is_some();
        Some(FightRow { round, tier, version_id, trial, over, began, matches })
    }
}

/// The maximum number of matches of boss fights that are read at once.
const FIGHT_MATCHES: i64 = 200;

impl Store {
    /// Promotes a bot on behalf of an admin; the `match_id` of this promotion is `None`.
    ///
    /// # Errors
    ///
    /// When there is no such bot or it has no version, or the database fails.
    pub async fn promote(&self, bot: BotId, now: i64) -> Result<Promotion> {
        change!(self, tx => {
            tx.lock().await?;
            let bot = tx.bot(bot).await?;
            let version = match bot.active_version {
                Some(version) => version,
                None => {
                    let sql = "SELECT id FROM versions WHERE bot_id = $1 AND number > 0 ORDER BY number DESC LIMIT 1";
                    tx.number(sql, values![bot.id]).await?.into()
                }
            };
            tx.promote(&bot, version, None, now).await?
        })
    }

    /// The promotions of a bot, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn promotions(&self, bot: BotId) -> Result<Vec<Promotion>> {
        self.list("SELECT * FROM promotions WHERE bot_id = $1 ORDER BY id DESC", values![bot]).await
    }

    /// The state of the newest trial of a bot, if it ever had one.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn last_trial(&self, bot: BotId) -> Result<Option<TrialRow>> {
        self.newest_trial(bot, None).await
    }

    /// The state of the newest trial of a version in a ladder, if it ever had one there.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn last_trial_of(
        &self,
        bot: BotId,
        version: VersionId,
        ladder: i64,
    ) -> Result<Option<TrialRow>> {
        self.newest_trial(bot, Some((version, ladder))).await
    }

    async fn newest_trial(&self, bot: BotId, of: Option<(VersionId, i64)>) -> Result<Option<TrialRow>> {
        let sql = "SELECT m.ladder_id, m.round, s.version_id FROM seats s JOIN matches m ON m.id = s.match_id \
                   JOIN ladders l ON l.id = m.ladder_id WHERE s.bot_id = $1 AND l.kind = 'trial' \
                   AND s.version_id = COALESCE($2, s.version_id) AND l.id = COALESCE($3, l.id) \
                   ORDER BY s.match_id DESC LIMIT 1";
        let mut tx = self.snapshot().await?;
        let values = values![bot, of.map(|(version, _)| version), of.map(|(_, ladder)| ladder)];
        let Some(row) = tx.optional(sql, values).await? else { return Ok(None) };
        tx.trial(row.int("ladder_id")?, row.int("round")?, row.id("version_id")?, bot).await.map(Some)
    }

    /// The boss fights of a bot of a user, the newest first, among its last 200 matches of boss fights; only the fight
    /// with this number, if one is given.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn fights(&self, bot: BotId, round: Option<i64>) -> Result<Vec<FightRow>> {
        let sql = "SELECT DISTINCT s.match_id FROM seats s JOIN bots b ON b.id = s.bot_id \
                   JOIN matches m ON m.id = s.match_id JOIN ladders l ON l.id = m.ladder_id \
                   WHERE s.bot_id = $1 AND b.user_id IS NOT NULL AND l.kind = 'trial' AND m.round = COALESCE($2, m.round) \
                   ORDER BY s.match_id DESC LIMIT $3";
        let rows = self.all(sql, values![bot, round, FIGHT_MATCHES]).await?;
        let mut ids = rows.iter().map(|row: &AnyRow| row.id("match_id")).collect::<Result<Vec<MatchId>>>()?;
        ids.reverse();
        let mut fights: Vec<Vec<MatchRow>> = Vec::new();
        for row in self.matches_by_id(&ids).await? {
            match fights.iter_mut().find(|fight| fight[0].round == row.round) {
                Some(fight) => fight.push(row),
                None => fights.push(vec![row]),
            }
        }
        Ok(fights.into_iter().rev().filter_map(|matches| FightRow::of(bot, matches)).collect())
    }

    /// The promotions of a bot, the newest first; at most 50.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn promotions_of(&self, bot: BotId) -> Result<Vec<Promotion>> {
        self.list("SELECT * FROM promotions WHERE bot_id = $1 ORDER BY id DESC LIMIT 50", values![bot]).await
    }

    /// The matches of a version on ladders of a kind, waiting matches included, among the last 2,000 matches of its
    /// bot; the newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn matches_of_version(
        &self,
        version: VersionId,
        kind: LadderKind,
        limit: i64,
    ) -> Result<Vec<MatchRow>> {
        let Some(found) = self.version(version).await? else { return Ok(Vec::new()) };
        let sql = "SELECT DISTINCT s.match_id FROM \
                   (SELECT match_id, version_id FROM seats WHERE bot_id = $1 ORDER BY match_id DESC LIMIT $4) s \
                   JOIN matches m ON m.id = s.match_id JOIN ladders l ON l.id = m.ladder_id \
                   WHERE s.version_id = $2 AND l.kind = $3 ORDER BY s.match_id DESC LIMIT $5";
        let values = values![found.bot_id, version, kind.word(), LAST, limit.clamp(1, 100)];
        let rows = self.all(sql, values).await?;
        let ids = rows.iter().map(|row: &AnyRow| row.id("match_id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }
}

impl Tx {
    /// The state of a trial.
    pub(crate) async fn trial(
        &mut self,
        ladder: i64,
        round: i64,
        version: VersionId,
        bot: BotId,
    ) -> Result<TrialRow> {
        let rows = self
            .all(
                "SELECT m.state, s.outcome, COUNT(*) AS n FROM seats s JOIN matches m ON m.id = s.match_id \
                 WHERE s.bot_id = $1 AND s.version_id = $2 AND m.ladder_id = $3 AND m.round = $4 GROUP BY m.state, s.outcome",
                values![bot, version, ladder, round],
            )
            .await?;
        let (mut trial, mut waiting) = (Trial::default(), 0);
        for row in rows {
            let matches = row.int("n")?;
            let played = u32::try_from(matches).unwrap_or(u32::MAX);
            match (row.text("state")?.as_str(), row.text_or_none("outcome")?.as_deref()) {
                ("done", Some("won")) => trial.wins += played,
                ("done", Some("drawn")) => trial.draws += played,
                ("done", _) => trial.losses += played,
                ("queued" | "leased", _) => waiting += matches,
                _ => {}
            }
        }
        Ok(TrialRow { round, version_id: version, bot_id: bot, trial, waiting })
    }

    /// Moves a bot to the next tier.
    pub(crate) async fn promote(
        &mut self,
        bot: &Bot,
        version: VersionId,
        match_id: Option<MatchId>,
        now: i64,
    ) -> Result<Promotion> {
        let to = bot.tier.next();
        self.run("UPDATE bots SET league = $2 WHERE id = $1", values![bot.id, to]).await?;
        self.relist(bot.id).await?;
        // Waiting matches were made for the old tier.
        self.cancel_of_bot(bot.id).await?;
        if let Some(user) = bot.user_id {
            // The number of the boss fight; 0 after a promotion from a ladder.
            let sql = "SELECT COALESCE(MAX(round), 0) AS round FROM matches WHERE id = $1";
            let round = self.number(sql, values![match_id]).await?;
            let data = serde_json::json!({
                "bot": bot.id, "contest": bot.contest_id, "game": bot.game, "from": bot.tier, "to": to,
                "match": match_id, "round": round,
            });
            self.notice(user, now, "promotion", &data).await?;
        }
        let sql = "INSERT INTO promotions (bot_id, version_id, from_league, to_league, match_id, at) \
                   VALUES ($1, $2, $3, $4, $5, $6) RETURNING *";
        let made = self.find(sql, values![bot.id, version, bot.tier, to, match_id, now]).await?;
        made.ok_or_else(|| StoreError::other("the promotion could not be noted"))
    }
}
