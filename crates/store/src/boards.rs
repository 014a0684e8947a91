//! Leaderboards.

use model::{BotId, LadderKind, Tier, UserId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::users::pattern;
use crate::value::{Columns, FromRow, values};
use crate::{Ladder, Result, Store, Tally};

/// Selects a part of a board.
#[derive(Clone, Default, Debug)]
pub struct BoardQuery {
    /// The page, from 0.
    pub page: i64,
    /// Lines on a page, at most 100.
    pub size: i64,
    /// Only names that contain this; empty for all.
    pub search: String,
}

impl BoardQuery {
    fn size(&self) -> i64 {
        self.size.clamp(1, 100)
    }

    fn skip(&self) -> i64 {
        self.page.max(0).saturating_mul(self.size())
    }
}

/// A page of a board.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Board {
    /// The lines of the page.
    pub rows: Vec<BoardRow>,
    /// The number of lines of the whole board; with a search, the number of lines found.
    pub total: i64,
}

/// A line of a board.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BoardRow {
    /// The place in this ladder, from 1.
    pub place: i64,
    /// The ladder.
    pub ladder_id: i64,
    /// The tier of the ladder.
    pub tier: Tier,
    /// The bot.
    pub bot_id: BotId,
    /// The version that plays.
    pub version_id: VersionId,
    /// The bot's name.
    pub name: String,
    /// The name of the built-in bot, if it is one.
    pub built_in: Option<String>,
    /// The owner.
    pub user_id: Option<UserId>,
    /// Whether it is paused.
    pub paused: bool,
    /// The programming language of the version.
    pub language: String,
    /// Its rating and the counts of its matches; the board is sorted by `proven`.
    #[serde(flatten)]
    pub tally: Tally,
}

/// A line of the side-quest board.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SideQuestRow {
    /// The place, from 1.
    pub place: i64,
    /// The tier.
    pub tier: Tier,
    /// The bot.
    pub bot_id: BotId,
    /// Its name.
    pub name: String,
    /// The owner.
    pub user_id: Option<UserId>,
    /// Side-quest points per match, on average.
    pub average: f64,
    /// The ends of the 95 % interval of the average.
    pub interval: [f64; 2],
    /// The number of matches of this average.
    pub games: i64,
}

impl FromRow for BoardRow {
    fn from_row(row: &AnyRow) -> Result<BoardRow> {
        Ok(BoardRow {
            place: row.int("place")?,
            ladder_id: row.int("ladder_id")?,
            tier: row.id("league")?,
            bot_id: row.id("bot_id")?,
            version_id: row.id("version_id")?,
            name: row.text("name")?,
            built_in: row.text_or_none("house")?,
            user_id: row.id_or_none("user_id")?,
            paused: row.text_or_none("paused")?.is_some(),
            language: row.text("language")?,
            tally: Tally::from_row(row)?,
        })
    }
}

/// The columns of a line: standings are `st`, bots `b`, versions `v`; the caller adds the ladder's number and the column `league`.
const LINE: &str = "st.ladder_id, st.version_id, st.bot_id, b.name, b.house, b.user_id, b.paused, v.language, st.rating, \
                    st.uncertainty, st.proven, st.games, st.wins, st.draws, st.losses, st.failures";

