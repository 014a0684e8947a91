//! `agon debug`

mod debugger;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use catalog::record::Line;
use clap::{ArgGroup, Args};
use review::{
    Answered, Asked, Case, Comparison, Expected, Feeder, NoAnswer, Patience, Recording, answer_at, compare,
};
use sandbox::{Level, Limits, Program, Sandbox};
use serde_json::{Value, json};
use toolchain::{Bot, BotSpec, BuildCache, How};

use crate::Failure;
use crate::args::{Strength, level};
use crate::commands::play::{clean, millis, open_sandbox, prepare_in};
use crate::launcher;
use crate::output::{note, print, print_json};
use crate::progress::with_progress;
use debugger::Debugger;

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("debugger").args(["gdb", "lldb", "pdb", "wrap"])))]
pub(crate) struct DebugArgs {
    /// The match: a record, a trace or a replay of the contest site; `FILE:LINE` where a file has several, `RUN:INDEX` for
    /// a match of a run that keeps records
    #[arg(value_name = "RECORD")]
    record: String,
    /// The seat whose input the bot is sent, from 0
    #[arg(long, value_name = "SEAT")]
    seat: u8,
    /// Ask the bot for this turn, as the viewer counts; all input before it is sent at once [default: compare all turns]
    #[arg(long, value_name = "TURN")]
    turn: Option<u32>,
    /// The bot: a command, a source file (compiled with information for a debugger) or a built-in such as @boss
    /// [default: the bot of the record, in the sandbox]
    #[arg(long, short, value_name = "BOT")]
    bot: Option<String>,
    /// The sandbox: auto, a, b, c or none [default: none for a bot that is named with --bot]
    #[arg(long, value_name = "LEVEL", value_parser = level, conflicts_with = "debugger")]
    sandbox: Option<Strength>,
    /// Seconds for each answer; 0 waits for ever
    #[arg(long, value_name = "SECONDS", default_value_t = 60, conflicts_with = "debugger")]
    limit: u32,
    /// Start the bot under gdb; `run` starts it with the input
    #[arg(long, requires = "bot")]
    gdb: bool,
    /// Start the bot under lldb; `run` starts it with the input
    #[arg(long, requires = "bot")]
    lldb: bool,
    /// Start a Python bot under pdb
    #[arg(long, requires = "bot")]
    pdb: bool,
    /// Start the bot by another command: {} is its command line, and its standard input is the input; where {input}
    /// occurs it is the path of the input, and the standard input is the terminal
    #[arg(long, value_name = "COMMAND", requires = "bot")]
    wrap: Option<String>,
    /// Write the input to FILE. Without a debugger the bot is not started
    #[arg(long, value_name = "FILE")]
    input: Option<PathBuf>,
    /// Write the recorded answers to FILE, one on each line; the bot is not started
    #[arg(long, value_name = "FILE", conflicts_with = "debugger")]
    expect: Option<PathBuf>,
    /// Write a test case for `agon check --cases` to FILE; with --bot after the bot was asked
    #[arg(long, value_name = "FILE", requires = "turn", conflicts_with_all = ["debugger", "input", "expect"])]
    save: Option<PathBuf>,
    /// The case: the bot must not answer LINE (may be repeated) [default: any answer in time]
    #[arg(long, value_name = "LINE", requires = "save", conflicts_with = "one_of")]
    not: Vec<String>,
    /// The case: the bot must answer LINE (repeated: one of these lines)
    #[arg(long, value_name = "LINE", requires = "save")]
    one_of: Vec<String>,
    /// Print JSON
    #[arg(long, conflicts_with = "debugger")]
    json: bool,
}

impl DebugArgs {
    /// The time for an answer.
    fn patience(&self) -> Option<Duration> {
        (self.limit > 0).then(|| Duration::from_secs(self.limit.into()))
    }

