//! The claim of a server on its database: one server at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::time::Duration;

use sqlx::{AnyConnection, Connection as _, Row as _};

use crate::{Kind, Result, Store, StoreError};

/// A server that was killed a moment ago may still be ending: the claim is tried this many times.
const TRIES: u32 = 30;
const PAUSE: Duration = Duration::from_millis(100);
/// PostgreSQL notices within half a minute that the host of a server is gone, and releases its lock.
const KEEPALIVE: &str =
    "SET tcp_keepalives_idle = 10; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3";
/// A leader that is stopped or out of reach loses the lead within eight seconds.
const LEAD: &str = "SET tcp_keepalives_idle = 3; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 2; \
    SET idle_session_timeout = 8000";
/// A database that does not answer for this time has lost the lead of this server, or will.
const ANSWER: Duration = Duration::from_secs(5);
/// Takes an advisory lock on PostgreSQL, if it is free.
const LOCK: &str = "SELECT CAST(CASE WHEN pg_try_advisory_lock(4714202) THEN 1 ELSE 0 END AS BIGINT)";

/// The right to run the contests of a database. It ends when it is dropped, and with the process.
#[derive(Debug)]
pub struct Claim(Held);

#[derive(Debug)]
enum Held {
    /// A locked file beside the database file.
    File { _locked: File },
    /// A connection of its own with an advisory lock.
    Connection(Box<AnyConnection>),
}

impl Store {
    /// Claims the database for this server.
    ///
    /// # Errors
    ///
    /// `Conflict` when another server has claimed it, and when the database fails.
    pub async fn claim(&self) -> Result<Claim> {
        for _ in 0..TRIES {
            if let Some(held) = self.try_claim().await? {
                return Ok(Claim(held));
            }
            tokio::time::sleep(PAUSE).await;
        }
        Err(StoreError::conflict(
            "another server runs on this database: a database has one server at a time; stop the other server first",
        ))
    }

    /// Checks a claim, and renews it if its connection was lost.
    ///
    /// # Errors
    ///
    /// `Conflict` when another server has claimed the database meanwhile, and when the database fails.
    pub async fn renew_claim(&self, claim: Option<Claim>) -> Result<Claim> {
        match claim {
            Some(Claim(Held::Connection(mut connection))) => match connection.ping().await {
                Ok(()) => Ok(Claim(Held::Connection(connection))),
                Err(_) => self.claim().await,
            },
            Some(claim) => Ok(claim),
            None => self.claim().await,
        }
    }

    /// Takes the lead among several servers of a PostgreSQL database, if it is free. It is lost when it is not checked
    /// with [`Store::check_lead`] for some seconds, and with the process.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn try_lead(&self) -> Result<Option<Claim>> {
        let Some(Held::Connection(mut connection)) = self.try_claim().await? else { return Ok(None) };
        sqlx::raw_sql(LEAD).execute(&mut *connection).await?;
        Ok(Some(Claim(Held::Connection(connection))))
    }

    /// Checks whether this server still leads; `None` if it does not.
    pub async fn check_lead(&self, claim: Claim) -> Option<Claim> {
        let Held::Connection(mut connection) = claim.0 else { return None };
        match tokio::time::timeout(ANSWER, connection.ping()).await {
            Ok(Ok(())) => Some(Claim(Held::Connection(connection))),
            _ => None,
        }
    }

    async fn try_claim(&self) -> Result<Option<Held>> {
        match self.kind() {
            Kind::Sqlite => {
                let path = self.database_file().with_added_extension("lock");
                let file = OpenOptions::new().create(true).append(true).open(path)?;
                match file.try_lock() {
                    Ok(()) => Ok(Some(Held::File { _locked: file })),
                    Err(TryLockError::WouldBlock) => Ok(None),
                    Err(TryLockError::Error(error)) => Err(error.into()),
                }
            }
            Kind::Postgres => {
                let mut connection = self.own_connection().await?;
                sqlx::raw_sql(KEEPALIVE).execute(&mut connection).await?;
                let row = sqlx::query(LOCK).fetch_one(&mut connection).await?;
                let locked = row.try_get::<i64, _>(0)? == 1;
                Ok(locked.then(|| Held::Connection(Box::new(connection))))
            }
        }
    }
}
