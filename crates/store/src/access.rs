//! Access to the site: sessions, tokens, invitations, and the counters of attempts.
//!
//! Secrets are never stored: every function takes the hash of a secret.

use model::UserId;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::db::{Tx, change};
use crate::value::{Columns, FromRow, values};
use crate::{NETWORK_LASTS_MS, Result, Store, StoreError, User};

/// The session of a user who logged in.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Session {
    /// Its number.
    pub id: i64,
    /// The user.
    pub user_id: UserId,
    /// When it began.
    pub created: i64,
    /// When it ends.
    pub expires: i64,
    /// When it was last used, according to [`Store::touch_session`].
    pub seen: i64,
}

/// A session and its user.
#[derive(Clone, Debug)]
pub struct Login {
    /// The session.
    pub session: Session,
    /// The user it belongs to.
    pub user: User,
}

/// An access token for programs.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Token {
    /// Its number.
    pub id: i64,
    /// The user it belongs to.
    pub user_id: UserId,
    /// The name its owner gave it.
    pub name: String,
    /// Its scopes, separated by spaces.
    pub scopes: String,
    /// When it was made.
    pub created: i64,
    /// When it was last used, according to [`Store::touch_token`].
    pub used: Option<i64>,
    /// When it was revoked.
    pub revoked: Option<i64>,
}

/// A token and its user.
#[derive(Clone, Debug)]
pub struct TokenLogin {
    /// The token.
    pub token: Token,
    /// The user it belongs to.
    pub user: User,
}

model::words! {
    /// The purpose of an invitation.
    InvitationKind {
        /// Making an account.
        SignUp = "signup",
        /// Choosing a new password for `user_id`.
        Reset = "reset",
        /// Joining `contest_id`.
        Contest = "contest",
    }
}

/// An invitation code: it allows a sign-up, a password reset or joining a contest.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Invitation {
    /// Its number.
    pub id: i64,
    /// Its purpose.
    pub kind: InvitationKind,
    /// The user whose password it resets.
    pub user_id: Option<UserId>,
    /// The contest its user joins.
    pub contest_id: Option<i64>,
    /// The user who created it.
    pub created_by: Option<UserId>,
    /// When it was created.
    pub created: i64,
    /// When it expires.
    pub expires: i64,
    /// The number of uses left.
    pub uses_left: i64,
}

/// An invitation to create.
#[derive(Clone, Debug)]
pub struct NewInvitation {
    /// The hash of the code.
    pub code_hash: String,
    /// Its purpose.
    pub kind: InvitationKind,
    /// The user whose password it resets.
    pub user_id: Option<UserId>,
    /// The contest its user joins.
    pub contest_id: Option<i64>,
    /// The user who creates it.
    pub created_by: Option<UserId>,
    /// When it expires.
    pub expires: i64,
    /// The number of uses.
    pub uses: i64,
}

impl FromRow for Session {
    fn from_row(row: &AnyRow) -> Result<Session> {
        Ok(Session {
            id: row.int("id")?,
            user_id: row.id("user_id")?,
            created: row.int("created")?,
            expires: row.int("expires")?,
            seen: row.int("seen")?,
        })
    }
}

impl FromRow for Token {
    fn from_row(row: &AnyRow) -> Result<Token> {
        Ok(Token {
            id: row.int("id")?,
            user_id: row.id("user_id")?,
            name: row.text("name")?,
            scopes: row.text("scopes")?,
            created: row.int("created")?,
            used: row.int_or_none("used")?,
            revoked: row.int_or_none("revoked")?,
        })
    }
}

impl FromRow for Invitation {
    fn from_row(row: &AnyRow) -> Result<Invitation> {
        Ok(Invitation {
            id: row.int("id")?,
            kind: row.word("kind")?,
            user_id: row.id_or_none("user_id")?,
            contest_id: row.int_or_none("contest_id")?,
            created_by: row.id_or_none("created_by")?,
            created: row.int("created")?,
            expires: row.int("expires")?,
            uses_left: row.int("uses_left")?,
        })
    }
}

impl Tx {
    /// Consumes a use of a valid invitation.
    pub(crate) async fn take_invitation(
        &mut self,
        code_hash: &str,
        kind: InvitationKind,
        now: i64,
    ) -> Result<Option<Invitation>> {
        self.find(
            "UPDATE invitations SET uses_left = uses_left - 1 \
             WHERE code_hash = $1 AND kind = $2 AND expires > $3 AND uses_left > 0 RETURNING *",
            values![code_hash, kind.word(), now],
        )
        .await
    }

    async fn end_access(&mut self, user: UserId, now: i64) -> Result<()> {
        self.run("DELETE FROM sessions WHERE user_id = $1", values![user]).await?;
        let sql = "UPDATE tokens SET revoked = $2 WHERE user_id = $1 AND revoked IS NULL";
        self.run(sql, values![user, now]).await.map(|_| ())
    }
}

