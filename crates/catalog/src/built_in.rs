//! Matches of built-in bots in memory.

use bots::{Lines, Lost, Mind, Thinking};
use game::{Outcome, Selected};

/// The result of a match in memory.
#[derive(Clone, Debug)]
pub struct Played {
    /// How it ended.
    pub outcome: Outcome,
    /// The number of faults.
    pub faults: usize,
    /// The number of turns as the game's traces count them.
    pub turns: u32,
    /// The time of the slowest answer of each seat, its first answer aside.
    pub slowest: Vec<std::time::Duration>,
}

/// Plays a match of built-in bots, one per seat.
///
/// # Errors
///
/// When a bot cannot read its question, which is a mistake in the bot.
pub fn play(
    game: &dyn crate::AnyGame,
    selected: Selected,
    seed: i64,
    minds: &mut [Box<dyn Mind>],
    thinking: &[Thinking],
) -> Result<Played, Lost> {
    let mut play = game.start(selected, seed);
    let mut first = vec![true; minds.len()];
    let mut slowest = vec![std::time::Duration::ZERO; minds.len()];
    let mut question = String::new();
    loop {
        let awaited = play.awaited();
        if awaited.is_empty() {
            break;
        }
        let mut answers = Vec::new();
        for seat in awaited {
            question.clear();
            play.question(seat, &mut question);
            let index = seat.index();
            let opening = std::mem::take(&mut first[index]);
            let began = std::time::Instant::now();
            let mut text = question.as_bytes();
            let answer = minds[index].answer(&mut Lines::new(&mut text), thinking[index].begin(opening))?;
            if !opening {
                slowest[index] = slowest[index].max(began.elapsed());
            }
            answers.push((seat, answer));
        }
        for (seat, answer) in answers {
            // Only awaited seats were asked.
            let _ = play.answer(seat, Some(&answer));
        }
    }
    Ok(Played { outcome: play.outcome(), faults: play.faults().len(), turns: play.turns_played(), slowest })
}
