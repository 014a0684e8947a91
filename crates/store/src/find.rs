//! Finding things: matches by many properties, the results of two bots against each other, players and bots by name.

use std::fmt::Write as _;

use model::{BotId, MatchId, Tier, UserId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::users::{name_key, pattern};
use crate::value::{Columns as _, Value, values};
use crate::{MatchRow, Outcome, Result, Store};

/// Without a player or a seed, only this number of the newest matches is searched.
const NEWEST: i64 = 50_000;
/// The number of a bot's last matches that are compared with another bot's.
const LAST: i64 = 10_000;
/// The maximum number of bots of a player.
const MOST_BOTS: i64 = 200;

/// The properties of matches to find. A property that is `None` is not asked for.
#[derive(Clone, Default, Debug)]
pub struct MatchSearch {
    /// The contest.
    pub contest_id: Option<i64>,
    /// The game.
    pub game: Option<String>,
    /// The tier.
    pub tier: Option<Tier>,
    /// A player, by the name of the user or of the built-in bot.
    pub player: Option<String>,
    /// A bot; it is the player.
    pub bot: Option<BotId>,
    /// Another player of the match.
    pub opponent: Option<String>,
    /// The outcome for the player (without a player: for any seat).
    pub outcome: Option<Outcome>,
    /// The fault by which the player (without a player: any seat) lost; empty for any fault.
    pub cause: Option<String>,
    /// The seed.
    pub seed: Option<i64>,
    /// The smallest and the largest number of turns.
    pub turns: (Option<i64>, Option<i64>),
    /// The earliest and the latest end.
    pub finished: (Option<i64>, Option<i64>),
    /// Only matches before this match.
    pub before: Option<MatchId>,
    /// The number of matches; at most 100.
    pub limit: i64,
}

/// The results of a bot against another, in a tier and a seat.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct HeadToHead {
    /// The tier.
    pub tier: Tier,
    /// The seat of the first bot.
    pub seat: i64,
    /// Matches in which the first bot ranked before the other.
    pub wins: i64,
    /// Matches in which they shared a place.
    pub draws: i64,
    /// Matches in which the first bot ranked after the other.
    pub losses: i64,
}

/// A bot that was found by its name.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct FoundBot {
    /// Its number.
    pub id: BotId,
    /// Its name.
    pub name: String,
    /// Its contest.
    pub contest_id: i64,
    /// Its game.
    pub game: String,
    /// Its tier.
    pub tier: Tier,
    /// The owner; `None` for a built-in bot.
    pub user_id: Option<UserId>,
}

/// The text of a statement, with its values.
struct Statement {
    sql: String,
    values: Vec<Value>,
}

impl Statement {
    /// Adds a condition; `?` in it stands for the value.
    fn and(&mut self, condition: &str, value: impl Into<Value>) {
        self.values.push(value.into());
        let place = format!("${}", self.values.len());
        let _ = write!(self.sql, " AND {}", condition.replace('?', &place));
    }
}

