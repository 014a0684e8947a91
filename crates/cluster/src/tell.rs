//! Messages that may be lost: the answers of a match while it is played, and news between the servers of an arena.

use std::fmt;
use std::time::{Duration, Instant};

use async_nats::Subscriber;
use catalog::record::Line;
use futures_util::StreamExt as _;
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;

use crate::connection::{Cluster, live_subject, servers_subject};
use crate::error::{ClusterError, Result};

/// Messages that wait for the connection; later ones are lost.
const WAITING: usize = 4096;
/// The answers of a match are sent in this interval. A match that is shorter sends none.
const EVERY: Duration = Duration::from_millis(200);

/// Answers of a match that is being played.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Progress {
    /// The number of the match.
    pub index: u64,
    /// The lease of its work.
    pub token: u64,
    /// The worker or server that plays it.
    pub by: String,
    /// The last turn.
    pub turn: u32,
    /// The number of answers that were sent before.
    pub from: usize,
    /// The answers since then.
    pub answers: Vec<ProgressAnswer>,
}

/// An answer.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgressAnswer {
    /// The seat.
    pub seat: u8,
    /// The line; `None` if no answer came in time.
    pub line: Option<Line>,
    /// The time that it took, in microseconds.
    pub wall_us: u64,
}

/// Sends messages in order, without waiting for the connection.
#[derive(Clone)]
pub struct Teller {
    sender: mpsc::Sender<(String, Vec<u8>)>,
}

impl fmt::Debug for Teller {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Teller").finish_non_exhaustive()
    }
}

impl Teller {
    /// Sends over this connection, by a task of the current runtime that ends with the last clone.
    pub fn new(cluster: &Cluster) -> Teller {
        let (sender, mut messages) = mpsc::channel::<(String, Vec<u8>)>(WAITING);
        let client = cluster.client.clone();
        tokio::spawn(async move {
            while let Some((subject, text)) = messages.recv().await {
                // A message without a connection is lost.
                let _ = client.publish(subject, text.into()).await;
            }
        });
        Teller { sender }
    }

    /// Tells the servers of an arena something.
    pub fn tell_servers(&self, arena: &str, text: Vec<u8>) {
        // It is lost if too many messages wait.
        let _ = self.sender.try_send((servers_subject(arena), text));
    }

    /// Sends the answers of a match of a master.
    pub fn progress(&self, master: &str, index: u64, token: u64, by: &str) -> ProgressSender {
        ProgressSender {
            teller: self.clone(),
            subject: live_subject(master),
            next: Progress { index, token, by: by.to_owned(), turn: 0, from: 0, answers: Vec::new() },
            sent: Instant::now(),
        }
    }
}

/// Sends the answers of one match.
#[derive(Debug)]
pub struct ProgressSender {
    teller: Teller,
    subject: String,
    next: Progress,
    sent: Instant,
}

impl ProgressSender {
    /// The match begins, or begins again.
    pub fn began(&mut self) {
        (self.next.from, self.next.turn) = (0, 0);
        self.next.answers.clear();
        self.sent = Instant::now();
    }

    /// A player has answered in a turn.
    pub fn answered(&mut self, turn: u32, seat: u8, line: Option<&[u8]>, wall: Duration) {
        let line = line.map(|line| Line(line.to_vec()));
        self.next.answers.push(ProgressAnswer { seat, line, wall_us: wall.as_micros() as u64 });
        self.next.turn = turn;
        if self.sent.elapsed() >= EVERY {
            self.send();
        }
    }

    fn send(&mut self) {
        self.sent = Instant::now();
        if let Ok(text) = serde_json::to_vec(&self.next) {
            // It is lost if too many messages wait; the servers notice the gap.
            let _ = self.teller.sender.try_send((self.subject.clone(), text));
        }
        self.next.from += self.next.answers.len();
        self.next.answers.clear();
    }
}

impl Drop for ProgressSender {
    fn drop(&mut self) {
        if self.next.from > 0 && !self.next.answers.is_empty() {
            self.send();
        }
    }
}

/// Messages from others.
pub struct Messages(Subscriber);

impl fmt::Debug for Messages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Messages").finish_non_exhaustive()
    }
}

impl Messages {
    /// The next message; `None` when the connection is closed.
    pub async fn next(&mut self) -> Option<Vec<u8>> {
        Some(self.0.next().await?.payload.to_vec())
    }
}

impl Cluster {
    /// The news of the servers of an arena from now on, those of this server too.
    ///
    /// # Errors
    ///
    /// When the connection is closed.
    pub async fn hear_servers(&self, arena: &str) -> Result<Messages> {
        self.client.subscribe(servers_subject(arena)).await.map(Messages).map_err(ClusterError::broker)
    }

    /// The answers of the matches of a master from now on: each message is a [`Progress`].
    ///
    /// # Errors
    ///
    /// When the connection is closed.
    pub async fn hear_progress(&self, master: &str) -> Result<Messages> {
        self.client.subscribe(live_subject(master)).await.map(Messages).map_err(ClusterError::broker)
    }
}
