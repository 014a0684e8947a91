//! `agon play`

use std::fmt::Write as _;
use std::io::IsTerminal as _;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use catalog::AnyMatch;
use game::Selected;
use game::text::{safe_line, safe_text};
use indicatif::ProgressBar;
use play::{Command, Heartbeat, MatchPlan, Placement, PlayedMatch, Runner, Watcher};
use referee::{Cause, Ending, TurnLog};
use sandbox::{Limits, Sandbox};
use serde_json::{Value, json};
use toolchain::{Bot, BotSpec, BuildCache, Builtin};

use crate::Failure;
use crate::args::{PlayArgs, RunArgs, ShowMode, Strength};
use crate::commands::map::colours_wanted;
use crate::commands::play_match;
use crate::commands::stage::{Audience, Stage};
use crate::launcher;
use crate::output::{complain, note, print, print_json};
use crate::records;

/// How often a match that is void by our fault is played again.
pub(crate) const RETRIES: u32 = 3;

/// The most skipped orders of a player that are listed.
const MOST_SKIPPED: usize = 5;

/// The most characters of a line that a bot wrote.
pub(crate) const LONGEST_LINE: usize = 20_000;

pub(crate) fn run(args: &PlayArgs) -> Result<(), Failure> {
    let asked = args.all_bots();
    let players = u8::try_from(asked.len()).unwrap_or(u8::MAX);
    if args.game.players.is_some_and(|asked| asked != players) {
        return Err(Failure::Unusable(format!(
            "--players says {}, but there are {players} bots; give one --bot for each seat",
            args.game.players.unwrap_or_default()
        )));
    }
    let (game, selected) = resolve_with_players(args, players)?;
    let seed = args.seed.unwrap_or_else(fresh_seed);
    let for_programs = args.json || args.play_match_json;
    let sandbox = open_sandbox(args.run.sandbox, args.quiet || for_programs)?;
    let bots = prepare(game.info().name, &asked, &sandbox)?;
    let plan = plan(game, selected, seed, &bots, &args.run, false);
    let heartbeat = Heartbeat::start();
    let launcher = launcher()?;
    let runner = Runner::new(&sandbox, &launcher, Some(&heartbeat));
    let again = again(&plan, &args.run);
    let mut watcher = Onlooker::new(&plan, args.show, args.stderr, args.quiet || for_programs);
    let stage = if args.watch { Some(Stage::open(&args.page, &plan, &again)?) } else { None };
    let mut audience = Audience::new(&mut watcher, stage.as_ref());
    let played = play_fairly(&runner, &plan, &mut audience, |why| {
        complain(&format!("void: {why}; the match is played again"));
        stage.iter().for_each(Stage::restart);
    });
    watcher.done()?;
    if let Some(stage) = &stage {
        stage.close(&played.ending);
    }
    if let Some(path) = &args.record {
        records::write_one(path, &play::to_record(&plan, &played))?;
    }
    if args.play_match_json {
        // A void match has no places; the other tools expect an exit code for that.
        print_json(&play_match::of(&plan, &played).map_err(Failure::Unusable)?)?;
    } else if args.json {
        print_json(&as_json(&plan, &played, &again, &sandbox))?;
    } else {
        print(&as_text(&plan, &played, &again)?)?;
    }
    if let Some(stage) = stage {
        stage.stay();
    }
    match &played.ending {
        Ending::Void { .. } => Err(Failure::No),
        Ending::Over { causes, .. } if args.strict && causes.iter().any(Option::is_some) => Err(Failure::No),
        Ending::Over { .. } => Ok(()),
    }
}

/// Plays a match. A match that is void by our fault is repeated a few times.
pub(crate) fn play_fairly(
    runner: &Runner<'_>,
    plan: &MatchPlan<'_>,
    watcher: &mut dyn Watcher,
    mut void: impl FnMut(&str),
) -> PlayedMatch {
    let mut played = runner.play_watched(plan, watcher);
    for _ in 0..RETRIES {
        let Ending::Void { why, .. } = &played.ending else { break };
        void(why);
        played = runner.play_watched(plan, watcher);
    }
    played
}

/// Opens the sandbox that the user asked for. If the host could reach a stronger one, a note says so and how to get
/// it.
pub(crate) fn open_sandbox(strength: Strength, quiet: bool) -> Result<Sandbox, Failure> {
    let sandbox = Sandbox::new(strength.level())?;
    if strength == Strength::Auto && !quiet {
        for missed in sandbox.short_of() {
            note(&format!("box level {}: {missed}", sandbox.level()));
        }
    }
    Ok(sandbox)
}

