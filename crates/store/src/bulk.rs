//! Bulk inserts, for restoring a backup and for generated data.

use sqlx::any::AnyRow;

use crate::db::Tx;
use crate::tables::{TABLES, Table};
use crate::value::Value;
use crate::{Kind, Result, Store, StoreError};

/// The number of values in one statement: below the limit of both databases.
const VALUES: usize = 16_000;

/// The most rows of a statement that changes or reads many rows.
const ROWS: usize = 64;

impl Tx {
    /// The places of values in a statement: `($1, $2), ($3, $4)`, after `before` other values.
    fn places(&self, rows: usize, width: usize, before: usize) -> String {
        // The placeholders are the only text that differs: SQLite searches all earlier names for each named
        // placeholder.
        let place = |number: usize| match self.kind {
            Kind::Sqlite => "?".to_owned(),
            Kind::Postgres => format!("${number}"),
        };
        let line = |row: usize| {
            let places: Vec<String> =
                (1..=width).map(|column| place(before + row * width + column)).collect();
            format!("({})", places.join(", "))
        };
        (0..rows).map(line).collect::<Vec<_>>().join(", ")
    }

    /// Runs a statement for many rows of values, in few statements; `{ROWS}` in it stands for the rows, as after `VALUES`. Such a
    /// table has the columns `column1`, `column2` and so on, and all its rows have values of the same types. Only a few
    /// different statements are made, so that the databases keep them prepared. Returns the rows that they return.
    pub(crate) async fn for_rows(&mut self, sql: &str, rows: &[Vec<Value>]) -> Result<Vec<AnyRow>> {
        let mut found = Vec::new();
        for chunk in powers(rows) {
            let places = self.places(chunk.len(), chunk[0].len(), 0);
            found.extend(self.all(&sql.replace("{ROWS}", &places), &chunk.concat()).await?);
        }
        Ok(found)
    }

    /// The same for a statement that returns nothing. Returns the number of changed rows.
    pub(crate) async fn run_rows(&mut self, sql: &str, rows: &[Vec<Value>]) -> Result<u64> {
        let mut changed = 0;
        for chunk in powers(rows) {
            let places = self.places(chunk.len(), chunk[0].len(), 0);
            changed += self.run(&sql.replace("{ROWS}", &places), &chunk.concat()).await?;
        }
        Ok(changed)
    }

    /// The rows of a query with `{IDS}` in place of a list of ids.
    pub(crate) async fn of_ids(&mut self, sql: &str, ids: &[i64]) -> Result<Vec<AnyRow>> {
        let rows: Vec<Vec<Value>> = ids.iter().map(|&id| vec![id.into()]).collect();
        let mut found = Vec::new();
        for chunk in powers(&rows) {
            // `(($1), ($2))` is a list of values in both databases.
            let places = format!("({})", self.places(chunk.len(), 1, 0));
            found.extend(self.all(&sql.replace("{IDS}", &places), &chunk.concat()).await?);
        }
        Ok(found)
    }

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
                let lines = self.places(chunk.len(), width, 0);
                let sql = format!("INSERT INTO {} ({}) VALUES {lines}", table.name, columns.join(", "));
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

/// Rows in parts whose sizes are powers of two.
fn powers<T>(mut rows: &[T]) -> impl Iterator<Item = &[T]> {
    std::iter::from_fn(move || {
        let size = 1 << rows.len().checked_ilog2()?;
        let (part, rest) = rows.split_at(size.min(ROWS));
        rows = rest;
        Some(part)
    })
}

impl Store {
    /// Updates the planner statistics of the database, after many rows were inserted at once.
    pub(crate) async fn analyze(&self) -> Result<()> {
        let mut tx = self.begin().await?;
        tx.script("ANALYZE").await?;
        tx.commit().await
    }
}