    fn debugger(&self) -> Option<Debugger<'_>> {
        match &self.wrap {
            Some(command) => Some(Debugger::Wrap(command)),
            None if self.gdb => Some(Debugger::Gdb),
            None if self.lldb => Some(Debugger::Lldb),
            None => self.pdb.then_some(Debugger::Pdb),
        }
    }

    /// The bot of `--bot`, with information for a debugger.
    fn named(&self, recording: &Recording) -> Result<Prepared, Failure> {
        let words = self.bot.as_deref().unwrap_or_default();
        Prepared::named(&BuildCache::usual().for_debugger(), words, self.sandbox, recording)
    }

    fn expected(&self) -> Expected {
        let lines = |lines: &[String]| lines.iter().map(|line| Line(line.clone().into_bytes())).collect();
        match (&self.not[..], &self.one_of[..]) {
            ([], []) => Expected::InTime,
            (not, []) => Expected::Not(lines(not)),
            (_, one_of) => Expected::OneOf(lines(one_of)),
        }
    }
}

pub(crate) fn run(args: &DebugArgs) -> Result<(), Failure> {
    let recording = Recording::of(review::open(&args.record)?.played)?;
    let asked = match args.turn {
        Some(turn) => recording.asked_until(args.seat, turn)?,
        None => recording.asked(args.seat)?,
    };
    let case = match (&args.save, args.turn) {
        (Some(path), Some(turn)) => Some((path, Case::new(&recording, args.seat, turn, args.expected())?)),
        _ => None,
    };
    if let Some(debugger) = args.debugger() {
        let bot = args.named(&recording)?;
        return debugger.start(&bot.words, &bot.program, &input(asked), args.input.as_deref());
    }
    if args.input.is_some() || args.expect.is_some() {
        return write_files(args, asked);
    }
    if let (Some((path, case)), None) = (&case, &args.bot) {
        return save(path, case, args.json);
    }
    let bot = match &args.bot {
        Some(_) => args.named(&recording)?,
        None => Prepared::recorded(&BuildCache::usual().for_debugger(), args.seat, args.sandbox, &recording)?,
    };
    let mut feeder = Feeder::start(&bot.sandbox, &bot.program, &Limits::BOT)?;
    let same = match args.turn {
        Some(_) => ask(args, &mut feeder, asked, &bot)?,
        None => compare_all(args, &mut feeder, asked, &bot)?,
    };
    if let Some((path, case)) = &case {
        write_case(path, case)?;
        note(&format!("kept in {}", path.display()));
    }
    if same { Ok(()) } else { Err(Failure::No) }
}

fn input(asked: &[Asked]) -> String {
    asked.iter().map(|asked| asked.input.as_str()).collect()
}

/// Writes the input and the recorded answers.
fn write_files(args: &DebugArgs, asked: &[Asked]) -> Result<(), Failure> {
    let answers: Vec<u8> = asked
        .iter()
        .flat_map(|asked| [asked.answer.as_deref().unwrap_or_default(), b"\n"].concat())
        .collect();
    let input = input(asked);
    let files = [(&args.input, input.as_bytes()), (&args.expect, &answers)];
    for (path, bytes) in files.into_iter().filter_map(|(path, bytes)| Some((path.as_ref()?, bytes))) {
        write(path, bytes)?;
    }
    if args.json {
        let name = |path: &Option<PathBuf>| path.as_ref().map(|path| path.display().to_string());
        return print_json(
            &json!({"turns": asked.len(), "input": name(&args.input), "expect": name(&args.expect)}),
        );
    }
    Ok(())
}

fn write(path: &Path, bytes: &[u8]) -> Result<(), Failure> {
    if path.as_os_str() == "-" {
        return print(&String::from_utf8_lossy(bytes));
    }
    std::fs::write(path, bytes)
        .map_err(|error| Failure::Unusable(format!("{} cannot be written: {error}", path.display())))
}