/// Resolves the rules; the number of bots is the number of players.
fn resolve_with_players(
    args: &PlayArgs,
    players: u8,
) -> Result<(&'static dyn catalog::AnyGame, Selected), Failure> {
    let game = catalog::find(&args.game.game)?;
    let info = game.info();
    if players < info.min_players {
        return Err(Failure::Unusable(format!(
            "{} needs {} bots and there is {players}; add `--bot @random`, for one",
            info.title, info.min_players
        )));
    }
    let asked = game::Selection {
        league: args.game.league,
        edition: args.game.edition.clone(),
        players: Some(players),
    };
    Ok((game, game.select(&asked)?))
}

/// A new seed from the clock.
pub(crate) fn fresh_seed() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |now| now.as_nanos() as u64);
    // Short enough to type.
    i64::from(game::Dice::new(now).bits() as u32)
}

/// Makes bots ready for a game; a bot that is named twice is prepared once.
pub(crate) fn prepare(game: &str, asked: &[String], sandbox: &Sandbox) -> Result<Vec<Bot>, Failure> {
    prepare_in(&BuildCache::usual(), game, asked, sandbox)
}

/// The same with the programs of a certain cache.
pub(crate) fn prepare_in(
    cache: &BuildCache,
    game: &str,
    asked: &[String],
    sandbox: &Sandbox,
) -> Result<Vec<Bot>, Failure> {
    let mut ready: Vec<Bot> = Vec::new();
    for words in asked {
        let bot = match ready.iter().find(|bot| bot.asked == *words) {
            Some(bot) => bot.clone(),
            None => {
                let spec = words.parse::<BotSpec>()?;
                if let BotSpec::Builtin(builtin) = &spec {
                    Builtin::find(builtin.name(), Some(catalog::find(game)?))
                        .map_err(|error| Failure::Unusable(format!("{game}: {error}")))?;
                }
                cache.prepare(words, &spec, sandbox)?
            }
        };
        ready.push(bot);
    }
    Ok(ready)
}

pub(crate) fn plan<'a>(
    game: &'static dyn catalog::AnyGame,
    selected: Selected,
    seed: i64,
    bots: &'a [Bot],
    run: &RunArgs,
    inspect: bool,
) -> MatchPlan<'a> {
    let simultaneous = game.info().simultaneous;
    MatchPlan {
        game,
        selected,
        seed,
        bots: bots.iter().collect(),
        clock: run.clock,
        ponder: run.may_ponder(simultaneous),
        limits: Limits::BOT,
        placement: Placement::of(simultaneous, selected.players, &play::cores()),
        inspect,
    }
}

/// Prints the match while it is played, as far as the user asked for it.
pub(crate) struct Onlooker {
    /// The rules and the seed of the match, to play its answers again.
    game: &'static dyn catalog::AnyGame,
    selected: Selected,
    seed: i64,
    play: Box<dyn AnyMatch>,
    /// Whether and how to print the board after each turn.
    boards: Option<ShowMode>,
    /// The number of lines of the last board on the screen.
    drawn: usize,
    /// Whether to print the standard error output of the bots.
    stderr: bool,
    bar: ProgressBar,
    turn: Option<u32>,
    failed: Option<Failure>,
}

impl Onlooker {
    pub(crate) fn new(plan: &MatchPlan<'_>, boards: Option<ShowMode>, stderr: bool, quiet: bool) -> Onlooker {
        let silent = quiet || boards.is_some() || stderr || !std::io::stderr().is_terminal();
        let bar = if silent { ProgressBar::hidden() } else { ProgressBar::new_spinner() };
        let MatchPlan { game, selected, seed, .. } = *plan;
        let play = game.start(selected, seed);
        // Lines of bots between the boards would be overwritten.
        let in_place = !stderr && std::io::stdout().is_terminal();
        let boards = boards.map(|how| if in_place { how } else { ShowMode::Scroll });
        Onlooker { game, selected, seed, play, boards, drawn: 0, stderr, bar, turn: None, failed: None }
    }

    pub(crate) fn done(self) -> Result<(), Failure> {
        self.bar.finish_and_clear();
        self.failed.map_or(Ok(()), Err)
    }

