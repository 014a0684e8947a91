//! Lists of matches.

use model::{BotId, LadderKind, MatchId, Tier, UserId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::value::{Columns, FromRow, Value, values};
use crate::{Outcome, Part, Result, Store};

model::words! {
    /// The state of a match.
    MatchState {
        /// It waits.
        Queued = "queued",
        /// It is being played.
        Leased = "leased",
        /// It was played, and counts.
        Done = "done",
        /// It could not be played, by our fault, and never counts.
        Void = "void",
    }
}

model::words! {
    /// A selection of a bot's matches.
    MatchFilter {
        /// All of them, waiting matches included.
        All = "all",
        /// Matches it won.
        Won = "won",
        /// Matches it lost.
        Lost = "lost",
        /// Matches it lost by its own fault.
        Errors = "errors",
    }
}

/// The public part of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MatchRow {
    /// Its number.
    pub id: MatchId,
    /// The ladder it counts for.
    pub ladder_id: i64,
    /// The contest.
    pub contest_id: i64,
    /// The game.
    pub game: String,
    /// The tier of the ladder.
    pub tier: Tier,
    /// The number of seats.
    pub players: i64,
    /// The purpose of the ladder.
    pub kind: LadderKind,
    /// The seed of its map.
    pub seed: i64,
    /// The number of the trial of its bot to which it belongs.
    pub round: i64,
    /// Its state.
    pub state: MatchState,
    /// The worker that plays or played it.
    pub worker: Option<String>,
    /// The number of attempts that failed by our fault.
    pub attempts: i64,
    /// How often its worker disappeared while it was played.
    pub lost: i64,
    /// When it was queued.
    pub created: i64,
    /// When it began.
    pub started: Option<i64>,
    /// When it ended.
    pub finished: Option<i64>,
    /// Its position in the log.
    pub seq: Option<i64>,
    /// How it ended, as the game describes it.
    pub ending: serde_json::Value,
    /// The digest of its record.
    pub record: Option<String>,
    /// Why it could not be played.
    pub why: Option<String>,
    /// The players by seat.
    pub seats: Vec<SeatRow>,
}

/// The public part of a seat of a match.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatRow {
    /// The seat, from 0.
    pub seat: i64,
    /// The version.
    pub version_id: VersionId,
    /// The number of the version among the versions of its bot.
    pub number: i64,
    /// The bot.
    pub bot_id: BotId,
    /// Its name.
    pub name: String,
    /// The name of the built-in bot, if it is one.
    pub built_in: Option<String>,
    /// The owner.
    pub user_id: Option<UserId>,
    /// The final score.
    pub score: Option<i64>,
    /// The place, 1 is best.
    pub rank: Option<i64>,
    /// Its part in a test of a draft.
    #[serde(default)]
    pub part: Part,
    /// The outcome for this seat.
    pub outcome: Option<Outcome>,
    /// A word for the fault by which it lost.
    pub cause: Option<String>,
    /// Side-quest points.
    pub side_quest: Option<f64>,
    /// The rating after the match, if it was rated.
    pub rating: Option<f64>,
    /// The uncertainty after the match.
    pub uncertainty: Option<f64>,
}

/// The part of a seat that only its owner may see.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SeatDetails {
    /// The seat, from 0.
    pub seat: i64,
    /// The owner.
    pub user_id: Option<UserId>,
    /// The details of its fault, with the output of the bot.
    pub details: Option<serde_json::Value>,
}

/// A selection of finished matches, the newest first.
#[derive(Clone, Default, Debug)]
pub struct MatchList {
    /// Of this contest.
    pub contest_id: Option<i64>,
    /// Of this game.
    pub game: Option<String>,
    /// Of this tier.
    pub tier: Option<Tier>,
    /// Only matches before this match.
    pub before: Option<MatchId>,
    /// The number of matches; at most 100.
    pub limit: i64,
}

impl FromRow for MatchRow {
    fn from_row(row: &AnyRow) -> Result<MatchRow> {
        Ok(MatchRow {
            id: row.id("id")?,
            ladder_id: row.int("ladder_id")?,
            contest_id: row.int("contest_id")?,
            game: row.text("game")?,
            tier: row.id("league")?,
            players: row.int("players")?,
            kind: row.word("kind")?,
            seed: row.int("seed")?,
            round: row.int("round")?,
            state: row.word("state")?,
            worker: row.text_or_none("worker")?,
            attempts: row.int("attempts")?,
            lost: row.int("lost")?,
            created: row.int("created")?,
            started: row.int_or_none("started")?,
            finished: row.int_or_none("finished")?,
            seq: row.int_or_none("seq")?,
            ending: row.json("ending")?,
            record: row.text_or_none("record")?,
            why: row.text_or_none("why")?,
            seats: Vec::new(),
        })
    }
}

