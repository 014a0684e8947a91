//! Test doubles of cg-brutaltester: they start, read and write like the tester, and panic where it would hang.

use std::io::{BufRead as _, BufReader, Lines, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use super::support::AGON;

/// The words of a referee command, split at blanks as the tester does (it does not interpret quotes); `agon` is the
/// built one.
fn split(referee: &str) -> Vec<String> {
    let mut words: Vec<String> = referee.split(' ').map(str::to_owned).collect();
    if words[0] == "agon" {
        AGON.clone_into(&mut words[0]);
    }
    words
}

/// The data that the tester reads of a match in the new style.
#[derive(Debug)]
pub(crate) struct NewStyle {
    /// Scores by player, as they were given on the command line.
    pub(crate) scores: Vec<i32>,
    /// The output after the scores.
    pub(crate) data: String,
    /// The standard error output; the tester reports any word in it as an error of the game.
    pub(crate) errors: String,
}

/// The new style. The command is that of the referee, then each player as one argument after `-p1`, `-p2`, ...; with
/// a swap, the seed after `-d` and the players rotated; a log file after `-l`. Scores are read with a scanner for
/// integers of 32 bits, which skips any white space; a line that is not a number where one is expected is discarded
/// and reported.
pub(crate) fn new_style(
    referee: &str,
    players: &[&str],
    swap: Option<(i32, usize)>,
    log: Option<&str>,
) -> NewStyle {
    let mut words = split(referee);
    let rotate = swap.map_or(0, |(_, rotate)| rotate);
    for seat in 0..players.len() {
        words.push(format!("-p{}", seat + 1));
        words.push(players[(seat + rotate) % players.len()].to_owned());
    }
    if let Some((seed, _)) = swap {
        words.extend(["-d".to_owned(), format!("seed={seed}")]);
    }
    if let Some(log) = log {
        words.extend(["-l".to_owned(), log.to_owned()]);
    }
    let output = Command::new(&words[0]).args(&words[1..]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let mut rest = text.as_str();
    let mut scores = vec![0; players.len()];
    for seat in 0..players.len() {
        let trimmed = rest.trim_start();
        let end = trimmed.find(char::is_whitespace).unwrap_or(trimmed.len());
        let Ok(score) = trimmed[..end].parse::<i32>() else {
            panic!("the tester finds no score for player {seat} in {text:?}");
        };
        scores[(seat + rotate) % players.len()] = score;
        rest = &trimmed[end..];
    }
    let errors = String::from_utf8(output.stderr).unwrap();
    NewStyle { scores, data: rest.trim_start().to_owned(), errors }
}

/// A process of the tester.
struct Held {
    child: Child,
    input: Option<ChildStdin>,
    lines: Lines<BufReader<ChildStdout>>,
}

impl Held {
    fn start(words: &[String]) -> Held {
        let mut child = Command::new(&words[0])
            .args(&words[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let input = child.stdin.take();
        let lines = BufReader::new(child.stdout.take().unwrap()).lines();
        Held { child, input, lines }
    }

    /// The print stream of the tester ignores errors: it notices that a process has ended only when it reads from it.
    fn write(&mut self, text: &str) {
        let _ = self.input.as_mut().unwrap().write_all(text.as_bytes());
    }

    fn next(&mut self) -> Option<String> {
        self.lines.next().and_then(Result::ok)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        drop(self.input.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The result of a match in the old style.
#[derive(PartialEq, Eq, Debug)]
pub(crate) enum OldStyle {
    /// The line with the places, rotated back.
    End(String),
    /// The output of a program ended: the tester gives up the match, and the referee ended with this code.
    GivenUp(Option<i32>),
}

/// The old style. The tester starts referee and players, sends `###Seed` if seats are swapped or the seed is fixed,
/// then `###Start`, and obeys. It loops for ever on a line it does not know and on an `###Error` line; this double
/// panics instead.
pub(crate) fn old_style(referee: &str, players: &[&str], seed: Option<i32>, rotate: usize) -> OldStyle {
    let mut referee = Held::start(&split(referee));
    let mut held: Vec<Held> = (0..players.len())
        .map(|seat| Held::start(&shell_words::split(players[(seat + rotate) % players.len()]).unwrap()))
        .collect();
    if let Some(seed) = seed {
        referee.write(&format!("###Seed {seed}\n"));
    }
    referee.write(&format!("###Start {}\n", players.len()));
    let Some(mut line) = referee.next() else { return give_up(referee) };
    while !line.starts_with("###End") {
        if line.starts_with("###Input") {
            // The seat is the tenth character, whatever else the line says.
            let seat = line.chars().nth(9).unwrap().to_digit(10).unwrap() as usize;
            let mut text = String::new();
            loop {
                let Some(next) = referee.next() else { return give_up(referee) };
                line = next;
                if line.starts_with("###") {
                    break;
                }
                text += &line;
                text.push('\n');
            }
            // The lines are passed on only now.
            held[seat].write(&text);
        } else if line.starts_with("###Output") {
            let words: Vec<&str> = line.split(' ').collect();
            let (seat, lines): (usize, usize) = (words[1].parse().unwrap(), words[2].parse().unwrap());
            for _ in 0..lines {
                let Some(answer) = held[seat].next() else { return give_up(referee) };
                referee.write(&format!("{answer}\n"));
            }
            let Some(next) = referee.next() else { return give_up(referee) };
            line = next;
        } else {
            panic!("the tester hangs for ever at {line:?}");
        }
    }
    let unrotated = line
        .chars()
        .map(|c| match c.to_digit(10) {
            Some(seat) => char::from_digit((seat + rotate as u32) % players.len() as u32, 10).unwrap(),
            None => c,
        })
        .collect();
    OldStyle::End(unrotated)
}

/// The tester closes its end and kills all processes; a referee that does not notice would run for ever.
fn give_up(mut referee: Held) -> OldStyle {
    drop(referee.input.take());
    OldStyle::GivenUp(referee.child.wait().unwrap().code())
}

/// The seats of an `###End` line, by place, as the tester counts them.
pub(crate) fn places(end: &str, players: usize) -> Vec<usize> {
    let mut places = vec![0; players];
    for (place, group) in end.split(' ').skip(1).enumerate() {
        for seat in group.chars() {
            places[seat.to_digit(10).unwrap() as usize] = place;
        }
    }
    places
}
