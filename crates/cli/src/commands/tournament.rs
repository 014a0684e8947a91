//! `agon tournament`

use std::fmt::Write as _;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use clap::{Args, ValueEnum};
use rating::Score;
use runs::{Format, Plan, Run, TableFindings, TableRow};
use serde_json::{Value, json};
use toolchain::Bot;

use crate::Failure;
use crate::args::GameArgs;
use crate::commands::play::{clean, open_sandbox, prepare};
use crate::commands::series::{NewRunArgs, Series, SeriesArgs, failures, tell_apart};
use crate::output::{print, print_json};

/// With more bots than this, the table of points between pairs is printed as JSON only.
const WIDEST: usize = 16;

/// The leader is computed at most this often: it takes all games so far.
const LOOK_EVERY: Duration = Duration::from_secs(1);

#[derive(Args, Debug)]
pub(crate) struct TournamentArgs {
    #[command(flatten)]
    pub(crate) game: GameArgs,
    /// A bot, once for each; `--bot NAME=BOT` gives it a name (letters, digits, `.`, `_`, `-`)
    #[arg(long = "bot", short, value_name = "BOT", required = true)]
    pub(crate) bots: Vec<String>,
    /// Which bots meet
    #[arg(long, value_enum, default_value = "round-robin")]
    pub(crate) format: FormatArg,
    /// How many rounds. In a round robin each table (two bots, or as many as --players says) plays one seed from
    /// every seat in each round; with more than 1,000 tables a balanced choice of them does
    #[arg(long, short = 'n', value_name = "COUNT", default_value_t = 10,
        value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub(crate) rounds: u64,
    #[command(flatten)]
    pub(crate) new: NewRunArgs,
    /// Write the table to FILE as comma-separated values; `-` prints it instead of the other table
    #[arg(long, value_name = "FILE", conflicts_with = "json")]
    pub(crate) csv: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) how: SeriesArgs,
}

#[derive(ValueEnum, Clone, Copy, Debug)]
pub(crate) enum FormatArg {
    /// Every bot against every other bot
    RoundRobin,
    /// The first bot against all others
    Gauntlet,
    /// Round by round, neighbours in the standing against each other
    Swiss,
}

impl From<FormatArg> for Format {
    fn from(format: FormatArg) -> Format {
        match format {
            FormatArg::RoundRobin => Format::RoundRobin,
            FormatArg::Gauntlet => Format::Gauntlet,
            FormatArg::Swiss => Format::Swiss,
        }
    }
}

pub(crate) fn run(args: &TournamentArgs) -> Result<(), Failure> {
    let (game, selected) = args.game.resolve()?;
    let (count, players) = (args.bots.len(), selected.players as usize);
    if count < players {
        return Err(Failure::Unusable(format!(
            "{players} play in each match and there are {count} --bot; add `--bot @random`, for one"
        )));
    }
    let sandbox = open_sandbox(args.new.run.sandbox, args.how.json)?;
    let (names, words): (Vec<_>, Vec<_>) = args.bots.iter().map(|text| named(text)).unzip();
    let mut bots = prepare(game.info().name, &words, &sandbox)?;
    for (bot, name) in bots.iter_mut().zip(names) {
        bot.name = name.unwrap_or_else(|| bot.name.clone());
    }
    tell_apart(&mut bots);
    let format = Format::from(args.format);
    let units = args.rounds.saturating_mul(format.units_per_round(count, players));
    let header = args.new.header((game, selected), &bots, &sandbox, units, Plan::Tournament(format));
    let series = Series::new(args.new.begin(header, "tournament")?, sandbox, &args.how)?;
    go_on(series, &bots, args.csv.as_deref())
}

