//! Data for the admin's report on bots of different accounts.

use model::{BotId, UserId, VersionId};
use serde::Serialize;
use sqlx::any::AnyRow;

use crate::value::{Columns, FromRow, values};
use crate::{Result, Store};

/// The results of two versions of different accounts against each other on a ladder.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Encounter {
    /// The bots.
    pub bots: [BotId; 2],
    /// The number of matches in which the first bot was placed above the second, and below it. Draws are left out.
    pub above: [i64; 2],
    /// The current ratings of the versions.
    pub ratings: [f64; 2],
    /// The uncertainties of these ratings.
    pub uncertainties: [f64; 2],
}

/// The source of the version with which a bot plays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActiveSource {
    /// The bot.
    pub bot: BotId,
    /// Its name.
    pub name: String,
    /// Its owner.
    pub user: UserId,
    /// The game.
    pub game: String,
    /// The version.
    pub version: VersionId,
    /// The programming language.
    pub language: String,
    /// The source.
    pub source: String,
}

/// An account that was made from a network from which other accounts were made too.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Neighbour {
    /// Identifies the network.
    pub network: String,
    /// The account.
    pub user: UserId,
    /// Its name.
    pub name: String,
}

impl FromRow for Neighbour {
    fn from_row(row: &AnyRow) -> Result<Neighbour> {
        Ok(Neighbour { network: row.text("network")?, user: row.id("id")?, name: row.text("name")? })
    }
}

impl FromRow for Encounter {
    fn from_row(row: &AnyRow) -> Result<Encounter> {
        Ok(Encounter {
            bots: [row.id("a")?, row.id("b")?],
            above: [row.int("above_a")?, row.int("above_b")?],
            ratings: [row.real("rating_a")?, row.real("rating_b")?],
            uncertainties: [row.real("uncertainty_a")?, row.real("uncertainty_b")?],
        })
    }
}

impl FromRow for ActiveSource {
    fn from_row(row: &AnyRow) -> Result<ActiveSource> {
        Ok(ActiveSource {
            bot: row.id("bot_id")?,
            name: row.text("name")?,
            user: row.id("user_id")?,
            game: row.text("game")?,
            version: row.id("version_id")?,
            language: row.text("language")?,
            source: row.text("source")?,
        })
    }
}

impl Store {
    /// The results of all pairs of bots of different accounts against each other in rated matches, by versions and
    /// ladders.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn encounters(&self) -> Result<Vec<Encounter>> {
        let sql = "SELECT a.bot_id AS a, b.bot_id AS b, x.rating AS rating_a, y.rating AS rating_b, \
                   x.uncertainty AS uncertainty_a, y.uncertainty AS uncertainty_b, \
                   COUNT(CASE WHEN a.rank < b.rank THEN 1 END) AS above_a, \
                   COUNT(CASE WHEN a.rank > b.rank THEN 1 END) AS above_b \
                   FROM matches m JOIN ladders l ON l.id = m.ladder_id \
                   JOIN seats a ON a.match_id = m.id JOIN seats b ON b.match_id = m.id AND b.bot_id > a.bot_id \
                   JOIN bots p ON p.id = a.bot_id JOIN bots q ON q.id = b.bot_id AND q.user_id <> p.user_id \
                   JOIN standings x ON x.ladder_id = l.id AND x.version_id = a.version_id \
                   JOIN standings y ON y.ladder_id = l.id AND y.version_id = b.version_id \
                   WHERE m.seq IS NOT NULL AND l.kind IN ('ladder', 'final') \
                   GROUP BY l.id, a.bot_id, b.bot_id, a.version_id, b.version_id, x.rating, y.rating, \
                   x.uncertainty, y.uncertainty ORDER BY a.bot_id, b.bot_id, l.id, a.version_id, b.version_id";
        self.list(sql, &[]).await
    }

    /// The accounts that were made from the same network as another one in the last 30 days, by network.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn neighbours(&self) -> Result<Vec<Neighbour>> {
        let sql = "SELECT u.id, u.name, u.network FROM users u WHERE u.network IN (SELECT network FROM users \
                   WHERE network IS NOT NULL GROUP BY network HAVING COUNT(*) > 1) ORDER BY u.network, u.id";
        self.list(sql, &[]).await
    }

    /// The sources of the active versions of all bots of users, after the bot `after`; at most 100. Only for the
    /// admin's report.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn active_sources(&self, after: BotId) -> Result<Vec<ActiveSource>> {
        let sql = "SELECT b.id AS bot_id, b.name, b.user_id, b.game, v.id AS version_id, v.language, v.source FROM bots b \
                   JOIN versions v ON v.id = b.active_version WHERE b.user_id IS NOT NULL AND b.id > $1 \
                   ORDER BY b.id LIMIT 100";
        self.list(sql, values![after]).await
    }
}
