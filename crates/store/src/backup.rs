//! Backup and restore, from SQLite or PostgreSQL to SQLite or PostgreSQL.
//!
//! A backup is a folder: `tables.jsonl.gz` holds a consistent snapshot of all tables as JSON lines, and `records` holds
//! the record files (hard links where the file system allows it, because record files never change; copies of the objects
//! of a bucket). While a backup is
//! being written, the name of its folder ends in `.partial`; a folder without that ending is complete.

use std::fs::{self, File};
use std::io::{BufRead as _, BufReader, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::db::Tx;
use crate::records::{Records, RecordsPlace, blocking, sync_folder};
use crate::tables::{Column, TABLES, Table};
use crate::value::{Columns, Value};
use crate::{Result, Store, StoreError, private, schema};

const FORMAT: &str = "agon backup 1";
const FILE: &str = "tables.jsonl.gz";
/// The number of rows that are read or written at once.
const CHUNK: i64 = 2_000;

/// The contents of a backup.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BackupReport {
    /// Rows of all tables.
    pub rows: u64,
    /// Record files.
    pub records: u64,
}

/// The contents of a restored backup.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RestoreReport {
    /// Rows of all tables.
    pub rows: u64,
    /// Record files.
    pub records: u64,
    /// When the backup was made.
    pub made: i64,
}

/// The first line of the file.
#[derive(Serialize, Deserialize)]
struct Head {
    format: String,
    step: i64,
    made: i64,
}

/// The line before the rows of a table.
#[derive(Serialize, Deserialize)]
struct TableHead {
    table: String,
    columns: Vec<String>,
}

/// The last line of the file.
#[derive(Serialize, Deserialize)]
struct Tail {
    end: bool,
    rows: u64,
}

type Packer = GzEncoder<BufWriter<File>>;

impl Store {
    /// Writes a snapshot of the store to a new folder. The store stays readable and writable meanwhile.
    ///
    /// # Errors
    ///
    /// When the folder exists, when the disk is full, when the database fails. An unfinished backup is left as
    /// `….partial`.
    pub async fn backup(&self, to: &Path, now: i64) -> Result<BackupReport> {
        if to.exists() {
            return Err(StoreError::conflict(format!(
                "{} is there already: give a new folder",
                to.display()
            )));
        }
        let partial = partial(to);
        let target = partial.clone();
        let mut packer = blocking(move || {
            let _ = fs::remove_dir_all(&target);
            // A backup contains password hashes and the sources of all bots: only its owner may read it.
            private::create_folder(&target.join("records"))?;
            let file = private::create_file(&target.join(FILE))?;
            Ok(GzEncoder::new(BufWriter::new(file), Compression::default()))
        })
        .await?;
        let mut tx = self.snapshot().await?;
        let mut rows = 0;
        let head = Head { format: FORMAT.to_owned(), step: schema::newest(), made: now };
        packer = pack(packer, line(&head)?).await?;
        for table in TABLES {
            let columns = table.columns().iter().map(|(name, _)| (*name).to_owned()).collect();
            packer = pack(packer, line(&TableHead { table: table.name.to_owned(), columns })?).await?;
            let mut after = None;
            loop {
                let (text, count, last) = tx.dump(table, after.as_deref()).await?;
                packer = pack(packer, text).await?;
                rows += count;
                match last {
                    Some(last) => after = Some(last),
                    None => break,
                }
            }
        }
        packer = pack(packer, line(&Tail { end: true, rows })?).await?;
        drop(tx);
        // After the snapshot: all records that the snapshot names are on disk by now.
        let (records, to) = (self.records().clone(), to.to_owned());
        blocking(move || {
            packer
                .finish()?
                .into_inner()
                .map_err(|error| StoreError::from(error.into_error()))?
                .sync_all()?;
            let records = records.copy(&records.list()?, &Records::open(&partial.join("records"))?)?;
            sync_folder(&partial)?;
            fs::rename(&partial, &to)?;
            sync_folder(
                to.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new(".")),
            )?;
            Ok(BackupReport { rows, records })
        })
        .await
    }

    /// Opens a new database and fills it from a backup, in one transaction. The kinds of the two databases may differ. The
    /// record files go to `records`.
    ///
    /// # Errors
    ///
    /// When the database is not empty, when the backup is damaged, truncated or made by a newer version, when the disk
    /// is full or the database fails.
    pub async fn restore(
        url: &str,
        records: impl Into<RecordsPlace>,
        from: &Path,
        now: i64,
    ) -> Result<(Store, RestoreReport)> {
        let store = Store::open_with_records(url, records, now).await?;
        let mut reader = Reader::open(&from.join(FILE))?;
        let head: Head = reader.value()?;
        if head.format != FORMAT || head.step > schema::newest() {
            let message = "this backup was made by a newer version of the program: update it, then restore";
            return Err(StoreError::conflict(message));
        }
        // Records first: a row must never name a missing file.
        let (source, target) = (Records::open(&from.join("records"))?, store.records().clone());
        let records = blocking(move || source.copy(&source.list()?, &target)).await?;
        let mut tx = store.begin().await?;
        tx.be_empty().await?;
        let rows = tx.load(&mut reader).await?;
        tx.count_on().await?;
        tx.commit().await?;
        store.analyze().await?;
        Ok((store, RestoreReport { rows, records, made: head.made }))
    }
}

