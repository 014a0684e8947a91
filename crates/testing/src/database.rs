//! Databases on the PostgreSQL server of the tests.

use std::os::unix::fs::MetadataExt as _;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::thread::JoinHandle;

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _, Row as _};
use tempfile::TempDir;

use crate::SmallDisk;

/// The size of a small disk, in MiB: a new database takes about 8.
const SMALL: u32 = 32;

/// A database on the server that `AGON_TEST_POSTGRES` names; removed when it is dropped.
#[derive(Debug)]
pub struct Database {
    server: String,
    name: String,
    /// The disk of its files, if it is not the disk of the server, and the folder on which it is mounted.
    disk: Option<(SmallDisk, TempDir)>,
    reader: Option<Reader>,
}

impl Database {
    /// A new database. `None` where there is no server and the tests are not strict (see [`crate::require`]).
    #[track_caller]
    pub fn create() -> Option<Database> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let server = std::env::var("AGON_TEST_POSTGRES").ok();
        if !crate::require("PostgreSQL (its address in AGON_TEST_POSTGRES)", server.is_some()) {
            return None;
        }
        let name = format!("agon_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let database = Database { server: server?, name, disk: None, reader: None };
        database.run(&format!("CREATE DATABASE {}", database.name));
        Some(database)
    }

    /// A new database whose files are on a small disk of their own. `None` where there is no server, or where this user
    /// may not mount a disk for it.
    #[track_caller]
    pub fn on_small_disk() -> Option<Database> {
        let mut database = Database::create()?;
        let data = database.ask("SELECT setting FROM pg_settings WHERE name = 'data_directory'");
        let owner = std::fs::metadata(data).map(|about| about.uid());
        let folder = crate::scratch();
        let disk = owner.ok().and_then(|owner| SmallDisk::mount(folder.path(), SMALL, owner));
        if !crate::require("the right to mount a disk for PostgreSQL", disk.is_some()) {
            return None;
        }
        let name = database.name.clone();
        database.run(&format!("CREATE TABLESPACE {name} LOCATION '{}'", folder.path().display()));
        database.disk = Some((disk?, folder));
        database.run(&format!("ALTER DATABASE {name} SET TABLESPACE {name}"));
        Some(database)
    }

    /// The small disk of its files.
    pub fn disk(&self) -> &SmallDisk {
        &self.disk.as_ref().unwrap().0
    }

    /// Fills the small disk and all pages of the tables, so that every change needs space; or makes space again.
    pub fn set_full(&mut self, full: bool) {
        self.disk().set_full(full);
        self.reader = full.then(|| Reader::start(self.url()));
    }

    /// Its address.
    pub fn url(&self) -> String {
        let (before, query) = self.server.split_once('?').unwrap_or((&self.server, ""));
        let base = before.rsplit_once('/').unwrap().0;
        let name = &self.name;
        if query.is_empty() { format!("{base}/{name}") } else { format!("{base}/{name}?{query}") }
    }

    /// Makes the database refuse connections and ends those it has, as if its server were stopped; or makes it accept
    /// them again.
    pub fn set_away(&self, away: bool) {
        let name = &self.name;
        self.run(&format!("ALTER DATABASE {name} ALLOW_CONNECTIONS {}", !away));
        if away {
            self.run(&format!(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}'"
            ));
        }
    }

    /// Runs one statement on the server.
    fn run(&self, statement: &str) {
        run(&self.server, statement);
    }

    /// The text that a query to the server returns.
    fn ask(&self, query: &str) -> String {
        with_connection(&self.server, async |connection| {
            connection.fetch_one(AssertSqlSafe(query.to_owned())).await.unwrap().get(0)
        })
    }
}

/// A transaction that lasts until this is dropped: the server keeps all versions of rows that it could see.
#[derive(Debug)]
struct Reader {
    release: Option<mpsc::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Reader {
    /// Begins the transaction and fills all pages of the tables with versions of rows.
    fn start(url: String) -> Reader {
        let (ready, is_ready) = mpsc::channel();
        let (release, released) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            with_connection(&url.clone(), async move |connection| {
                connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ").await.unwrap();
                connection.fetch_all("SELECT COUNT(*) FROM pg_class").await.unwrap();
                fill_pages(&url).await;
                ready.send(()).unwrap();
                // This ends when the sender is dropped.
                let _ = released.recv();
            });
        });
        is_ready.recv().unwrap();
        Reader { release: Some(release), thread: Some(thread) }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        drop(self.release.take());
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

/// Writes new versions of the rows of all tables until the pages of each table are full.
async fn fill_pages(url: &str) {
    let mut writer = AnyConnection::connect(url).await.unwrap();
    let columns = "SELECT table_name::TEXT, column_name::TEXT FROM information_schema.columns \
                   WHERE table_schema = 'public' AND ordinal_position = 1";
    for column in writer.fetch_all(columns).await.unwrap() {
        let (table, column): (String, String) = (column.get(0), column.get(1));
        let update = format!("UPDATE {table} SET {column} = {column}");
        while writer
            .execute(AssertSqlSafe(update.clone()))
            .await
            .is_ok_and(|changed| changed.rows_affected() > 0)
        {}
    }
}

fn run(url: &str, statement: &str) {
    with_connection(url, async |connection| {
        connection.execute(AssertSqlSafe(statement.to_owned())).await.unwrap();
    });
}

/// Uses a new connection on a thread of its own: the caller may be inside a runtime.
fn with_connection<T: Send>(url: &str, work: impl AsyncFnOnce(&mut AnyConnection) -> T + Send) -> T {
    let used = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(async {
                sqlx::any::install_default_drivers();
                let mut connection = AnyConnection::connect(url).await.unwrap();
                work(&mut connection).await
            })
        });
        thread.join()
    });
    used.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

impl Drop for Database {
    fn drop(&mut self) {
        self.reader = None;
        let name = &self.name;
        self.run(&format!("DROP DATABASE IF EXISTS {name} WITH (FORCE)"));
        if self.disk.is_some() {
            self.run(&format!("DROP TABLESPACE {name}"));
        }
    }
}
