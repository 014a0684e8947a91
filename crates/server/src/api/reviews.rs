//! Matches after their end: the probabilities to win, and a visitor's own bot on a recorded turn. The work is done by the
//! workers of the arena between two matches.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::{Path as FilePath, PathBuf};
use std::sync::atomic::AtomicU64;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::State;
use contest::NotDone;
use game::text::{safe_line, safe_text};
use model::{MatchId, VersionId};
use replay::analysis::Analysis;
use replay::wire::{Trial, Tried};
use review::{Feeder, Patience, Recording, answer_at};
use store::{LeasedSeat, MatchRow, MatchState, VersionState};

use super::{aside, matches, replays};
use crate::extract::{Address, Json, MaybeMe, Path, Submitter};
use crate::guard::limits::Limit;
use crate::{ApiError, App};

/// How long a visitor waits for a worker and its work.
const WAIT: Duration = Duration::from_mins(2);
/// The time of a bot for all answers before the turn, and for its answer.
const PATIENCE: Patience =
    Patience { past: Some(Duration::from_secs(30)), each: None, last: Some(Duration::from_secs(5)) };
/// Most analyses that are kept on disk.
const MOST_KEPT: usize = 20_000;
/// Longest text of a bot, in characters.
const LONGEST_TEXT: usize = 20_000;

/// The visitors whose work is being done or waits: one work each.
#[derive(Default, Debug)]
pub struct Reviews {
    visitors: Arc<Mutex<BTreeSet<IpAddr>>>,
}

/// The place of a visitor; it is free again when this is dropped.
#[derive(Debug)]
struct VisitorPlace {
    visitors: Arc<Mutex<BTreeSet<IpAddr>>>,
    address: IpAddr,
}

impl Reviews {
    fn take_place(&self, address: IpAddr) -> Result<VisitorPlace, ApiError> {
        let visitors = Arc::clone(&self.visitors);
        if !visitors.lock().unwrap_or_else(PoisonError::into_inner).insert(address) {
            return Err(ApiError::too_many("your last request of this kind is not finished", 5));
        }
        Ok(VisitorPlace { visitors, address })
    }
}

impl Drop for VisitorPlace {
    fn drop(&mut self) {
        self.visitors.lock().unwrap_or_else(PoisonError::into_inner).remove(&self.address);
    }
}

/// The file that keeps the analysis of a match; `None` while the match has no record.
fn path_of(app: &App, row: &MatchRow) -> Option<PathBuf> {
    let digest = row.record.as_ref().filter(|_| row.state == MatchState::Done)?;
    let plain = digest.chars().all(|c| c.is_ascii_alphanumeric());
    plain.then(|| app.config.data.join("analyses").join(format!("{digest}.json.gz")))
}

/// Whether the analysis of a match is kept.
pub(super) fn is_kept(app: &App, row: &MatchRow) -> bool {
    path_of(app, row).is_some_and(|path| path.is_file())
}

/// Reads a kept analysis. One that cannot be read is made again.
fn read(path: &FilePath) -> Option<Analysis> {
    let mut text = None;
    catalog::verify::lines(path, |_, line| {
        text = Some(line);
        false
    })
    .ok()?;
    serde_json::from_slice(&text?).ok()
}

/// Keeps an analysis. Where there are too many, the oldest ones go.
fn keep(path: &FilePath, analysis: &Analysis) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(FilePath::new("."));
    std::fs::create_dir_all(folder)?;
    catalog::file::write_one(path, analysis)?;
    let mut kept: Vec<_> = std::fs::read_dir(folder)?
        .filter_map(|entry| {
            let entry = entry.ok()?;
            Some((entry.metadata().ok()?.modified().ok()?, entry.path()))
        })
        .collect();
    kept.sort();
    let excess = kept.len().saturating_sub(MOST_KEPT);
    kept.iter().take(excess).try_for_each(|(_, path)| std::fs::remove_file(path))
}

