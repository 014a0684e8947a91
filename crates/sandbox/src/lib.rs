//! Runs a program in a sandbox: start, limits, bytes in and out, kill, failures. It knows no game.
//!
//! [`Sandbox::new`] finds out the capabilities of this host, [`Sandbox::start`] starts a program in a sandbox,
//! [`Boxed`] is the running sandbox, [`doctor`] reports which mechanisms work here and which are missing. Linux only.
//!
//! Side effects on the process that uses it: it becomes the parent of orphans from its sandboxes; a small shell runs
//! beside it, which kills the sandboxes if the process itself is killed; and threads that start programs for other
//! threads, or clean sandboxes that are used again, never end.

mod boxed;
mod bwrap;
mod cgroup;
mod confine;
mod doctor;
mod error;
mod frame;
mod guard;
mod keeper;
mod limits;
mod namespaces;
mod program;
mod resolve;
mod run;
mod sandbox;
mod seccomp;
mod spawn;
mod start;
mod users;
mod view;

pub use boxed::{Boxed, Exit};
pub use doctor::{ClockNoise, Mechanism, Reach, Report, doctor, watch_clock};
pub use error::{StartError, Unreachable};
pub use limits::{Level, Limits, UnknownLevel};
pub use program::Program;
pub use run::Finished;
pub use sandbox::Sandbox;