impl Store {
    /// A page of a ladder's board: the active versions of the bots in its tier, the best first. On the board of a final,
    /// built-in bots have no line: they only fill seats.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn leaderboard(&self, ladder: i64, query: &BoardQuery) -> Result<Board> {
        let Some(ladder) = self.ladder(ladder).await? else {
            return Ok(Board { rows: Vec::new(), total: 0 });
        };
        if ladder.kind == LadderKind::Final {
            return self.final_board(&ladder, query).await;
        }
        self.board(&[ladder], query).await
    }

    async fn final_board(&self, ladder: &Ladder, query: &BoardQuery) -> Result<Board> {
        let sql = format!(
            "SELECT {LINE}, $2 AS league, 0 AS place FROM standings st JOIN bots b ON b.id = st.bot_id \
             JOIN versions v ON v.id = st.version_id WHERE st.ladder_id = $1 AND st.listed = 1 AND b.user_id IS NOT NULL \
             ORDER BY st.proven DESC, st.version_id LIMIT 1000"
        );
        let mut rows: Vec<BoardRow> = self.list(&sql, values![ladder.id, ladder.tier]).await?;
        for (row, place) in rows.iter_mut().zip(1..) {
            row.place = place;
        }
        let wanted = query.search.to_lowercase();
        rows.retain(|row| row.name.to_lowercase().contains(&wanted));
        let total = rows.len() as i64;
        rows.drain(..usize::try_from(query.skip()).unwrap_or(usize::MAX).min(rows.len()));
        rows.truncate(usize::try_from(query.size()).unwrap_or_default());
        Ok(Board { rows, total })
    }

    /// A page of the board of a whole game: all tiers, the highest first, each sorted by its own ladder for this
    /// number of players. Places count within the tier.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn game_board(
        &self,
        contest: i64,
        game: &str,
        players: i64,
        query: &BoardQuery,
    ) -> Result<Board> {
        let mut ladders = self.ladders(contest, game).await?;
        ladders.retain(|ladder| {
            ladder.players == players && matches!(ladder.kind, LadderKind::Ladder | LadderKind::Trial)
        });
        self.board(&ladders, query).await
    }

    async fn board(&self, ladders: &[Ladder], query: &BoardQuery) -> Result<Board> {
        let (mut skip, mut wanted) = (query.skip(), query.size());
        let mut board = Board { rows: Vec::new(), total: 0 };
        for ladder in ladders {
            let (count, rows) = if query.search.is_empty() {
                let count = self.board_count(ladder.id).await?;
                let rows = if skip < count && wanted > 0 {
                    self.board_page(ladder, skip, wanted).await?
                } else {
                    Vec::new()
                };
                (count, rows)
            } else {
                let mut found = self.board_search(ladder, &query.search).await?;
                let count = found.len() as i64;
                found.drain(..usize::try_from(skip).unwrap_or(usize::MAX).min(found.len()));
                found.truncate(usize::try_from(wanted).unwrap_or(0));
                (count, found)
            };
            skip = (skip - count).max(0);
            wanted -= rows.len() as i64;
            board.total += count;
            board.rows.extend(rows);
        }
        Ok(board)
    }

    async fn board_count(&self, ladder: i64) -> Result<i64> {
        let sql = "SELECT COUNT(*) AS n FROM standings WHERE ladder_id = $1 AND listed = 1";
        self.all(sql, values![ladder]).await?.first().map_or(Ok(0), |row| row.int("n"))
    }

    async fn board_page(&self, ladder: &Ladder, skip: i64, wanted: i64) -> Result<Vec<BoardRow>> {
        // The inner statement reads only the index; names are looked up only for the lines of the page.
        let sql = format!(
            "SELECT {LINE}, $4 AS league, 0 AS place FROM (SELECT * FROM standings WHERE ladder_id = $1 AND listed = 1 \
             ORDER BY proven DESC, version_id LIMIT $2 OFFSET $3) st \
             JOIN bots b ON b.id = st.bot_id JOIN versions v ON v.id = st.version_id ORDER BY st.proven DESC, st.version_id"
        );
        let mut rows: Vec<BoardRow> = self.list(&sql, values![ladder.id, wanted, skip, ladder.tier]).await?;
        for (row, place) in rows.iter_mut().zip(skip + 1..) {
            row.place = place;
        }
        Ok(rows)
    }

    async fn board_search(&self, ladder: &Ladder, search: &str) -> Result<Vec<BoardRow>> {
        let sql = format!(
            "SELECT {LINE}, $2 AS league, st.place FROM (SELECT s.*, ROW_NUMBER() OVER (ORDER BY s.proven DESC, s.version_id) AS place \
             FROM standings s WHERE s.ladder_id = $1 AND s.listed = 1) st JOIN bots b ON b.id = st.bot_id \
             JOIN versions v ON v.id = st.version_id WHERE LOWER(b.name) LIKE $3 ESCAPE '!' ORDER BY st.place LIMIT 1000"
        );
        self.list(&sql, values![ladder.id, ladder.tier, pattern(search)]).await
    }

    /// The side-quest board of a game: bots of users sorted by side-quest points per match on the ladders of a kind, over
    /// all tiers; bots with fewer than `least` matches are left out. At most 100 lines a page.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn side_quest_board(
        &self,
        contest: i64,
        game: &str,
        kind: LadderKind,
        least: i64,
        query: &BoardQuery,
    ) -> Result<Vec<SideQuestRow>> {
        let sql = "SELECT st.bot_id, st.league, b.name, b.user_id, st.points, st.squares, st.games FROM \
                   (SELECT s.bot_id, MAX(l.league) AS league, SUM(s.extra_sum) AS points, SUM(s.extra_squares) AS squares, \
                    CAST(SUM(s.extra_games) AS BIGINT) AS games FROM standings s JOIN ladders l ON l.id = s.ladder_id \
                    WHERE l.contest_id = $1 AND l.game = $2 AND l.kind = $3 AND s.listed = 1 AND s.extra_games > 0 \
                    GROUP BY s.bot_id HAVING SUM(s.extra_games) >= $4) st \
                   JOIN bots b ON b.id = st.bot_id WHERE b.user_id IS NOT NULL \
                   ORDER BY st.points / st.games DESC, st.bot_id LIMIT $5 OFFSET $6";
        let rows =
            self.all(sql, values![contest, game, kind.word(), least, query.size(), query.skip()]).await?;
        (rows.iter().zip(query.skip() + 1..))
            .map(|(row, place)| {
                let (points, squares, games) = (row.real("points")?, row.real("squares")?, row.int("games")?);
                let average = points / games as f64;
                let half = half_interval(average, squares, games);
                Ok(SideQuestRow {
                    place,
                    tier: row.id("league")?,
                    bot_id: row.id("bot_id")?,
                    name: row.text("name")?,
                    user_id: row.id_or_none("user_id")?,
                    average,
                    interval: [average - half, average + half],
                    games,
                })
            })
            .collect()
    }
}

/// Half the length of the 95 % interval of an average of `games` values with this sum of squares.
fn half_interval(average: f64, squares: f64, games: i64) -> f64 {
    let games = games as f64;
    let variance = (squares - games * average * average).max(0.0) / (games - 1.0).max(1.0);
    1.96 * (variance / games).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_of_averages() {
        // Four values: 1, 1, 3, 3.
        assert!((half_interval(2.0, 20.0, 4) - 1.96 * (4.0_f64 / 3.0 / 4.0).sqrt()).abs() < 1e-12);
        assert!(half_interval(2.0, 16.0, 4).abs() < 1e-12);
        assert!(half_interval(2.0, 4.0, 1).abs() < 1e-12);
    }
}
