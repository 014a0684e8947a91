//! The old style: the tester owns the players, and we send it commands over our standard output.
//!
//! The tester begins with `###Start COUNT`, and may send `###Seed N` before it. We write `###Input SEAT` and the
//! lines for a player, and `###Output SEAT LINES` to receive that number of lines from the player. The end is `###End
//! 0 12`: seats by place, best first, equal places written together.
//!
//! cg-brutaltester hangs easily, therefore: nothing but these commands is ever written to the standard output (the
//! tester loops for ever on a line it does not know, and on an `###Error` line); the tester passes input to a player
//! only when the next command comes, so all players get their lines before the first is asked for its answer; and a
//! player that has ended ends the conversation.

use std::fmt::Write as _;
use std::io::{self, BufRead, Read as _};
use std::time::Instant;

use game::Seat;
use referee::{Clock, Command, Ending, Question, Referee, Settings};

use super::{GameInput, RefereeArgs, failures};
use crate::Failure;
use crate::args::seed;
use crate::commands::play::fresh_seed;
use crate::output::{note, print};

/// Most bytes that are read of a line; the rest of a longer line is skipped.
const LONGEST_LINE: u64 = 64 << 10;

pub(super) fn run(args: &RefereeArgs, input: &GameInput) -> Result<(), Failure> {
    if args.log.is_some() || args.show {
        return Err(Failure::Unusable(
            "-l and -s need players: give -p1 and -p2, or leave them out and talk to a tester in the old style"
                .into(),
        ));
    }
    let mut tester = io::stdin().lock();
    let (players, opening_seed) = opening(&mut tester)?;
    let (game, selected) = input.resolve(&args.game, players)?;
    let seed = input.seed.or(opening_seed).unwrap_or_else(fresh_seed);
    // The tester passes lines on without times, so time is not measured.
    let settings = Settings::new(Clock::Off, game.limits(selected));
    let referee = Referee::new(game.start(selected, seed), settings);
    let ending = talk(referee, &mut tester, args.error_lines)?;
    match ending {
        Ending::Over { outcome, causes } => {
            for (seat, why) in failures(&causes) {
                // The tester writes our standard error output to the log of the game.
                note(&format!("player {seat} failed: {why}"));
            }
            print(&format!("###End {}\n", groups(&outcome.ranks)))
        }
        Ending::Void { why, .. } => Err(Failure::Unusable(format!("the game cannot be ended: {why}"))),
    }
}

/// Reads the number of players, and the seed if there is one.
fn opening(tester: &mut impl BufRead) -> Result<(usize, Option<i64>), Failure> {
    let mut opening_seed = None;
    loop {
        let line = read_line(tester)?.ok_or_else(|| {
            Failure::Unusable(
                "no players (-p1, -p2) are given, and the standard input ended before `###Start COUNT`"
                    .into(),
            )
        })?;
        let line = String::from_utf8_lossy(&line);
        let mut words = line.split_whitespace();
        match (words.next(), words.next()) {
            (Some("###Seed"), Some(text)) => opening_seed = Some(seed(text).map_err(Failure::Unusable)?),
            (Some("###Start"), Some(text)) => {
                let players = text.parse().map_err(|_| expected(&line))?;
                return Ok((players, opening_seed));
            }
            _ => return Err(expected(&line)),
        }
    }
}

fn expected(line: &str) -> Failure {
    Failure::Unusable(format!(
        "expected `###Seed N` or `###Start COUNT`, got {}; to play without a tester give -p1 and -p2",
        game::quote(line.as_bytes())
    ))
}

/// Carries out the actions of the referee until the game is over.
fn talk(mut referee: Referee, tester: &mut impl BufRead, error_lines: bool) -> Result<Ending, Failure> {
    let begun = Instant::now();
    loop {
        let mut asked = Vec::new();
        let mut text = String::new();
        let mut finished = false;
        while let Some(command) = referee.poll() {
            match command {
                Command::Ask(Question { seat, text: lines }) => {
                    write!(text, "###Input {seat}\n{lines}")?;
                    asked.push(seat);
                }
                Command::Kill(seat) if error_lines => {
                    writeln!(text, "###Error {seat} player {seat} is out of the game")?;
                }
                Command::Kill(_) => {}
                Command::Finish => finished = true,
            }
        }
        if finished {
            print(&text)?;
            return match referee.finish() {
                Some((ending, ..)) => Ok(ending),
                None => Err(Failure::Unusable("the referee is not done".into())),
            };
        }
        for seat in asked {
            writeln!(text, "###Output {seat} 1")?;
            print(&text)?;
            text.clear();
            let mut line = read_line(tester)?.ok_or_else(|| {
                Failure::Unusable(format!(
                    "the tester ended the conversation when player {seat} was to answer; its program may have ended"
                ))
            })?;
            line.push(b'\n');
            answer(&mut referee, seat, begun, &line);
        }
    }
}

fn answer(referee: &mut Referee, seat: Seat, begun: Instant, line: &[u8]) {
    referee.sent(seat, begun.elapsed(), None);
    referee.stdout(seat, begun.elapsed(), None, line);
}

/// A line without its end; `None` when there are no more.
fn read_line(tester: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut line = Vec::new();
    if tester.take(LONGEST_LINE).read_until(b'\n', &mut line)? == 0 {
        return Ok(None);
    }
    if line.last() != Some(&b'\n') {
        tester.skip_until(b'\n')?;
    }
    let end = line.iter().position(|byte| matches!(byte, b'\r' | b'\n')).unwrap_or(line.len());
    line.truncate(end);
    Ok(Some(line))
}

/// Seats by place: `0 12` when player 0 is first and players 1 and 2 share the place behind.
fn groups(ranks: &[u8]) -> String {
    let mut places: Vec<u8> = ranks.to_vec();
    places.sort_unstable();
    places.dedup();
    let group = |place: &u8| -> String {
        (0..ranks.len()).filter(|&seat| ranks[seat] == *place).map(|seat| seat.to_string()).collect()
    };
    places.iter().map(group).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_places_are_written_together() {
        assert_eq!(groups(&[1, 2]), "0 1");
        assert_eq!(groups(&[2, 1]), "1 0");
        assert_eq!(groups(&[1, 1]), "01");
        assert_eq!(groups(&[3, 1, 1, 4]), "12 0 3");
    }

    #[test]
    fn long_lines_do_not_fill_the_memory() {
        let mut text = vec![b'x'; 200_000];
        text.extend(b"\nshort\r\n\nlast");
        let mut tester = io::BufReader::with_capacity(1000, &text[..]);
        assert_eq!(read_line(&mut tester).unwrap().unwrap().len() as u64, LONGEST_LINE);
        assert_eq!(read_line(&mut tester).unwrap(), Some(b"short".to_vec()));
        assert_eq!(read_line(&mut tester).unwrap(), Some(Vec::new()));
        assert_eq!(read_line(&mut tester).unwrap(), Some(b"last".to_vec()));
        assert_eq!(read_line(&mut tester).unwrap(), None);
    }
}
