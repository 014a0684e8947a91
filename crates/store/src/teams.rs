//! Teams of a contest. A team is an account of its own that nobody signs in to: its bots, standings and results belong to
//! that account, and its members act for it.

use model::UserId;
use serde::{Deserialize, Serialize};
use sqlx::any::AnyRow;

use crate::db::{Tx, change};
use crate::users::name_key;
use crate::value::{Columns, FromRow, values};
use crate::{Result, Role, Store, StoreError};

/// A team.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Team {
    /// The account of the team.
    pub id: UserId,
    /// The contest.
    pub contest_id: i64,
    /// The name of the team.
    pub name: String,
    /// The code by which others join. For its members only.
    pub code: String,
}

/// A member of a team.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct TeamMember {
    /// The account of the team.
    pub team_id: UserId,
    /// The name of the team.
    pub team: String,
    /// The account of the member.
    pub user_id: UserId,
    /// The name of the member.
    pub name: String,
}

impl FromRow for Team {
    fn from_row(row: &AnyRow) -> Result<Team> {
        Ok(Team {
            id: row.id("user_id")?,
            contest_id: row.int("contest_id")?,
            name: row.text("name")?,
            code: row.text("code")?,
        })
    }
}

impl FromRow for TeamMember {
    fn from_row(row: &AnyRow) -> Result<TeamMember> {
        Ok(TeamMember {
            team_id: row.id("team_id")?,
            team: row.text("team")?,
            user_id: row.id("user_id")?,
            name: row.text("name")?,
        })
    }
}

const TEAM: &str =
    "SELECT t.user_id, t.contest_id, u.name, t.code FROM teams t JOIN users u ON u.id = t.user_id";
const MEMBER: &str = "SELECT m.team_id, t.name AS team, m.user_id, u.name FROM teammates m \
                      JOIN users t ON t.id = m.team_id JOIN users u ON u.id = m.user_id";

impl Tx {
    /// Adds a user to a team, if the user has no team and no bot in the contest.
    async fn join_team(&mut self, team: &Team, user: UserId) -> Result<()> {
        let sql = "SELECT id FROM bots WHERE contest_id = $1 AND user_id = $2 LIMIT 1";
        if self.optional(sql, values![team.contest_id, user]).await?.is_some() {
            return Err(StoreError::conflict("who has a bot of his own in the contest cannot join a team"));
        }
        let sql = "INSERT INTO teammates (contest_id, user_id, team_id) VALUES ($1, $2, $3) \
                   ON CONFLICT (contest_id, user_id) DO NOTHING";
        if self.run(sql, values![team.contest_id, user, team.id]).await? == 0 {
            return Err(StoreError::conflict("a player has one team in a contest"));
        }
        Ok(())
    }

    /// The people behind an account: the members of a team, otherwise the user.
    pub(crate) async fn members_or_self(&mut self, user: UserId) -> Result<Vec<UserId>> {
        let rows = self.all("SELECT user_id FROM teammates WHERE team_id = $1", values![user]).await?;
        if rows.is_empty() { Ok(vec![user]) } else { rows.iter().map(|row| row.id("user_id")).collect() }
    }
}

impl Store {
    /// Creates a team with its first member. `Conflict` when the name is taken, or the user has a team or a bot in the
    /// contest.
    ///
    /// # Errors
    ///
    /// `Conflict` (see above), and when the database fails.
    pub async fn create_team(
        &self,
        contest: i64,
        name: &str,
        code: &str,
        founder: UserId,
        now: i64,
    ) -> Result<Team> {
        change!(self, tx => {
            tx.lock().await?;
            let sql = "INSERT INTO users (name, name_key, password, role, lang, created, blocked, must_change) \
                       VALUES ($1, $2, '', $3, 'en', $4, 0, 0) ON CONFLICT (name_key) DO NOTHING RETURNING id";
            let row = tx.optional(sql, values![name, name_key(name), Role::Team.word(), now]).await?;
            let row = row.ok_or_else(|| StoreError::conflict(format!("the name {name} is taken")))?;
            let team = Team { id: row.id("id")?, contest_id: contest, name: name.to_owned(), code: code.to_owned() };
            let sql = "INSERT INTO teams (user_id, contest_id, code, created) VALUES ($1, $2, $3, $4)";
            tx.run(sql, values![team.id, contest, code, now]).await?;
            tx.join_team(&team, founder).await?;
            team
        })
    }