fn write_case(path: &Path, case: &Case) -> Result<(), Failure> {
    case.write(path)
        .map_err(|error| Failure::Unusable(format!("{} cannot be written: {error}", path.display())))
}

fn save(path: &Path, case: &Case, json: bool) -> Result<(), Failure> {
    write_case(path, case)?;
    if json {
        return print_json(&json!({"case": path.display().to_string(), "expect": case.expect}));
    }
    print(&format!(
        "{}: turn {}, seat {}: {}\n",
        path.display(),
        case.turn,
        case.seat,
        clean(&case.expect.words())
    ))
}

/// A bot that can be started.
pub(crate) struct Prepared {
    pub(crate) name: String,
    /// The words that name it.
    words: String,
    pub(crate) program: Program,
    pub(crate) sandbox: Sandbox,
}

impl Prepared {
    /// A bot that the user names: without a sandbox unless the user asks for one.
    pub(crate) fn named(
        cache: &BuildCache,
        words: &str,
        strength: Option<Strength>,
        recording: &Recording,
    ) -> Result<Prepared, Failure> {
        let words = words.to_owned();
        let sandbox = open_sandbox(strength.unwrap_or(Strength::Just(Level::None)), true)?;
        // Compilers run in a sandbox where there is one.
        let source = words.parse::<BotSpec>()?.source().is_some();
        let builder = if source { Sandbox::new(None).ok() } else { None };
        let game = recording.game.info().name;
        let bot =
            prepare_in(cache, game, std::slice::from_ref(&words), builder.as_ref().unwrap_or(&sandbox))?;
        Prepared::of(bot, sandbox, recording)
    }

    /// The bot of the record. The record may come from a stranger: the bot runs in a sandbox.
    pub(crate) fn recorded(
        cache: &BuildCache,
        seat: u8,
        strength: Option<Strength>,
        recording: &Recording,
    ) -> Result<Prepared, Failure> {
        let bots = recording.played.bots.as_deref().unwrap_or_default();
        let Some(player) = bots.get(usize::from(seat)) else {
            return Err(Failure::Unusable("the record does not name its bots; name one with --bot".into()));
        };
        let strength = strength.filter(|strength| *strength != Strength::Just(Level::None));
        let sandbox = open_sandbox(strength.unwrap_or(Strength::Auto), true)?;
        let game = recording.game.info().name;
        let bots =
            prepare_in(cache, game, std::slice::from_ref(&player.command), &sandbox).map_err(|failure| {
                match failure {
                    Failure::Unusable(why) => Failure::Unusable(format!(
                        "the bot of the record cannot be used, name another one with --bot: {why}"
                    )),
                    Failure::No => Failure::No,
                }
            })?;
        Prepared::of(bots, sandbox, recording)
    }

    fn of(mut bots: Vec<Bot>, sandbox: Sandbox, recording: &Recording) -> Result<Prepared, Failure> {
        let Bot { name, asked, how, .. } = bots.remove(0);
        let program = match how {
            How::Program(program) => program,
            How::Builtin(builtin) => launcher()?
                .program(builtin, recording.game, recording.selected()?)?
                .ok_or_else(|| Failure::Unusable(format!("{asked} reads no input; choose another bot")))?,
        };
        Ok(Prepared { name, words: asked, program, sandbox })
    }
}

/// Compares all answers. Returns whether they are the same.
fn compare_all(
    args: &DebugArgs,
    feeder: &mut Feeder,
    asked: &[Asked],
    bot: &Prepared,
) -> Result<bool, Failure> {
    let comparison = with_progress(Some(asked.len() as u64), "answers", |done| {
        compare(feeder, asked, args.patience(), || {
            done.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        })
    });
    if args.json {
        print_json(&comparison)?;
    } else {
        print(&comparison_text(args, &comparison, bot)?)?;
    }
    Ok(comparison.different == 0)
}

