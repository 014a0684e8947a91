//! Contests and who may enter them.

use model::UserId;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::access::first;
use crate::db::Tx;
use crate::value::{Columns, FromRow, values, words};
use crate::{Result, Store, StoreError, User};

words! {
    /// Where a contest stands.
    ContestState {
        /// Not begun.
        Planned = "planned",
        /// Bots are taken and play.
        Running = "running",
        /// No more bots; the last matches among the best.
        Final = "final",
        /// Over: the board is frozen.
        Closed = "closed",
    }
}

/// A contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contest {
    /// Its number.
    pub id: i64,
    /// Its name in addresses.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// When it begins; none for at once.
    pub starts: Option<i64>,
    /// When it ends; none for never.
    pub ends: Option<i64>,
    /// Whether only members enter.
    pub invited_only: bool,
    /// Games with their leagues, the final, and whatever else its makers keep here.
    pub settings: serde_json::Value,
    /// Where it stands.
    pub state: ContestState,
    /// When it was made.
    pub created: i64,
}

/// A contest to be.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewContest {
    /// Its name in addresses.
    pub key: String,
    /// Its name for people.
    pub title: String,
    /// When it begins; none for at once.
    pub starts: Option<i64>,
    /// When it ends; none for never.
    pub ends: Option<i64>,
    /// Whether only members enter.
    pub invited_only: bool,
    /// Games with their leagues, the final, and whatever else its makers keep here.
    pub settings: serde_json::Value,
    /// Where it stands at first.
    pub state: ContestState,
}

/// What of a contest is to change; `None` leaves it.
#[derive(Clone, Default, Debug)]
pub struct ContestChange {
    /// Its name for people.
    pub title: Option<String>,
    /// When it begins (`Some(None)`: at once).
    pub starts: Option<Option<i64>>,
    /// When it ends (`Some(None)`: never).
    pub ends: Option<Option<i64>>,
    /// Whether only members enter.
    pub invited_only: Option<bool>,
    /// Games, leagues, final.
    pub settings: Option<serde_json::Value>,
}

impl FromRow for Contest {
    fn from_row(row: &AnyRow) -> Result<Contest> {
        Ok(Contest {
            id: row.int("id")?,
            key: row.text("key")?,
            title: row.text("title")?,
            starts: row.int_or_none("starts")?,
            ends: row.int_or_none("ends")?,
            invited_only: row.flag("invited_only")?,
            settings: row.json("settings")?,
            state: row.word("state")?,
            created: row.int("created")?,
        })
    }
}

impl Tx {
    pub(crate) async fn add_member(&mut self, contest: i64, user: UserId) -> Result<bool> {
        let sql = "INSERT INTO members (contest_id, user_id) VALUES ($1, $2) ON CONFLICT (contest_id, user_id) DO NOTHING";
        Ok(self.run(sql, values![contest, user]).await? > 0)
    }
}

impl Store {
    /// Makes a contest. `Conflict` when the key is taken.
    ///
    /// # Errors
    ///
    /// As said, and when the database fails.
    pub async fn create_contest(&self, new: &NewContest, now: i64) -> Result<Contest> {
        let sql = "INSERT INTO contests (key, title, starts, ends, invited_only, settings, state, created) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (key) DO NOTHING RETURNING *";
        let values = values![
            &new.key,
            &new.title,
            new.starts,
            new.ends,
            new.invited_only,
            &new.settings,
            new.state.word(),
            now
        ];
        let made = self.returning(sql, values).await?.into_iter().next();
        made.ok_or_else(|| StoreError::conflict(format!("there is already a contest {}", new.key)))
    }

    /// The contest of a key, made if it is not there yet. An existing one stays as it is.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn ensure_contest(&self, new: &NewContest, now: i64) -> Result<Contest> {
        if let Some(found) = self.contest_by_key(&new.key).await? {
            return Ok(found);
        }
        match self.create_contest(new, now).await {
            Err(error) if error.kind == crate::ErrorKind::Conflict => {
                self.contest_by_key(&new.key).await?.ok_or(error)
            }
            made => made,
        }
    }

    /// The contest of a number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn contest(&self, id: i64) -> Result<Option<Contest>> {
        self.find("SELECT * FROM contests WHERE id = $1", values![id]).await
    }

    /// The contest of a key.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn contest_by_key(&self, key: &str) -> Result<Option<Contest>> {
        self.find("SELECT * FROM contests WHERE key = $1", values![key]).await
    }

    /// All contests, the oldest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn contests(&self) -> Result<Vec<Contest>> {
        self.list("SELECT * FROM contests ORDER BY id", &[]).await
    }

    /// Moves a contest on; whether it stood at `from`. Of two who try at once only one is told yes.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn set_contest_state(&self, id: i64, from: ContestState, to: ContestState) -> Result<bool> {
        let sql = "UPDATE contests SET state = $3 WHERE id = $1 AND state = $2";
        Ok(self.run(sql, values![id, from.word(), to.word()]).await? > 0)
    }

    /// Changes a contest.
    ///
    /// # Errors
    ///
    /// When there is no such contest, or the database fails.
    pub async fn change_contest(&self, id: i64, change: &ContestChange) -> Result<Contest> {
        let mut contest =
            self.contest(id).await?.ok_or_else(|| StoreError::not_found(format!("contest {id}")))?;
        contest.title = change.title.clone().unwrap_or(contest.title);
        contest.starts = change.starts.unwrap_or(contest.starts);
        contest.ends = change.ends.unwrap_or(contest.ends);
        contest.invited_only = change.invited_only.unwrap_or(contest.invited_only);
        contest.settings = change.settings.clone().unwrap_or(contest.settings);
        let sql = "UPDATE contests SET title = $2, starts = $3, ends = $4, invited_only = $5, settings = $6 \
                   WHERE id = $1 RETURNING *";
        let values = values![
            id,
            &contest.title,
            contest.starts,
            contest.ends,
            contest.invited_only,
            &contest.settings
        ];
        first(self.returning(sql, values).await?, "contest")
    }

    /// Lets a user in; whether it was not in before.
    ///
    /// # Errors
    ///
    /// When there is no such user or contest, or the database fails.
    pub async fn add_member(&self, contest: i64, user: UserId) -> Result<bool> {
        crate::db::change!(self, tx => tx.add_member(contest, user).await?)
    }

    /// Whether a user was let in.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn is_member(&self, contest: i64, user: UserId) -> Result<bool> {
        let sql = "SELECT user_id FROM members WHERE contest_id = $1 AND user_id = $2";
        Ok(self.optional(sql, values![contest, user]).await?.is_some())
    }

    /// Who was let in, by name.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn members(&self, contest: i64) -> Result<Vec<User>> {
        let sql = "SELECT u.* FROM members m JOIN users u ON u.id = m.user_id WHERE m.contest_id = $1 ORDER BY u.name_key";
        self.list(sql, values![contest]).await
    }
}
