//! Recording: one transaction that appends the result to the log, updates the standings, ends the lease and applies the
//! consequences (promotions, pauses, notices). It is done once, or not at all.

use model::promotion::LAST_MATCHES;
use model::{BotId, LadderKind, MatchId, Tier, Trial, UserId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::bots::Bot;
use crate::db::{Patience, Tx};
use crate::fold::{self, Played, Standing};
use crate::value::{Columns, FromRow, values};
use crate::{Ladder, Outcome, Result, StandingRow, Store, StoreError};

/// The result of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchResult {
    /// The results by seat.
    pub seats: Vec<SeatResult>,
    /// How it ended, as the game describes it. Public.
    pub ending: serde_json::Value,
    /// The digest of its record, as returned by [`Records::put`](crate::Records::put).
    pub record: Option<String>,
    /// When it ended.
    pub finished: i64,
    /// The worker that played it, if it is another one than the match was leased to.
    #[serde(default)]
    pub worker: Option<String>,
}

/// The result of a match for a seat.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatResult {
    /// The final score.
    pub score: i64,
    /// The place: 1 is best; seats with equal results share a place.
    pub rank: i64,
    /// A word for the fault by which it lost (`timeout`, `crash`). Public.
    pub cause: Option<String>,
    /// The details of this fault, with the output of the bot. For its owner only.
    pub details: Option<serde_json::Value>,
    /// Side-quest points.
    pub side_quest: Option<f64>,
}

/// The result of recording.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub enum Recorded {
    /// Recorded by this call.
    Done {
        /// The position of the result in the log.
        seq: i64,
        /// The promotions that follow from it.
        promotions: Vec<Promotion>,
        /// The bots that were paused because of it.
        paused: Vec<BotId>,
    },
    /// Recorded before, under the same or another lease: nothing was changed.
    Already {
        /// The position of the result in the log.
        seq: i64,
    },
    /// The lease is not valid: nothing was changed.
    Refused,
}

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

/// Decides the consequences of a result. Pure: it is called inside the transaction, perhaps more than once.
pub type PromotionRule<'a> = &'a (dyn Fn(&ResultContext) -> Vec<Verdict> + Send + Sync);

/// A consequence of a result for a bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The bot is promoted to the next tier with its active version, if it is still in the tier of the match.
    Promote {
        /// The bot.
        bot_id: BotId,
    },
    /// The bot gets no more matches until a version is activated again.
    Pause {
        /// The bot.
        bot_id: BotId,
        /// The reason for its owner.
        why: String,
    },
}

/// The input of a promotion rule: the match, with all standings as they are *after* it.
#[derive(Clone, Debug)]
pub struct ResultContext {
    /// The match.
    pub match_id: MatchId,
    /// The ladder it counted for.
    pub ladder: Ladder,
    /// The number of the trial to which it belongs.
    pub round: i64,
    /// The players by seat.
    pub seats: Vec<ContextSeat>,
    /// After a match of kind `ladder`: on every ladder of kind `ladder` of this tier, the standings of the versions
    /// of the match and of all built-in bots of the tier. Empty after other matches.
    pub standings: Vec<ContextStanding>,
    /// After a match of kind `trial`: the state of the trial of each version of a user, this match included.
    pub trials: Vec<TrialRow>,
}

/// A seat of the match.
#[derive(Clone, Debug)]
pub struct ContextSeat {
    /// The version.
    pub version_id: VersionId,
    /// Its bot.
    pub bot_id: BotId,
    /// The owner; `None` for a built-in bot.
    pub user_id: Option<UserId>,
    /// The name of the built-in bot, if it is one.
    pub built_in: Option<String>,
    /// The current tier of the bot.
    pub tier: Tier,
    /// Whether the version is the active version of its bot.
    pub active: bool,
    /// Whether the bot is paused already.
    pub paused: bool,
    /// The outcome for the seat.
    pub outcome: Outcome,
    /// A word for the fault by which it lost.
    pub cause: Option<String>,
    /// When it has a cause: for each of the version's last matches (at most ten, the newest first, this match
    /// included), whether it lost by its own fault. Empty otherwise.
    pub recent: Vec<bool>,
    /// The number of finished matches of this version, this match included; counted up to ten, and only when it has a
    /// cause.
    pub played: i64,
}

