//! Joins the parts of a run that several machines played.

use std::fs::File;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use crate::error::{InvalidRun, RunError};
use crate::header::{RunHeader, Shard};
use crate::reader::RunReader;

/// The result of a merge.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Merged {
    /// The number of finished matches in the parts.
    pub finished: u64,
    /// The number of matches of the whole run.
    pub planned: u64,
    /// The parts for which there was no file.
    pub missing: Vec<Shard>,
    /// Whether the records of the parts are in different folders: the merged run names none of them.
    pub separate_records: bool,
}

/// Joins the parts of a run into the file of the whole run, in the order of the schedule of the parts. `resume` plays
/// the missing matches.
///
/// # Errors
///
/// When `out` exists, a file cannot be read or written, or the files are not different parts of one run. Nothing is left
/// of `out` then.
pub fn merge(out: &Path, parts: &[PathBuf]) -> Result<Merged, RunError> {
    let mut opened: Vec<(Shard, &Path, RunReader)> = Vec::new();
    for path in parts {
        let not = |why: InvalidRun| RunError::NotARun(path.clone(), why);
        let reader = RunReader::open(path)?;
        let shard = reader.header().shard.ok_or_else(|| not(InvalidRun::Whole))?;
        if let Some((_, first, known)) = opened.first()
            && let Some(differs) = difference(known.header(), reader.header())
        {
            return Err(not(InvalidRun::OtherRun { part: (*first).to_owned(), differs }));
        }
        if let Some((_, twin, _)) = opened.iter().find(|(known, ..)| *known == shard) {
            return Err(not(InvalidRun::SamePart { other: (*twin).to_owned(), shard }));
        }
        opened.push((shard, path, reader));
    }
    opened.sort_by_key(|(shard, ..)| shard.part);
    let Some((shard, _, first)) = opened.first() else {
        return Err(RunError::NotARun(out.to_owned(), InvalidRun::Empty));
    };
    let all = shard.of;
    let separate_records = opened.iter().any(|(_, _, part)| part.header().records != first.header().records);
    let mut header = RunHeader { shard: None, ..first.header().clone() };
    if separate_records {
        header.records = None;
    }
    let planned = header.matches();
    let given: Vec<u64> = opened.iter().map(|(shard, ..)| shard.part).collect();
    let missing =
        (1..=all).filter(|part| !given.contains(part)).map(|part| Shard { part, of: all }).collect();
    let readers = opened.into_iter().map(|(.., reader)| reader);
    let finished = write_new(out, &header, readers)?;
    Ok(Merged { finished, planned, missing, separate_records })
}

/// The first setting in which the runs of two parts differ.
fn difference(a: &RunHeader, b: &RunHeader) -> Option<&'static str> {
    let whole = |header: &RunHeader| RunHeader { shard: None, records: None, ..header.clone() };
    let parts = |header: &RunHeader| header.shard.map(|shard| shard.of);
    let differs = [
        ("the version", a.agon_run != b.agon_run),
        ("the game", a.game != b.game),
        ("the league", a.league != b.league),
        ("the edition", a.edition != b.edition),
        ("a bot", (&a.bots, &a.names, &a.digests) != (&b.bots, &b.names, &b.digests)),
        ("the number of players", a.players != b.players),
        ("the first seed", a.first_seed != b.first_seed),
        ("the number of matches", a.units != b.units),
        ("the clock", a.clock != b.clock),
        ("the sandbox", a.sandbox != b.sandbox),
        ("the number of parts", parts(a) != parts(b)),
        ("a setting", whole(a) != whole(b)),
    ];
    differs.into_iter().find_map(|(field, differs)| differs.then_some(field))
}

/// Writes a run file. It gets its name when it is complete and on disk.
fn write_new(
    out: &Path,
    header: &RunHeader,
    parts: impl Iterator<Item = RunReader>,
) -> Result<u64, RunError> {
    let at = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => RunError::Exists(out.to_owned()),
        _ => RunError::File(out.to_owned(), error),
    };
    let folder = match out.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    if out.exists() {
        return Err(RunError::Exists(out.to_owned()));
    }
    let draft = tempfile::NamedTempFile::new_in(folder).map_err(at)?;
    let mut writer = BufWriter::new(draft.as_file());
    let mut write = |line: &mut dyn FnMut(&mut BufWriter<&File>) -> Result<(), serde_json::Error>| {
        line(&mut writer).map_err(io::Error::from).and_then(|()| writer.write_all(b"\n")).map_err(at)
    };
    write(&mut |to| serde_json::to_writer(to, header))?;
    let mut finished = 0;
    for mut part in parts {
        let indices = part.header().own_indices();
        // A match may be in a part twice; the first one counts.
        let mut written = vec![false; (indices.end - indices.start) as usize];
        while let Some(line) = part.next_match()? {
            if !std::mem::replace(&mut written[(line.index - indices.start) as usize], true) {
                write(&mut |to| serde_json::to_writer(to, &line))?;
                finished += 1;
            }
        }
    }
    writer.flush().map_err(at)?;
    drop(writer);
    draft.as_file().sync_all().map_err(at)?;
    draft.persist_noclobber(out).map_err(|failed| at(failed.error))?;
    Ok(finished)
}
