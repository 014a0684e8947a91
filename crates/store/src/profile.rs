//! The pages of a bot and of a user, and the totals of the site.

use model::{BotId, MatchId, Tier, UserId, VersionId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::value::{Columns, FromRow, values};
use crate::{Bot, Ladder, Outcome, QueueLength, Result, StandingRow, Store};

/// The number of a bot's last matches from which histories and opponents are computed.
const LAST: i64 = 1_000;
/// The maximum number of points of a history.
const POINTS: usize = 200;

/// A standing with its place.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Placed {
    /// The ladder.
    pub ladder: Ladder,
    /// The standing.
    pub standing: StandingRow,
    /// The place on the board, from 1; `None` when the board does not list it.
    pub place: Option<i64>,
    /// The number of versions that the board lists.
    pub of: i64,
}

/// A bot with its standings.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BotPage {
    /// The bot.
    pub bot: Bot,
    /// The standings of its active version.
    pub standings: Vec<Placed>,
}

/// The public part of a user, with the user's bots.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Profile {
    /// The user's number.
    pub user_id: UserId,
    /// Its name.
    pub name: String,
    /// When the account was created.
    pub created: i64,
    /// Its bots.
    pub bots: Vec<BotPage>,
}

/// A point of a rating's history.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct HistoryPoint {
    /// The match.
    pub match_id: MatchId,
    /// When it ended.
    pub at: i64,
    /// The number of the version that played it.
    pub version: i64,
    /// The rating after it.
    pub rating: f64,
    /// The uncertainty after it.
    pub uncertainty: f64,
}

/// The results of a bot against another bot.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Opponent {
    /// The other bot.
    pub bot_id: BotId,
    /// Its name.
    pub name: String,
    /// The name of the built-in bot, if it is one.
    pub built_in: Option<String>,
    /// Matches in which this bot ranked before the other.
    pub wins: i64,
    /// Matches in which they shared a place.
    pub draws: i64,
    /// Matches in which this bot ranked after the other.
    pub losses: i64,
}

/// A map that a bot has played, and its result.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct MapResult {
    /// The seed of the map.
    pub seed: i64,
    /// The number of players.
    pub players: i64,
    /// The outcome for the bot.
    pub outcome: Outcome,
}

impl FromRow for MapResult {
    fn from_row(row: &AnyRow) -> Result<Self> {
        Ok(MapResult {
            seed: row.int("seed")?,
            players: row.int("players")?,
            outcome: row.text("outcome")?.parse()?,
        })
    }
}

/// The totals of the site.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Counts {
    /// Users.
    pub users: i64,
    /// Bots of users.
    pub bots: i64,
    /// Bots that are paused.
    pub paused: i64,
    /// Versions that wait to be built or are being built.
    pub building: i64,
    /// Finished matches.
    pub matches: i64,
    /// Void matches.
    pub voids: i64,
    /// The queue.
    pub queue: QueueLength,
}

impl FromRow for HistoryPoint {
    fn from_row(row: &AnyRow) -> Result<HistoryPoint> {
        Ok(HistoryPoint {
            match_id: row.id("match_id")?,
            at: row.int("finished")?,
            version: row.int("number")?,
            rating: row.real("rating")?,
            uncertainty: row.real("uncertainty")?,
        })
    }
}

impl FromRow for Opponent {
    fn from_row(row: &AnyRow) -> Result<Opponent> {
        Ok(Opponent {
            bot_id: row.id("bot_id")?,
            name: row.text("name")?,
            built_in: row.text_or_none("house")?,
            wins: row.int("wins")?,
            draws: row.int("draws")?,
            losses: row.int("losses")?,
        })
    }
}

