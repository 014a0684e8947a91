//! Queries on the queue for trials (the best of five against the boss).

use model::{BotId, Trial, VersionId};

use crate::value::{Columns, values};
use crate::{Result, Store};

impl Store {
    /// Bots on a ladder of trials whose first trial is not decided and has no waiting match: it never began, or lacks
    /// matches. Built-in and paused bots are excluded.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn untried(&self, ladder: i64) -> Result<Vec<BotId>> {
        let sql = "SELECT st.bot_id FROM standings st JOIN bots b ON b.id = st.bot_id \
                   WHERE st.ladder_id = $1 AND st.listed = 1 AND st.wins < $2 AND st.losses < $2 AND st.games < $3 \
                   AND b.house IS NULL AND b.paused IS NULL AND st.version_id NOT IN ( \
                   SELECT s.version_id FROM matches m JOIN seats s ON s.match_id = m.id \
                   WHERE m.state IN ('queued', 'leased') AND m.ladder_id = $1 AND m.seq IS NULL) \
                   ORDER BY st.bot_id LIMIT 1000";
        let values = values![ladder, i64::from(Trial::ENOUGH), i64::from(Trial::MATCHES)];
        self.all(sql, values).await?.iter().map(|row| row.id("bot_id")).collect()
    }

    /// Removes the waiting matches of a version's trial from the queue, for example when the trial is decided. Returns
    /// their number.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn end_trial(&self, version: VersionId) -> Result<u64> {
        let sql = "DELETE FROM matches WHERE state = 'queued' AND seq IS NULL AND id IN (SELECT s.match_id FROM matches m \
                   JOIN seats s ON s.match_id = m.id JOIN ladders l ON l.id = m.ladder_id \
                   WHERE m.state = 'queued' AND m.seq IS NULL AND l.kind = 'trial' AND +s.version_id = $1)";
        self.run(sql, values![version]).await
    }
}