impl Store {
    /// Finished matches with these properties, the newest first. Test matches are not found.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn find_matches(&self, search: &MatchSearch) -> Result<Vec<MatchRow>> {
        let mut statement = Statement {
            sql: "SELECT m.id FROM matches m JOIN ladders l ON l.id = m.ladder_id \
                  WHERE m.seq IS NOT NULL AND l.kind <> 'test'"
                .to_owned(),
            values: Vec::new(),
        };
        if let Some(contest) = search.contest_id {
            statement.and("l.contest_id = ?", contest);
        }
        if let Some(game) = &search.game {
            statement.and("l.game = ?", game);
        }
        if let Some(tier) = search.tier {
            statement.and("l.league = ?", tier);
        }
        if let Some(seed) = search.seed {
            statement.and("m.seed = ?", seed);
        }
        for (condition, bound) in [
            ("m.turns >= ?", search.turns.0),
            ("m.turns <= ?", search.turns.1),
            ("m.finished >= ?", search.finished.0),
            ("m.finished <= ?", search.finished.1),
            ("m.id < ?", search.before.map(|id| id.0)),
        ] {
            if let Some(bound) = bound {
                statement.and(condition, bound);
            }
        }
        let mut player = match (&search.player, search.bot) {
            (_, Some(bot)) => Some(vec![bot]),
            (Some(name), None) => Some(self.bots_named(name).await?),
            (None, None) => None,
        };
        let mut opponent = match &search.opponent {
            Some(name) => Some(self.bots_named(name).await?),
            None => None,
        };
        if player.is_none() {
            // With an opponent alone, the opponent is a player like any other.
            player = opponent.take();
        }
        if player.is_none() && search.seed.is_none() {
            statement.and("m.seq > (SELECT value FROM counters WHERE name = 'seq') - ?", NEWEST);
        }
        if [&player, &opponent].into_iter().flatten().any(Vec::is_empty) {
            return Ok(Vec::new());
        }
        let mut seat = String::new();
        if let Some(player) = &player {
            let _ = write!(seat, " AND s.bot_id IN ({})", numbers(player));
        }
        if let Some(outcome) = search.outcome {
            let _ = write!(seat, " AND s.outcome = '{}'", outcome.word());
        }
        match search.cause.as_deref() {
            None => {}
            Some("") => seat.push_str(" AND s.cause IS NOT NULL"),
            Some(cause) => {
                statement.values.push(cause.into());
                let _ = write!(seat, " AND s.cause = ${}", statement.values.len());
            }
        }
        if let Some(opponent) = &opponent {
            let _ = write!(
                seat,
                " AND EXISTS (SELECT 1 FROM seats o WHERE o.match_id = s.match_id AND o.seat <> s.seat AND o.bot_id IN ({}))",
                numbers(opponent)
            );
        }
        if !seat.is_empty() {
            // Starts at the seats of the player, which an index finds; otherwise at the matches.
            let _ = if player.is_some() {
                write!(statement.sql, " AND m.id IN (SELECT s.match_id FROM seats s WHERE 1 = 1{seat})")
            } else {
                write!(statement.sql, " AND EXISTS (SELECT 1 FROM seats s WHERE s.match_id = m.id{seat})")
            };
        }
        statement.values.push(search.limit.clamp(1, 100).into());
        let _ = write!(statement.sql, " ORDER BY m.id DESC LIMIT ${}", statement.values.len());
        let rows = self.all(&statement.sql, &statement.values).await?;
        let ids = rows.iter().map(|row| row.id("id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }

    /// The bots of a player: of the user with this name, otherwise the built-in bots with this name.
    async fn bots_named(&self, name: &str) -> Result<Vec<BotId>> {
        let sql = "SELECT b.id FROM bots b LEFT JOIN users u ON u.id = b.user_id \
                   WHERE u.name_key = $1 OR (b.user_id IS NULL AND LOWER(b.name) = $1) ORDER BY b.id LIMIT $2";
        let rows = self.all(sql, values![name_key(name), MOST_BOTS]).await?;
        rows.iter().map(|row| row.id("id")).collect()
    }

    /// The results of a bot against another among its last 10,000 matches, by tier and seat, the highest tier first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn head_to_head(&self, bot: BotId, other: BotId) -> Result<Vec<HeadToHead>> {
        let sql = "SELECT l.league, own.seat, \
                   CAST(SUM(CASE WHEN own.rank < other.rank THEN 1 ELSE 0 END) AS BIGINT) AS wins, \
                   CAST(SUM(CASE WHEN own.rank = other.rank THEN 1 ELSE 0 END) AS BIGINT) AS draws, \
                   CAST(SUM(CASE WHEN own.rank > other.rank THEN 1 ELSE 0 END) AS BIGINT) AS losses \
                   FROM (SELECT match_id, seat, rank FROM seats WHERE bot_id = $1 AND rank IS NOT NULL \
                         ORDER BY match_id DESC LIMIT $3) own \
                   JOIN seats other ON other.match_id = own.match_id AND other.bot_id = $2 AND other.rank IS NOT NULL \
                   JOIN matches m ON m.id = own.match_id JOIN ladders l ON l.id = m.ladder_id AND l.kind <> 'test' \
                   GROUP BY l.league, own.seat ORDER BY l.league DESC, own.seat";
        let rows = self.all(sql, values![bot, other, LAST]).await?;
        let result = |row: &AnyRow| {
            Ok(HeadToHead {
                tier: row.id("league")?,
                seat: row.int("seat")?,
                wins: row.int("wins")?,
                draws: row.int("draws")?,
                losses: row.int("losses")?,
            })
        };
        rows.iter().map(result).collect()
    }

    /// The last matches of two bots against each other, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn matches_between(&self, bot: BotId, other: BotId, limit: i64) -> Result<Vec<MatchRow>> {
        let sql = "SELECT DISTINCT own.match_id FROM \
                   (SELECT match_id FROM seats WHERE bot_id = $1 AND rank IS NOT NULL ORDER BY match_id DESC LIMIT $3) own \
                   JOIN seats other ON other.match_id = own.match_id AND other.bot_id = $2 \
                   JOIN matches m ON m.id = own.match_id JOIN ladders l ON l.id = m.ladder_id AND l.kind <> 'test' \
                   ORDER BY own.match_id DESC LIMIT $4";
        let rows = self.all(sql, values![bot, other, LAST, limit.clamp(1, 100)]).await?;
        let ids = rows.iter().map(|row| row.id("match_id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }

    /// The matches in which a bot lost against the opponent that was weakest in comparison, among its last 1,000; the
    /// worst first, at most 5.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn worst_losses(&self, bot: BotId) -> Result<Vec<MatchRow>> {
        let sql = "SELECT own.match_id, MAX(own.rating - other.rating) AS gap \
                   FROM (SELECT match_id, rank, rating FROM seats WHERE bot_id = $1 AND outcome = 'lost' \
                         ORDER BY match_id DESC LIMIT 1000) own \
                   JOIN seats other ON other.match_id = own.match_id AND other.bot_id <> $1 AND other.rank < own.rank \
                   WHERE own.rating IS NOT NULL AND other.rating IS NOT NULL \
                   GROUP BY own.match_id ORDER BY gap DESC, own.match_id DESC LIMIT 5";
        let rows = self.all(sql, values![bot]).await?;
        let ids = rows.iter().map(|row| row.id("match_id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }

    /// The names of users that contain `search`, names that begin with it first; at most 10.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn find_users(&self, search: &str) -> Result<Vec<String>> {
        let sql = "SELECT name FROM users WHERE blocked = 0 AND name_key LIKE $1 ESCAPE '!' \
                   ORDER BY CASE WHEN name_key LIKE $2 ESCAPE '!' THEN 0 ELSE 1 END, name_key LIMIT 10";
        let rows = self.all(sql, values![pattern(search), &pattern(search)[1..]]).await?;
        rows.iter().map(|row| row.text("name")).collect()
    }

    /// Bots whose name contains `search`, at most 10.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn find_bots(&self, search: &str) -> Result<Vec<FoundBot>> {
        let sql = "SELECT id, name, contest_id, game, league, user_id FROM bots \
                   WHERE active_version IS NOT NULL AND LOWER(name) LIKE $1 ESCAPE '!' \
                   ORDER BY contest_id, name, game, league DESC LIMIT 10";
        let rows = self.all(sql, values![pattern(search)]).await?;
        rows.iter()
            .map(|row| {
                Ok(FoundBot {
                    id: row.id("id")?,
                    name: row.text("name")?,
                    contest_id: row.int("contest_id")?,
                    game: row.text("game")?,
                    tier: row.id("league")?,
                    user_id: row.id_or_none("user_id")?,
                })
            })
            .collect()
    }
}

/// Numbers as the elements of a list.
fn numbers(bots: &[BotId]) -> String {
    bots.iter().map(|bot| bot.0.to_string()).collect::<Vec<_>>().join(", ")
}
