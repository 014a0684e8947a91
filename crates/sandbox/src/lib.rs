//! A program in a box: start, limits, bytes in and out, kill, what went wrong. It knows no game.
//!
//! [`Sandbox::new`] finds out what this host can do, [`Sandbox::start`] starts a program in a box, [`Boxed`] is the
//! running box, [`doctor`] tells a person what works here and what is missing. Linux only.
//!
//! What this does to the process that uses it: it becomes the parent of what its boxes leave behind; a small shell waits
//! beside it, to kill the boxes should it be killed itself; and threads that start programs for other threads stay.

mod boxed;
mod bwrap;
mod cgroup;
mod confine;
mod doctor;
mod error;
mod guard;
mod limits;
mod program;
mod resolve;
mod run;
mod sandbox;
mod seccomp;
mod spawn;
mod start;
mod users;

pub use boxed::{Boxed, Exit};
pub use doctor::{ClockNoise, Mechanism, Reach, Report, doctor};
pub use error::{StartError, Unreachable};
pub use limits::{Level, Limits, UnknownLevel};
pub use program::Program;
pub use run::Finished;
pub use sandbox::Sandbox;