    /// The board with the control sequences that put it in the place of the one before. A board that is higher or wider
    /// than the terminal is printed below the one before.
    fn in_place(&mut self, picture: &str) -> String {
        let (height, width) = console::Term::stdout().size();
        let lines: Vec<&str> = picture.trim_end_matches('\n').lines().collect();
        let widest = lines.iter().map(|line| console::measure_text_width(line)).max().unwrap_or(0);
        if lines.len() >= usize::from(height) || widest > usize::from(width) {
            self.drawn = 0;
            return format!("{picture}\n");
        }
        let mut text = if self.drawn > 0 { format!("\x1b[{}A", self.drawn) } else { String::new() };
        for line in &lines {
            text.push_str(line);
            text.push_str("\x1b[K\n");
        }
        text.push_str("\x1b[J");
        self.drawn = lines.len();
        text
    }

    fn show(&mut self, text: &str) {
        if let Err(failure) = print(text) {
            self.failed.get_or_insert(failure);
        }
    }
}

impl Watcher for Onlooker {
    fn began(&mut self) {
        (self.play, self.turn) = (self.game.start(self.selected, self.seed), None);
    }

    fn answered(&mut self, answer: &TurnLog) {
        if self.stderr {
            for line in String::from_utf8_lossy(&answer.stderr).lines() {
                self.show(&format!("player {}, turn {}: {}\n", answer.seat, answer.turn, clean(line)));
            }
        }
        // The match has taken this answer already, so it cannot fail.
        let _ = self.play.answer(answer.seat, answer.output.as_deref());
        let turn = self.play.turn();
        if self.turn.replace(turn) == Some(turn) {
            return;
        }
        if let Some(how) = self.boards {
            let picture = self.play.picture(colours_wanted());
            let text = if how == ShowMode::Place { self.in_place(&picture) } else { format!("{picture}\n") };
            self.show(&text);
        }
        if !self.bar.is_hidden() {
            let scores = play::said_scores(self.game, &self.play.outcome().scores);
            self.bar.set_message(format!("turn {turn}, scores {scores}"));
            self.bar.tick();
        }
    }
}

/// Text of a bot on one line of a terminal.
pub(crate) fn clean(text: &str) -> String {
    safe_line(&text.replace('\t', " "), LONGEST_LINE)
}

/// The command that plays the same match again.
fn again(plan: &MatchPlan<'_>, run: &RunArgs) -> String {
    let command = Command {
        game: plan.game.info().name,
        league: Some(plan.selected.league),
        edition: Some(plan.selected.edition),
        seed: plan.seed,
        clock: Some(plan.clock),
        sandbox: run.sandbox.level(),
        ponder: Some(plan.ponder),
        bots: plan.bots.iter().map(|bot| bot.asked.as_str()).collect(),
    };
    command.again()
}

pub(crate) fn as_json(plan: &MatchPlan<'_>, played: &PlayedMatch, again: &str, sandbox: &Sandbox) -> Value {
    let Selected { league, edition, players } = plan.selected;
    let mut result = json!({
        "game": plan.game.info().name,
        "seed": plan.seed.to_string(),
        "league": league,
        "rules": edition,
        "players": players,
        "bots": plan.bots.iter().map(|bot| bot.name.clone()).collect::<Vec<_>>(),
        "sandbox": sandbox.level(),
        "clock": plan.clock.to_string(),
        "turns": played.play.turn(),
        "again": again,
    });
    let more = match &played.ending {
        Ending::Void { why, .. } => json!({
            "void": why, "scores": Value::Null, "ranks": Value::Null, "causes": vec![Value::Null; plan.bots.len()],
        }),
        Ending::Over { outcome, causes } => json!({
            "void": Value::Null,
            "scores": outcome.scores,
            "ranks": outcome.ranks,
            "reason": outcome.reason,
            "causes": causes.iter().map(|cause| cause.as_ref().map(Cause::name)).collect::<Vec<_>>(),
            "details": causes,
            "failures": (0..causes.len()).filter_map(|seat| {
                let cause = causes[seat].as_ref()?;
                Some(json!({
                    "seat": seat, "bot": plan.bots[seat].name, "cause": cause.name(), "turn": played.last_turn(seat),
                    "text": played.failure(seat, cause),
                }))
            }).collect::<Vec<_>>(),
            "skipped": (0..plan.bots.len()).map(|seat| played.skipped(seat).count()).collect::<Vec<_>>(),
            "skipped_orders": (0..plan.bots.len()).flat_map(|seat| played.skipped(seat)).collect::<Vec<_>>(),
            "end": played.play.end(),
        }),
    };
    if let (Value::Object(result), Value::Object(more)) = (&mut result, more) {
        result.extend(more);
        result.insert(
            "times_ms".into(),
            json!(times(plan, played).map(|times| times.map(Times::as_json)).collect::<Vec<_>>()),
        );
    }
    result
}