/// Splits `NAME=BOT`. A text that is a file, or that has anything but letters, digits, `.`, `_` and `-` before its
/// first `=`, is a bot without a name: no command line begins like that.
fn named(text: &str) -> (Option<String>, String) {
    let plain = |name: &str| {
        !name.is_empty()
            && name.len() <= 64
            && name.chars().all(|c| c.is_alphanumeric() || ['.', '_', '-'].contains(&c))
    };
    match text.split_once('=') {
        Some((name, bot)) if plain(name) && !Path::new(text).exists() => {
            (Some(name.to_owned()), bot.to_owned())
        }
        _ => (None, text.to_owned()),
    }
}

pub(crate) fn go_on(mut series: Series, bots: &[Bot], csv: Option<&Path>) -> Result<(), Failure> {
    let mut next_look = Instant::now();
    series.play(bots, 0..u64::MAX, |run| {
        let began = Instant::now();
        let seen = (began >= next_look).then(|| leader(run));
        if seen.is_some() {
            // Rating many bots takes long: results wait for it, so it gets at most a twentieth of the time.
            next_look = Instant::now() + LOOK_EVERY.max(20 * began.elapsed());
        }
        (seen, ControlFlow::Continue(()))
    })?;
    let run = &series.run;
    let complete = run.finished() as u64 == run.header.matches();
    let table = Table::of(run);
    if series.finish() {
        print_json(&series.as_json(complete, table.as_json(&series)))?;
    } else if csv == Some(Path::new("-")) {
        print(&table.as_csv()?)?;
    } else {
        print(&table.as_text(&series)?)?;
    }
    if let Some(path) = csv.filter(|path| *path != Path::new("-")) {
        std::fs::write(path, table.as_csv()?)
            .map_err(|error| Failure::Unusable(format!("{} cannot be written: {error}", path.display())))?;
    }
    let failed = failures(run, |_| true).next().is_some();
    series.conclude(complete, failed)
}

/// The leader, in one line.
fn leader(run: &Run) -> String {
    let findings = TableFindings::of(&run.header, run);
    let Some(first) = findings.rows.first() else { return String::new() };
    let name = clean(run.header.name(first.player));
    match findings.lead.filter(|lead| lead.low > 0.0) {
        Some(lead) => format!("{name} leads by {lead:.0} Elo"),
        None => format!("{name} is first, not yet clearly"),
    }
}

/// The result of a tournament, to be printed.
struct Table<'a> {
    run: &'a Run,
    findings: TableFindings,
}

