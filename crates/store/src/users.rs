//! User accounts.

use model::UserId;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::db::change;
use crate::value::{Columns, FromRow, values};
use crate::{Bot, InvitationKind, Result, Store, StoreError};

/// The reason for which the bots of a blocked account are paused.
const BLOCKED: &str = "its author's account is blocked";
/// The reason for which the bots of a deleted account are paused.
const DELETED: &str = "its author's account is deleted";

model::words! {
    /// The role of a user.
    Role {
        /// Submits bots.
        Player = "player",
        /// Runs the site.
        Admin = "admin",
        /// A team of players. Nobody signs in to its account.
        Team = "team",
    }
}

/// A user.
#[derive(Clone, Serialize, Deserialize)]
pub struct User {
    /// Its number.
    pub id: UserId,
    /// The display name.
    pub name: String,
    /// The e-mail address, if the user gave one.
    pub email: Option<String>,
    /// The hash of the password; never shown or printed.
    #[serde(skip)]
    pub password: String,
    /// The role.
    pub role: Role,
    /// The language of its pages.
    pub lang: String,
    /// When the account was created.
    pub created: i64,
    /// Whether the account is blocked.
    pub blocked: bool,
    /// Whether the user must choose a new password before any other action.
    pub must_change: bool,
    /// A few words of the user about itself. Public.
    pub about: Option<String>,
}

impl std::fmt::Debug for User {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let User { id, name, role, .. } = self;
        f.debug_struct("User").field("id", id).field("name", name).field("role", role).finish_non_exhaustive()
    }
}

/// A user to create.
#[derive(Clone)]
pub struct NewUser {
    /// The name; it is taken when an existing name differs only in case.
    pub name: String,
    /// The e-mail address.
    pub email: Option<String>,
    /// The *hash* of the password.
    pub password: String,
    /// The role.
    pub role: Role,
    /// The language of its pages.
    pub lang: String,
    /// Whether the user must choose a new password before any other action.
    pub must_change: bool,
}

impl std::fmt::Debug for NewUser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("NewUser").field("name", &self.name).field("role", &self.role).finish_non_exhaustive()
    }
}

impl FromRow for User {
    fn from_row(row: &AnyRow) -> Result<User> {
        Ok(User {
            id: row.id("id")?,
            name: row.text("name")?,
            email: row.text_or_none("email")?,
            password: row.text("password")?,
            role: row.word("role")?,
            lang: row.text("lang")?,
            created: row.int("created")?,
            blocked: row.flag("blocked")?,
            must_change: row.flag("must_change")?,
            about: row.text_or_none("about")?,
        })
    }
}

/// The normalized form of a name: names with the same key are the same name.
pub(crate) fn name_key(name: &str) -> String {
    name.to_lowercase()
}

/// A search text as a pattern of `LIKE … ESCAPE '!'`.
pub(crate) fn pattern(search: &str) -> String {
    let mut pattern = String::from("%");
    for character in search.to_lowercase().chars() {
        if matches!(character, '%' | '_' | '!') {
            pattern.push('!');
        }
        pattern.push(character);
    }
    pattern + "%"
}

/// How long the network of a new account is stored: 30 days. Meanwhile the account shares its turns with other new
/// accounts from the network.
pub const NETWORK_LASTS_MS: i64 = 30 * 24 * 3_600_000;

impl Store {
    /// Creates a user. `Conflict` when the name is taken.
    ///
    /// # Errors
    ///
    /// `Conflict` (see above), and when the database fails.
    pub async fn create_user(&self, new: &NewUser, now: i64) -> Result<User> {
        self.sign_up(new, None, None, now).await
    }

    /// Creates a user and, in the same transaction, consumes a use of a sign-up invitation (given by the hash of its
    /// code) and makes the user a member of the invitation's contest, if it has one. `NotFound` when the invitation is
    /// not valid, `Conflict` when the name is taken; in both cases no use is consumed. `network` identifies the network
    /// from which the account is made; it is forgotten after [`NETWORK_LASTS_MS`].
    ///
    /// # Errors
    ///
    /// `NotFound` and `Conflict` (see above), and when the database fails.
    pub async fn sign_up(
        &self,
        new: &NewUser,
        invitation: Option<&str>,
        network: Option<&str>,
        now: i64,
    ) -> Result<User> {
        change!(self, tx => {
            let invited = match invitation {
                Some(code_hash) => {
                    let used = tx.take_invitation(code_hash, InvitationKind::SignUp, now).await?;
                    Some(used.ok_or_else(|| StoreError::not_found("such invitation, or it is used up or too old"))?)
                }
                None => None,
            };
            let user: User = tx
                .find(
                    "INSERT INTO users (name, name_key, email, password, role, lang, created, blocked, must_change, network) \
                     VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9) ON CONFLICT (name_key) DO NOTHING RETURNING *",
                    values![
                        &new.name,
                        name_key(&new.name),
                        &new.email,
                        &new.password,
                        new.role.word(),
                        &new.lang,
                        now,
                        new.must_change,
                        network
                    ],
                )
                .await?
                .ok_or_else(|| StoreError::conflict(format!("the name {} is taken", new.name)))?;
            if let Some(contest) = invited.and_then(|invitation| invitation.contest_id) {
                tx.add_member(contest, user.id).await?;
            }
            user
        })
    }

