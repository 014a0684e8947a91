//! The connections: opening, transactions, trying again.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use sqlx::any::{AnyArguments, AnyPoolOptions, AnyRow};
use sqlx::query::Query;
use sqlx::{Any, AnyPool, AssertSqlSafe, Connection as _, Executor as _, Transaction};

use crate::value::{FromRow, Value};
use crate::{ErrorKind, Records, Result, StoreError, schema};

/// Which database it is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// A file, embedded in this program.
    Sqlite,
    /// A server.
    Postgres,
}

/// What is kept. Cheap to clone.
#[derive(Clone)]
pub struct Store {
    inner: Arc<Inner>,
}

struct Inner {
    kind: Kind,
    readers: AnyPool,
    /// SQLite has one writer: a single connection, so that writers queue here in order and never meet `SQLITE_BUSY`.
    writer: AnyPool,
    records: Records,
}

impl std::fmt::Debug for Store {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Store").field("kind", &self.inner.kind).finish_non_exhaustive()
    }
}

/// How often something that lost its connection is tried again, and how long it waits in between.
const TRIES: u32 = 6;
const PAUSE: Duration = Duration::from_millis(50);

impl Store {
    /// Opens `sqlite:PATH` (made if it is not there) or `postgres://…`, and brings its tables up to date. Record files live in
    /// the folder `records` of `data`.
    ///
    /// # Errors
    ///
    /// A URL of neither kind, a database that does not answer within ten seconds, one made by a newer version.
    pub async fn open(url: &str, data: &Path, now: i64) -> Result<Store> {
        let store = Store::connect(url, data).await?;
        schema::migrate(&store, now).await?;
        Ok(store)
    }

    /// Connects without touching the tables.
    pub(crate) async fn connect(url: &str, data: &Path) -> Result<Store> {
        sqlx::any::install_default_drivers();
        let records = Records::open(&data.join("records"))?;
        let inner = if let Some(path) = url.strip_prefix("sqlite:") {
            let url = sqlite_url(path)?;
            // The writer comes first: it makes the file and sets it to the write-ahead log.
            let writer = sqlite_pool(1).connect(&url).await.map_err(|e| cannot_open(path, e))?;
            let readers = sqlite_pool(8).connect(&url).await.map_err(|e| cannot_open(path, e))?;
            Inner { kind: Kind::Sqlite, readers, writer, records }
        } else if url.starts_with("postgres://") || url.starts_with("postgresql://") {
            let pool = AnyPoolOptions::new()
                .max_connections(16)
                .acquire_timeout(Duration::from_secs(10))
                .connect(url)
                .await
                .map_err(|e| cannot_open("on the PostgreSQL server", e))?;
            Inner { kind: Kind::Postgres, readers: pool.clone(), writer: pool, records }
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

    /// The record files.
    pub fn records(&self) -> &Records {
        &self.inner.records
    }

    /// Closes every connection. Other clones of this store can do nothing afterwards.
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

    /// Starts a transaction that writes. On SQLite it takes the lock at once, so it never fails half way for being second.
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

    /// Starts a transaction that sees one moment of the whole database and writes nothing.
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

    /// One writing statement as a transaction of its own; how many rows it changed.
    pub(crate) async fn run(&self, sql: &str, values: &[Value]) -> Result<u64> {
        change!(self, tx => tx.run(sql, values).await?)
    }

    /// One writing statement that returns rows.
    pub(crate) async fn returning<T: FromRow>(&self, sql: &str, values: &[Value]) -> Result<Vec<T>> {
        change!(self, tx => tx.list(sql, values).await?)
    }
}

/// A transaction: given up when it is dropped.
pub(crate) struct Tx {
    inner: Transaction<'static, Any>,
    pub(crate) kind: Kind,
}

impl Tx {
    pub(crate) async fn commit(self) -> Result<()> {
        // A connection lost now leaves open whether it was done: never tried again by itself.
        self.inner.commit().await.map_err(|error| {
            let error = StoreError::from(error);
            let certain = error.message.contains("serializ") || error.message.contains("deadlock");
            StoreError { again: error.again && certain, ..error }
        })
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

    /// The number a statement with `RETURNING id` (or a counting one) gives.
    pub(crate) async fn number(&mut self, sql: &str, values: &[Value]) -> Result<i64> {
        let rows = self.all(sql, values).await?;
        let row = rows.first().ok_or_else(|| StoreError::not_found("such row"))?;
        sqlx::Row::try_get(row, 0).map_err(StoreError::from)
    }

    /// Several statements without values, as in a migration.
    pub(crate) async fn script(&mut self, sql: &str) -> Result<()> {
        sqlx::raw_sql(AssertSqlSafe(sql.to_owned())).execute(&mut *self.inner).await?;
        Ok(())
    }
}

/// Runs a body in a transaction that writes and commits it; runs it again when the database says that nothing was done and the
/// same may succeed (the connection was lost, two transactions met). The body must not consume what it is given.
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

/// Says whether to try again, and waits a little before.
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
            // The driver takes a missing f64 for four bytes on PostgreSQL, and a missing f32 for eight; a statement that was prepared
            // for four would refuse the next f64.
            Value::Real(None) => query.bind(None::<f32>),
            // PostgreSQL takes no NUL in a text; so neither do we on SQLite.
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

/// The file's path as a URL: absolute, with every byte that means something there written as a number.
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
        // A full disk makes SQLite give a transaction up by itself, and the driver believe that it is still open: such a connection
        // is closed, and a new one takes its place.
        .before_acquire(|connection, _| Box::pin(async move { Ok(!connection.is_in_transaction()) }))
        .after_connect(|connection, _| {
            Box::pin(async move {
                connection
                    .execute(
                        "PRAGMA busy_timeout = 10000; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; \
                         PRAGMA foreign_keys = ON; PRAGMA cache_size = -32000; PRAGMA temp_store = MEMORY;",
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

    /// A full disk refuses writes in clear words; reading goes on, and writing too when there is room again.
    #[tokio::test]
    async fn a_full_disk() {
        let home = Home::new(On::Sqlite).unwrap();
        let store = home.open().await;
        store.set_setting("before", "here").await.unwrap();
        // The one writer's file may not grow.
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
        // Only the connection that failed was told not to grow, and it was replaced.
        store.set_setting("after", "here too").await.unwrap();
        let checked = store.all("PRAGMA integrity_check", &[]).await.unwrap();
        assert_eq!(checked[0].text("integrity_check").unwrap(), "ok");
        store.close().await;
    }

    #[tokio::test]
    async fn addresses() {
        let scratch = testing::scratch();
        let data = scratch.path();
        let error = Store::open("mysql://somewhere", data, 1).await.unwrap_err();
        assert!(error.message.contains("sqlite:PATH or postgres://"), "{error}");
        // A path with signs that mean something in an address.
        let path = data.join("a b%20?c=d#e").join("é.db");
        let store = Store::open(&format!("sqlite:{}", path.display()), data, 1).await.unwrap();
        assert!(path.exists());
        store.close().await;
        let error = Store::open("sqlite:/proc/none/agon.db", data, 1).await.unwrap_err();
        assert!(!error.message.is_empty());
    }
}