impl Store {
    /// The standings of a version on all its current and former ladders, with places where a board lists it.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn standings_of(&self, version: VersionId) -> Result<Vec<Placed>> {
        let sql = "SELECT st.* FROM versions v JOIN standings st ON st.bot_id = v.bot_id AND st.version_id = v.id \
                   WHERE v.id = $1 ORDER BY st.ladder_id DESC";
        let mut placed = Vec::new();
        for standing in self.list::<StandingRow>(sql, values![version]).await? {
            let Some(ladder) = self.ladder(standing.ladder_id).await? else { continue };
            let sql = "SELECT \
                       (SELECT COUNT(*) FROM standings WHERE ladder_id = $1 AND listed = 1 AND proven > $2) + \
                       (SELECT COUNT(*) FROM standings WHERE ladder_id = $1 AND listed = 1 AND proven = $2 AND version_id < $3) AS above, \
                       (SELECT COUNT(*) FROM standings WHERE ladder_id = $1 AND listed = 1) AS total";
            let rows = self
                .all(sql, values![standing.ladder_id, standing.tally.proven, standing.version_id])
                .await?;
            let (above, of) = rows.first().map_or(Ok((0, 0)), |row| {
                Ok::<_, crate::StoreError>((row.int("above")?, row.int("total")?))
            })?;
            placed.push(Placed { place: standing.listed.then_some(above + 1), of, ladder, standing });
        }
        Ok(placed)
    }

    /// A bot with the standings of its active version.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn bot_page(&self, bot: BotId) -> Result<Option<BotPage>> {
        let Some(bot) = self.bot(bot).await? else { return Ok(None) };
        let standings = match bot.active_version {
            Some(version) => self.standings_of(version).await?,
            None => Vec::new(),
        };
        Ok(Some(BotPage { bot, standings }))
    }

    /// A user with its bots and their standings.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn profile(&self, user: UserId) -> Result<Option<Profile>> {
        let Some(user) = self.user(user).await? else { return Ok(None) };
        let mut bots = Vec::new();
        for bot in self.bots_of_user(user.id).await? {
            bots.extend(self.bot_page(bot.id).await?);
        }
        Ok(Some(Profile { user_id: user.id, name: user.name, created: user.created, bots }))
    }

    /// The rated ladders on which versions of a bot have played, the highest tier first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn rated_ladders_of(&self, bot: BotId) -> Result<Vec<Ladder>> {
        let sql = "SELECT * FROM ladders WHERE kind IN ('ladder', 'final') \
                   AND id IN (SELECT ladder_id FROM standings WHERE bot_id = $1 AND games > 0) \
                   ORDER BY league DESC, kind, players";
        self.list(sql, values![bot]).await
    }

    /// The rating of a bot on a ladder after each of its last 1,000 matches, all versions, thinned to at most 200 points,
    /// the oldest first. The last match is always among them.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn bot_history(&self, bot: BotId, ladder: i64) -> Result<Vec<HistoryPoint>> {
        let points: Vec<HistoryPoint> = self
            .list(
                "SELECT s.match_id, m.finished, v.number, s.rating, s.uncertainty FROM \
                 (SELECT match_id, version_id, rating, uncertainty FROM seats WHERE bot_id = $1 AND part = 0 ORDER BY match_id DESC LIMIT $3) s \
                 JOIN matches m ON m.id = s.match_id JOIN versions v ON v.id = s.version_id \
                 WHERE m.ladder_id = $2 AND s.rating IS NOT NULL ORDER BY m.seq",
                values![bot, ladder, LAST],
            )
            .await?;
        let every = points.len().div_ceil(POINTS).max(1);
        let from_end = |index: usize| points.len() - 1 - index;
        Ok(points
            .iter()
            .enumerate()
            .filter(|(i, _)| from_end(*i) % every == 0)
            .map(|(_, point)| point.clone())
            .collect())
    }

    /// The maps of the last matches of a bot in a tier, with its results, the newest first, at most 200.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn map_results(&self, bot: BotId, tier: Tier) -> Result<Vec<MapResult>> {
        let sql = "SELECT m.seed, l.players, s.outcome FROM \
                   (SELECT match_id, outcome FROM seats WHERE bot_id = $1 AND part = 0 ORDER BY match_id DESC LIMIT $3) s \
                   JOIN matches m ON m.id = s.match_id JOIN ladders l ON l.id = m.ladder_id \
                   WHERE s.outcome IS NOT NULL AND m.seq IS NOT NULL AND l.league = $2 ORDER BY m.id DESC LIMIT 200";
        self.list(sql, values![bot, tier, LAST]).await
    }

    /// The results of a bot against each other bot in its last 1,000 matches, all versions together; the most frequent
    /// opponents first, at most 100.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn opponents(&self, bot: BotId) -> Result<Vec<Opponent>> {
        self.list(
            "SELECT o.bot_id, b.name, b.house, o.wins, o.draws, o.losses FROM \
             (SELECT other.bot_id, \
              CAST(SUM(CASE WHEN own.rank < other.rank THEN 1 ELSE 0 END) AS BIGINT) AS wins, \
              CAST(SUM(CASE WHEN own.rank = other.rank THEN 1 ELSE 0 END) AS BIGINT) AS draws, \
              CAST(SUM(CASE WHEN own.rank > other.rank THEN 1 ELSE 0 END) AS BIGINT) AS losses \
              FROM (SELECT match_id, rank FROM seats WHERE bot_id = $1 AND part = 0 ORDER BY match_id DESC LIMIT $2) own \
              JOIN seats other ON other.match_id = own.match_id AND other.bot_id <> $1 \
              WHERE own.rank IS NOT NULL AND other.rank IS NOT NULL GROUP BY other.bot_id \
              ORDER BY COUNT(*) DESC, other.bot_id LIMIT 100) o \
             JOIN bots b ON b.id = o.bot_id ORDER BY o.wins + o.draws + o.losses DESC, o.bot_id",
            values![bot, LAST],
        )
        .await
    }

    /// The totals of the site. No count scans the table of matches.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn counts(&self) -> Result<Counts> {
        let sql = "SELECT (SELECT COUNT(*) FROM users WHERE role <> 'team') AS users, \
                   (SELECT COUNT(*) FROM bots WHERE user_id IS NOT NULL) AS bots, \
                   (SELECT COUNT(*) FROM bots WHERE paused IS NOT NULL) AS paused, \
                   (SELECT COUNT(*) FROM versions WHERE state IN ('waiting', 'building')) AS building, \
                   (SELECT value FROM counters WHERE name = 'seq') AS matches, \
                   (SELECT COUNT(*) FROM matches WHERE state = 'void' AND seq IS NULL) AS voids";
        let rows = self.all(sql, &[]).await?;
        let row = rows.first().ok_or_else(|| crate::StoreError::other("the database gave no counts"))?;
        Ok(Counts {
            users: row.int("users")?,
            bots: row.int("bots")?,
            paused: row.int("paused")?,
            building: row.int("building")?,
            matches: row.int("matches")?,
            voids: row.int("voids")?,
            queue: self.queue_length().await?,
        })
    }

    /// Bots that are paused, at most 200.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn paused_bots(&self) -> Result<Vec<Bot>> {
        self.list("SELECT * FROM bots WHERE paused IS NOT NULL ORDER BY id DESC LIMIT 200", &[]).await
    }
}
