//! `agon export`

use std::io::Write as _;
use std::path::{Path, PathBuf};

use clap::{ArgGroup, Args};
use replay::replay_of;
use replay::wire::Replay;
use viewer::{Look, ReadMatch, Renderer, read_matches, self_contained};

use crate::Failure;
use crate::output::print;
use crate::progress::with_progress;

#[derive(Args, Debug)]
#[command(group(ArgGroup::new("what").required(true).args(["html", "svg", "png", "gif"])))]
pub(crate) struct ExportArgs {
    /// Files with records or traces; pictures and clips take one match
    #[arg(value_name = "RECORD", required = true)]
    pub(crate) files: Vec<PathBuf>,
    /// A page with the matches in it, which opens offline
    #[arg(long, value_name = "OUT")]
    pub(crate) html: Option<PathBuf>,
    /// A picture of a turn in vectors: 0 is the start, n the board after turn n, `last` the end
    #[arg(long, value_name = "TURN")]
    pub(crate) svg: Option<Turn>,
    /// A picture of a turn in pixels
    #[arg(long, value_name = "TURN")]
    pub(crate) png: Option<Turn>,
    /// A clip for a chat
    #[arg(long)]
    pub(crate) gif: bool,
    /// Where the picture or clip goes [default: beside the record, named after it]
    #[arg(long, short, value_name = "OUT", conflicts_with = "html")]
    pub(crate) out: Option<PathBuf>,
    /// Which match of the files, from 1
    #[arg(long, value_name = "NUMBER", default_value_t = 1, conflicts_with = "html")]
    pub(crate) pick: usize,
    /// First turn of the clip
    #[arg(long, value_name = "TURN", default_value = "0")]
    pub(crate) from: Turn,
    /// Last turn of the clip
    #[arg(long, value_name = "TURN", default_value = "last")]
    pub(crate) to: Turn,
    /// Width in pixels [default: 1200 for a picture, 480 for a clip]
    #[arg(long, value_name = "PIXELS", value_parser = clap::value_parser!(u32).range(64..=4096))]
    pub(crate) width: Option<u32>,
    /// Dark colours
    #[arg(long)]
    pub(crate) dark: bool,
}

/// A turn by its number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Turn {
    Number(usize),
    Last,
}

impl std::str::FromStr for Turn {
    type Err = String;

    fn from_str(text: &str) -> Result<Turn, String> {
        match text {
            "last" => Ok(Turn::Last),
            text => text.parse().map(Turn::Number).map_err(|_| "a turn is a number, or `last`".to_owned()),
        }
    }
}

impl Turn {
    fn of(self, renderer: &Renderer) -> usize {
        match self {
            Turn::Number(number) => number,
            Turn::Last => renderer.steps().saturating_sub(1),
        }
    }
}

/// Most matches in a page: with more, it would be slow to open.
const MOST_IN_A_PAGE: usize = 100;

pub(crate) fn run(args: &ExportArgs) -> Result<(), Failure> {
    if let Some(out) = &args.html {
        let replays = replays(&args.files, MOST_IN_A_PAGE + 1)?;
        if replays.len() > MOST_IN_A_PAGE {
            return Err(Failure::Unusable(format!(
                "there are more than {MOST_IN_A_PAGE} matches; a page holds at most that number"
            )));
        }
        let page = self_contained(&replays)?;
        return write(out, page.as_bytes());
    }
    let mut replays = replays(&args.files, args.pick)?;
    if args.pick == 0 || replays.len() < args.pick {
        return Err(Failure::Unusable(format!(
            "there is no match {}; choose one from 1 to {}",
            args.pick,
            replays.len()
        )));
    }
    let replay = replays.swap_remove(args.pick - 1);
    let renderer = Renderer::new(&replay)?;
    let (ending, bytes) = if let Some(turn) = args.svg {
        let svg = renderer.svg(turn.of(&renderer) as f64, args.dark)?;
        ("svg", svg.into_bytes())
    } else if let Some(turn) = args.png {
        let look = Look { dark: args.dark, width: args.width.unwrap_or(1200) };
        ("png", renderer.png(turn.of(&renderer) as f64, look)?)
    } else {
        ("gif", clip(args, &renderer)?)
    };
    let out = args.out.clone().unwrap_or_else(|| beside(&args.files[0], ending));
    write(&out, &bytes)
}

fn clip(args: &ExportArgs, renderer: &Renderer) -> Result<Vec<u8>, Failure> {
    let look = Look { dark: args.dark, width: args.width.unwrap_or(480) };
    let turns = (args.from.of(renderer), args.to.of(renderer));
    // A long match is shown step by step, a short one with pictures between the steps.
    let between: u16 = if turns.1.saturating_sub(turns.0) > 120 { 1 } else { 3 };
    let total = turns.1.saturating_sub(turns.0) as u64 * u64::from(between);
    let mut bytes = Vec::new();
    with_progress(Some(total), "pictures", |done| {
        let count = |pictures: usize| done.store(pictures as u64, std::sync::atomic::Ordering::Relaxed);
        renderer.gif(turns, between, 30 / between.max(2), look, &mut bytes, count)
    })?;
    Ok(bytes)
}

fn replays(files: &[PathBuf], most: usize) -> Result<Vec<Replay>, Failure> {
    let mut replays = Vec::new();
    for file in files {
        let left = most.saturating_sub(replays.len());
        if left == 0 {
            break;
        }
        for ReadMatch { played, analysis } in read_matches(file, left)? {
            let replay =
                replay_of(&played).map_err(|why| Failure::Unusable(format!("{}: {why}", file.display())))?;
            replays.push(Replay { analysis, ..replay });
        }
    }
    Ok(replays)
}

/// `match.json.gz` becomes `match.png`.
fn beside(record: &Path, ending: &str) -> PathBuf {
    let name = record.file_name().map_or_else(|| "match".into(), |name| name.to_string_lossy().into_owned());
    let stem = name.trim_end_matches(".gz").trim_end_matches(".jsonl").trim_end_matches(".json");
    record.with_file_name(format!("{stem}.{ending}"))
}

fn write(out: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let unwritable = |error| Failure::Unusable(format!("{} cannot be written: {error}", out.display()));
    if out.as_os_str() == "-" {
        return std::io::stdout().lock().write_all(bytes).map_err(unwritable);
    }
    std::fs::write(out, bytes).map_err(unwritable)?;
    print(&format!("{}\n", out.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_record() {
        let named = |record: &str| beside(Path::new(record), "png").display().to_string();
        assert_eq!(named("a/match.json.gz"), "a/match.png");
        assert_eq!(named("games.jsonl"), "games.png");
        assert_eq!(named("x"), "x.png");
    }
}
