//! Connections to the database: opening, transactions, retries.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyArguments, AnyPoolOptions, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyConnection, AnyPool, AssertSqlSafe, Connection as _, Executor as _, Transaction};

use crate::value::{FromRow, Value, values};
use crate::{ErrorKind, Records, RecordsPlace, Result, StoreError, schema};

/// Which database it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file, embedded in this program.
    Sqlite,
    /// A server.
    Postgres,
}

/// The handle of the database and the record files. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    kind: Kind,
    /// The file of a SQLite database; empty for PostgreSQL.
    file: PathBuf,
    readers: AnyPool,
    /// SQLite allows one writer: with a single connection, writers queue here in order and never get `SQLITE_BUSY`.
    writer: AnyPool,
    records: Records,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("kind", &self.inner.kind).finish_non_exhaustive()
    }
}

/// The number of attempts after a lost connection, and the delay between them.
const TRIES: u32 = 6;
const PAUSE: Duration = Duration::from_millis(50);

/// The rows of the table that [`Store::check_storage`] writes on PostgreSQL: about a megabyte.
const PROBE_ROWS: i64 = 16_000;

/// The connections that read from a SQLite database at the same time.
const READERS: u32 = 8;

impl Store {
    /// Opens `sqlite:PATH` (created if it does not exist) or `postgres://…`, and runs pending migrations. Record files
    /// are in the folder `records` of `data`.
    ///
    /// # Errors
    ///
    /// A URL of another kind, a database that does not answer within ten seconds, a database made by a newer version.
    pub async fn open(url: &str, data: &Path, now: i64) -> Result<Store> {
        Store::open_with_records(url, &data.join("records"), now).await
    }

    /// As [`Store::open`], with the records in this place: several servers may share it.
    ///
    /// # Errors
    ///
    /// Those of [`Store::open`]; a folder or a bucket that cannot be used.
    pub async fn open_with_records(url: &str, records: impl Into<RecordsPlace>, now: i64) -> Result<Store> {
        let store = Store::connect(url, records).await?;
        schema::migrate(&store, now).await?;
        Ok(store)
    }

    /// Connects without touching the tables.
    pub(crate) async fn connect(url: &str, records: impl Into<RecordsPlace>) -> Result<Store> {
        sqlx::any::install_default_drivers();
        let place: RecordsPlace = records.into();
        let records = crate::records::blocking(move || Records::open(place)).await?;
        let inner = if let Some(path) = url.strip_prefix("sqlite:") {
            let url = sqlite_url(path)?;
            // The writer connects first: it creates the file and switches it to the write-ahead log.
            let writer = sqlite_pool(1).connect(&url).await.map_err(|e| cannot_open(path, e))?;
            let readers = sqlite_pool(READERS).connect(&url).await.map_err(|e| cannot_open(path, e))?;
            let file = std::fs::canonicalize(path.trim_start_matches("//"))?;
            Inner { kind: Kind::Sqlite, file, readers, writer, records }
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let pool = AnyPoolOptions::new()
                .max_connections(16)
                .acquire_timeout(Duration::from_secs(10))
                .connect(url)
                .await
                .map_err(|e| cannot_open("on the PostgreSQL server", e))?;
            Inner { kind: Kind::Postgres, file: PathBuf::new(), readers: pool.clone(), writer: pool, records }
        } else {
            let message = "the database must be sqlite:PATH or postgres://USER:PASSWORD@HOST:PORT/NAME";
            return Err(StoreError::new(ErrorKind::Other, message));
        };
        Ok(Store { inner: Arc::new(inner) })
    }

    /// Which database it is.
    pub fn kind(&self) -> Kind {
        self.inner.kind
    }

    /// The file of a SQLite database.
    pub(crate) fn database_file(&self) -> &Path {
        &self.inner.file
    }

    /// A new connection that no other statement uses.
    pub(crate) async fn own_connection(&self) -> Result<AnyConnection> {
        Ok(self.inner.writer.acquire().await?.detach())
    }