fn partial(to: &Path) -> PathBuf {
    let mut name = to.as_os_str().to_owned();
    name.push(".partial");
    PathBuf::from(name)
}

fn line(value: &impl Serialize) -> Result<Vec<u8>> {
    let mut text = serde_json::to_vec(value).map_err(|error| StoreError::other(error.to_string()))?;
    text.push(b'\n');
    Ok(text)
}

async fn pack(mut packer: Packer, text: Vec<u8>) -> Result<Packer> {
    blocking(move || {
        packer.write_all(&text)?;
        Ok(packer)
    })
    .await
}

impl Tx {
    /// The next rows of a table as lines: the lines, their number, and the key of the last row; no key when there are
    /// no more rows.
    async fn dump(
        &mut self,
        table: &Table,
        after: Option<&[Value]>,
    ) -> Result<(Vec<u8>, u64, Option<Vec<Value>>)> {
        let columns = table.columns();
        let names: Vec<&str> = columns.iter().map(|(name, _)| *name).collect();
        let keys: Vec<&str> = table.key.split(", ").collect();
        let places: Vec<String> = (1..=keys.len()).map(|place| format!("${place}")).collect();
        let from = match after {
            Some(_) => format!("WHERE ({}) > ({})", table.key, places.join(", ")),
            None => String::new(),
        };
        let sql = format!(
            "SELECT {} FROM {} {from} ORDER BY {} LIMIT {CHUNK}",
            names.join(", "),
            table.name,
            table.key
        );
        let rows = self.all(&sql, after.unwrap_or_default()).await?;
        let mut text = Vec::new();
        let mut last = None;
        for row in &rows {
            let mut cells = Vec::with_capacity(columns.len());
            let mut key = Vec::with_capacity(keys.len());
            for (name, kind) in &columns {
                let value = match kind {
                    Column::Int => Value::Int(row.int_or_none(name)?),
                    Column::Real => Value::Real(row.real_or_none(name)?),
                    Column::Text => Value::Text(row.text_or_none(name)?),
                };
                cells.push(to_json(&value));
                if keys.contains(name) {
                    key.push(value);
                }
            }
            text.extend(line(&cells)?);
            last = Some(key);
        }
        Ok((text, rows.len() as u64, last))
    }