impl Store {
    /// Creates a session and returns its number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn create_session(
        &self,
        user: UserId,
        token_hash: &str,
        now: i64,
        expires: i64,
    ) -> Result<Session> {
        let sql = "INSERT INTO sessions (user_id, token_hash, created, expires, seen) VALUES ($1, $2, $3, $4, $3) RETURNING *";
        first(self.returning(sql, values![user, token_hash, now, expires]).await?, "session")
    }

    /// The unexpired session of a token, with its user; `None` when the user is blocked.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn session(&self, token_hash: &str, now: i64) -> Result<Option<Login>> {
        let sql = "SELECT * FROM sessions WHERE token_hash = $1 AND expires > $2";
        let Some(session) = self.find::<Session>(sql, values![token_hash, now]).await? else {
            return Ok(None);
        };
        let user = self.user(session.user_id).await?.filter(|user| !user.blocked);
        Ok(user.map(|user| Login { session, user }))
    }

    /// Stores when a session was last used and when it now expires. It writes to the database: do not call it at every
    /// request.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn touch_session(&self, id: i64, now: i64, expires: i64) -> Result<()> {
        self.run("UPDATE sessions SET seen = $2, expires = $3 WHERE id = $1", values![id, now, expires])
            .await
            .map(|_| ())
    }

    /// Ends a session.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn drop_session(&self, token_hash: &str) -> Result<()> {
        self.run("DELETE FROM sessions WHERE token_hash = $1", values![token_hash]).await.map(|_| ())
    }

    /// Ends all sessions of a user, except the session `except`. Returns the number of ended sessions.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn drop_sessions_of(&self, user: UserId, except: Option<i64>) -> Result<u64> {
        let sql = "DELETE FROM sessions WHERE user_id = $1 AND id <> $2";
        self.run(sql, values![user, except.unwrap_or(-1)]).await
    }

    /// The unexpired sessions of a user, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn sessions_of(&self, user: UserId, now: i64) -> Result<Vec<Session>> {
        let sql = "SELECT * FROM sessions WHERE user_id = $1 AND expires > $2 ORDER BY id DESC LIMIT 100";
        self.list(sql, values![user, now]).await
    }

    /// Deletes sessions and invitations that expired before `now` and attempts made before `attempts_before`, and forgets
    /// the networks of accounts that are no longer new.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn sweep_access(&self, now: i64, attempts_before: i64) -> Result<()> {
        change!(self, tx => {
            tx.run("DELETE FROM sessions WHERE expires <= $1", values![now]).await?;
            tx.run("DELETE FROM invitations WHERE expires <= $1", values![now]).await?;
            tx.run("DELETE FROM attempts WHERE at < $1", values![attempts_before]).await?;
            let sql = "UPDATE users SET network = NULL WHERE network IS NOT NULL AND created <= $1";
            tx.run(sql, values![now - NETWORK_LASTS_MS]).await?;
        })
    }

    /// Creates a token.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn create_token(
        &self,
        user: UserId,
        name: &str,
        token_hash: &str,
        scopes: &str,
        now: i64,
    ) -> Result<Token> {
        let sql = "INSERT INTO tokens (user_id, name, token_hash, scopes, created) VALUES ($1, $2, $3, $4, $5) RETURNING *";
        first(self.returning(sql, values![user, name, token_hash, scopes, now]).await?, "token")
    }

    /// A token that is not revoked, with its user; `None` when the user is blocked.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn token(&self, token_hash: &str) -> Result<Option<TokenLogin>> {
        let sql = "SELECT * FROM tokens WHERE token_hash = $1 AND revoked IS NULL";
        let Some(token) = self.find::<Token>(sql, values![token_hash]).await? else { return Ok(None) };
        let user = self.user(token.user_id).await?.filter(|user| !user.blocked);
        Ok(user.map(|user| TokenLogin { token, user }))
    }

    /// Stores when a token was last used. It writes to the database: do not call it at every request.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn touch_token(&self, id: i64, now: i64) -> Result<()> {
        self.run("UPDATE tokens SET used = $2 WHERE id = $1", values![id, now]).await.map(|_| ())
    }

    /// The tokens of a user that are not revoked, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn list_tokens(&self, user: UserId) -> Result<Vec<Token>> {
        let sql = "SELECT * FROM tokens WHERE user_id = $1 AND revoked IS NULL ORDER BY id DESC LIMIT 100";
        self.list(sql, values![user]).await
    }

    /// Revokes a token of this user. Returns whether the token existed.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn revoke_token(&self, user: UserId, id: i64, now: i64) -> Result<bool> {
        let sql = "UPDATE tokens SET revoked = $3 WHERE user_id = $1 AND id = $2 AND revoked IS NULL";
        Ok(self.run(sql, values![user, id, now]).await? > 0)
    }

    /// Ends all sessions of a user and revokes all tokens, in one transaction.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn end_access(&self, user: UserId, now: i64) -> Result<()> {
        change!(self, tx => tx.end_access(user, now).await?)
    }

    /// Creates an invitation.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn create_invitation(&self, new: &NewInvitation, now: i64) -> Result<Invitation> {
        let sql = "INSERT INTO invitations (code_hash, kind, user_id, contest_id, created_by, created, expires, uses_left) \
                   VALUES ($1, $2, $3, $4, $5, $6, $7, $8) RETURNING *";
        let values = values![
            &new.code_hash,
            new.kind.word(),
            new.user_id,
            new.contest_id,
            new.created_by,
            now,
            new.expires,
            new.uses
        ];
        first(self.returning(sql, values).await?, "invitation")
    }

    /// Consumes a use of a valid invitation; `None` when the invitation is not valid.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn use_invitation(
        &self,
        code_hash: &str,
        kind: InvitationKind,
        now: i64,
    ) -> Result<Option<Invitation>> {
        change!(self, tx => tx.take_invitation(code_hash, kind, now).await?)
    }

    /// Consumes a reset invitation, sets the password of its user, ends the user's sessions and revokes the tokens, in one
    /// transaction. Returns the user, or `None` when the invitation is not valid.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn reset_password(
        &self,
        code_hash: &str,
        password_hash: &str,
        now: i64,
    ) -> Result<Option<UserId>> {
        change!(self, tx => {
            let invitation = tx.take_invitation(code_hash, InvitationKind::Reset, now).await?;
            match invitation.and_then(|invitation| invitation.user_id) {
                Some(user) => {
                    let sql = "UPDATE users SET password = $2, must_change = 0 WHERE id = $1";
                    tx.run(sql, values![user, password_hash]).await?;
                    // The old password may have been stolen, and used to make sessions and tokens.
                    tx.end_access(user, now).await?;
                    tx.run("DELETE FROM invitations WHERE user_id = $1 AND kind = 'reset'", values![user]).await?;
                    Some(user)
                }
                None => None,
            }
        })
    }

    /// The valid invitations, the newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn list_invitations(&self, now: i64) -> Result<Vec<Invitation>> {
        let sql = "SELECT * FROM invitations WHERE expires > $1 AND uses_left > 0 ORDER BY id DESC LIMIT 500";
        self.list(sql, values![now]).await
    }

    /// Deletes an invitation. Returns whether it existed.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn drop_invitation(&self, id: i64) -> Result<bool> {
        Ok(self.run("DELETE FROM invitations WHERE id = $1", values![id]).await? > 0)
    }

    /// Stores an attempt of a kind (`upload`, `test`) by a key (an account) if fewer than `most` were made in the last
    /// `window_ms`. If not, nothing is stored, and the result is the time in milliseconds until the next one is allowed.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn attempt(
        &self,
        kind: &str,
        key: &str,
        now: i64,
        window_ms: i64,
        most: i64,
    ) -> Result<Option<i64>> {
        change!(self, tx => {
            // One caller at a time: of any number of concurrent attempts at most `most` are allowed.
            tx.run("UPDATE counters SET value = value WHERE name = 'lease'", &[]).await?;
            let sql = "SELECT at FROM attempts WHERE kind = $1 AND key = $2 AND at > $3 ORDER BY at DESC LIMIT $4";
            let rows = tx.all(sql, values![kind, key, now - window_ms, most]).await?;
            if (rows.len() as i64) < most {
                let sql = "INSERT INTO attempts (kind, key, at) VALUES ($1, $2, $3)";
                tx.run(sql, values![kind, key, now]).await?;
                None
            } else {
                // One more is allowed when the oldest of the last `most` attempts leaves the window.
                let oldest = rows.last().map_or(Ok(now), |row| row.int("at"))?;
                Some((oldest + window_ms - now).max(1))
            }
        })
    }

    /// Counts the attempts of the last `window_ms` without adding an attempt.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn attempts(&self, kind: &str, key: &str, now: i64, window_ms: i64) -> Result<i64> {
        let sql = "SELECT COUNT(*) AS n FROM attempts WHERE kind = $1 AND key = $2 AND at > $3";
        let rows = self.all(sql, values![kind, key, now - window_ms]).await?;
        rows.first().map_or(Ok(0), |row| row.int("n"))
    }

    /// Deletes the attempts of a key, for example after a successful login.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn forget_attempts(&self, kind: &str, key: &str) -> Result<()> {
        self.run("DELETE FROM attempts WHERE kind = $1 AND key = $2", values![kind, key]).await.map(|_| ())
    }
}

/// The row returned by a statement with `RETURNING`.
pub(crate) fn first<T>(rows: Vec<T>, what: &str) -> Result<T> {
    rows.into_iter().next().ok_or_else(|| StoreError::not_found(what))
}
