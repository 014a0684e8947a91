//! What the site is told when it starts.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::wire::Signup;

/// The settings of the site.
#[derive(Clone, Debug)]
pub struct Config {
    /// Where to listen.
    pub listen: SocketAddr,
    /// The address people type, such as `https://bots.example.org`; where there is none, the address listened at.
    pub public_url: Option<String>,
    /// `sqlite:PATH` or `postgres://...`.
    pub database: String,
    /// The folder for records, the workshop and, with SQLite, the database.
    pub data: PathBuf,
    /// Matches played at the same time; 0 plays none.
    pub workers: usize,
    /// Who may sign up.
    pub signup: Signup,
    /// Whether the header `x-forwarded-for` is believed, since every request comes through a proxy of ours.
    pub trusted_proxy: bool,
    /// Name of the site.
    pub title: String,
    /// Milliseconds between matches when nobody needs one.
    pub idle_every_ms: u64,
    /// Whether bots may run in a box weaker than level A.
    pub allow_weak_sandbox: bool,
}