/// Does work on a worker, between two matches.
async fn between_matches<T: Send + 'static>(
    app: &App,
    work: impl FnOnce(&contest::Station<'_>) -> T + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::time::timeout(WAIT, app.service.between_matches(work)).await {
        Ok(Ok(done)) => Ok(done),
        Ok(Err(NotDone::BrokenOff)) => Err(ApiError::internal(NotDone::BrokenOff)),
        Ok(Err(why)) => Err(ApiError::busy(why.to_string(), 30)),
        Err(_) => Err(ApiError::busy("all workers play matches", 30)),
    }
}

fn no_record() -> ApiError {
    ApiError::conflict("not_yet", "this match is not over", "ask again when it is")
}

/// The probability of each player to win at each turn of a finished match, and the turns that decided it. It is computed when
/// it is first asked for.
#[utoipa::path(post, path = "/matches/{id}/analysis", tag = "matches", params(("id" = i64, Path)), responses(
    (status = 200, description = "`positions` (`turn`, `win`, `known`) and `moments` (`turn`, `seat`, `recorded`, `loss`, `better`, `blunder`), as `agon analyse --json` prints them", body = Object),
))]
pub(crate) async fn analysis(
    State(app): State<App>,
    me: MaybeMe,
    Address(address): Address,
    Path(id): Path<MatchId>,
) -> Result<axum::Json<Analysis>, ApiError> {
    let row = matches::find(&app, id, &me).await?;
    let path = path_of(&app, &row).ok_or_else(no_record)?;
    let file = path.clone();
    if let Some(kept) = aside(move || read(&file)).await? {
        return Ok(axum::Json(kept));
    }
    let place = app.reviews.take_place(address)?;
    let played = replays::read(&app, &row).await?;
    let made = between_matches(&app, move |_| {
        let _place = place;
        let recording = Recording::of(played).map_err(|error| error.to_string())?;
        let analysis = review::analyse(&recording, 1, 1, &AtomicU64::new(0));
        let analysis = analysis.map_err(|error| error.to_string())?;
        if let Err(error) = keep(&path, &analysis) {
            tracing::warn!(target: "agon::server", %error, "an analysis is not kept");
        }
        Ok::<Analysis, String>(analysis)
    });
    made.await?.map(axum::Json).map_err(|why| ApiError::internal(format!("analysis of match {id}: {why}")))
}

/// Runs a version of the client's own bot on the recorded input of its seat. `bot` is `recorded` for the version that played,
/// `newest` for the newest version that is built, `version:ID` for any version or draft of the bot.
#[utoipa::path(post, path = "/matches/{id}/run", tag = "matches", params(("id" = i64, Path)), request_body = Object, responses(
    (status = 200, description = "`bot`, `answered`, `same`, `why`, `stderr`, `time_ms`", body = Object),
))]
pub(crate) async fn run(
    State(app): State<App>,
    Submitter(me): Submitter,
    Address(address): Address,
    Path(id): Path<MatchId>,
    Json(trial): Json<Trial>,
) -> Result<axum::Json<Tried>, ApiError> {
    let row = matches::find(&app, id, &MaybeMe(Some(me.clone()))).await?;
    if row.state != MatchState::Done {
        return Err(no_record());
    }
    let own = row.seats.iter().find(|seat| seat.seat == i64::from(trial.seat) && me.owns(seat.user_id));
    let own =
        own.ok_or_else(|| ApiError::forbidden("this bot is not yours", "choose a seat of your own bot"))?;
    let version = match trial.bot.as_str() {
        "recorded" => app.store.version(own.version_id).await?,
        "newest" => {
            let versions = app.store.versions(own.bot_id, None).await?;
            versions.into_iter().filter(|one| one.state == VersionState::Ready).max_by_key(|one| one.number)
        }
        other => {
            let id = other.strip_prefix("version:").and_then(|id| id.parse().ok()).map(VersionId);
            let found = match id {
                Some(id) => app.store.version(id).await?,
                None => None,
            };
            let usable = |one: &store::Version| one.bot_id == own.bot_id && one.state == VersionState::Ready;
            Some(found.filter(usable).ok_or_else(|| {
                ApiError::bad("there is no such version", "choose `recorded`, `newest` or `version:ID`")
            })?)
        }
    };
    let version = version.ok_or_else(|| ApiError::not_found("version"))?;
    Limit::Test.of_account(&app, &me.name).await?;
    let place = app.reviews.take_place(address)?;
    let played = replays::read(&app, &row).await?;
    let seat = LeasedSeat {
        seat: own.seat,
        version_id: version.id,
        number: version.number,
        language: version.language,
        digest: version.digest,
        program: version.program,
        bot_id: own.bot_id,
        name: own.name.clone(),
        built_in: None,
        user_id: own.user_id,
    };
    let done = between_matches(&app, move |station| {
        let _place = place;
        try_version(station, &seat, played, &trial)
    });
    done.await?.map(axum::Json)
}