impl FromRow for SeatRow {
    fn from_row(row: &AnyRow) -> Result<SeatRow> {
        Ok(SeatRow {
            seat: row.int("seat")?,
            version_id: row.id("version_id")?,
            number: row.int("number")?,
            bot_id: row.id("bot_id")?,
            name: row.text("name")?,
            built_in: row.text_or_none("house")?,
            user_id: row.id_or_none("user_id")?,
            score: row.int_or_none("score")?,
            rank: row.int_or_none("rank")?,
            part: Part::of(row.int("part")?),
            outcome: row.text_or_none("outcome")?.map(|word| word.parse()).transpose()?,
            cause: row.text_or_none("cause")?,
            side_quest: row.real_or_none("extra")?,
            rating: row.real_or_none("rating")?,
            uncertainty: row.real_or_none("uncertainty")?,
        })
    }
}

impl FromRow for SeatDetails {
    fn from_row(row: &AnyRow) -> Result<SeatDetails> {
        let details = row.json("details")?;
        Ok(SeatDetails {
            seat: row.int("seat")?,
            user_id: row.id_or_none("user_id")?,
            details: (!details.is_null()).then_some(details),
        })
    }
}

/// A match with the columns of its ladder.
const MATCH: &str = "SELECT m.*, l.contest_id, l.game, l.league, l.players, l.kind FROM matches m JOIN ladders l ON l.id = m.ladder_id";