    /// The user with this name, ignoring case.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn user_by_name(&self, name: &str) -> Result<Option<User>> {
        self.find("SELECT * FROM users WHERE name_key = $1", values![name_key(name)]).await
    }

    /// The user with this number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn user(&self, id: UserId) -> Result<Option<User>> {
        self.find("SELECT * FROM users WHERE id = $1", values![id]).await
    }

    /// Sets the hash of the password, and whether the user must change it before any other action.
    ///
    /// # Errors
    ///
    /// When there is no such user, or the database fails.
    pub async fn set_password(&self, user: UserId, hash: &str, must_change: bool) -> Result<()> {
        let sql = "UPDATE users SET password = $2, must_change = $3 WHERE id = $1";
        self.change_user(user, self.run(sql, values![user, hash, must_change]).await?)
    }

    /// Sets the role of a user.
    ///
    /// # Errors
    ///
    /// When there is no such user, or the database fails.
    pub async fn set_role(&self, user: UserId, role: Role) -> Result<()> {
        let sql = "UPDATE users SET role = $2 WHERE id = $1";
        self.change_user(user, self.run(sql, values![user, role.word()]).await?)
    }

    /// Sets the e-mail address.
    ///
    /// # Errors
    ///
    /// When there is no such user, or the database fails.
    pub async fn set_email(&self, user: UserId, email: Option<&str>) -> Result<()> {
        self.change_user(
            user,
            self.run("UPDATE users SET email = $2 WHERE id = $1", values![user, email]).await?,
        )
    }

    /// Sets the few words of a user about itself.
    ///
    /// # Errors
    ///
    /// When there is no such user, or the database fails.
    pub async fn set_about(&self, user: UserId, about: Option<&str>) -> Result<()> {
        self.change_user(
            user,
            self.run("UPDATE users SET about = $2 WHERE id = $1", values![user, about]).await?,
        )
    }

    /// Deletes an account: its name, mail address, words, sessions, tokens, notices, teams and the sources of its bots
    /// are gone, and its bots play no more. Results stay, under the name `deleted-N`. The new name is returned.
    ///
    /// # Errors
    ///
    /// When there is no such user, or the database fails.
    pub async fn delete_user(&self, user: UserId, now: i64) -> Result<String> {
        let name = format!("deleted-{user}");
        let changed = change!(self, tx => {
            tx.lock().await?;
            for bot in tx.list::<Bot>("SELECT * FROM bots WHERE user_id = $1", values![user]).await? {
                tx.pause(&bot, DELETED, now).await?;
                tx.run("UPDATE bots SET name = $2, active_version = NULL WHERE id = $1", values![bot.id, &name]).await?;
                let sql = "UPDATE versions SET source = '', build_log = NULL, state = 'failed' WHERE bot_id = $1";
                tx.run(sql, values![bot.id]).await?;
                let sql = "UPDATE seats SET details = NULL WHERE bot_id = $1 AND details IS NOT NULL";
                tx.run(sql, values![bot.id]).await?;
                tx.relist(bot.id).await?;
            }
            for table in ["sessions", "tokens", "notices", "members", "teammates"] {
                tx.run(&format!("DELETE FROM {table} WHERE user_id = $1"), values![user]).await?;
            }
            let sql = "UPDATE users SET name = $2, name_key = $2, email = NULL, password = '', about = NULL, network = NULL, \
                       blocked = 1, role = 'player' WHERE id = $1";
            tx.run(sql, values![user, &name]).await?
        })?;
        self.change_user(user, changed).map(|()| name)
    }

    /// Sets the language of a user's pages.
    ///
    /// # Errors
    ///
    /// When there is no such user, or the database fails.
    pub async fn set_lang(&self, user: UserId, lang: &str) -> Result<()> {
        self.change_user(
            user,
            self.run("UPDATE users SET lang = $2 WHERE id = $1", values![user, lang]).await?,
        )
    }

    /// Blocks a user (the user's sessions end, tokens are refused and bots are paused), or unblocks the user. A bot
    /// that was paused for another reason stays paused.
    ///
    /// # Errors
    ///
    /// When there is no such user, or the database fails.
    pub async fn set_blocked(&self, user: UserId, blocked: bool, now: i64) -> Result<()> {
        let changed = change!(self, tx => {
            tx.lock().await?;
            if blocked {
                tx.run("DELETE FROM sessions WHERE user_id = $1", values![user]).await?;
                for bot in tx.list::<Bot>("SELECT * FROM bots WHERE user_id = $1 AND paused IS NULL", values![user]).await? {
                    tx.pause(&bot, BLOCKED, now).await?;
                }
            } else {
                let sql = "UPDATE bots SET paused = NULL WHERE user_id = $1 AND paused = $2";
                tx.run(sql, values![user, BLOCKED]).await?;
            }
            tx.run("UPDATE users SET blocked = $2 WHERE id = $1", values![user, blocked]).await?
        })?;
        self.change_user(user, changed)
    }

    /// Users whose name contains `search`, the newest first; `page` counts from 0, `size` is at most 100.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn list_users(&self, search: &str, page: i64, size: i64) -> Result<Vec<User>> {
        let size = size.clamp(1, 100);
        self.list(
            "SELECT * FROM users WHERE name_key LIKE $1 ESCAPE '!' ORDER BY id DESC LIMIT $2 OFFSET $3",
            values![pattern(search), size, page.max(0).saturating_mul(size)],
        )
        .await
    }

    /// The number of users.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn count_users(&self) -> Result<i64> {
        let rows = self.all("SELECT COUNT(*) AS n FROM users", &[]).await?;
        rows.first().map_or(Ok(0), |row| row.int("n"))
    }

    #[allow(clippy::unused_self, reason = "reads as a sentence at its callers")]
    fn change_user(&self, user: UserId, changed: u64) -> Result<()> {
        if changed == 0 { Err(StoreError::not_found(format!("user {user}"))) } else { Ok(()) }
    }
}