/// Runs a version on a recorded turn.
fn try_version(
    station: &contest::Station<'_>,
    seat: &LeasedSeat,
    played: catalog::record::Played,
    trial: &Trial,
) -> Result<Tried, ApiError> {
    let failed = |why: String| {
        ApiError::conflict("bot_failed", safe_text(&why, 4000), "look at the error output of your bot")
    };
    let recording = Recording::of(played).map_err(ApiError::internal)?;
    let asked = recording
        .asked_until(trial.seat, trial.turn)
        .map_err(|error| ApiError::bad(error.to_string(), "choose a turn at which the seat is asked"))?;
    let (program, _hold) = station.program(seat).map_err(failed)?;
    let folder = program.folder.as_ref().map(|folder| format!("{}/", folder.display()));
    // The path of the program reveals the setup of this server.
    let shown = |text: &str| {
        let text = folder.as_ref().map_or_else(|| text.to_owned(), |folder| text.replace(folder, ""));
        safe_text(&text, LONGEST_TEXT)
    };
    let mut feeder =
        Feeder::start(station.sandbox, &program, &station.limits()).map_err(ApiError::internal)?;
    let answered =
        answer_at(&mut feeder, asked, PATIENCE).map_err(|error| failed(shown(&error.to_string())))?;
    let recorded = asked.last().and_then(|asked| asked.answer.clone());
    let line = answered.answer.as_ref().ok();
    Ok(Tried {
        seat: trial.seat,
        turn: trial.turn,
        bot: match seat.number {
            1.. => format!("{} v{}", safe_line(&seat.name, 60), seat.number),
            _ => safe_line(&seat.name, 60),
        },
        answered: line.map(|line| safe_line(&String::from_utf8_lossy(line), LONGEST_TEXT)),
        same: line == recorded.as_ref(),
        why: answered.answer.as_ref().err().map(ToString::to_string),
        stderr: shown(&String::from_utf8_lossy(&answered.stderr)),
        time_ms: answered.wall.as_secs_f64() * 1e3,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_visitor_has_one_place() {
        let reviews = Reviews::default();
        let [first, second] = [1, 2].map(|last| IpAddr::from([10, 0, 0, last]));
        let place = reviews.take_place(first).unwrap();
        assert_eq!(reviews.take_place(first).unwrap_err().code, "too_many");
        assert!(reviews.take_place(second).is_ok());
        drop(place);
        assert!(reviews.take_place(first).is_ok());
    }

    #[test]
    fn an_analysis_is_kept_and_read_again() {
        let folder = testing::scratch();
        let path = folder.path().join("analyses").join("abc.json.gz");
        assert!(read(&path).is_none());
        let analysis = Analysis {
            agon_analysis: 1,
            digest: "abc".to_owned(),
            depth: 1,
            positions: Vec::new(),
            moments: Vec::new(),
        };
        keep(&path, &analysis).unwrap();
        assert_eq!(read(&path).unwrap(), analysis);
        std::fs::write(&path, "damaged").unwrap();
        assert!(read(&path).is_none());
    }
}