impl Table<'_> {
    fn of(run: &Run) -> Table<'_> {
        Table { run, findings: TableFindings::of(&run.header, run) }
    }

    /// Ranks and rows.
    fn rows(&self) -> impl Iterator<Item = (usize, &TableRow)> {
        (1..).zip(&self.findings.rows)
    }

    fn as_json(&self, series: &Series) -> Value {
        let header = &self.run.header;
        let rows: Vec<Value> = self
            .rows()
            .map(|(rank, row)| {
                json!({
                    "rank": rank, "bot": row.player, "name": header.name(row.player),
                    "command": header.bots[row.player], "elo": row.elo, "points": row.points, "games": row.games,
                    "wins": row.score.wins, "draws": row.score.draws, "losses": row.score.losses,
                    "failures": row.failures,
                })
            })
            .collect();
        json!({
            "plan": header.plan, "players": header.players, "games": self.run.finished(), "table": rows,
            "lead": self.findings.lead, "head_to_head": self.findings.cross, "failures": series.failures_json(|_| true),
            "skipped_orders": series.skipped_json(|_| true),
        })
    }

    fn as_csv(&self) -> Result<String, Failure> {
        let mut text = "rank,name,elo,elo_low,elo_high,points,games,wins,draws,losses,failures\n".to_owned();
        for (rank, row) in self.rows() {
            let TableRow { player, elo, games, points, score, failures, .. } = row;
            let name = clean(self.run.header.name(*player)).replace('"', "\"\"");
            let Score { wins, draws, losses } = score;
            writeln!(
                text,
                "{rank},\"{name}\",{:.2},{:.2},{:.2},{points},{games},{wins},{draws},{losses},{failures}",
                elo.value, elo.low, elo.high
            )?;
        }
        Ok(text)
    }

    fn as_text(&self, series: &Series) -> Result<String, Failure> {
        let header = ["#", "name", "Elo", "points", "games", "won", "drawn", "lost", "failures"];
        let mut rows = vec![header.map(str::to_owned).to_vec()];
        for (rank, row) in self.rows() {
            let elo = format!("{:+.1}", row.elo);
            rows.push(vec![
                rank.to_string(),
                clean(self.run.header.name(row.player)),
                elo,
                format!("{:.1}", row.points),
                row.games.to_string(),
                row.score.wins.to_string(),
                row.score.draws.to_string(),
                row.score.losses.to_string(),
                row.failures.to_string(),
            ]);
        }
        let mut text = aligned(&rows);
        if self.run.header.players > 2 {
            writeln!(text, "points, won, drawn and lost count every rival of a match")?;
        }
        if let (Some(lead), [first, second, ..]) = (self.findings.lead, self.findings.rows.as_slice()) {
            let name = |row: &TableRow| clean(self.run.header.name(row.player));
            let verdict = if lead.low > 0.0 { "leads" } else { "does not clearly lead" };
            writeln!(text, "{} {verdict}: {lead:+.1} Elo above {}", name(first), name(second))?;
        }
        let order: Vec<usize> = self.findings.rows.iter().map(|row| row.player).collect();
        if order.len() <= WIDEST {
            let mut rows = vec![vec![String::new(), "points against".to_owned()]];
            rows[0].extend((1..=order.len()).map(|rank| rank.to_string()));
            for (at, &player) in order.iter().enumerate() {
                let mut row = vec![(at + 1).to_string(), clean(self.run.header.name(player))];
                row.extend(order.iter().map(|&other| {
                    let score = self.findings.cross.at(player, other);
                    if score.total() == 0 {
                        "-".into()
                    } else {
                        format!("{:.1}/{}", score.points(), score.total())
                    }
                }));
                rows.push(row);
            }
            writeln!(text, "\n{}", aligned(&rows).trim_end_matches('\n'))?;
        }
        series.write_rate(&mut text)?;
        series.write_failures(&mut text, |_| true)?;
        Ok(text)
    }
}

/// Columns with the necessary widths: the name to the left, all numbers to the right.
fn aligned(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let wide =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max();
    let widths: Vec<usize> = (0..columns).map(|column| wide(column).unwrap_or(0)).collect();
    let mut text = String::new();
    for row in rows {
        let cells: Vec<String> = row
            .iter()
            .zip(&widths)
            .enumerate()
            .map(
                |(column, (cell, width))| {
                    if column == 1 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
                },
            )
            .collect();
        text.push_str(cells.join("  ").trim_end());
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bot_may_be_given_a_name() {
        let named = |text: &str| {
            let (name, bot) = named(text);
            (name.unwrap_or_default(), bot)
        };
        let pair = |name: &str, bot: &str| (name.to_owned(), bot.to_owned());
        assert_eq!(named("old=python3 bot.py --depth=3"), pair("old", "python3 bot.py --depth=3"));
        assert_eq!(named("v1.2=@random"), pair("v1.2", "@random"));
        assert_eq!(named("python3 bot.py --depth=3"), pair("", "python3 bot.py --depth=3"));
        assert_eq!(named("./bot=3"), pair("", "./bot=3"));
        assert_eq!(named("=3"), pair("", "=3"));
        assert_eq!(named("@random"), pair("", "@random"));
    }

    #[test]
    fn columns_are_aligned() {
        let rows = [["#", "name", "n"], ["10", "a", "100"]].map(|row| row.map(str::to_owned).to_vec());
        assert_eq!(aligned(&rows), " #  name    n\n10  a     100\n");
    }
}