impl Store {
    /// A match with its seats.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn match_row(&self, id: MatchId) -> Result<Option<MatchRow>> {
        Ok(self.matches_by_id(&[id]).await?.into_iter().next())
    }

    /// The parts of a match that only the owners of its seats may see.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn seat_details(&self, id: MatchId) -> Result<Vec<SeatDetails>> {
        let sql = "SELECT s.seat, b.user_id, s.details FROM seats s JOIN bots b ON b.id = s.bot_id \
                   WHERE s.match_id = $1 ORDER BY s.seat";
        self.list(sql, values![id]).await
    }

    /// Matches of a bot, the newest first, before the match `before`; at most 100. Tests of drafts are left out.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn matches_of(
        &self,
        bot: BotId,
        filter: MatchFilter,
        before: Option<MatchId>,
        limit: i64,
    ) -> Result<Vec<MatchRow>> {
        let such = match filter {
            MatchFilter::All => "",
            MatchFilter::Won => "AND outcome = 'won'",
            MatchFilter::Lost => "AND outcome = 'lost'",
            MatchFilter::Errors => "AND cause IS NOT NULL",
        };
        // A bot may have several seats in a match: up to four seats are one match.
        let limit = limit.clamp(1, 100);
        let sql = format!(
            "SELECT DISTINCT match_id FROM (SELECT match_id FROM seats WHERE bot_id = $1 AND part = 0 AND match_id < $2 {such} \
             ORDER BY match_id DESC LIMIT $3) newest ORDER BY match_id DESC LIMIT $4"
        );
        let rows =
            self.all(&sql, values![bot, before.unwrap_or(MatchId(i64::MAX)), limit * 4, limit]).await?;
        let ids = rows.iter().map(|row| row.id("match_id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }

    /// Finished matches of a contest, game and tier without tests, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn recent(&self, list: &MatchList) -> Result<Vec<MatchRow>> {
        let limit = list.limit.clamp(1, 100);
        let before = match list.before {
            Some(id) => match self.optional("SELECT seq FROM matches WHERE id = $1", values![id]).await? {
                Some(row) => row.int_or_none("seq")?.unwrap_or(i64::MAX),
                None => i64::MAX,
            },
            None => i64::MAX,
        };
        let all = list.contest_id.is_none() && list.game.is_none() && list.tier.is_none();
        let sql = if all {
            "SELECT m.id, m.seq FROM matches m JOIN ladders l ON l.id = m.ladder_id WHERE m.seq < $1 AND l.kind <> 'test' \
             ORDER BY m.seq DESC LIMIT $2"
                .to_owned()
        } else {
            // There are few ladders: read the newest matches of each ladder by its index, then take the newest of them.
            // A single scan of the log could pass a million matches of other games.
            let sql = "SELECT id FROM ladders WHERE contest_id = COALESCE($1, contest_id) AND game = COALESCE($2, game) \
                       AND league = COALESCE($3, league) AND kind <> 'test' ORDER BY id";
            let ladders = self.all(sql, values![list.contest_id, &list.game, list.tier]).await?;
            let mut parts = Vec::with_capacity(ladders.len());
            for ladder in &ladders {
                let id = ladder.int("id")?;
                parts.push(format!(
                    "SELECT * FROM (SELECT id, seq FROM matches WHERE ladder_id = {id} AND seq < $1 ORDER BY seq DESC LIMIT $2) l{id}"
                ));
            }
            if parts.is_empty() {
                return Ok(Vec::new());
            }
            format!("SELECT id, seq FROM ({}) newest ORDER BY seq DESC LIMIT $2", parts.join(" UNION ALL "))
        };
        let rows = self.all(&sql, values![before, limit]).await?;
        let ids = rows.iter().map(|row| row.id("id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }

    /// The matches that are being played.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn running(&self) -> Result<Vec<MatchRow>> {
        self.matches_in("leased", 200).await
    }

    /// Waiting matches, at most `limit`, those with the highest priority first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn queued(&self, limit: i64) -> Result<Vec<MatchRow>> {
        self.matches_in("queued", limit.clamp(1, 200)).await
    }

    /// Void matches, the newest first, before the match `before`; at most 200.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn voids(&self, before: Option<MatchId>, limit: i64) -> Result<Vec<MatchRow>> {
        let sql = "SELECT id FROM matches WHERE state = 'void' AND seq IS NULL AND id < $1 ORDER BY id DESC LIMIT $2";
        let rows = self.all(sql, values![before.unwrap_or(MatchId(i64::MAX)), limit.clamp(1, 200)]).await?;
        let ids = rows.iter().map(|row| row.id("id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }

    /// The finished matches of a contest in the order of the log, starting after `after`; at most `limit`. For exports.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn matches_of_contest(&self, contest: i64, after: i64, limit: i64) -> Result<Vec<MatchRow>> {
        let sql = "SELECT m.id FROM matches m JOIN ladders l ON l.id = m.ladder_id \
                   WHERE m.seq > $1 AND l.contest_id = $2 ORDER BY m.seq LIMIT $3";
        let rows = self.all(sql, values![after, contest, limit.clamp(1, 1000)]).await?;
        let ids = rows.iter().map(|row| row.id("id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }

    async fn matches_in(&self, state: &str, limit: i64) -> Result<Vec<MatchRow>> {
        let sql = format!(
            "SELECT id FROM matches WHERE state = '{state}' AND seq IS NULL ORDER BY priority DESC, id LIMIT $1"
        );
        let rows = self.all(&sql, values![limit]).await?;
        let ids = rows.iter().map(|row| row.id("id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }

    /// Matches with their seats, in the order of `ids`.
    pub(crate) async fn matches_by_id(&self, ids: &[MatchId]) -> Result<Vec<MatchRow>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let (places, values) = placeholders(ids);
        let mut matches: Vec<MatchRow> =
            self.list(&format!("{MATCH} WHERE m.id IN ({places})"), &values).await?;
        let sql = format!(
            "SELECT s.match_id, s.seat, s.version_id, v.number, s.bot_id, b.name, b.house, b.user_id, s.score, s.rank, s.outcome, \
             s.cause, s.extra, s.rating, s.uncertainty, s.part FROM seats s JOIN bots b ON b.id = s.bot_id \
             JOIN versions v ON v.id = s.version_id WHERE s.match_id IN ({places}) ORDER BY s.match_id, s.seat"
        );
        let order = |id: MatchId| ids.iter().position(|&other| other == id);
        matches.sort_by_key(|row| order(row.id));
        for row in self.all(&sql, &values).await? {
            let id: MatchId = row.id("match_id")?;
            if let Some(one) = matches.iter_mut().find(|one| one.id == id) {
                one.seats.push(SeatRow::from_row(&row)?);
            }
        }
        Ok(matches)
    }
}

/// `$1, $2, ...` for a list, with its values. The number of placeholders is rounded up (the last value is repeated), so
/// that few different statements are prepared.
pub(crate) fn placeholders(ids: &[MatchId]) -> (String, Vec<Value>) {
    let count = ids.len().next_power_of_two();
    let places: Vec<String> = (1..=count).map(|place| format!("${place}")).collect();
    let last = ids.last().copied().unwrap_or_default();
    let values = (0..count).map(|place| Value::from(ids.get(place).copied().unwrap_or(last))).collect();
    (places.join(", "), values)
}