fn comparison_text(args: &DebugArgs, comparison: &Comparison, bot: &Prepared) -> Result<String, Failure> {
    let mut text = String::new();
    let Comparison { turns, different, first, ended } = comparison;
    writeln!(text, "{} on the input of seat {}, {turns} turns", clean(&bot.name), args.seat)?;
    let line = |line: &Option<Line>| line.as_ref().map_or("no answer".to_owned(), |line| shown(&line.0));
    if let Some(first) = first {
        writeln!(text, "first difference: turn {}", first.turn)?;
        writeln!(text, "  recorded: {}", line(&first.recorded))?;
        writeln!(text, "  answered: {}", line(&first.answered))?;
    }
    if let Some(ended) = ended {
        writeln!(text, "turn {}: {}", ended.turn, ended.why)?;
        if ended.late {
            writeln!(text, "{LIMIT}")?;
        }
        write_output(&mut text, &ended.stderr)?;
    }
    match different {
        0 => writeln!(text, "all answers are the recorded ones")?,
        _ => writeln!(text, "{different} of {turns} answers differ")?,
    }
    Ok(text)
}

/// A line of a bot for a terminal.
fn shown(line: &[u8]) -> String {
    clean(&String::from_utf8_lossy(line))
}

/// The end of the standard error output.
fn write_output(text: &mut String, stderr: &str) -> Result<(), Failure> {
    for line in stderr.lines() {
        writeln!(text, "  | {}", clean(line))?;
    }
    Ok(())
}

/// How the time for an answer is changed.
const LIMIT: &str = "--limit SECONDS gives it more time, --limit 0 waits for ever";

fn is_late(why: &NoAnswer) -> bool {
    matches!(why, NoAnswer::Late(_))
}

/// Asks the bot for one turn. Returns whether its answer is the recorded one.
fn ask(args: &DebugArgs, feeder: &mut Feeder, asked: &[Asked], bot: &Prepared) -> Result<bool, Failure> {
    let patience = Patience { past: None, each: args.patience(), last: args.patience() };
    let answered = answer_at(feeder, asked, patience).map_err(|error| {
        let text = crate::commands::series::clean_lines(&error.to_string());
        Failure::Unusable(if is_late(&error.why) { format!("{text}\n{LIMIT}") } else { text })
    })?;
    let Some(last) = asked.last() else { return Ok(true) };
    let same = answered.answer.as_ref().ok() == last.answer.as_ref();
    if args.json {
        print_json(&answer_json(args, last, &answered, same))?;
        return Ok(same);
    }
    let mut text = String::new();
    writeln!(text, "{} on the input of seat {}, turn {}", clean(&bot.name), args.seat, last.turn)?;
    let recorded = last.answer.as_ref().map_or("no answer".to_owned(), |line| shown(line));
    writeln!(text, "  recorded: {recorded}")?;
    let answer = match &answered.answer {
        Ok(line) => shown(line),
        Err(why) if is_late(why) => format!("{why}; {LIMIT}"),
        Err(why) => format!("no answer: {why}"),
    };
    writeln!(text, "  answered: {answer}")?;
    writeln!(text, "  time: {} ms", millis(answered.wall))?;
    let stderr = String::from_utf8_lossy(&answered.stderr);
    if !stderr.is_empty() {
        writeln!(text, "standard error output:")?;
        write_output(&mut text, &stderr)?;
    }
    print(&text)?;
    Ok(same)
}

fn answer_json(args: &DebugArgs, asked: &Asked, answered: &Answered, same: bool) -> Value {
    let line = |bytes: &Vec<u8>| Line(bytes.clone());
    json!({
        "seat": args.seat,
        "turn": asked.turn,
        "recorded": asked.answer.as_ref().map(line),
        "answered": answered.answer.as_ref().ok().map(line),
        "same": same,
        "why": answered.answer.as_ref().err().map(ToString::to_string),
        "stderr": String::from_utf8_lossy(&answered.stderr),
        "time_ms": millis(answered.wall),
    })
}
