//! What the benches share.

use std::fmt::Write as _;
use std::sync::OnceLock;

use play::{MatchPlan, PlayedMatch};
use toolchain::Launcher;

/// The benches play commands and sources; a built-in bot that is a program cannot be started here.
pub(crate) fn launcher() -> &'static Launcher {
    static NONE: OnceLock<Launcher> = OnceLock::new();
    NONE.get_or_init(|| Launcher::new("/no/such/agon"))
}

/// Writes the questions of a match to a file, each behind a line `>SEAT LINES`, so that a program without any rules can ask them
/// again: what that takes is the floor a runner is measured against.
pub(crate) fn write_questions(plan: &MatchPlan<'_>, played: &PlayedMatch, file: &str) {
    let mut again = plan.game.start(plan.selected, plan.seed);
    let mut text = String::new();
    for turn in &played.log {
        let mut question = String::new();
        again.question(turn.seat, &mut question);
        write!(text, ">{} {}\n{question}", turn.seat, question.lines().count()).unwrap();
        again.answer(turn.seat, turn.output.as_deref()).unwrap();
    }
    std::fs::write(file, text).unwrap();
    println!("answers {}", played.log.len());
}