/// The durations of a player's answers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Times {
    pub(crate) first: Duration,
    pub(crate) median: Duration,
    pub(crate) slowest: Duration,
}

impl Times {
    pub(crate) fn as_json(self) -> Value {
        json!({"first": millis(self.first), "median": millis(self.median), "slowest": millis(self.slowest)})
    }
}

pub(crate) fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// The times of each player's answers. The first answer has a different limit and is not included.
pub(crate) fn times(plan: &MatchPlan<'_>, played: &PlayedMatch) -> impl Iterator<Item = Option<Times>> {
    (0..plan.bots.len()).map(|seat| {
        let mut walls = played.log.iter().filter(|turn| turn.seat.index() == seat).map(|turn| turn.wall);
        let first = walls.next()?;
        let mut others: Vec<Duration> = walls.collect();
        others.sort();
        let median = others.get(others.len() / 2).copied().unwrap_or(first);
        Some(Times { first, median, slowest: others.last().copied().unwrap_or(first) })
    })
}

pub(crate) fn as_text(plan: &MatchPlan<'_>, played: &PlayedMatch, again: &str) -> Result<String, Failure> {
    let Selected { league, edition, .. } = plan.selected;
    let mut text = String::new();
    let name = |seat: usize| format!("player {seat} ({})", clean(&plan.bots[seat].name));
    writeln!(text, "{}, league {league}, rules {edition}, seed {}", plan.game.info().name, plan.seed)?;
    match &played.ending {
        Ending::Void { why, .. } => writeln!(text, "void, not the bots' fault: {}", clean(why))?,
        Ending::Over { outcome, causes } => {
            let best: Vec<String> =
                (0..plan.bots.len()).filter(|&seat| outcome.ranks[seat] == 1).map(name).collect();
            let verdict = if best.len() == 1 {
                format!("{} wins", best[0])
            } else {
                format!("a draw of {}", best.join(" and "))
            };
            let (turns, reason) = (played.play.turn(), &outcome.reason);
            writeln!(text, "{verdict} after {turns} turns: {}", reason.replace(['-', '_'], " "))?;
            let parts = plan.game.score_parts(&outcome.scores);
            let scores: Vec<String> = parts.into_iter().map(play::said_score).collect();
            for (seat, times) in times(plan, played).enumerate() {
                write!(text, "  {}: place {}, score {}", name(seat), outcome.ranks[seat], scores[seat])?;
                if let Some(times) = times {
                    let Times { first, median, slowest } = times;
                    write!(
                        text,
                        "; answers in {} ms, {} ms at the most, the first in {} ms",
                        millis(median),
                        millis(slowest),
                        millis(first)
                    )?;
                }
                text.push('\n');
                let skipped = played.skipped(seat).count();
                for fault in played.skipped(seat).take(MOST_SKIPPED) {
                    writeln!(text, "    {}", clean(&fault.to_string()))?;
                }
                if skipped > MOST_SKIPPED {
                    writeln!(text, "    ... and {} more skipped orders", skipped - MOST_SKIPPED)?;
                }
            }
            for (seat, cause) in
                causes.iter().enumerate().filter_map(|(seat, cause)| Some((seat, cause.as_ref()?)))
            {
                writeln!(text, "{} failed: {}", name(seat), clean(&played.failure(seat, cause)))?;
                if let Some(said) = last_words(cause, played, seat) {
                    for line in said.lines() {
                        writeln!(text, "  | {}", clean(line))?;
                    }
                }
            }
            if !played.stall.is_zero() {
                writeln!(
                    text,
                    "the host stood still for {} ms; nobody was charged for it",
                    millis(played.stall)
                )?;
            }
        }
    }
    writeln!(text, "again: {}", safe_text(again, LONGEST_LINE))?;
    Ok(text)
}

/// The last lines that a failed bot wrote to its standard error output.
fn last_words(cause: &Cause, played: &PlayedMatch, seat: usize) -> Option<String> {
    let said = match cause {
        Cause::Crash { stderr, .. } => stderr.clone(),
        _ => {
            let last =
                played.log.iter().rev().find(|turn| turn.seat.index() == seat && !turn.stderr.is_empty())?;
            String::from_utf8_lossy(&last.stderr).into_owned()
        }
    };
    let lines: Vec<&str> = said.trim_end().lines().collect();
    let tail = &lines[lines.len().saturating_sub(12)..];
    (!tail.is_empty()).then(|| tail.join("\n"))
}
