//! A separate database for each test: a file in a scratch folder, or a new database on the PostgreSQL server of the
//! tests.

use std::path::PathBuf;

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use store::Store;
use tempfile::TempDir;
use testing::Database;

/// The database of a test and its folder; both are removed when it is dropped.
pub(crate) struct Home {
    pub(crate) url: String,
    pub(crate) folder: PathBuf,
    _scratch: TempDir,
    _database: Option<Database>,
}

/// Which databases the tests run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum On {
    Sqlite,
    Postgres,
}

impl Home {
    /// A new database; `None` when there is no PostgreSQL server.
    pub(crate) fn new(on: On) -> Option<Home> {
        let scratch = testing::scratch();
        let folder = scratch.path().to_owned();
        let database = match on {
            On::Sqlite => None,
            On::Postgres => Some(Database::create()?),
        };
        let url = match &database {
            None => format!("sqlite:{}/agon.db", folder.display()),
            Some(database) => database.url(),
        };
        Some(Home { url, folder, _scratch: scratch, _database: database })
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.url, &self.folder, 1_000).await.unwrap()
    }

    /// Changes the tables without the store.
    #[allow(dead_code, reason = "the tests inside the crate do without")]
    pub(crate) async fn damage(&self, sql: &str) {
        let mut connection = AnyConnection::connect(&self.url).await.unwrap();
        connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    }
}

/// Tests that run on both databases: `async fn name(home: &Home)`.
#[macro_export]
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite { $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                let home = $crate::home::Home::new($crate::home::On::Sqlite).unwrap();
                super::$name(&home).await;
            }
        )* }
        mod on_postgres { $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                let Some(home) = $crate::home::Home::new($crate::home::On::Postgres) else { return };
                super::$name(&home).await;
            }
        )* }
    };
}
