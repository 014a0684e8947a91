//! `agon submit`

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::Args;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use server::wire::{
    BotPage, ContestPage, MatchInfo, MatchState, Submission, VersionInfo, VersionPage, VersionState,
};

use crate::Failure;
use crate::commands::play::clean;
use crate::commands::series::clean_lines;
use crate::commands::status::{kind_of, league_name};
use crate::output::{note, print, print_json};
use crate::remote::{Remote, RemoteArgs, RemoteError};

/// The time between two requests for the state.
const LOOK_EVERY: Duration = Duration::from_millis(500);
/// How long a server may be unreachable, for example while it restarts.
const PATIENCE: Duration = Duration::from_mins(2);

#[derive(Args, Debug)]
pub(crate) struct SubmitArgs {
    /// Name of the game
    game: String,
    /// The source, one file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// Key of the contest [default: the standing arena]
    #[arg(long, value_name = "KEY")]
    contest: Option<String>,
    /// Language of the source [default: by the ending of the file]
    #[arg(long, value_name = "LANG")]
    lang: Option<String>,
    /// Only build it and play one match against the boss; it does not count
    #[arg(long)]
    test: bool,
    /// Wait for the build, and for the test, the best of five against the boss, or the placement matches of a ladder
    #[arg(long, short)]
    wait: bool,
    #[command(flatten)]
    remote: RemoteArgs,
}

pub(crate) fn run(args: &SubmitArgs) -> Result<(), Failure> {
    let source = read_source(&args.file)?;
    let language = match &args.lang {
        Some(language) => language.clone(),
        None => language_of(&args.file)?,
    };
    let remote = Remote::open(&args.remote)?;
    let submission = Submission {
        contest: args.contest.clone(),
        game: args.game.clone(),
        language,
        source,
        activate: !args.test,
    };
    let answer = remote.post("/submissions", &serde_json::to_value(&submission)?)?;
    let version: VersionInfo = remote.known(&answer, "a version")?;
    if !args.wait {
        if args.remote.json {
            return print_json(&answer);
        }
        return print(&format!(
            "version {} of your bot waits to be built: agon logs v{}\n",
            version.number, version.id
        ));
    }
    let waiting = Waiting { remote: &remote, quiet: args.remote.json };
    let end = waiting.for_everything(&version, args.test)?;
    if args.remote.json {
        print_json(&end.as_json)?;
    } else {
        print(&end.text)?;
    }
    if end.good { Ok(()) } else { Err(Failure::No) }
}

fn read_source(path: &Path) -> Result<String, Failure> {
    let unusable = |why: &dyn std::fmt::Display| Failure::Unusable(format!("{}: {why}", path.display()));
    let bytes = fs::read(path).map_err(|error| unusable(&error))?;
    String::from_utf8(bytes).map_err(|_| unusable(&"a source is text in UTF-8; a program is not taken"))
}

fn language_of(path: &Path) -> Result<String, Failure> {
    toolchain::Language::of(path).map(|language| language.name.to_owned()).ok_or_else(|| {
        let known: Vec<&str> = toolchain::LANGUAGES.iter().map(|language| language.name).collect();
        Failure::Unusable(format!(
            "{}: the file name does not say the language; name it with --lang ({})",
            path.display(),
            known.join(", ")
        ))
    })
}

/// The result of a version.
struct End {
    good: bool,
    text: String,
    as_json: Value,
}

/// Waits for the result of a version.
struct Waiting<'a> {
    remote: &'a Remote,
    quiet: bool,
}

