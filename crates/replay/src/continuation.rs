//! A game that continues a recorded match from a turn: with a person, or with bots alone.

use bots::{Seating, Thinking};
use catalog::record::{Line, Parent, ParentSeat, Played};
use game::Seat;
use game::text::safe_line;

use crate::error::HumanGameError;
use crate::human_game::{HumanGame, Kind, PERSON, Player, Respond};
use crate::replayer::{AnswerMeta, selected_of};
use crate::wire::Continuation;

/// Built-in bots of a continuation without a person search this number of nodes for each answer: nobody waits long.
const WITHOUT_A_PERSON: Thinking = Thinking::Nodes(200);
/// Built-in bots search this number of nodes for an answer of the past, which is ignored.
const PAST: Thinking = Thinking::Nodes(1);

impl HumanGame {
    /// Continues a recorded match. All bots are sent the recorded input of their seats, and their answers of the past are
    /// ignored. `other` gives the players that are neither a person nor built in, by their words and seat. A continuation
    /// without a person is played to its end.
    ///
    /// # Errors
    ///
    /// When the match has no such turn or other players, when a bot cannot be started, or when a built-in bot fails.
    pub fn continued(
        played: &Played,
        ask: &Continuation,
        mut other: impl FnMut(&str, u8) -> Result<Box<dyn Respond>, String>,
    ) -> Result<HumanGame, HumanGameError> {
        let game = catalog::find(&played.header.game)?;
        let set_up = game.set_up(&played.header).map_err(|error| HumanGameError::Match(error.into()))?;
        let rules = set_up.rules();
        let count = usize::from(set_up.players());
        if ask.seats.len() != count {
            return Err(HumanGameError::Seats { players: count, seats: ask.seats.len() });
        }
        if ask.seats.iter().filter(|words| *words == PERSON).nth(1).is_some() {
            return Err(HumanGameError::Persons);
        }
        let selected = selected_of(game, &rules).ok_or(HumanGameError::UnknownEdition)?;
        let player = |(seat, words): (usize, &String)| {
            let seating = Seating { selected, seed: (played.header.seed as u64) ^ seat as u64 };
            if words == PERSON {
                Ok(Player::person())
            } else if let Some(name) = words.strip_prefix('@') {
                Player::built_in(game, name, &seating)
            } else {
                let name = safe_line(words, 60);
                let kind = other(words, seat as u8)
                    .map_err(|why| HumanGameError::Bot { name: name.clone(), why: safe_line(&why, 2000) })?;
                Ok(Player { name, command: words.clone(), kind: Kind::Other(kind) })
            }
        };
        let players = ask.seats.iter().enumerate().map(player).collect::<Result<Vec<Player>, _>>()?;
        let mut human_game = HumanGame::start(played.header.clone(), players)?;
        if human_game.human.is_none() {
            human_game.thinking = WITHOUT_A_PERSON;
        }
        let names = played.bots.as_deref().unwrap_or_default();
        let name = |seat: usize| names.get(seat).map(|bot| bot.name.clone());
        let seats = (0..count).map(|seat| ParentSeat { name: name(seat), ..ParentSeat::default() }).collect();
        human_game.parent = Some(Parent { digest: played.digest(&rules), turn: ask.turn, seats });
        human_game.catch_up(played, ask.turn)?;
        for given in &ask.given {
            let seat = Seat(given.seat);
            let is_asked = given.seat < count as u8 && human_game.awaits(seat);
            if !is_asked || given.line.contains(['\n', '\r']) {
                return Err(HumanGameError::NotAsked(given.seat));
            }
            let line = given.line.clone().into_bytes();
            if let Some(parent) = &mut human_game.parent {
                parent.seats[seat.index()].given = Some(Line(line.clone()));
            }
            human_game.ignore_answer(seat, Some(line), None)?;
        }
        human_game.advance()?;
        Ok(human_game)
    }

    fn awaits(&self, seat: Seat) -> bool {
        self.replayer.show().play().awaited().contains(seat)
    }

    /// Plays the recorded answers before a turn.
    fn catch_up(&mut self, played: &Played, turn: u32) -> Result<(), HumanGameError> {
        for entry in &played.turns {
            let seat = Seat(entry.player);
            if self.replayer.show().play().turn() >= turn || !self.awaits(seat) {
                break;
            }
            self.ignore_answer(seat, entry.answer().map(<[u8]>::to_vec), entry.wall_us)?;
        }
        let play = self.replayer.show().play();
        if turn == 0 || play.turn() != turn || play.awaited().is_empty() {
            return Err(HumanGameError::Turn { turn, last: play.turn() });
        }
        Ok(())
    }

    /// Asks a bot, ignores its answer, and plays a given one.
    fn ignore_answer(
        &mut self,
        seat: Seat,
        line: Option<Vec<u8>>,
        wall_us: Option<u64>,
    ) -> Result<(), HumanGameError> {
        let is_asked = matches!(self.players[seat.index()].kind, Kind::BuiltIn(_) | Kind::Other(_));
        if is_asked {
            let (own, _) = self.think(seat, PAST)?;
            if let Some(why) = self.trouble.take() {
                let name = self.players[seat.index()].name.clone();
                return Err(HumanGameError::Bot { name, why });
            }
            if let Some(parent) = &mut self.parent {
                let caught_up = &mut parent.seats[seat.index()];
                caught_up.ignored += 1;
                caught_up.differed += u32::from(own != line);
            }
        }
        let meta = AnswerMeta { wall_us, stderr: Vec::new() };
        self.give(seat, line, meta).map_err(HumanGameError::Match)
    }
}

