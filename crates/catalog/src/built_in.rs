//! Matches of built-in bots in memory.

use bots::{BuiltIn, Lines, Lost, Mind, Thinking};
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

/// A built-in bot and how much it thinks.
#[derive(Clone, Copy, Debug)]
pub struct Contender {
    /// The bot.
    pub bot: &'static BuiltIn,
    /// How much it thinks.
    pub thinking: Thinking,
}

impl Contender {
    /// A contender from `NAME:NODES`; 0 nodes mean the clock of the rules. The name may be that of a level, or of one of `others`, which
    /// are bots that exist only to be measured.
    ///
    /// # Errors
    ///
    /// When the text has another form, or the game has no such bot; the message says which.
    pub fn of_text(
        game: &dyn crate::AnyGame,
        others: &'static [BuiltIn],
        text: &str,
        selected: Selected,
    ) -> Result<Contender, String> {
        let (name, nodes) = text.rsplit_once(':').ok_or_else(|| format!("`{text}` is not NAME:NODES"))?;
        let other = || others.iter().find(|bot| bot.name == name);
        let bot = game.bot(name).or_else(other).ok_or_else(|| format!("there is no bot `{name}`"))?;
        let nodes = nodes.parse().map_err(|_| format!("`{nodes}` is no number of nodes"))?;
        let thinking =
            if nodes == 0 { Thinking::within(game.limits(selected)) } else { Thinking::Nodes(nodes) };
        Ok(Contender { bot, thinking })
    }
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
