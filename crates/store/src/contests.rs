//! Contests and their members.

use model::{ContestState, UserId};
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::access::first;
use crate::db::Tx;
use crate::value::{Columns, FromRow, values};
use crate::{Result, Store, StoreError, User};

/// A contest.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Contest {
    /// Its number.
    pub id: i64,
    /// Its name in URLs.
    pub key: String,
    /// Its display name.
    pub title: String,
    /// When it begins; `None`: at once.
    pub starts: Option<i64>,
    /// When it ends; `None`: never.
    pub ends: Option<i64>,
    /// Whether only members may enter.
    pub invited_only: bool,
    /// Games with their leagues, the final, and other settings of its organizers.
    pub settings: serde_json::Value,
    /// Its state.
    pub state: ContestState,
    /// When it was created.
    pub created: i64,
}

/// A contest to create.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewContest {
    /// Its name in URLs.
    pub key: String,
    /// Its display name.
    pub title: String,
    /// When it begins; `None`: at once.
    pub starts: Option<i64>,
    /// When it ends; `None`: never.
    pub ends: Option<i64>,
    /// Whether only members may enter.
    pub invited_only: bool,
    /// Games with their leagues, the final, and other settings of its organizers.
    pub settings: serde_json::Value,
    /// Its first state.
    pub state: ContestState,
}

/// Changes to a contest; a field that is `None` stays as it is.
#[derive(Clone, Default, Debug)]
pub struct ContestChange {
    /// Its display name.
    pub title: Option<String>,
    /// When it begins (`Some(None)`: at once).
    pub starts: Option<Option<i64>>,
    /// When it ends (`Some(None)`: never).
    pub ends: Option<Option<i64>>,
    /// Whether only members may enter.
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
    /// Creates a contest. `Conflict` when the key is taken.
    ///
    /// # Errors
    ///
    /// `Conflict` (see above), and when the database fails.
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

    /// The contest with this key; it is created if it does not exist. An existing contest stays as it is.
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

    /// The contest with this number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn contest(&self, id: i64) -> Result<Option<Contest>> {
        self.find("SELECT * FROM contests WHERE id = $1", values![id]).await
    }

    /// The contest with this key.
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

    /// Moves a contest from the state `from` to `to`. Returns whether it was in `from`: of two concurrent callers, only
    /// one gets `true`.
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

    /// Makes a user a member. Returns whether the user was not a member before.
    ///
    /// # Errors
    ///
    /// When there is no such user or contest, or the database fails.
    pub async fn add_member(&self, contest: i64, user: UserId) -> Result<bool> {
        crate::db::change!(self, tx => tx.add_member(contest, user).await?)
    }

    /// Whether a user is a member.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn is_member(&self, contest: i64, user: UserId) -> Result<bool> {
        let sql = "SELECT user_id FROM members WHERE contest_id = $1 AND user_id = $2";
        Ok(self.optional(sql, values![contest, user]).await?.is_some())
    }

    /// The members, sorted by name.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn members(&self, contest: i64) -> Result<Vec<User>> {
        let sql = "SELECT u.* FROM members m JOIN users u ON u.id = m.user_id WHERE m.contest_id = $1 ORDER BY u.name_key";
        self.list(sql, values![contest]).await
    }
}