    /// Checks that the database and the place of the records accept writes.
    ///
    /// # Errors
    ///
    /// When one of them does not.
    pub async fn check_storage(&self) -> Result<()> {
        match self.inner.kind {
            Kind::Sqlite => {
                self.run("UPDATE counters SET value = value WHERE name = 'seq'", &[]).await?;
            }
            // A change of a row may fit into a page that exists although the disk is full; a new table needs new pages.
            Kind::Postgres => {
                let mut tx = self.begin().await?;
                tx.run("CREATE TABLE storage_probe (content TEXT)", &[]).await?;
                let fill = "INSERT INTO storage_probe SELECT md5(n::TEXT) FROM generate_series(1, $1) AS n";
                tx.run(fill, values![PROBE_ROWS]).await?;
                tx.roll_back().await?;
            }
        }
        let records = self.records().clone();
        crate::records::blocking(move || records.probe()).await
    }

    /// The record files.
    pub fn records(&self) -> &Records {
        &self.inner.records
    }

    /// Closes every connection. Other clones of this store fail afterwards.
    pub async fn close(&self) {
        self.inner.readers.close().await;
        self.inner.writer.close().await;
    }

    /// Whether the database answers.
    ///
    /// # Errors
    ///
    /// When it does not.
    pub async fn ping(&self) -> Result<()> {
        self.all("SELECT value FROM counters WHERE name = 'seq'", &[]).await.map(|_| ())
    }

    /// Starts a writing transaction. On SQLite it takes the write lock at once, so it never fails later because of
    /// another writer.
    pub(crate) async fn begin(&self) -> Result<Tx> {
        let mut patience = Patience::new();
        loop {
            let begun = match self.inner.kind {
                Kind::Sqlite => self.inner.writer.begin_with("BEGIN IMMEDIATE").await,
                Kind::Postgres => self.inner.writer.begin().await,
            };
            match begun.map_err(StoreError::from) {
                Ok(inner) => return Ok(Tx { inner, kind: self.inner.kind }),
                Err(error) => patience.again(error).await?,
            }
        }
    }

    /// Starts a read-only transaction on a snapshot of the whole database.
    pub(crate) async fn snapshot(&self) -> Result<Tx> {
        let statement = match self.inner.kind {
            Kind::Sqlite => "BEGIN",
            Kind::Postgres => "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
        };
        Ok(Tx { inner: self.inner.readers.begin_with(statement).await?, kind: self.inner.kind })
    }

    /// All rows of a reading statement.
    pub(crate) async fn all(&self, sql: &str, values: &[Value]) -> Result<Vec<AnyRow>> {
        let mut patience = Patience::new();
        loop {
            match query(sql, values).fetch_all(&self.inner.readers).await.map_err(StoreError::from) {
                Ok(rows) => return Ok(rows),
                Err(error) => patience.again(error).await?,
            }
        }
    }

    /// The first row of a reading statement, if there is one.
    pub(crate) async fn optional(&self, sql: &str, values: &[Value]) -> Result<Option<AnyRow>> {
        Ok(self.all(sql, values).await?.into_iter().next())
    }

    /// All rows of a reading statement, as values of a type.
    pub(crate) async fn list<T: FromRow>(&self, sql: &str, values: &[Value]) -> Result<Vec<T>> {
        self.all(sql, values).await?.iter().map(T::from_row).collect()
    }

    /// The first row of a reading statement as a value of a type, if there is one.
    pub(crate) async fn find<T: FromRow>(&self, sql: &str, values: &[Value]) -> Result<Option<T>> {
        self.optional(sql, values).await?.as_ref().map(T::from_row).transpose()
    }

    /// Runs a writing statement as a transaction of its own. Returns the number of changed rows.
    pub(crate) async fn run(&self, sql: &str, values: &[Value]) -> Result<u64> {
        change!(self, tx => tx.run(sql, values).await?)
    }

    /// Runs a writing statement that returns rows.
    pub(crate) async fn returning<T: FromRow>(&self, sql: &str, values: &[Value]) -> Result<Vec<T>> {
        change!(self, tx => tx.list(sql, values).await?)
    }
}

/// A transaction. It is rolled back when it is dropped.
pub(crate) struct Tx {
    inner: Transaction<'static, Any>,
    pub(crate) kind: Kind,
}

impl Tx {
    pub(crate) async fn commit(self) -> Result<()> {
        // If the connection is lost now, it is unknown whether the commit happened: it is never retried automatically.
        self.inner.commit().await.map_err(|error| {
            let error = StoreError::from(error);
            let certain = error.message.contains("serializ") || error.message.contains("deadlock");
            StoreError { again: error.again && certain, ..error }
        })
    }

