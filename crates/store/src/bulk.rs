//! Many rows at once: what restoring and made-up data share.

use crate::db::Tx;
use crate::tables::{TABLES, Table};
use crate::value::Value;
use crate::{Kind, Result, Store, StoreError};

/// Values in one statement: below what either database takes.
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
                // The one text that differs: SQLite looks for a place with a name among all names before it.
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

    /// After rows were given numbers: the next ones count on from there.
    pub(crate) async fn count_on(&mut self) -> Result<()> {
        // SQLite looks at the largest number by itself.
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

    /// Empties the tables a new database comes with, and fails when anything else is in it.
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
    /// Tells the database to look at its tables again, so that it plans well after many rows came at once.
    pub(crate) async fn analyze(&self) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.script("ANALYZE").await?;
        tx.commit().await
    }
}
