//! Damaged input: every file that Agon reads and every line of a bot, with random damage. Each reader gives a result or an
//! error; none panics, none takes without bounds. `AGON_TEST_DAMAGED` is the number of damaged inputs of each kind
//! (`cargo xtask fuzz` uses a large one).

use std::fs;

use catalog::replay::Hints;
use catalog::{record, verify};
use runs::{Run, RunReader};
use server::config::Settings;

use crate::dropin::import;
use crate::{Scratch, printed};

/// Inputs of each kind in the test suite.
const USUAL: u64 = 1000;
/// Texts that readers may not expect.
const ODD: [&[u8]; 16] = [
    b"-9223372036854775808",
    b"18446744073709551616",
    b"1e400",
    b"-1",
    b"0.5",
    b"NaN",
    b"null",
    b"\"\"",
    b"{}",
    b"[]",
    b"\\ud800",
    b"\xff\xfe",
    b"\0",
    b"\n\n",
    "\u{202e}\u{1f6a2}".as_bytes(),
    b"9999999",
];

/// Random numbers (xorshift); the same in every run.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % limit.max(1)
    }

    /// A copy of a text with one to four damages.
    fn damage(&mut self, text: &[u8]) -> Vec<u8> {
        let mut text = text.to_vec();
        for _ in 0..=self.below(4) {
            let at = self.below(text.len());
            let end = (at + 1 + self.below(40)).min(text.len());
            match self.below(7) {
                0 => text.truncate(at),
                1 => drop(text.drain(at..end)),
                2 => {
                    let part = text[at..end].to_vec();
                    let to = self.below(text.len());
                    text.splice(to..to, part);
                }
                3 => drop(text.splice(at..at, ODD[self.below(ODD.len())].iter().copied())),
                // A number becomes another one.
                4 => {
                    if let Some(digit) = text[at..].iter().position(u8::is_ascii_digit) {
                        let from = at + digit;
                        let length = text[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
                        text.splice(from..from + length, ODD[self.below(ODD.len())].iter().copied());
                    }
                }
                5 => {
                    let deep = [b"[{\"a\":"[self.below(6)]].repeat(1 + self.below(3000));
                    text.splice(at..at, deep);
                }
                _ => {
                    if let Some(byte) = text.get_mut(at) {
                        *byte ^= 1 << self.below(8);
                    }
                }
            }
        }
        text
    }
}

/// The number of inputs of each kind.
fn count() -> u64 {
    std::env::var("AGON_TEST_DAMAGED").ok().and_then(|count| count.parse().ok()).unwrap_or(USUAL)
}

/// Gives damaged copies of the texts to a reader, which says whether it accepted one.
fn damaged(texts: &[Vec<u8>], mut read: impl FnMut(&[u8]) -> bool) {
    let count = count();
    let mut random = Random(0x9E37_79B9_7F4A_7C15);
    let mut accepted = 0;
    for number in 0..count {
        let text = random.damage(&texts[number as usize % texts.len()]);
        accepted += u64::from(read(&text));
    }
    #[allow(clippy::print_stdout, reason = "the numbers are the result of a long run")]
    {
        println!("{count} damaged inputs: {accepted} accepted, {} refused", count - accepted);
    }
    assert!(accepted < count, "no input was refused");
    for text in texts {
        assert!(read(text), "an undamaged input is refused: {}", String::from_utf8_lossy(text));
    }
}

/// A record of each game.
fn records(scratch: &Scratch) -> Vec<Vec<u8>> {
    let record = |game: &str| {
        let file = scratch.file("a.jsonl");
        printed(&["play", game, "@random", "@random", "--seed", "5", "--record", &file]);
        let text = fs::read(&file).unwrap();
        fs::remove_file(&file).unwrap();
        text.trim_ascii().to_vec()
    };
    catalog::games().map(|game| record(game.info().name)).collect()
}

#[test]
fn records_are_read_or_refused() {
    damaged(&records(&Scratch::new()), |text| {
        if let Ok(record::Entry::Played(played)) = record::read(text) {
            // A record that can be read may be shown; its answers need not make a match.
            let _ = replay::replay_of(&played);
        }
        verify::line(text).is_ok()
    });
}

#[test]
fn run_files_are_read_or_refused() {
    let scratch = Scratch::new();
    let file = scratch.file("a.run");
    printed(&["duel", "ocean-of-code", "--bot", "@random", "--bot", "@wait", "-n", "10", "--run", &file]);
    let text = fs::read(&file).unwrap();
    let path = scratch.path().join("b.run");
    damaged(&[text], |text| {
        fs::write(&path, text).unwrap();
        let read = RunReader::open(&path).and_then(|mut reader| {
            while reader.next_match()?.is_some() {}
            Ok(())
        });
        Run::open(&path).is_ok() && read.is_ok()
    });
}

#[test]
fn replays_are_imported_or_refused() {
    // Only games of the contest site have replays.
    let games = catalog::games().map(|game| game.info().name).filter(|game| import::has_traces(game));
    let texts: Vec<Vec<u8>> =
        games.map(|game| serde_json::to_vec(&import::clean_replay(game)).unwrap()).collect();
    assert!(!texts.is_empty());
    damaged(&texts, |text| {
        let replays = catalog::replay::read(text);
        let mut imported = replays
            .iter()
            .map(|replay| replay.as_ref().is_ok_and(|replay| replay.import(&Hints::default()).is_ok()));
        !replays.is_empty() && imported.all(|imported| imported)
    });
}

#[test]
fn settings_are_read_or_refused() {
    let example = fs::read(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/arena/agon.toml")).unwrap();
    damaged(&[example], |text| {
        let text = String::from_utf8_lossy(text);
        Settings::new().text(&text, "agon.toml").check().is_ok()
    });
}

/// Lines of a bot, in a match that goes on as long as its rules allow.
#[test]
fn answers_of_bots_are_taken_or_lose() {
    let mut random = Random(7);
    let mut lines: Vec<Vec<u8>> = Vec::new();
    for text in records(&Scratch::new()) {
        let Ok(record::Entry::Played(played)) = record::read(&text) else { panic!("a record of a match") };
        lines.extend(played.turns.iter().filter_map(|turn| turn.output.clone()).flatten().map(|line| line.0));
    }
    for game in catalog::games() {
        let challenge = |seed: usize| replay::wire::Challenge {
            game: game.info().name.to_owned(),
            league: None,
            edition: None,
            players: None,
            seed: Some(seed.to_string()),
            seat: 0,
            opponent: "random".to_owned(),
            seconds: None,
        };
        let mut seed = 0;
        let mut play = replay::HumanGame::new(&challenge(seed), 1).unwrap();
        for _ in 0..count() {
            let line = random.damage(&lines[random.0 as usize % lines.len()]);
            let line = String::from_utf8_lossy(&line);
            let _ = play.check(&line);
            if play.is_over() || play.answer(Some(&line)).is_err() {
                seed += 1;
                play = replay::HumanGame::new(&challenge(seed), 1).unwrap();
            }
        }
        assert!(seed > 0, "{}: no match ended", game.info().name);
    }
}
