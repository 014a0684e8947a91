//! The promotions of a bot, and the matches of a version.

use model::{BotId, LadderKind, MatchId, Tier, Trial, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::value::{Columns as _, values};
use crate::{MatchRow, MatchState, Outcome, Promotion, Result, Store};

/// The number of a bot's last matches that are searched.
const LAST: i64 = 2_000;

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
