//! The errors of this crate. Each says whose fault it is.

use std::io;
use std::path::PathBuf;

use crate::message::PROTOCOL;

/// A cluster that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ClusterError {
    /// The caller's fault, or the network's: there is no NATS server at this address, or it refuses the key.
    #[error("{url}: {why}")]
    Connect {
        /// The address.
        url: String,
        /// The reason.
        why: String,
    },
    /// The server's fault: a request failed. It may work later.
    #[error("NATS: {0}")]
    Broker(String),
    /// The caller's fault: the masters of this cluster have another version.
    #[error(
        "this cluster uses protocol {found}, this program protocol {PROTOCOL}: install the same version everywhere"
    )]
    Protocol {
        /// The protocol of the cluster.
        found: u32,
    },
    /// The host's fault: a file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, #[source] io::Error),
    /// The server's fault: a file in the object store is missing or has another digest than its name.
    #[error("the file {0} of a bot is missing in the object store, or damaged")]
    Object(String),
    /// The caller's fault: a message does not have the right form.
    #[error("a message is not valid: {0}")]
    Message(#[from] serde_json::Error),
}

impl ClusterError {
    /// The failure of a request.
    pub(crate) fn broker(error: impl std::fmt::Display) -> ClusterError {
        ClusterError::Broker(error.to_string())
    }
}

/// A result of this crate.
pub(crate) type Result<T> = std::result::Result<T, ClusterError>;