impl Waiting<'_> {
    fn for_everything(&self, version: &VersionInfo, test: bool) -> Result<End, Failure> {
        self.say(&format!("version {} is handed in (agon logs v{})", version.number, version.id));
        let (page, _): (VersionPage, _) = self
            .until(&format!("/versions/{}", version.id), |page: &VersionPage| {
                matches!(page.version.state, VersionState::Failed | VersionState::Ready)
            })?;
        let built = page.version.state == VersionState::Ready;
        let log = page.log.as_deref().filter(|log| !log.trim().is_empty()).map(clean_lines);
        if !built {
            let text = format!("it cannot be built:\n{}\n", log.as_deref().unwrap_or("there is no log"));
            let as_json = json!({"version": page.version, "built": false, "log": page.log, "good": false});
            return Ok(End { good: false, text, as_json });
        }
        self.say("it is built");
        if let Some(log) = log {
            self.say(&log);
        }
        if test { self.for_test(version) } else { self.for_place(version) }
    }

    /// Waits for the one match against the boss.
    fn for_test(&self, version: &VersionInfo) -> Result<End, Failure> {
        let over = |played: &MatchInfo| matches!(played.state, MatchState::Done | MatchState::Void);
        let path = format!("/versions/{}", version.id);
        let (page, answer) = self.until(&path, |page: &VersionPage| page.tests.first().is_some_and(over))?;
        let played = &page.tests[0];
        let good = won(played, version.bot) == Some(true);
        let text = result_line(played, version.bot)?;
        let as_json =
            json!({"version": page.version, "built": true, "test": answer["tests"][0], "good": good});
        Ok(End { good, text, as_json })
    }

    /// Waits for the best of five against the boss, or for the placement matches in a ladder.
    fn for_place(&self, version: &VersionInfo) -> Result<End, Failure> {
        let own_trial = |page: &BotPage| {
            let trial = page.own.as_ref().and_then(|own| own.trial.as_ref());
            trial.filter(|trial| trial.matches.iter().any(|played| is_of(played, version))).cloned()
        };
        let mut printed = 0;
        let (page, answer) = self.until(&format!("/bots/{}", version.bot), |page: &BotPage| {
            if page.card.tier > version.tier || page.card.paused.is_some() {
                return true;
            }
            if let Some(trial) = own_trial(page) {
                let done = trial.matches.iter().filter(|played| played.state == MatchState::Done);
                for line in
                    done.clone().skip(printed).filter_map(|played| result_line(played, version.bot).ok())
                {
                    self.say(line.trim_end());
                }
                printed = done.count().max(printed);
                return trial.over;
            }
            // The first matches are scheduled a moment after the build.
            let Some((played, needed)) = placement(page, version) else { return false };
            if played > printed && played < needed {
                self.say(&format!("placement: {played} of {needed} matches"));
            }
            printed = played;
            played >= needed
        })?;
        let promoted = page.card.tier > version.tier;
        let (trial, placed) = (own_trial(&page), placement(&page, version));
        let mut text = String::new();
        if let Some(trial) = &trial {
            let (wins, losses) = (trial.wins, trial.losses);
            writeln!(
                text,
                "boss fight: {wins} : {losses} ({wins} won, {} drawn, {losses} lost)",
                trial.draws
            )?;
        }
        if placed.is_some() {
            for standing in &page.card.standings {
                let place = standing.place.map_or_else(|| "-".to_owned(), |place| place.to_string());
                writeln!(
                    text,
                    "{}, {} players: place {place} of {}, {} won, {} drawn, {} lost",
                    kind_of(&standing.kind),
                    standing.players,
                    standing.of,
                    standing.tally.wins,
                    standing.tally.draws,
                    standing.tally.losses
                )?;
            }
        }
        let paused = page.card.paused.as_deref().filter(|_| !promoted);
        match paused {
            _ if promoted => {
                writeln!(text, "promoted to {}: its code plays there now", self.league_of(&page)?)?;
            }
            Some(why) => writeln!(text, "it is paused: {}", clean(why))?,
            None if trial.is_some() => text.push_str("not promoted: improve it, and submit it again\n"),
            None => text.push_str("it plays in the ladder now: agon status\n"),
        }
        let good = promoted || paused.is_none() && trial.is_none();
        let as_json = json!({
            "version": version, "built": true, "promoted": promoted, "trial": answer["own"]["trial"],
            "standings": answer["card"]["standings"], "paused": paused, "tier": page.card.tier, "good": good,
        });
        Ok(End { good, text, as_json })
    }

    /// The name of the current league of a bot.
    fn league_of(&self, page: &BotPage) -> Result<String, Failure> {
        let contest = self.remote.get(&format!("/contests/{}", page.card.contest))?;
        let contest: ContestPage = self.remote.known(&contest, "a contest")?;
        Ok(league_name(&contest.games, &page.card))
    }

    /// Repeats a request until the condition holds.
    fn until<T: DeserializeOwned>(
        &self,
        path: &str,
        mut happened: impl FnMut(&T) -> bool,
    ) -> Result<(T, Value), Failure> {
        let mut away: Option<Instant> = None;
        loop {
            match self.remote.get(path) {
                Ok(answer) => {
                    away = None;
                    let page: T = self.remote.known(&answer, "the state of a version")?;
                    if happened(&page) {
                        return Ok((page, answer));
                    }
                }
                Err(RemoteError::Refused { status: 429 | 503, .. }) => {}
                Err(error @ RemoteError::Unreachable(_)) => {
                    if away.get_or_insert_with(Instant::now).elapsed() > PATIENCE {
                        return Err(error.into());
                    }
                }
                Err(error) => return Err(error.into()),
            }
            std::thread::sleep(LOOK_EVERY);
        }
    }

    fn say(&self, text: &str) {
        if !self.quiet {
            note(text);
        }
    }
}

