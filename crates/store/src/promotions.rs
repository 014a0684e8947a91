//! The promotions of a bot, and the matches of a version.

use model::{BotId, LadderKind, VersionId};
use sqlx::any::AnyRow;

use crate::value::{Columns as _, values};
use crate::{MatchRow, Promotion, Result, Store};

/// The number of a bot's last matches that are searched.
const LAST: i64 = 2_000;

impl Store {
    /// The promotions of a bot, the newest first; at most 50.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn promotions_of(&self, bot: BotId) -> Result<Vec<Promotion>> {
        self.list("SELECT * FROM promotions WHERE bot_id = $1 ORDER BY id DESC LIMIT 50", values![bot]).await
    }

    /// The matches of a version on ladders of a kind, waiting matches included, among the last 2,000 matches of its
    /// bot; the newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn matches_of_version(
        &self,
        version: VersionId,
        kind: LadderKind,
        limit: i64,
    ) -> Result<Vec<MatchRow>> {
        let Some(found) = self.version(version).await? else { return Ok(Vec::new()) };
        let sql = "SELECT DISTINCT s.match_id FROM \
                   (SELECT match_id, version_id FROM seats WHERE bot_id = $1 ORDER BY match_id DESC LIMIT $4) s \
                   JOIN matches m ON m.id = s.match_id JOIN ladders l ON l.id = m.ladder_id \
                   WHERE s.version_id = $2 AND l.kind = $3 ORDER BY s.match_id DESC LIMIT $5";
        let values = values![found.bot_id, version, kind.word(), LAST, limit.clamp(1, 100)];
        let rows = self.all(sql, values).await?;
        let ids = rows.iter().map(|row: &AnyRow| row.id("match_id")).collect::<Result<Vec<_>>>()?;
        self.matches_by_id(&ids).await
    }
}