    /// Adds a user to the team with this code, which has at most `most` members. `NotFound` when there is no such team
    /// in the contest, `Conflict` when it is full, or the user has a team or a bot in the contest.
    ///
    /// # Errors
    ///
    /// `NotFound` and `Conflict` (see above), and when the database fails.
    pub async fn join_team(&self, contest: i64, code: &str, user: UserId, most: u32) -> Result<Team> {
        change!(self, tx => {
            tx.lock().await?;
            let sql = format!("{TEAM} WHERE t.contest_id = $1 AND t.code = $2");
            let team: Option<Team> = tx.find(&sql, values![contest, code]).await?;
            let team = team.ok_or_else(|| StoreError::not_found("team with this code"))?;
            let sql = "SELECT COUNT(*) FROM teammates WHERE team_id = $1";
            if tx.number(sql, values![team.id]).await? >= i64::from(most) {
                return Err(StoreError::conflict("the team is full"));
            }
            tx.join_team(&team, user).await?;
            team
        })
    }

    /// Removes a user from the user's team of a contest. Returns whether the user had one. `Conflict` when the user is
    /// its last member and the team has a bot.
    ///
    /// # Errors
    ///
    /// `Conflict` (see above), and when the database fails.
    pub async fn leave_team(&self, contest: i64, user: UserId) -> Result<bool> {
        change!(self, tx => {
            tx.lock().await?;
            let sql = "SELECT team_id FROM teammates WHERE contest_id = $1 AND user_id = $2";
            match tx.optional(sql, values![contest, user]).await? {
                None => false,
                Some(row) => {
                    let team: UserId = row.id("team_id")?;
                    let alone = tx.members_or_self(team).await?.len() == 1;
                    let sql = "SELECT id FROM bots WHERE user_id = $1 LIMIT 1";
                    if alone && tx.optional(sql, values![team]).await?.is_some() {
                        return Err(StoreError::conflict("the last member of a team with a bot stays"));
                    }
                    let sql = "DELETE FROM teammates WHERE contest_id = $1 AND user_id = $2";
                    tx.run(sql, values![contest, user]).await? > 0
                }
            }
        })
    }

    /// The team of a user in a contest.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn team_of(&self, contest: i64, user: UserId) -> Result<Option<Team>> {
        let sql = format!(
            "{TEAM} JOIN teammates m ON m.team_id = t.user_id WHERE m.contest_id = $1 AND m.user_id = $2"
        );
        self.find(&sql, values![contest, user]).await
    }

    /// The account that enters a contest for a user: the user's team, otherwise the user.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn entrant_of(&self, contest: i64, user: UserId) -> Result<UserId> {
        Ok(self.team_of(contest, user).await?.map_or(user, |team| team.id))
    }

    /// The accounts of the teams of a user, in all contests.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn teams_of(&self, user: UserId) -> Result<Vec<UserId>> {
        let rows = self.all("SELECT team_id FROM teammates WHERE user_id = $1", values![user]).await?;
        rows.iter().map(|row| row.id("team_id")).collect()
    }

    /// The people behind an account: the members of a team, otherwise the user.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn people(&self, user: UserId) -> Result<Vec<UserId>> {
        let rows = self.all("SELECT user_id FROM teammates WHERE team_id = $1", values![user]).await?;
        if rows.is_empty() { Ok(vec![user]) } else { rows.iter().map(|row| row.id("user_id")).collect() }
    }

    /// The members of all teams of a contest, by team and name.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn team_members(&self, contest: i64) -> Result<Vec<TeamMember>> {
        let sql = format!("{MEMBER} WHERE m.contest_id = $1 ORDER BY t.name_key, u.name_key");
        self.list(&sql, values![contest]).await
    }

    /// The members of a team, by name; empty for an account that is no team.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn members_of_team(&self, team: UserId) -> Result<Vec<TeamMember>> {
        self.list(&format!("{MEMBER} WHERE m.team_id = $1 ORDER BY u.name_key"), values![team]).await
    }
}
