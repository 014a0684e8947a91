//! Pictures of descriptions, which organisers upload. A picture is named by its digest and never changes.

use sha2::{Digest as _, Sha256};

use crate::bots::hex;
use crate::db::change;
use crate::value::{Columns, values};
use crate::{Result, Store, StoreError};

/// Most pictures of a site.
const MOST: i64 = 500;

impl Store {
    /// Stores a picture of a kind such as `png`, and returns its digest. The same picture is stored once.
    ///
    /// # Errors
    ///
    /// `Conflict` when there are too many pictures; when the database fails.
    pub async fn add_picture(&self, kind: &str, base64: &str, now: i64) -> Result<String> {
        let digest = hex(&Sha256::digest(base64.as_bytes()));
        change!(self, tx => {
            let rows = tx.all("SELECT COUNT(*) AS number FROM pictures WHERE digest <> $1", values![&digest]).await?;
            if rows.first().map_or(Ok(0), |row| row.int("number"))? >= MOST {
                Err(StoreError::conflict(format!("a site has at most {MOST} pictures")))?;
            }
            let sql = "INSERT INTO pictures (digest, kind, base64, created) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING";
            tx.run(sql, values![&digest, kind, base64, now]).await?;
            digest.clone()
        })
    }

    /// The kind and the bytes of a picture, as base64.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn picture(&self, digest: &str) -> Result<Option<(String, String)>> {
        let row =
            self.optional("SELECT kind, base64 FROM pictures WHERE digest = $1", values![digest]).await?;
        row.map(|row| Ok((row.text("kind")?, row.text("base64")?))).transpose()
    }
}
