//! Runs played with real bots in the real sandbox.

// Tests may assume.
#![allow(clippy::unwrap_used)]

mod parts;
mod runs;

use std::path::PathBuf;
use std::sync::OnceLock;

use sandbox::Sandbox;
use toolchain::{Bot, BotSpec, BuildCache, Builtin, How, Launcher};

/// The strongest box of this host.
fn sandbox() -> &'static Sandbox {
    static BEST: OnceLock<Sandbox> = OnceLock::new();
    BEST.get_or_init(|| Sandbox::new(None).unwrap())
}

/// No test here plays a built-in bot that is a program: this one cannot be started.
fn launcher() -> &'static Launcher {
    static NONE: OnceLock<Launcher> = OnceLock::new();
    NONE.get_or_init(|| Launcher::new("/no/such/agon"))
}

fn bot(asked: &str) -> Bot {
    let cache =
        BuildCache::new(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bots"), toolchain::Bounds::SHARED);
    cache.prepare(asked, &asked.parse::<BotSpec>().unwrap(), sandbox()).unwrap()
}

fn builtin(builtin: Builtin) -> Bot {
    let name = format!("@{}", builtin.name());
    Bot { asked: name.clone(), name, digest: None, how: How::Builtin(builtin) }
}
