//! Matches between real programs in the real box.

// Tests may assume, and say what they pass over.
#![allow(clippy::unwrap_used, clippy::print_stderr)]

mod hostile;
mod languages;
mod records;
mod runner;

use std::path::PathBuf;
use std::sync::OnceLock;

use play::{MatchPlan, Placement, PlayedMatch, Runner};
use toolchain::{Bot, BotSpec, BuildCache, Builtin, How};
use catalog::AnyGame;
use game::Selection;
use referee::{Cause, Clock, Ending};
use sandbox::{Limits, Sandbox};

/// The strongest box of this host.
fn sandbox() -> &'static Sandbox {
    static BEST: OnceLock<Sandbox> = OnceLock::new();
    BEST.get_or_init(|| Sandbox::new(None).unwrap())
}

/// Compiled bots are kept beside the test binary, so that a second run of the tests is quick.
fn workshop() -> BuildCache {
    BuildCache::new(PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("bots"))
}

fn fixture(path: &str) -> String {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests").join(path).display().to_string()
}

fn bot(asked: &str) -> Bot {
    bot_in(asked, sandbox())
}

fn bot_in(asked: &str, sandbox: &Sandbox) -> Bot {
    let spec: BotSpec = asked.parse().unwrap();
    workshop().prepare(asked, &spec, sandbox).unwrap_or_else(|error| panic!("{asked}: {error}"))
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
        bots,
        clock: Clock::SITE,
        ponder: simultaneous,
        limits: Limits::BOT,
        placement: Placement::of(simultaneous, bots.len() as u8, &play::cores()),
        inspect: false,
    }
}

fn play(plan: &MatchPlan<'_>) -> PlayedMatch {
    Runner::new(sandbox(), &launcher(), None).play(plan, &mut ())
}

/// The causes of a match that must not be void.
fn causes(played: &PlayedMatch) -> &[Option<Cause>] {
    match &played.ending {
        Ending::Over { causes, .. } => causes,
        Ending::Void { why } => panic!("void: {why}"),
    }
}
