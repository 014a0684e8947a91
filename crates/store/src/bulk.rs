//! Bulk inserts, for restoring a backup and for generated data.

use crate::db::Tx;
use crate::tables::{TABLES, Table};
use crate::value::Value;
use crate::{Kind, Result, Store, StoreError};

/// The number of values in one statement: below the limit of both databases.
const VALUES: usize = 16_000;

impl Tx {
    /// Inserts rows, each with all columns of the table.
    pub(crate) async fn insert_rows(
        &mut self,
        table: &Table,
        columns: &[&str],
        rows: &[Vec<Value>],
    ) -> Result<()> {
        let width = columns.len();
        let mut statement = (0, String::new());
        for chunk in rows.chunks((VALUES / width).max(1)) {
            if statement.0 != chunk.len() {
                // The placeholders are the only text that differs: SQLite searches all earlier names for each named
                // placeholder.
                let place = |number: usize| match self.kind {
                    Kind::Sqlite => "?".to_owned(),
                    Kind::Postgres => format!("${number}"),
                };
                let line = |row: usize| {
                    let places: Vec<String> = (1..=width).map(|column| place(row * width + column)).collect();
                    format!("({})", places.join(", "))
                };
                let lines: Vec<String> = (0..chunk.len()).map(line).collect();
                let sql = format!(
                    "INSERT INTO {} ({}) VALUES {}",
                    table.name,
                    columns.join(", "),
                    lines.join(", ")
                );
                statement = (chunk.len(), sql);
            }
            self.run(&statement.1, &chunk.concat()).await?;
        }
        Ok(())
    }

    /// Sets the sequences of numbered tables to the largest number, after rows were inserted with explicit numbers.
    pub(crate) async fn count_on(&mut self) -> Result<()> {
        // SQLite uses the largest number without help.
        if self.kind == Kind::Postgres {
            for table in TABLES.iter().filter(|table| table.numbered()) {
                let name = table.name;
                self.script(&format!(
                    "SELECT setval(pg_get_serial_sequence('{name}', 'id'), COALESCE((SELECT MAX(id) FROM {name}), 0) + 1, false)"
                ))
                .await?;
            }
        }
        Ok(())
    }

    /// Empties the tables that a new database has rows in, and fails when any other table has rows.
    pub(crate) async fn be_empty(&mut self) -> Result<()> {
        for table in TABLES {
            if table.name == "counters" {
                self.run("DELETE FROM counters", &[]).await?;
            } else if self
                .optional(&format!("SELECT 1 AS one FROM {} LIMIT 1", table.name), &[])
                .await?
                .is_some()
            {
                let message = format!("the database is not empty (there are {}): give a new one", table.name);
                return Err(StoreError::conflict(message));
            }
        }
        Ok(())
    }
}

impl Store {
    /// Updates the planner statistics of the database, after many rows were inserted at once.
    pub(crate) async fn analyze(&self) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.script("ANALYZE").await?;
        tx.commit().await
    }
}
