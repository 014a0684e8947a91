//! Opponents that are always there.

use catalog::AnyMatch;
use game::{Dice, Seat};

/// A built-in bot. It plays in memory and takes no time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Builtin {
    /// Any order that the rules allow, each as likely as the others of its kind.
    Random,
    /// As little as the rules allow.
    Wait,
    /// The boss of the league: what the rules describe for the tutorial leagues of Back Track, random play elsewhere.
    Boss,
}

impl Builtin {
    /// Every built-in, with its name.
    pub const ALL: [(&'static str, Builtin); 3] =
        [("boss", Builtin::Boss), ("random", Builtin::Random), ("wait", Builtin::Wait)];

    /// The built-in of this name.
    pub fn find(name: &str) -> Option<Builtin> {
        Builtin::ALL.iter().find(|(known, _)| *known == name).map(|(_, builtin)| *builtin)
    }

    /// The name after the `@`.
    pub fn name(self) -> &'static str {
        Builtin::ALL.iter().find(|(_, builtin)| *builtin == self).map_or("", |(name, _)| name)
    }

    /// The answer to the question `seat` has now.
    pub(crate) fn answer(
        self,
        game: &str,
        play: &dyn AnyMatch,
        seat: Seat,
        question: &str,
        dice: &mut Dice,
    ) -> Vec<u8> {
        match (self, game) {
            (Builtin::Wait, _) => wait(game, play, seat, question, dice),
            (Builtin::Boss, "back-track") => match play.rules()["objective"].as_str() {
                Some("score") => b"WAIT".to_vec(),
                Some("ink_opponent") => connect_two_towns(play, dice),
                _ => play.random_answer(seat, dice),
            },
            (Builtin::Random | Builtin::Boss, _) => play.random_answer(seat, dice),
        }
    }
}

fn wait(game: &str, play: &dyn AnyMatch, seat: Seat, question: &str, dice: &mut Dice) -> Vec<u8> {
    match game {
        "back-track" => b"WAIT".to_vec(),
        // A submarine must be placed before it can do nothing; then nothing is to surface.
        "ocean-of-code" if question.starts_with("15 15") => play.random_answer(seat, dice),
        "ocean-of-code" => b"SURFACE".to_vec(),
        "hypersonic" => {
            let me = format!("0 {seat} ");
            let place = question.lines().find_map(|line| line.strip_prefix(&me)).unwrap_or("0 0");
            let cell: Vec<&str> = place.split(' ').take(2).collect();
            format!("MOVE {}", cell.join(" ")).into_bytes()
        }
        _ => play.random_answer(seat, dice),
    }
}

/// The boss of Back Track's second league: one AUTOPLACE from a random town to another.
fn connect_two_towns(play: &dyn AnyMatch, dice: &mut Dice) -> Vec<u8> {
    let map = play.map_record();
    let towns = map.get("towns").and_then(serde_json::Value::as_array).map_or(&[][..], Vec::as_slice);
    if towns.len() < 2 {
        return b"WAIT".to_vec();
    }
    let from = dice.below(towns.len() as u32) as usize;
    let to = (from + 1 + dice.below(towns.len() as u32 - 1) as usize) % towns.len();
    let (from, to) = (&towns[from], &towns[to]);
    format!("AUTOPLACE {} {} {} {}", from[1], from[2], to[1], to[2]).into_bytes()
}
