//! Recording: one transaction that appends the result to the log, updates the standings, ends the lease and applies the
//! consequences (promotions, pauses, notices). It is done once, or not at all.

use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use model::promotion::LAST_MATCHES;
use model::{BotId, LadderKind, MatchId, Tier, UserId, VersionId};
use serde::{Deserialize, Serialize};

use crate::bots::Bot;
use crate::db::{Patience, Tx};
use crate::fold::{self, Played, Standing};
use crate::value::{Columns, FromRow, Value, values};
use crate::{Ladder, Outcome, Promotion, Result, StandingRow, Store, StoreError, TrialRow};

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

/// A result to record: the match, the token of its lease, and the result.
#[derive(Clone, Copy)]
pub struct ToRecord<'a> {
    /// The match.
    pub id: MatchId,
    /// The token of its lease.
    pub token: i64,
    /// The result.
    pub result: &'a MatchResult,
    /// Decides its consequences.
    pub rule: PromotionRule<'a>,
}

impl std::fmt::Debug for ToRecord<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ToRecord").field("id", &self.id).field("result", self.result).finish_non_exhaustive()
    }
}

/// A seat of a match that is being recorded.
#[derive(Clone)]
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
        let to_record = ToRecord { id, token, result, rule };
        let recorded = self.record_all(&[to_record]).await?.pop();
        recorded.unwrap_or_else(|| Err(StoreError::other("nothing was recorded")))
    }

    /// Records several results in one transaction, in this order: the same as as many calls of [`Store::record`], in fewer
    /// statements. The inner errors are those of single results, which change nothing.
    ///
    /// # Errors
    ///
    /// When the database fails; then nothing is changed, and the call may be repeated.
    pub async fn record_all(&self, results: &[ToRecord<'_>]) -> Result<Vec<Result<Recorded>>> {
        let mut patience = Patience::new();
        loop {
            match self.record_once(results).await {
                Ok(recorded) => return Ok(recorded),
                // A retry is safe even when a commit was interrupted: then the answer is `Already`.
                Err(error) if error.kind == crate::ErrorKind::Busy => {
                    patience.again(StoreError { again: true, ..error }).await?;
                }
                Err(error) => return Err(error),
            }
        }
    }

    async fn record_once(&self, results: &[ToRecord<'_>]) -> Result<Vec<Result<Recorded>>> {
        let mut tx = self.begin().await?;
        // This statement must be the first: it orders the results, and on PostgreSQL recording transactions wait for
        // each other here.
        let first =
            tx.number("UPDATE counters SET value = value WHERE name = 'seq' RETURNING value", &[]).await?;
        let mut book = Book { seq: first, ..Book::default() };
        tx.read_matches(&mut book, results).await?;
        let mut recorded = Vec::with_capacity(results.len());
        for to_record in results {
            recorded.push(match book.open(to_record) {
                Ok(Ok(open)) => Ok(tx.record(&mut book, to_record, open).await?),
                Ok(Err(closed)) => Ok(closed),
                Err(error) => Err(error),
            });
        }
        tx.write(&mut book).await?;
        if book.seq == first {
            tx.roll_back().await?;
        } else {
            tx.run("UPDATE counters SET value = $1 WHERE name = 'seq'", values![book.seq]).await?;
            tx.commit().await?;
        }
        Ok(recorded)
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

/// A match that is being recorded.
#[derive(Clone)]
struct OpenMatch {
    ladder: Ladder,
    round: i64,
    seated: Vec<Seated>,
}

/// A match as it was when its result came.
enum Known {
    /// It is leased, with this token.
    Leased(i64, OpenMatch),
    /// It has a result.
    Recorded(i64),
    /// It is in another state.
    Other,
}

/// The ladders of a tier and the built-in bots there.
struct TierBook {
    ladders: Vec<Ladder>,
    built_in: Vec<(VersionId, Option<String>)>,
}

/// The rows that a transaction has read, and those that it has to write.
#[derive(Default)]
struct Book {
    /// The number of the last result.
    seq: i64,
    matches: BTreeMap<MatchId, Known>,
    tiers: BTreeMap<(i64, String, Tier), TierBook>,
    /// The standings by ladder and version; `None` for a version that has none.
    standings: BTreeMap<(i64, VersionId), Option<StandingRow>>,
    /// The standings that differ from those in the database.
    changed: BTreeSet<(i64, VersionId)>,
    seat_rows: Vec<Vec<Value>>,
    match_rows: Vec<Vec<Value>>,
}

impl Book {
    /// The match of a result, or why it is not recorded.
    fn open(&self, to_record: &ToRecord<'_>) -> Result<std::result::Result<OpenMatch, Recorded>> {
        match self.matches.get(&to_record.id) {
            None => Err(StoreError::not_found(format!("match {}", to_record.id))),
            Some(Known::Recorded(seq)) => Ok(Err(Recorded::Already { seq: *seq })),
            Some(Known::Leased(token, open)) if *token == to_record.token => {
                check(&open.seated, to_record.result)?;
                Ok(Ok(open.clone()))
            }
            Some(_) => Ok(Err(Recorded::Refused)),
        }
    }

    fn standing(&self, ladder: i64, version: VersionId) -> Option<&StandingRow> {
        self.standings.get(&(ladder, version)).and_then(Option::as_ref)
    }
}

const SEAT_RESULTS: &str = "UPDATE seats SET score = v.column3, rank = v.column4, outcome = v.column5, cause = v.column6, \
    details = v.column7, extra = v.column8, rating = v.column9, uncertainty = v.column10 FROM (VALUES {ROWS}) AS v \
    WHERE seats.match_id = v.column1 AND seats.seat = v.column2";
const MATCH_RESULTS: &str = "UPDATE matches SET state = 'done', lease = NULL, lease_until = NULL, finished = v.column3, \
    seq = v.column4, ending = v.column5, record = v.column6, turns = v.column7, why = NULL, \
    worker = COALESCE(v.column8, matches.worker) FROM (VALUES {ROWS}) AS v \
    WHERE matches.id = v.column1 AND matches.lease = v.column2 AND matches.state = 'leased'";

impl Tx {
    /// Reads the matches of results with their ladders, seats and bots.
    async fn read_matches(&mut self, book: &mut Book, results: &[ToRecord<'_>]) -> Result<()> {
        let ids: Vec<i64> = results.iter().map(|to_record| to_record.id.0).collect();
        let mut seated = self.seated(&ids).await?;
        let sql = "SELECT m.id AS match_id, m.round, m.state, m.lease, m.seq, l.* FROM matches m \
                   JOIN ladders l ON l.id = m.ladder_id WHERE m.id IN {IDS}";
        for row in self.of_ids(sql, &ids).await? {
            let id: MatchId = row.id("match_id")?;
            let known = match (row.int_or_none("seq")?, row.int_or_none("lease")?) {
                (Some(seq), _) => Known::Recorded(seq),
                (None, Some(token)) if row.text("state")? == "leased" => {
                    let seated = seated.remove(&id).unwrap_or_default();
                    Known::Leased(
                        token,
                        OpenMatch { ladder: Ladder::from_row(&row)?, round: row.int("round")?, seated },
                    )
                }
                _ => Known::Other,
            };
            book.matches.insert(id, known);
        }
        Ok(())
    }

    async fn seated(&mut self, ids: &[i64]) -> Result<BTreeMap<MatchId, Vec<Seated>>> {
        let sql = "SELECT b.*, s.match_id, s.seat, s.version_id FROM seats s JOIN bots b ON b.id = s.bot_id \
                   WHERE s.match_id IN {IDS} ORDER BY s.match_id, s.seat";
        let mut seated: BTreeMap<MatchId, Vec<Seated>> = BTreeMap::new();
        for row in self.of_ids(sql, ids).await? {
            seated.entry(row.id("match_id")?).or_default().push(Seated {
                seat: row.int("seat")?,
                version: row.id("version_id")?,
                bot: Bot::from_row(&row)?,
            });
        }
        Ok(seated)
    }

    /// Reads the bots of the matches that are not recorded yet again: a result has changed some.
    async fn read_bots(&mut self, book: &mut Book) -> Result<()> {
        let is_open = |(id, known): (&MatchId, &Known)| matches!(known, Known::Leased(..)).then_some(id.0);
        let ids: Vec<i64> = book.matches.iter().filter_map(is_open).collect();
        for (id, seated) in self.seated(&ids).await? {
            if let Some(Known::Leased(_, open)) = book.matches.get_mut(&id) {
                open.seated = seated;
            }
        }
        Ok(())
    }

    /// Takes the next number for a result, changes the standings, and applies the consequences.
    async fn record(
        &mut self,
        book: &mut Book,
        to_record: &ToRecord<'_>,
        open: OpenMatch,
    ) -> Result<Recorded> {
        let ToRecord { id, token, result, rule } = *to_record;
        let OpenMatch { ladder, round, seated } = open;
        book.seq += 1;
        let seq = book.seq;
        book.matches.insert(id, Known::Recorded(seq));
        let played: Vec<Played> = (seated.iter().zip(&result.seats))
            .map(|(seat, result)| Played {
                version: seat.version,
                rank: result.rank,
                failed: result.cause.is_some(),
                side_quest: result.side_quest,
            })
            .collect();
        self.read_standings(book, &ladder, &seated).await?;
        let after = fold_in(book, &ladder, &seated, &played, seq);
        let outcomes: Vec<Outcome> = (0..played.len()).map(|seat| fold::outcome(&played, seat)).collect();
        for ((seat, result), outcome) in seated.iter().zip(&result.seats).zip(&outcomes) {
            let standing =
                after.iter().find(|(version, _)| *version == seat.version).filter(|_| ladder.kind.rates());
            book.seat_rows.push(
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
                ]
                .to_vec(),
            );
        }
        book.match_rows.push(
            values![
                id,
                token,
                result.finished,
                seq,
                &result.ending,
                &result.record,
                result.ending["turns"].as_i64(),
                &result.worker
            ]
            .to_vec(),
        );
        // The consequences of these results depend on rows that are written above.
        if ladder.kind == LadderKind::Trial || result.seats.iter().any(|seat| seat.cause.is_some()) {
            self.write(book).await?;
        }
        let context = self.context(book, id, ladder, round, &seated, result, &outcomes).await?;
        let verdicts = rule(&context);
        if verdicts.is_empty() {
            return Ok(Recorded::Done { seq, promotions: Vec::new(), paused: Vec::new() });
        }
        self.write(book).await?;
        let (promotions, paused) = self.follow(&context, &verdicts, result.finished).await?;
        // Bots, their tiers and the lists of ladders have changed.
        book.standings.clear();
        book.tiers.clear();
        self.read_bots(book).await?;
        Ok(Recorded::Done { seq, promotions, paused })
    }

    /// Writes the results and standings that are not written yet.
    async fn write(&mut self, book: &mut Book) -> Result<()> {
        let closed = self.run_rows(MATCH_RESULTS, &book.match_rows).await?;
        if closed != book.match_rows.len() as u64 {
            // Nothing is recorded; the next attempt sees the new lease.
            return Err(StoreError::new(
                crate::ErrorKind::Busy,
                "a lease ended while its result was recorded",
            ));
        }
        self.run_rows(SEAT_RESULTS, &book.seat_rows).await?;
        let changed = std::mem::take(&mut book.changed);
        let rows: Vec<StandingRow> = changed
            .iter()
            .filter_map(|(ladder, version)| book.standing(*ladder, *version).cloned())
            .collect();
        self.write_standings(&rows).await?;
        book.match_rows.clear();
        book.seat_rows.clear();
        Ok(())
    }

    /// Reads the standings that a result changes or that its consequences depend on, and which were not read before.
    async fn read_standings(&mut self, book: &mut Book, ladder: &Ladder, seated: &[Seated]) -> Result<()> {
        let mut wanted: BTreeSet<(i64, VersionId)> =
            seated.iter().map(|seat| (ladder.id, seat.version)).collect();
        if ladder.kind == LadderKind::Ladder {
            let tier = self.tier_book(book, ladder).await?;
            for ladder in &tier.ladders {
                wanted.extend(seated.iter().map(|seat| (ladder.id, seat.version)));
                wanted.extend(tier.built_in.iter().map(|(version, _)| (ladder.id, *version)));
            }
        }
        wanted.retain(|key| !book.standings.contains_key(key));
        let rows: Vec<Vec<Value>> =
            wanted.iter().map(|(ladder, version)| vec![(*ladder).into(), (*version).into()]).collect();
        let sql = "SELECT s.* FROM (VALUES {ROWS}) AS v JOIN standings s ON s.ladder_id = v.column1 AND s.version_id = v.column2";
        for row in self.for_rows(sql, &rows).await? {
            let row = StandingRow::from_row(&row)?;
            book.standings.insert((row.ladder_id, row.version_id), Some(row));
        }
        for key in wanted {
            book.standings.entry(key).or_insert(None);
        }
        Ok(())
    }

    /// The ladders and built-in bots of the tier of a ladder.
    async fn tier_book<'a>(&mut self, book: &'a mut Book, ladder: &Ladder) -> Result<&'a TierBook> {
        let key = (ladder.contest_id, ladder.game.clone(), ladder.tier);
        match book.tiers.entry(key) {
            Entry::Occupied(known) => Ok(known.into_mut()),
            Entry::Vacant(place) => {
                let values = values![ladder.contest_id, &ladder.game, ladder.tier];
                let sql = "SELECT active_version AS version_id, house FROM bots WHERE contest_id = $1 AND game = $2 \
                           AND league = $3 AND house IS NOT NULL AND active_version IS NOT NULL ORDER BY id";
                let mut built_in = Vec::new();
                for row in self.all(sql, values).await? {
                    built_in.push((row.id("version_id")?, row.text_or_none("house")?));
                }
                let sql = "SELECT * FROM ladders WHERE contest_id = $1 AND game = $2 AND league = $3 AND kind = 'ladder' \
                           ORDER BY players";
                Ok(place.insert(TierBook { ladders: self.list(sql, values).await?, built_in }))
            }
        }
    }

    #[allow(clippy::too_many_arguments, reason = "the parts of one result")]
    async fn context(
        &mut self,
        book: &mut Book,
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
            self.tier_book(book, &ladder).await?;
            standings = standings_around(book, &ladder, seated);
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
}

/// Updates the standings of the versions of a match, and returns them.
fn fold_in(
    book: &mut Book,
    ladder: &Ladder,
    seated: &[Seated],
    played: &[Played],
    seq: i64,
) -> Vec<(VersionId, Standing)> {
    if !ladder.kind.counts() {
        return Vec::new();
    }
    let mut versions: Vec<&Seated> = Vec::new();
    for seat in seated {
        if versions.iter().all(|other| other.version != seat.version) {
            versions.push(seat);
        }
    }
    let known = |seat: &&Seated| book.standing(ladder.id, seat.version);
    let mut standings: Vec<(VersionId, Standing)> = versions
        .iter()
        .map(|seat| (seat.version, known(seat).map_or_else(Standing::newcomer, StandingRow::fold)))
        .collect();
    fold::apply(&mut standings, played, ladder.kind.rates(), seq);
    for (seat, (version, standing)) in versions.iter().zip(&standings) {
        let bot = &seat.bot;
        let at_home = bot.active_version == Some(*version) && bot.tier == ladder.tier;
        // The list of an existing standing stays as it is.
        let listed = book
            .standing(ladder.id, *version)
            .map_or(at_home || ladder.kind == LadderKind::Final, |row| row.listed);
        let row = standing.row(ladder.id, *version, bot.id, listed);
        book.standings.insert((ladder.id, *version), Some(row));
        book.changed.insert((ladder.id, *version));
    }
    standings
}

/// The standings of the versions of a match and of the built-in bots, on all ladders of the tier.
fn standings_around(book: &Book, ladder: &Ladder, seated: &[Seated]) -> Vec<ContextStanding> {
    let Some(tier) = book.tiers.get(&(ladder.contest_id, ladder.game.clone(), ladder.tier)) else {
        return Vec::new();
    };
    let mut versions = tier.built_in.clone();
    for seat in seated {
        if versions.iter().all(|(version, _)| *version != seat.version) {
            versions.push((seat.version, seat.bot.built_in.clone()));
        }
    }
    let mut standings = Vec::new();
    for ladder in &tier.ladders {
        for (version, built_in) in &versions {
            if let Some(standing) = book.standing(ladder.id, *version) {
                let (players, standing) = (ladder.players, standing.clone());
                standings.push(ContextStanding { players, standing, built_in: built_in.clone() });
            }
        }
    }
    standings
}
