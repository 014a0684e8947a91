//! A database of its own for each test: a file in a temporary folder, or a new database on the PostgreSQL server that
//! `AGON_TEST_POSTGRES` names.

use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};
use store::Store;

/// Where a test lives.
pub(crate) struct Home {
    pub(crate) url: String,
    pub(crate) folder: PathBuf,
    /// The server and the name of the database, on PostgreSQL.
    server: Option<(String, String)>,
}

/// Which databases the tests run on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum On {
    Sqlite,
    Postgres,
}

impl Home {
    /// A new home; none when there is no server to make it on.
    pub(crate) async fn new(on: On) -> Option<Home> {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        let name = format!("agon_store_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
        let folder = std::env::temp_dir().join(&name);
        if on == On::Sqlite {
            std::fs::create_dir_all(&folder).unwrap();
            return Some(Home { url: format!("sqlite:{}/agon.db", folder.display()), folder, server: None });
        }
        let Ok(server) = std::env::var("AGON_TEST_POSTGRES") else {
            println!("passed over: AGON_TEST_POSTGRES names no PostgreSQL server");
            return None;
        };
        std::fs::create_dir_all(&folder).unwrap();
        sqlx::any::install_default_drivers();
        let mut admin = AnyConnection::connect(&server).await.unwrap();
        admin.execute(AssertSqlSafe(format!("CREATE DATABASE {name}"))).await.unwrap();
        let (before, query) = server.split_once('?').map_or((server.as_str(), None), |(a, b)| (a, Some(b)));
        let base = before.rsplit_once('/').unwrap().0;
        let url = format!("{base}/{name}{}", query.map(|query| format!("?{query}")).unwrap_or_default());
        Some(Home { url, folder, server: Some((server, name)) })
    }

    pub(crate) async fn open(&self) -> Store {
        Store::open(&self.url, &self.folder, 1_000).await.unwrap()
    }

    /// Changes the tables behind the store's back.
    #[allow(dead_code, reason = "the tests inside the crate do without")]
    pub(crate) async fn damage(&self, sql: &str) {
        let mut connection = AnyConnection::connect(&self.url).await.unwrap();
        connection.execute(AssertSqlSafe(sql.to_owned())).await.unwrap();
        connection.close().await.unwrap();
    }

    /// Takes everything away.
    pub(crate) async fn leave(self) {
        if let Some((server, name)) = &self.server {
            let mut admin = AnyConnection::connect(server).await.unwrap();
            admin.execute(AssertSqlSafe(format!("DROP DATABASE {name} WITH (FORCE)"))).await.unwrap();
        }
        std::fs::remove_dir_all(&self.folder).unwrap();
    }
}

/// Tests that run on both databases: `async fn name(home: &Home)`.
#[macro_export]
macro_rules! on_both {
    ($($name:ident),* $(,)?) => {
        mod on_sqlite { $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                let home = $crate::home::Home::new($crate::home::On::Sqlite).await.unwrap();
                super::$name(&home).await;
                home.leave().await;
            }
        )* }
        mod on_postgres { $(
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn $name() {
                let Some(home) = $crate::home::Home::new($crate::home::On::Postgres).await else { return };
                super::$name(&home).await;
                home.leave().await;
            }
        )* }
    };
}
