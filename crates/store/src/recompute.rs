//! Recomputes all ratings by folding the whole log again.

use std::collections::HashMap;

use model::{BotId, LadderKind, MatchId, VersionId};
use serde::{Deserialize, Serialize};

use crate::db::Tx;
use crate::fold::{self, Played, Standing};
use crate::value::{Columns, values};
use crate::{Outcome, Result, StandingRow, Store};

/// The number of results that are read at once.
const CHUNK: i64 = 2_000;
/// The maximum number of differences in the report.
const NAMED: usize = 20;

/// The result of a recomputation.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Recomputed {
    /// Results folded.
    pub matches: i64,
    /// Standings compared.
    pub standings: i64,
    /// Standings and seats that differed from the fold in any bit; they are corrected unless this was only a check.
    pub different: i64,
    /// The first differences.
    pub first: Vec<Difference>,
}

/// A stored number that differs from the fold.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Difference {
    /// Its location: `standing 3/17` (ladder and version) or `seat 120/0` (match and seat).
    pub place: String,
    /// The stored value.
    pub stored: String,
    /// The value of the fold.
    pub folded: String,
}

impl Store {
    /// Folds the log of results again, from the first to the last, and compares every standing and every seat bit for
    /// bit. With `check` nothing is written, and recording continues meanwhile (the fold reads a snapshot of the log);
    /// without `check`, recording waits, and differences are corrected. `progress` gets the number of folded results
    /// and their total.
    ///
    /// # Errors
    ///
    /// When the database fails; nothing is changed then.
    pub async fn recompute(
        &self,
        check: bool,
        progress: &(dyn Fn(i64, i64) + Send + Sync),
    ) -> Result<Recomputed> {
        let mut tx = if check { self.snapshot().await? } else { self.begin().await? };
        if !check {
            tx.lock().await?;
        }
        let mut work = Work {
            standings: HashMap::new(),
            kinds: tx.ladder_kinds().await?,
            found: Recomputed::new(),
            check,
        };
        let last = tx.number("SELECT value FROM counters WHERE name = 'seq'", &[]).await?;
        let mut after = 0;
        while after < last {
            work.chunk(&mut tx, after, after + CHUNK).await?;
            after += CHUNK;
            progress(after.min(last), last);
        }
        work.compare_standings(&mut tx).await?;
        if !check {
            tx.commit().await?;
        }
        Ok(work.found)
    }
}

impl Recomputed {
    fn new() -> Recomputed {
        Recomputed { matches: 0, standings: 0, different: 0, first: Vec::new() }
    }

    fn differs(&mut self, place: String, stored: String, folded: String) {
        self.different += 1;
        if self.first.len() < NAMED {
            self.first.push(Difference { place, stored, folded });
        }
    }
}

/// A stored seat.
struct SeatLine {
    seat: i64,
    played: Played,
    outcome: Option<Outcome>,
    rating: Option<f64>,
    uncertainty: Option<f64>,
}

struct Work {
    /// The standings by ladder and version.
    standings: HashMap<(i64, VersionId), Standing>,
    kinds: HashMap<i64, LadderKind>,
    found: Recomputed,
    check: bool,
}

impl Work {
    async fn chunk(&mut self, tx: &mut Tx, after: i64, to: i64) -> Result<()> {
        let rows = tx
            .all(
                "SELECT m.seq, m.id, m.ladder_id, s.seat, s.version_id, s.rank, s.outcome, s.cause, s.extra, s.rating, s.uncertainty \
                 FROM matches m JOIN seats s ON s.match_id = m.id WHERE m.seq > $1 AND m.seq <= $2 ORDER BY m.seq, s.seat",
                values![after, to],
            )
            .await?;
        let mut rows = rows.iter().peekable();
        while let Some(first) = rows.peek() {
            let (seq, id, ladder) = (first.int("seq")?, first.id("id")?, first.int("ladder_id")?);
            let mut seats = Vec::with_capacity(4);
            while let Some(row) = rows.next_if(|row| row.int("seq").is_ok_and(|other| other == seq)) {
                seats.push(SeatLine {
                    seat: row.int("seat")?,
                    played: Played {
                        version: row.id("version_id")?,
                        rank: row.int("rank")?,
                        failed: row.text_or_none("cause")?.is_some(),
                        side_quest: row.real_or_none("extra")?,
                    },
                    outcome: row.text_or_none("outcome")?.map(|word| word.parse()).transpose()?,
                    rating: row.real_or_none("rating")?,
                    uncertainty: row.real_or_none("uncertainty")?,
                });
            }
            self.result(tx, seq, id, ladder, &seats).await?;
        }
        Ok(())
    }