    pub(crate) async fn roll_back(self) -> Result<()> {
        Ok(self.inner.rollback().await?)
    }

    pub(crate) async fn run(&mut self, sql: &str, values: &[Value]) -> Result<u64> {
        Ok(query(sql, values).execute(&mut *self.inner).await?.rows_affected())
    }

    pub(crate) async fn all(&mut self, sql: &str, values: &[Value]) -> Result<Vec<AnyRow>> {
        Ok(query(sql, values).fetch_all(&mut *self.inner).await?)
    }

    pub(crate) async fn optional(&mut self, sql: &str, values: &[Value]) -> Result<Option<AnyRow>> {
        Ok(self.all(sql, values).await?.into_iter().next())
    }

    pub(crate) async fn list<T: FromRow>(&mut self, sql: &str, values: &[Value]) -> Result<Vec<T>> {
        self.all(sql, values).await?.iter().map(T::from_row).collect()
    }

    pub(crate) async fn find<T: FromRow>(&mut self, sql: &str, values: &[Value]) -> Result<Option<T>> {
        self.optional(sql, values).await?.as_ref().map(T::from_row).transpose()
    }

    /// The number that a statement with `RETURNING id` (or a `COUNT`) returns.
    pub(crate) async fn number(&mut self, sql: &str, values: &[Value]) -> Result<i64> {
        let rows = self.all(sql, values).await?;
        let row = rows.first().ok_or_else(|| StoreError::not_found("such row"))?;
        sqlx::Row::try_get(row, 0).map_err(StoreError::from)
    }

    /// Runs several statements without values, for migrations.
    pub(crate) async fn script(&mut self, sql: &str) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut *self.inner).await?;
        Ok(())
    }
}

/// Runs a body in a writing transaction and commits it. Runs it again when the database reports that nothing was
/// changed and that a retry may succeed (a lost connection, a serialization conflict). The body must not consume its
/// inputs.
macro_rules! change {
    ($store:expr, $tx:ident => $body:expr) => {{
        let mut patience = $crate::db::Patience::new();
        loop {
            let attempt: $crate::Result<_> = async {
                let mut transaction = $store.begin().await?;
                let $tx = &mut transaction;
                let value = $body;
                transaction.commit().await?;
                Ok(value)
            }
            .await;
            match attempt {
                Ok(value) => break Ok(value),
                Err(error) => match patience.again(error).await {
                    Ok(()) => {}
                    Err(error) => break Err(error),
                },
            }
        }
    }};
}
pub(crate) use change;

/// Decides whether to retry, and sleeps before the retry.
pub(crate) struct Patience {
    tried: u32,
}

impl Patience {
    pub(crate) fn new() -> Patience {
        Patience { tried: 0 }
    }

    pub(crate) async fn again(&mut self, error: StoreError) -> Result<()> {
        self.tried += 1;
        if !error.again || self.tried >= TRIES {
            return Err(error);
        }
        tokio::time::sleep(PAUSE * 2u32.pow(self.tried - 1)).await;
        Ok(())
    }
}

fn query<'q>(sql: &str, values: &[Value]) -> Query<'q, Any, AnyArguments> {
    let mut query = sqlx::query(AssertSqlSafe(sql.to_owned()));
    for value in values {
        query = match value.clone() {
            Value::Int(value) => query.bind(value),
            Value::Real(Some(value)) => query.bind(value),
            // The driver binds a missing f64 as four bytes on PostgreSQL, and a missing f32 as eight; a statement that
            // was prepared for four bytes would reject the next f64.
            Value::Real(None) => query.bind(None::<f32>),
            // PostgreSQL rejects NUL in a text, so we reject it on SQLite too.
            Value::Text(value) => query.bind(
                value.map(|text| if text.contains('\0') { text.replace('\0', "\u{fffd}") } else { text }),
            ),
        };
    }
    query
}

fn cannot_open(what: &str, error: sqlx::Error) -> StoreError {
    let error = StoreError::from(error);
    StoreError { message: format!("cannot open the database {what}: {}", error.message), ..error }
}