/// A standing that a promotion rule may need.
#[derive(Clone, Debug)]
pub struct ContextStanding {
    /// The number of players of a match of this ladder.
    pub players: i64,
    /// The standing.
    pub standing: StandingRow,
    /// The name of the built-in bot, if it is one.
    pub built_in: Option<String>,
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

/// A seat of the match that is being recorded.
struct Seated {
    seat: i64,
    version: VersionId,
    bot: Bot,
}

impl Store {
    /// Records the result of a leased match in one transaction: the position in the log, the seats, the standings, the
    /// end of the lease, and the consequences that `judge` decides. A repeated call changes nothing and returns
    /// `Already`.
    ///
    /// # Errors
    ///
    /// When there is no such match, when the result has another number of seats or ranks below 1, and when the database
    /// fails; then nothing is changed, and the call may be repeated.
    pub async fn record(
        &self,
        id: MatchId,
        token: i64,
        result: &MatchResult,
        rule: PromotionRule<'_>,
    ) -> Result<Recorded> {
        let mut patience = Patience::new();
        loop {
            match self.record_once(id, token, result, rule).await {
                Ok(recorded) => return Ok(recorded),
                // A retry is safe even when a commit was interrupted: then the answer is `Already`.
                Err(error) if error.kind == crate::ErrorKind::Busy => {
                    patience.again(StoreError { again: true, ..error }).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn record_once(
        &self,
        id: MatchId,
        token: i64,
        result: &MatchResult,
        rule: PromotionRule<'_>,
    ) -> Result<Recorded> {
        let mut tx = self.begin().await?;
        // This statement must be the first: it orders the results, and on PostgreSQL recording transactions wait for
        // each other here.
        let seq = tx.count("seq").await?;
        let row = tx
            .optional("SELECT ladder_id, round, state, lease, seq FROM matches WHERE id = $1", values![id])
            .await?
            .ok_or_else(|| StoreError::not_found(format!("match {id}")))?;
        // An early return rolls the transaction back, and the number with it.
        if let Some(seq) = row.int_or_none("seq")? {
            return Ok(Recorded::Already { seq });
        }
        if row.text("state")? != "leased" || row.int_or_none("lease")? != Some(token) {
            return Ok(Recorded::Refused);
        }
        let ladder = tx.ladder(row.int("ladder_id")?).await?;
        let seated = tx.seated(id).await?;
        check(&seated, result)?;
        let played: Vec<Played> = (seated.iter().zip(&result.seats))
            .map(|(seat, result)| Played {
                version: seat.version,
                rank: result.rank,
                failed: result.cause.is_some(),
                side_quest: result.side_quest,
            })
            .collect();
        let after = tx.fold_in(&ladder, &seated, &played, seq).await?;
        let outcomes: Vec<Outcome> = (0..played.len()).map(|seat| fold::outcome(&played, seat)).collect();
        for ((seat, result), outcome) in seated.iter().zip(&result.seats).zip(&outcomes) {
            let standing =
                after.iter().find(|(version, _)| *version == seat.version).filter(|_| ladder.kind.rates());
            tx.run(
                "UPDATE seats SET score = $3, rank = $4, outcome = $5, cause = $6, details = $7, extra = $8, rating = $9, \
                 uncertainty = $10 WHERE match_id = $1 AND seat = $2",
                values![
                    id,
                    seat.seat,
                    result.score,
                    result.rank,
                    outcome.word(),
                    &result.cause,
                    result.details.as_ref().map(ToString::to_string),
                    result.side_quest,
                    standing.map(|(_, standing)| standing.rating),
                    standing.map(|(_, standing)| standing.uncertainty)
                ],
            )
            .await?;
        }
        let closed = tx
            .run(
                "UPDATE matches SET state = 'done', lease = NULL, lease_until = NULL, finished = $3, seq = $4, ending = $5, \
                 record = $6, turns = $7, why = NULL, worker = COALESCE($8, worker) WHERE id = $1 AND lease = $2 AND state = 'leased'",
                values![
                    id,
                    token,
                    result.finished,
                    seq,
                    &result.ending,
                    &result.record,
                    result.ending["turns"].as_i64(),
                    &result.worker
                ],
            )
            .await?;
        if closed == 0 {
            return Ok(Recorded::Refused);
        }
        let context = tx.context(id, ladder, row.int("round")?, &seated, result, &outcomes).await?;
        let (promotions, paused) = tx.follow(&context, &rule(&context), result.finished).await?;
        tx.commit().await?;
        Ok(Recorded::Done { seq, promotions, paused })
    }

    /// Promotes a bot on behalf of an admin; the `match_id` of this promotion is `None`.
    ///
    /// # Errors
    ///
    /// When there is no such bot or it has no version, or the database fails.
    pub async fn promote(&self, bot: BotId, now: i64) -> Result<Promotion> {
        crate::db::change!(self, tx => {
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
}

fn check(seated: &[Seated], result: &MatchResult) -> Result<()> {
    if seated.len() != result.seats.len() {
        let (here, there) = (seated.len(), result.seats.len());
        return Err(StoreError::conflict(format!("the match has {here} seats, the result {there}")));
    }
    if result.seats.iter().any(|seat| !(1..=1000).contains(&seat.rank)) {
        return Err(StoreError::conflict("a rank counts from 1"));
    }
    if result.seats.iter().any(|seat| seat.side_quest.is_some_and(|side_quest| !side_quest.is_finite())) {
        return Err(StoreError::conflict("side-quest points must be a number"));
    }
    Ok(())
}

impl Tx {
    async fn seated(&mut self, id: MatchId) -> Result<Vec<Seated>> {
        let sql = "SELECT b.*, s.seat, s.version_id FROM seats s JOIN bots b ON b.id = s.bot_id WHERE s.match_id = $1 ORDER BY s.seat";
        let rows = self.all(sql, values![id]).await?;
        rows.iter()
            .map(|row| {
                Ok(Seated {
                    seat: row.int("seat")?,
                    version: row.id("version_id")?,
                    bot: Bot::from_row(row)?,
                })
            })
            .collect()
    }

    /// Updates the standings of the versions of the match, and returns them.
    async fn fold_in(
        &mut self,
        ladder: &Ladder,
        seated: &[Seated],
        played: &[Played],
        seq: i64,
    ) -> Result<Vec<(VersionId, Standing)>> {
        if !ladder.kind.counts() {
            return Ok(Vec::new());
        }
        let mut versions: Vec<&Seated> = Vec::new();
        for seat in seated {
            if versions.iter().all(|other| other.version != seat.version) {
                versions.push(seat);
            }
        }
        let mut standings = Vec::with_capacity(versions.len());
        for seat in &versions {
            let sql = "SELECT * FROM standings WHERE ladder_id = $1 AND version_id = $2";
            let row: Option<StandingRow> = self.find(sql, values![ladder.id, seat.version]).await?;
            standings.push((seat.version, row.as_ref().map_or_else(Standing::newcomer, StandingRow::fold)));
        }
        fold::apply(&mut standings, played, ladder.kind.rates(), seq);
        for (seat, (version, standing)) in versions.iter().zip(&standings) {
            let bot = &seat.bot;
            let at_home = bot.active_version == Some(*version) && bot.tier == ladder.tier;
            let listed = at_home || ladder.kind == LadderKind::Final;
            self.write_standing(ladder.id, *version, bot.id, listed, standing).await?;
        }
        Ok(standings)
    }

    async fn context(
        &mut self,
        match_id: MatchId,
        ladder: Ladder,
        round: i64,
        seated: &[Seated],
        result: &MatchResult,
        outcomes: &[Outcome],
    ) -> Result<ResultContext> {
        let mut seats = Vec::with_capacity(seated.len());
        for ((seat, result), &outcome) in seated.iter().zip(&result.seats).zip(outcomes) {
            let recent = if result.cause.is_some() { self.recent(seat).await? } else { Vec::new() };
            seats.push(ContextSeat {
                version_id: seat.version,
                bot_id: seat.bot.id,
                user_id: seat.bot.user_id,
                built_in: seat.bot.built_in.clone(),
                tier: seat.bot.tier,
                active: seat.bot.active_version == Some(seat.version),
                paused: seat.bot.paused.is_some(),
                outcome,
                cause: result.cause.clone(),
                played: recent.len() as i64,
                recent,
            });
        }
        let mut standings = Vec::new();
        if ladder.kind == LadderKind::Ladder {
            standings = self.standings_around(&ladder, seated).await?;
        }
        let mut trials = Vec::new();
        if ladder.kind == LadderKind::Trial {
            for seat in seated.iter().filter(|seat| seat.bot.user_id.is_some()) {
                trials.push(self.trial(ladder.id, round, seat.version, seat.bot.id).await?);
            }
        }
        Ok(ResultContext { match_id, ladder, round, seats, standings, trials })
    }

    /// For each of the version's last matches, whether it lost by its own fault.
    async fn recent(&mut self, seat: &Seated) -> Result<Vec<bool>> {
        let sql = "SELECT match_id, cause FROM seats WHERE bot_id = $1 AND version_id = $2 AND outcome IS NOT NULL AND part = 0 \
                   ORDER BY match_id DESC LIMIT $3";
        let rows = self.all(sql, values![seat.bot.id, seat.version, LAST_MATCHES as i64]).await?;
        rows.iter().map(|row| Ok(row.text_or_none("cause")?.is_some())).collect()
    }

    async fn standings_around(&mut self, ladder: &Ladder, seated: &[Seated]) -> Result<Vec<ContextStanding>> {
        let built_in = self
            .all(
                "SELECT active_version AS version_id, house FROM bots WHERE contest_id = $1 AND game = $2 AND league = $3 \
                 AND house IS NOT NULL AND active_version IS NOT NULL ORDER BY id",
                values![ladder.contest_id, &ladder.game, ladder.tier],
            )
            .await?;
        let mut versions: Vec<(VersionId, Option<String>)> = Vec::new();
        for row in &built_in {
            versions.push((row.id("version_id")?, row.text_or_none("house")?));
        }
        for seat in seated {
            if versions.iter().all(|(version, _)| *version != seat.version) {
                versions.push((seat.version, seat.bot.built_in.clone()));
            }
        }
        let ladders: Vec<Ladder> = self
            .list(
                "SELECT * FROM ladders WHERE contest_id = $1 AND game = $2 AND league = $3 AND kind = 'ladder' ORDER BY players",
                values![ladder.contest_id, &ladder.game, ladder.tier],
            )
            .await?;
        let mut standings = Vec::new();
        for ladder in &ladders {
            for (version, built_in) in &versions {
                let sql = "SELECT * FROM standings WHERE ladder_id = $1 AND version_id = $2";
                if let Some(standing) = self.find(sql, values![ladder.id, *version]).await? {
                    standings.push(ContextStanding {
                        players: ladder.players,
                        standing,
                        built_in: built_in.clone(),
                    });
                }
            }
        }
        Ok(standings)
    }

    async fn trial(&mut self, ladder: i64, round: i64, version: VersionId, bot: BotId) -> Result<TrialRow> {
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

    /// Applies the verdicts of a promotion rule, as far as they are still applicable.
    async fn follow(
        &mut self,
        context: &ResultContext,
        verdicts: &[Verdict],
        now: i64,
    ) -> Result<(Vec<Promotion>, Vec<BotId>)> {
        let (mut promotions, mut paused) = (Vec::new(), Vec::new());
        for verdict in verdicts {
            match verdict {
                Verdict::Promote { bot_id } => {
                    let bot = self.bot(*bot_id).await?;
                    let seat = context.seats.iter().find(|seat| seat.bot_id == *bot_id);
                    let Some(seat) = seat.filter(|_| bot.tier == context.ladder.tier) else { continue };
                    promotions.push(self.promote(&bot, seat.version_id, Some(context.match_id), now).await?);
                }
                Verdict::Pause { bot_id, why } => {
                    let bot = self.bot(*bot_id).await?;
                    if bot.paused.is_none() {
                        self.pause(&bot, why, now).await?;
                        paused.push(*bot_id);
                    }
                }
            }
        }
        Ok((promotions, paused))
    }

    async fn promote(
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

impl StandingRow {
    pub(crate) fn fold(&self) -> Standing {
        Standing {
            rating: self.tally.rating,
            uncertainty: self.tally.uncertainty,
            games: self.tally.games,
            wins: self.tally.wins,
            draws: self.tally.draws,
            losses: self.tally.losses,
            failures: self.tally.failures,
            side_quest_sum: self.side_quest_sum,
            side_quest_squares: self.side_quest_squares,
            side_quest_games: self.side_quest_games,
            last_seq: self.last_seq,
        }
    }
}
