//! Many machines: a NATS server hands work to workers and takes their results.
//!
//! A *master* is a program that needs matches played or sources built: the coordinator of a run, or the servers of an arena. It sends
//! [`Work`] with a [`Master`]; a worker takes it from a [`Feed`], does it and hands in a [`Report`]. Work waits in a JetStream work
//! queue and reports in a second one; the files of bots and the programs that workers have built are in object stores, by their
//! digests; workers announce themselves in a key-value bucket.
//!
//! The queues are caches. The truth is the run file or the database of the master: it acknowledges a report when the result is on disk, and
//! sends all work again that neither waits nor has a result. JetStream may lose messages in a crash; that costs time
//! and nothing else.

mod connection;
mod error;
mod feed;
mod master;
mod message;
mod objects;
mod presence;
mod tell;

pub use connection::{Address, Cluster, Role, worker_name};
pub use error::ClusterError;
pub use feed::{Feed, Item};
pub use master::{Found, Master, Received};
pub use message::{
    Build, BuildReport, Job, MatchOutcome, MatchReport, MatchWork, Matches, PROTOCOL, Packed, Report, Work,
};
pub use objects::Objects;
pub use presence::{Order, WorkerInfo};
pub use tell::{Messages, Progress, ProgressAnswer, ProgressSender, Teller};
