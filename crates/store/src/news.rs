//! Notices to a user, public announcements, the admin's log, and the settings of the site.

use model::UserId;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::access::first;
use crate::db::Tx;
use crate::value::{Columns, FromRow, values};
use crate::{Result, Store};

/// A message to a user: `promotion`, `paused`, `build_failed`, ...
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Notice {
    /// Its number.
    pub id: i64,
    /// The recipient.
    pub user_id: UserId,
    /// When it was sent.
    pub at: i64,
    /// The kind of message.
    pub kind: String,
    /// Its data.
    pub data: serde_json::Value,
    /// Whether the user has seen it.
    pub seen: bool,
}

/// A line of the admin's log.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AuditLine {
    /// Its number.
    pub id: i64,
    /// When it was written.
    pub at: i64,
    /// The user who acted; `None` for the site itself.
    pub user_id: Option<UserId>,
    /// The name of this user.
    pub user: Option<String>,
    /// A description of the action.
    pub what: String,
}

/// A public announcement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Announcement {
    /// Its number.
    pub id: i64,
    /// The text in English.
    pub en: String,
    /// The text in French.
    pub fr: String,
    /// When it becomes visible.
    pub starts: i64,
    /// When it stops being visible.
    pub ends: Option<i64>,
}

/// An announcement to create.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct NewAnnouncement {
    /// The text in English.
    pub en: String,
    /// The text in French.
    pub fr: String,
    /// When it becomes visible.
    pub starts: i64,
    /// When it stops being visible.
    pub ends: Option<i64>,
}

impl FromRow for Notice {
    fn from_row(row: &AnyRow) -> Result<Notice> {
        Ok(Notice {
            id: row.int("id")?,
            user_id: row.id("user_id")?,
            at: row.int("at")?,
            kind: row.text("kind")?,
            data: row.json("data")?,
            seen: row.flag("seen")?,
        })
    }
}

impl FromRow for AuditLine {
    fn from_row(row: &AnyRow) -> Result<AuditLine> {
        Ok(AuditLine {
            id: row.int("id")?,
            at: row.int("at")?,
            user_id: row.id_or_none("user_id")?,
            user: row.text_or_none("user_name")?,
            what: row.text("what")?,
        })
    }
}

impl FromRow for Announcement {
    fn from_row(row: &AnyRow) -> Result<Announcement> {
        Ok(Announcement {
            id: row.int("id")?,
            en: row.text("en")?,
            fr: row.text("fr")?,
            starts: row.int("starts")?,
            ends: row.int_or_none("ends")?,
        })
    }
}

const AUDIT: &str = "INSERT INTO audit (at, user_id, what) VALUES ($1, $2, $3)";
const NOTICE: &str = "INSERT INTO notices (user_id, at, kind, data, seen) VALUES ($1, $2, $3, $4, 0)";

impl Tx {
    /// Sends a notice to a user, or to all members of a team.
    pub(crate) async fn notice(
        &mut self,
        user: UserId,
        now: i64,
        kind: &str,
        data: &serde_json::Value,
    ) -> Result<()> {
        for person in self.members_or_self(user).await? {
            self.run(NOTICE, values![person, now, kind, data]).await?;
        }
        Ok(())
    }

    /// Adds a line of the server itself to the admin's log.
    pub(crate) async fn audit(&mut self, now: i64, what: &str) -> Result<()> {
        self.run(AUDIT, values![now, None::<UserId>, what]).await.map(|_| ())
    }
}

impl Store {
    /// Sends a notice to a user.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn add_notice(
        &self,
        user: UserId,
        now: i64,
        kind: &str,
        data: &serde_json::Value,
    ) -> Result<()> {
        self.run(NOTICE, values![user, now, kind, data]).await.map(|_| ())
    }

    /// The notices of a user before the notice `before`, the newest first; at most 100.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn notices(&self, user: UserId, before: Option<i64>, limit: i64) -> Result<Vec<Notice>> {
        let sql = "SELECT * FROM notices WHERE user_id = $1 AND id < $2 ORDER BY id DESC LIMIT $3";
        self.list(sql, values![user, before.unwrap_or(i64::MAX), limit.clamp(1, 100)]).await
    }

    /// The number of notices that a user has not seen.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn unseen_notices(&self, user: UserId) -> Result<i64> {
        let sql = "SELECT COUNT(*) AS n FROM notices WHERE user_id = $1 AND seen = 0";
        self.all(sql, values![user]).await?.first().map_or(Ok(0), |row| row.int("n"))
    }

    /// Marks a user's notices up to a number as seen.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn see_notices(&self, user: UserId, up_to: i64) -> Result<()> {
        let sql = "UPDATE notices SET seen = 1 WHERE user_id = $1 AND id <= $2 AND seen = 0";
        self.run(sql, values![user, up_to]).await.map(|_| ())
    }

    /// Adds a line to the admin's log.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn audit(&self, now: i64, user: Option<UserId>, what: &str) -> Result<()> {
        self.run(AUDIT, values![now, user, what]).await.map(|_| ())
    }

    /// The lines of the admin's log before the line `before`, the newest first; at most 500.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn audit_log(&self, before: Option<i64>, limit: i64) -> Result<Vec<AuditLine>> {
        let sql = "SELECT a.*, u.name AS user_name FROM audit a LEFT JOIN users u ON u.id = a.user_id \
                   WHERE a.id < $1 ORDER BY a.id DESC LIMIT $2";
        self.list(sql, values![before.unwrap_or(i64::MAX), limit.clamp(1, 500)]).await
    }

    /// Creates an announcement.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn announce(&self, new: &NewAnnouncement) -> Result<Announcement> {
        let sql = "INSERT INTO announcements (en, fr, starts, ends) VALUES ($1, $2, $3, $4) RETURNING *";
        first(self.returning(sql, values![&new.en, &new.fr, new.starts, new.ends]).await?, "announcement")
    }

    /// The announcements that are visible now, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn announcements(&self, now: i64) -> Result<Vec<Announcement>> {
        let sql = "SELECT * FROM announcements WHERE starts <= $1 AND (ends IS NULL OR ends > $1) ORDER BY id DESC LIMIT 20";
        self.list(sql, values![now]).await
    }

    /// All announcements, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn all_announcements(&self) -> Result<Vec<Announcement>> {
        self.list("SELECT * FROM announcements ORDER BY id DESC LIMIT 200", &[]).await
    }

    /// Deletes an announcement. Returns whether it existed.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn drop_announcement(&self, id: i64) -> Result<bool> {
        Ok(self.run("DELETE FROM announcements WHERE id = $1", values![id]).await? > 0)
    }

    /// A setting of the site.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn setting(&self, key: &str) -> Result<Option<String>> {
        let row = self.optional("SELECT value FROM settings WHERE key = $1", values![key]).await?;
        row.map(|row| row.text("value")).transpose()
    }

    /// Changes a setting of the site.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn set_setting(&self, key: &str, value: &str) -> Result<()> {
        let sql = "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO UPDATE SET value = excluded.value";
        self.run(sql, values![key, value]).await.map(|_| ())
    }

    /// A setting of the site. If it is not set, it gets this value: of several servers that start at the same time, all
    /// get the same one.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn setting_or(&self, key: &str, value: &str) -> Result<String> {
        let sql = "INSERT INTO settings (key, value) VALUES ($1, $2) ON CONFLICT (key) DO NOTHING";
        self.run(sql, values![key, value]).await?;
        Ok(self.setting(key).await?.unwrap_or_else(|| value.to_owned()))
    }
}