    async fn load(&mut self, reader: &mut Reader) -> Result<u64> {
        let mut rows = 0;
        let mut current: Option<(&Table, TableHead, Vec<Vec<Value>>)> = None;
        loop {
            let value: Json = reader.value()?;
            if value.is_array() {
                let Some((table, head, waiting)) = &mut current else { return Err(reader.damaged()) };
                waiting.push(cells(table, head, value).ok_or_else(|| reader.damaged())?);
                rows += 1;
                if waiting.len() as i64 >= CHUNK {
                    self.load_rows(table, head, waiting).await?;
                }
                continue;
            }
            if let Some((table, head, mut waiting)) = current.take() {
                self.load_rows(table, &head, &mut waiting).await?;
            }
            if let Ok(tail) = serde_json::from_value::<Tail>(value.clone()) {
                reader.end()?;
                return if tail.end && tail.rows == rows { Ok(rows) } else { Err(reader.damaged()) };
            }
            let head: TableHead = serde_json::from_value(value).map_err(|_| reader.damaged())?;
            let table =
                TABLES.iter().find(|table| table.name == head.table).ok_or_else(|| reader.damaged())?;
            current = Some((table, head, Vec::new()));
        }
    }

    async fn load_rows(&mut self, table: &Table, head: &TableHead, rows: &mut Vec<Vec<Value>>) -> Result<()> {
        // Only known names become part of a statement.
        let known = table.columns();
        let columns: Vec<&str> = head
            .columns
            .iter()
            .filter_map(|name| known.iter().find(|(own, _)| own == name))
            .map(|(own, _)| *own)
            .collect();
        if columns.len() != head.columns.len() {
            return Err(StoreError::conflict(format!(
                "the table {} has other columns in this backup",
                table.name
            )));
        }
        self.insert_rows(table, &columns, rows).await?;
        rows.clear();
        Ok(())
    }
}

/// Reals are written as text: the text parses to the same bits, which the JSON library does not promise for its
/// numbers.
fn to_json(value: &Value) -> Json {
    match value {
        Value::Int(value) => Json::from(*value),
        Value::Real(value) => value.map_or(Json::Null, |value| Json::from(format!("{value:?}"))),
        Value::Text(value) => Json::from(value.clone()),
    }
}

fn cells(table: &Table, head: &TableHead, line: Json) -> Option<Vec<Value>> {
    let Json::Array(cells) = line else { return None };
    if cells.len() != head.columns.len() {
        return None;
    }
    let known = table.columns();
    (head.columns.iter().zip(cells))
        .map(|(name, cell)| {
            let (_, kind) = known.iter().find(|(own, _)| own == name)?;
            Some(match (kind, cell) {
                (Column::Int, Json::Null) => Value::Int(None),
                (Column::Real, Json::Null) => Value::Real(None),
                (Column::Text, Json::Null) => Value::Text(None),
                (Column::Int, Json::Number(number)) => Value::Int(Some(number.as_i64()?)),
                (Column::Real, Json::String(text)) => Value::Real(Some(text.parse().ok()?)),
                (Column::Text, Json::String(text)) => Value::Text(Some(text)),
                _ => return None,
            })
        })
        .collect()
}

/// Reads the lines of a compressed file.
struct Reader {
    lines: BufReader<GzDecoder<File>>,
    number: u64,
}

impl Reader {
    fn open(path: &Path) -> Result<Reader> {
        let file = File::open(path).map_err(|error| {
            let error = StoreError::from(error);
            StoreError { message: format!("{} is no backup: {}", path.display(), error.message), ..error }
        })?;
        Ok(Reader { lines: BufReader::new(GzDecoder::new(file)), number: 0 })
    }

    fn value<T: for<'a> Deserialize<'a>>(&mut self) -> Result<T> {
        let mut text = String::new();
        self.number += 1;
        let read = self.lines.read_line(&mut text).map_err(|_| self.damaged())?;
        if read == 0 {
            return Err(self.damaged());
        }
        serde_json::from_str(&text).map_err(|_| self.damaged())
    }

    /// Checks that nothing follows and that the checksum of the compressed file is right.
    fn end(&mut self) -> Result<()> {
        match self.lines.fill_buf() {
            Ok([]) => Ok(()),
            _ => Err(self.damaged()),
        }
    }

    fn damaged(&self) -> StoreError {
        StoreError::other(format!("the backup is damaged or cut short at line {}", self.number))
    }
}