#[cfg(test)]
mod tests {
    use game::{Dice, Selection};

    use super::*;
    use crate::human_game::Response;
    use crate::replayer::header_of;
    use crate::wire::Given;

    /// A match of random players.
    fn played(name: &str) -> Played {
        let game = catalog::find(name).unwrap();
        let selected = game.select(&Selection::default()).unwrap();
        let header = header_of(game, selected, 7);
        let mut play = game.set_up(&header).unwrap();
        let mut dice = Dice::new(3);
        let mut turns = Vec::new();
        while let Some(seat) = play.awaited().next() {
            let line = play.random_answer(seat, &mut dice);
            play.answer(seat, Some(&line)).unwrap();
            turns.push(catalog::record::Turn::new(seat.0, Some(line)));
        }
        Played::new(header, turns, play.end().as_object().unwrap().clone())
    }

    fn ask(turn: u32, seats: [&str; 2]) -> Continuation {
        Continuation { turn, seats: seats.map(str::to_owned).to_vec(), given: Vec::new() }
    }

    fn nobody(_: &str, _: u8) -> Result<Box<dyn Respond>, String> {
        Err("none is offered".to_owned())
    }

    /// Repeats the recorded answers of a seat.
    struct Echo(std::vec::IntoIter<Vec<u8>>);

    impl Respond for Echo {
        fn respond(&mut self, _: &str) -> Response {
            Response {
                line: self.0.next().ok_or_else(|| "nothing left".to_owned()),
                stderr: b"echo".to_vec(),
            }
        }
    }

    #[test]
    fn the_same_players_end_like_the_match() {
        for game in ["ocean-of-code", "hypersonic", "back-track"] {
            let played = played(game);
            let echo = |_: &str, seat: u8| -> Result<Box<dyn Respond>, String> {
                let own = played.turns.iter().filter(|turn| turn.player == seat);
                let lines: Vec<_> = own.map(|turn| turn.answer().unwrap().to_vec()).collect();
                Ok(Box::new(Echo(lines.into_iter())))
            };
            let continued = HumanGame::continued(&played, &ask(5, ["a", "b"]), echo).unwrap();
            assert!(continued.is_over(), "{game}");
            let record = continued.record();
            assert_eq!(record.end, played.end, "{game}");
            let parent = record.parent.clone().unwrap();
            assert_eq!((parent.turn, parent.seats[0].differed), (5, 0));
            assert!(parent.seats[0].ignored > 0);
            let text = serde_json::to_vec(&record).unwrap();
            assert_eq!(catalog::verify::line(&text).unwrap().mismatches.len(), 0, "{game}");
        }
    }

    #[test]
    fn a_person_begins_at_the_turn() {
        for game in ["ocean-of-code", "hypersonic", "back-track"] {
            let played = played(game);
            let strongest = catalog::find(game).unwrap().ladder().last().unwrap().name;
            let rival = format!("@{strongest}");
            let mut continued = HumanGame::continued(&played, &ask(3, ["you", &rival]), nobody).unwrap();
            let reply = continued.reply(0);
            assert!(reply.asked.is_some(), "{game}");
            assert!(reply.steps.len() >= 2, "{game}");
            let mut dice = Dice::new(1);
            for _ in 0..3 {
                let line = continued.replayer.show().play().random_answer(Seat(0), &mut dice);
                continued.answer(Some(&String::from_utf8(line).unwrap())).unwrap();
            }
            let before = |turns: &[catalog::record::Turn]| {
                turns.iter().take(3).map(|turn| turn.output.clone()).collect::<Vec<_>>()
            };
            assert_eq!(before(&continued.record().turns)[..2], before(&played.turns)[..2], "{game}");
        }
    }

    #[test]
    fn a_given_answer_is_played_first() {
        let played = played("hypersonic");
        let given = vec![Given { seat: 1, line: "BOMB 12 10".to_owned() }];
        let ask = Continuation { given, ..ask(1, ["@random", "@boss-1"]) };
        let continued = HumanGame::continued(&played, &ask, nobody).unwrap();
        let record = continued.record();
        let first = record.turns.iter().find(|turn| turn.player == 1).unwrap();
        assert_eq!(first.answer(), Some(&b"BOMB 12 10"[..]));
        let parent = record.parent.as_ref().unwrap();
        assert_eq!((parent.seats[1].ignored, parent.seats[0].ignored), (1, 0));
        let text = serde_json::to_vec(&record).unwrap();
        assert_eq!(catalog::verify::line(&text).unwrap().mismatches.len(), 0);
    }

    #[test]
    fn wrong_requests_give_the_reason() {
        let played = played("hypersonic");
        let why = |ask: Continuation| {
            let error = HumanGame::continued(&played, &ask, nobody).unwrap_err();
            assert!(!error.is_ours(), "{error}");
            error.to_string()
        };
        assert!(why(ask(0, ["you", "@random"])).contains("1 to"));
        assert!(why(ask(9999, ["you", "@random"])).contains("1 to"));
        assert!(why(ask(2, ["you", "you"])).contains("one seat"));
        assert!(why(ask(2, ["you", "@nobody"])).contains("random"));
        assert!(why(ask(2, ["you", "python3 bot.py"])).contains("none is offered"));
        let three = Continuation { seats: vec!["@random".into(); 3], ..ask(2, ["", ""]) };
        assert!(why(three).contains("2 players"));
        let given = vec![Given { seat: 5, line: "BOMB 0 0".to_owned() }];
        assert!(why(Continuation { given, ..ask(2, ["you", "@random"]) }).contains("player 5"));
    }
}