/// The file's path as a URL: absolute, with all special bytes percent-encoded.
fn sqlite_url(path: &str) -> Result<String> {
    let path = std::path::absolute(PathBuf::from(path.trim_start_matches("//")))?;
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let path = path.to_str().ok_or_else(|| StoreError::other("the path of the database is not UTF-8"))?;
    let mut url = String::from("sqlite://");
    for byte in path.bytes() {
        if byte.is_ascii_alphanumeric() || b"/-_.".contains(&byte) {
            url.push(char::from(byte));
        } else {
            let _ = write!(url, "%{byte:02X}");
        }
    }
    Ok(url + "?mode=rwc")
}

fn sqlite_pool(connections: u32) -> AnyPoolOptions {
    AnyPoolOptions::new()
        .max_connections(connections)
        .acquire_timeout(Duration::from_secs(30))
        .idle_timeout(None)
        .max_lifetime(None)
        .test_before_acquire(false)
        // On a full disk, SQLite rolls a transaction back by itself while the driver believes that it is still open:
        // this connection is closed and replaced by a new one.
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
        .after_connect(|connection, _| {
            Box::pin(async move {
                // Each connection has a cache of its own, of 4 MB; the host caches the file for all of them.
                connection
                    .execute(
                        "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                         PRAGMA foreign_keys = ON; PRAGMA cache_size = -4000; PRAGMA temp_store = MEMORY;",
                    )
                    .await?;
                Ok(())
            })
        })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::home::{Home, On};
    use crate::value::Columns as _;

    /// On a full disk, writes fail with a clear message; reads succeed, and writes succeed again when there is space.
    #[tokio::test]
    async fn a_full_disk() {
        let home = Home::new(On::Sqlite).unwrap();
        let store = home.open().await;
        store.set_setting("before", "here").await.unwrap();
        // The file of the only writer may not grow.
        store.run("PRAGMA max_page_count = 1", &[]).await.unwrap();
        let mut refused = None;
        for number in 0..100 {
            refused = store.set_setting(&format!("key {number}"), &"x".repeat(10_000)).await.err();
            if refused.is_some() {
                break;
            }
        }
        let error = refused.unwrap();
        assert_eq!(error.kind, ErrorKind::Full, "{error}");
        assert!(error.message.contains("full"), "{error}");
        assert_eq!(store.setting("before").await.unwrap().as_deref(), Some("here"));
        // The limit held only for the connection that failed, and that connection was replaced.
        store.set_setting("after", "here too").await.unwrap();
        let checked = store.all("PRAGMA integrity_check", &[]).await.unwrap();
        assert_eq!(checked[0].text("integrity_check").unwrap(), "ok");
        store.close().await;
    }

    /// All connections together need little memory, however large the database is.
    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn connections_keep_little_of_a_large_database_in_memory() {
        let home = Home::new(On::Sqlite).unwrap();
        let store = home.open().await;
        for number in 0..48 {
            store.set_setting(&format!("key {number}"), &"x".repeat(1 << 20)).await.unwrap();
        }
        let before = resident_mib();
        let readers: Vec<_> = (0..4 * READERS)
            .map(|_| {
                let store = store.clone();
                tokio::spawn(async move {
                    store.all("SELECT SUM(LENGTH(value)) AS length FROM settings", &[]).await.unwrap()
                })
            })
            .collect();
        for reader in readers {
            assert!(reader.await.unwrap()[0].int("length").unwrap() >= 48 << 20);
        }
        let more = resident_mib().saturating_sub(before);
        assert!(more < 100, "{READERS} connections keep {more} MiB");
        store.close().await;
    }

    fn resident_mib() -> u64 {
        let status = std::fs::read_to_string("/proc/self/status").unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
        line.split_whitespace().next().unwrap().parse::<u64>().unwrap() / 1024
    }

    #[tokio::test]
    async fn addresses() {
        let scratch = testing::scratch();
        let data = scratch.path();
        let error = Store::open("mysql://somewhere", data, 1).await.unwrap_err();
        assert!(error.message.contains("sqlite:PATH or postgres://"), "{error}");
        // A path with characters that are special in a URL.
        let path = data.join("a b%20?c=d#e").join("é.db");
        let store = Store::open(&format!("sqlite:{}", path.display()), data, 1).await.unwrap();
        assert!(path.exists());
        store.close().await;
        let error = Store::open("sqlite:/proc/none/agon.db", data, 1).await.unwrap_err();
        assert!(!error.message.is_empty());
    }
}
