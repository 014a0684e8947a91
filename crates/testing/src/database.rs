//! Databases on the PostgreSQL server of the tests.

use std::sync::atomic::{AtomicU64, Ordering};

use sqlx::{AnyConnection, AssertSqlSafe, Connection as _, Executor as _};

/// A database on the server that `AGON_TEST_POSTGRES` names; removed when it is dropped.
#[derive(Debug)]
pub struct Database {
    server: String,
    name: String,
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
        let database = Database { server: server?, name };
        database.run(&format!("CREATE DATABASE {}", database.name));
        Some(database)
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

    /// Runs one statement on the server, on a thread of its own: the caller may be inside a runtime.
    fn run(&self, statement: &str) {
        std::thread::scope(|scope| {
            scope.spawn(|| {
                let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
                runtime.block_on(async {
                    sqlx::any::install_default_drivers();
                    let mut admin = AnyConnection::connect(&self.server).await.unwrap();
                    admin.execute(AssertSqlSafe(statement.to_owned())).await.unwrap();
                });
            });
        });
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.run(&format!("DROP DATABASE IF EXISTS {} WITH (FORCE)", self.name));
    }
}
