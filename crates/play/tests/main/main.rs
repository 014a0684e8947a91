//! Matches between real programs in the real box.

// Tests may assume.
#![allow(clippy::unwrap_used)]

mod clocks;
mod hostile;
mod languages;
mod records;
mod runner;
mod start;

use std::path::PathBuf;
use std::sync::OnceLock;

use catalog::AnyGame;
use game::Selection;
use play::{MatchPlan, Placement, PlayedMatch, Runner};
use referee::{Cause, Clock, Ending};
use sandbox::{Limits, Sandbox};
use toolchain::{Bot, BotSpec, Bounds, BuildCache, Builtin, How, Launcher};

/// The strongest box of this host.
fn sandbox() -> &'static Sandbox {
    static BEST: OnceLock<Sandbox> = OnceLock::new();
    BEST.get_or_init(|| Sandbox::new(None).unwrap())
}

/// Compiled bots are kept beside the test binary, so that a second run of the tests is quick.
fn build_cache() -> BuildCache {
    BuildCache::new(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bots"), Bounds::SHARED)
}

/// No test here plays a built-in bot that is a program: this one cannot be started.
fn launcher() -> &'static Launcher {
    static NONE: OnceLock<Launcher> = OnceLock::new();
    NONE.get_or_init(|| Launcher::new("/no/such/agon"))
}

/// The honest bot of a game, in the language of this file extension.
fn honest(game: &str, extension: &str) -> PathBuf {
    testing::game_file(game, &format!("tests/bots/bot.{extension}"))
}

fn bot(asked: &str) -> Bot {
    bot_in(asked, sandbox())
}

fn bot_in(asked: &str, sandbox: &Sandbox) -> Bot {
    let spec: BotSpec = asked.parse().unwrap();
    build_cache().prepare(asked, &spec, sandbox).unwrap_or_else(|error| panic!("{asked}: {error}"))
}

fn builtin(builtin: Builtin) -> Bot {
    Bot {
        name: builtin.name().into(),
        asked: builtin.name().into(),
        digest: None,
        how: How::Builtin(builtin),
    }
}

/// The full game with these bots, on the site's clock.
fn plan<'a>(game: &str, seed: i64, bots: &'a [Bot]) -> MatchPlan<'a> {
    let game: &'static dyn AnyGame = catalog::find(game).unwrap();
    let asked = Selection { players: Some(bots.len() as u8), ..Selection::default() };
    let simultaneous = game.info().simultaneous;
    MatchPlan {
        game,
        selected: game.select(&asked).unwrap(),
        seed,
        bots: bots.iter().collect(),
        clock: Clock::SITE,
        ponder: simultaneous,
        limits: Limits::BOT,
        placement: Placement::of(simultaneous, bots.len() as u8, &play::cores()),
        inspect: false,
    }
}

fn play(plan: &MatchPlan<'_>) -> PlayedMatch {
    Runner::new(sandbox(), launcher(), None).play(plan)
}

/// The causes of a match that must not be void.
fn causes(played: &PlayedMatch) -> &[Option<Cause>] {
    match &played.ending {
        Ending::Over { causes, .. } => causes,
        Ending::Void { why, .. } => panic!("void: {why}"),
    }
}