/// The number of placement matches that a version has played and the number it needs, in the ladder where most are
/// missing; `None` if it plays in no ladder.
fn placement(page: &BotPage, version: &VersionInfo) -> Option<(usize, usize)> {
    page.card.active.as_ref().filter(|active| active.id == version.id)?;
    let ladders = page.card.standings.iter().filter(|standing| standing.kind == "ladder");
    let places = ladders.map(|standing| (standing.tally.games, i64::from(standing.placement)));
    let (played, needed) = places.max_by_key(|(played, needed)| needed - played)?;
    Some((usize::try_from(played).ok()?, usize::try_from(needed).ok()?))
}

fn is_of(played: &MatchInfo, version: &VersionInfo) -> bool {
    played.seats.iter().any(|seat| seat.bot.id == version.bot && seat.version == version.number)
}

/// Whether a bot alone was best; `None` if there is no result.
pub(crate) fn won(played: &MatchInfo, bot: i64) -> Option<bool> {
    let own = played.seats.iter().find(|seat| seat.bot.id == bot)?.rank?;
    let shared = played.seats.iter().filter(|seat| seat.rank == Some(own)).count() > 1;
    Some(own == 1 && !shared)
}

/// A match in one line, from the point of view of its player.
pub(crate) fn result_line(played: &MatchInfo, bot: i64) -> Result<String, Failure> {
    let mut line = format!("match {}: ", played.id);
    let drawn = played.seats.iter().all(|seat| seat.rank == Some(1));
    line.push_str(match (played.state, won(played, bot)) {
        (MatchState::Queued, _) => "waits",
        (MatchState::Running, _) => "is being played",
        (MatchState::Void, _) => "void by our fault",
        (MatchState::Done, _) if drawn => "drawn",
        (MatchState::Done, Some(true)) => "won",
        (MatchState::Done, _) => "lost",
    });
    let others: Vec<String> =
        played.seats.iter().filter(|seat| seat.bot.id != bot).map(|seat| clean(&seat.bot.name)).collect();
    write!(line, " against {}", others.join(", "))?;
    for seat in played.seats.iter().filter(|seat| seat.bot.id == bot) {
        if let Some(cause) = &seat.cause {
            write!(line, " ({}: agon logs {})", clean(cause), played.id)?;
        }
    }
    line.push('\n');
    Ok(line)
}