    async fn result(
        &mut self,
        tx: &mut Tx,
        seq: i64,
        id: MatchId,
        ladder: i64,
        seats: &[SeatLine],
    ) -> Result<()> {
        self.found.matches += 1;
        let kind = self.kinds.get(&ladder).copied().unwrap_or(LadderKind::Test);
        let played: Vec<Played> = seats.iter().map(|seat| seat.played).collect();
        let mut after: Vec<(VersionId, Standing)> = Vec::with_capacity(seats.len());
        if kind.counts() {
            for seat in &played {
                if after.iter().all(|(version, _)| *version != seat.version) {
                    let standing = self.standings.get(&(ladder, seat.version));
                    after.push((seat.version, standing.copied().unwrap_or_else(Standing::newcomer)));
                }
            }
            fold::apply(&mut after, &played, kind.rates(), seq);
            for (version, standing) in &after {
                self.standings.insert((ladder, *version), *standing);
            }
        }
        for (index, line) in seats.iter().enumerate() {
            let outcome = fold::outcome(&played, index);
            let standing =
                after.iter().find(|(version, _)| *version == line.played.version).filter(|_| kind.rates());
            let (rating, uncertainty) =
                (standing.map(|(_, s)| s.rating), standing.map(|(_, s)| s.uncertainty));
            let bits = |value: Option<f64>| value.map(f64::to_bits);
            let same = line.outcome == Some(outcome)
                && bits(line.rating) == bits(rating)
                && bits(line.uncertainty) == bits(uncertainty);
            if same {
                continue;
            }
            let stored = format!("{:?} {:?} {:?}", line.outcome, line.rating, line.uncertainty);
            let folded = format!("{:?} {rating:?} {uncertainty:?}", Some(outcome));
            self.found.differs(format!("seat {id}/{}", line.seat), stored, folded);
            if !self.check {
                let sql = "UPDATE seats SET outcome = $3, rating = $4, uncertainty = $5 WHERE match_id = $1 AND seat = $2";
                tx.run(sql, values![id, line.seat, outcome.word(), rating, uncertainty]).await?;
            }
        }
        Ok(())
    }

    /// Compares the stored standings with the fold, in the order of the table.
    async fn compare_standings(&mut self, tx: &mut Tx) -> Result<()> {
        let (mut ladder, mut version) = (0, VersionId(0));
        loop {
            let sql = "SELECT * FROM standings WHERE ladder_id > $1 OR (ladder_id = $1 AND version_id > $2) \
                       ORDER BY ladder_id, version_id LIMIT 5000";
            let rows: Vec<StandingRow> = tx.list(sql, values![ladder, version]).await?;
            let Some(last) = rows.last() else { break };
            (ladder, version) = (last.ladder_id, last.version_id);
            for row in &rows {
                let folded = self
                    .standings
                    .remove(&(row.ladder_id, row.version_id))
                    .unwrap_or_else(Standing::newcomer);
                self.compare(tx, row.ladder_id, row.version_id, row.bot_id, Some(row), &folded).await?;
            }
        }
        // Standings of the fold that are missing in the table.
        let mut missing: Vec<((i64, VersionId), Standing)> = self.standings.drain().collect();
        missing.sort_by_key(|(key, _)| *key);
        for ((ladder, version), folded) in missing {
            let bot = tx.number("SELECT bot_id FROM versions WHERE id = $1", values![version]).await?.into();
            self.compare(tx, ladder, version, bot, None, &folded).await?;
        }
        Ok(())
    }

    async fn compare(
        &mut self,
        tx: &mut Tx,
        ladder: i64,
        version: VersionId,
        bot: BotId,
        stored: Option<&StandingRow>,
        folded: &Standing,
    ) -> Result<()> {
        self.found.standings += 1;
        let same = stored.is_some_and(|stored| {
            stored.fold().same(folded) && stored.tally.proven.to_bits() == folded.proven().to_bits()
        });
        if same {
            return Ok(());
        }
        let text = stored.map_or_else(|| "nothing".to_owned(), |stored| format!("{:?}", stored.fold()));
        self.found.differs(format!("standing {ladder}/{version}"), text, format!("{folded:?}"));
        if !self.check {
            let listed = self.kinds.get(&ladder) == Some(&LadderKind::Final);
            tx.write_standings(&[folded.row(ladder, version, bot, listed)]).await?;
            if stored.is_none() {
                tx.relist(bot).await?;
            }
        }
        Ok(())
    }
}

impl Tx {
    async fn ladder_kinds(&mut self) -> Result<HashMap<i64, LadderKind>> {
        let rows = self.all("SELECT id, kind FROM ladders", &[]).await?;
        rows.iter().map(|row| Ok((row.int("id")?, row.word("kind")?))).collect()
    }
}
