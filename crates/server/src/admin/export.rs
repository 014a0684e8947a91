//! Exports of a contest: the boards as CSV, everything as JSON, the records of all matches. Each export is streamed
//! while it is read. The organiser may export at any time, everybody once the contest is closed. Records of others
//! are redacted (`replay::redact`).

use std::cmp::Reverse;

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use model::{ContestState, LadderKind};
use serde_json::{Value, json};
use store::{BoardQuery, BoardRow, Ladder, MatchRow};
use tokio::sync::mpsc;
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use crate::api::{convert, replays};
use crate::contests::{ContestEntry, ContestLookup as _, Contests, LeagueLookup as _};
use crate::error::log_line;
use crate::extract::{MaybeMe, Path};
use crate::wire::Role;
use crate::{ApiError, App, now_ms};

/// Matches read at once.
const CHUNK: i64 = 200;

/// A contest to export, and the rights of the client.
struct Export {
    app: App,
    contests: std::sync::Arc<Contests>,
    known: std::sync::Arc<ContestEntry>,
    /// Whether the client is an organiser.
    all: bool,
}

type Line = Result<Bytes, std::io::Error>;

impl Export {
    async fn open(app: App, who: MaybeMe, key: &str) -> Result<Export, ApiError> {
        let contests = app.contests().await?;
        let known = std::sync::Arc::clone(contests.by_key(Some(key))?);
        let all = who.0.is_some_and(|who| who.role == Role::Admin && who.may("admin"));
        if !all && known.contest.state != ContestState::Closed {
            return Err(ApiError::new(
                StatusCode::FORBIDDEN,
                "not_closed",
                "a contest can be taken home when it is closed",
                "come back when its board stands",
            ));
        }
        Ok(Export { app, contests, known, all })
    }

    /// Ladders of all games, one after the other.
    async fn ladders(&self) -> Result<Vec<Ladder>, ApiError> {
        let mut ladders = Vec::new();
        for of in &self.known.settings.games.0 {
            let mut here = self.app.store.ladders(self.known.contest.id, &of.game).await?;
            here.retain(|ladder| matches!(ladder.kind, LadderKind::Ladder | LadderKind::Final));
            here.sort_by_key(|ladder| {
                (ladder.kind != LadderKind::Final, Reverse(ladder.tier), ladder.players)
            });
            ladders.extend(here);
        }
        Ok(ladders)
    }

    async fn board(&self, ladder: &Ladder) -> Result<Vec<BoardRow>, ApiError> {
        let mut rows = Vec::new();
        for page in 0.. {
            let board = self
                .app
                .store
                .leaderboard(ladder.id, &BoardQuery { page, size: 100, search: String::new() })
                .await?;
            let last = board.rows.len() < 100;
            rows.extend(board.rows);
            if last {
                break;
            }
        }
        Ok(rows)
    }

    /// The next matches of the log, and the position after them.
    async fn matches(&self, after: i64) -> Result<Option<(Vec<MatchRow>, i64)>, ApiError> {
        let mut rows = self.app.store.matches_of_contest(self.known.contest.id, after, CHUNK).await?;
        let Some(last) = rows.iter().filter_map(|row| row.seq).max() else { return Ok(None) };
        // Test matches of a version are visible to its author only.
        rows.retain(|row| self.all || convert::may_see(row, None));
        Ok(Some((rows, last)))
    }

    /// The key of the league of a ladder.
    fn league(&self, ladder: &Ladder) -> String {
        let leagues = self.known.settings.games.of(&ladder.game);
        leagues
            .and_then(|leagues| leagues.league(ladder.tier))
            .map_or_else(String::new, |league| league.key.clone())
    }

    async fn csv(self, out: mpsc::Sender<Line>) -> Result<(), ApiError> {
        let head = "game,league,players,kind,place,name,built_in,language,rating,uncertainty,proven,games,wins,draws,losses,failures\r\n";
        if !say(&out, head.to_owned()).await {
            return Ok(());
        }
        for ladder in self.ladders().await? {
            let league = self.league(&ladder);
            let mut table =
                csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
            for row in self.board(&ladder).await? {
                let line = (
                    (&ladder.game, &league, ladder.players, ladder.kind.word(), row.place),
                    (
                        field(&row.name),
                        row.built_in.is_some(),
                        field(&row.language),
                        row.tally.rating,
                        row.tally.uncertainty,
                        row.tally.proven,
                    ),
                    (row.tally.games, row.tally.wins, row.tally.draws, row.tally.losses, row.tally.failures),
                );
                table.serialize(line).map_err(ApiError::internal)?;
            }
            let text = table.into_inner().map_err(ApiError::internal)?;
            if !say(&out, String::from_utf8(text).map_err(ApiError::internal)?).await {
                return Ok(());
            }
        }
        Ok(())
    }

    async fn json(self, out: mpsc::Sender<Line>) -> Result<(), ApiError> {
        let mut boards = Vec::new();
        for ladder in self.ladders().await? {
            let leagues = self.known.game(&ladder.game)?;
            let rows: Vec<Value> = self
                .board(&ladder)
                .await?
                .iter()
                .map(|row| json!(convert::board_row(row, leagues)))
                .collect();
            boards.push(json!({
                "game": ladder.game, "league": self.league(&ladder), "players": ladder.players, "kind": ladder.kind.word(), "rows": rows,
            }));
        }
        let head = json!({
            "contest": convert::contest(&self.known), "games": convert::games(&self.known), "exported": now_ms(), "boards": boards,
        });
        let head = head.to_string();
        // The JSON object is not closed yet: the matches follow, one by one.
        if !say(&out, format!("{},\n\"matches\":[", head.strip_suffix("}").unwrap_or(&head))).await {
            return Ok(());
        }
        let (mut after, mut comma) = (0, "\n");
        while let Some((rows, last)) = self.matches(after).await? {
            let mut text = String::new();
            for row in &rows {
                let info = serde_json::to_string(&convert::match_info(row, &self.contests))
                    .map_err(ApiError::internal)?;
                text.push_str(comma);
                text.push_str(&info);
                comma = ",\n";
            }
            if !say(&out, text).await {
                return Ok(());
            }
            after = last;
        }
        say(&out, "\n]}\n".to_owned()).await;
        Ok(())
    }

    async fn records(self, out: mpsc::Sender<Line>) -> Result<(), ApiError> {
        let mut after = 0;
        while let Some((rows, last)) = self.matches(after).await? {
            for row in rows.into_iter().filter(|row| row.record.is_some()) {
                let record = replays::public_record(&self.app, row).await?;
                let end_of_line = tokio_stream::once(Ok(Bytes::from_static(b"\n")));
                let mut pieces = record.text_pieces().chain(end_of_line);
                while let Some(piece) = pieces.next().await {
                    if out.send(piece).await.is_err() {
                        return Ok(());
                    }
                }
            }
            after = last;
        }
        Ok(())
    }
}

/// Sends a piece; false when the client is gone.
async fn say(out: &mpsc::Sender<Line>, text: String) -> bool {
    text.is_empty() || out.send(Ok(text.into())).await.is_ok()
}

/// A name in a CSV file. A text that a spreadsheet would read as a formula gets a prefix.
fn field(text: &str) -> String {
    let text = game::text::safe_line(text, 60);
    if text.starts_with(['=', '+', '-', '@']) { format!("'{text}") } else { text }
}

/// Streams the pieces that `work` sends. When `work` fails, the answer is aborted, so that half a file does not look
/// complete.
fn stream<W>(
    kind: &'static str,
    name: &str,
    work: impl FnOnce(mpsc::Sender<Line>) -> W,
) -> Result<Response, ApiError>
where
    W: Future<Output = Result<(), ApiError>> + Send + 'static,
{
    let (sender, receiver) = mpsc::channel::<Line>(4);
    let broken = sender.clone();
    let work = work(sender);
    tokio::spawn(async move {
        if let Err(problem) = work.await {
            tracing::error!(target: "agon::server", error = %log_line(&problem.message), "an export broke off");
            let _ = broken.send(Err(std::io::Error::other("broken off"))).await;
        }
    });
    let name =
        HeaderValue::try_from(format!("attachment; filename=\"{name}\"")).map_err(ApiError::internal)?;
    let headers =
        [(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CONTENT_DISPOSITION, name)];
    Ok((headers, Body::from_stream(ReceiverStream::new(receiver))).into_response())
}

/// The boards of a contest as a table.
#[utoipa::path(get, path = "/contests/{key}/export.csv", tag = "contests", params(("key" = String, Path, description = "its key")),
    responses((status = 200, description = "CSV", body = String, content_type = "text/csv")))]
pub(super) async fn csv(
    State(app): State<App>,
    who: MaybeMe,
    Path(key): Path<String>,
) -> Result<Response, ApiError> {
    let export = Export::open(app, who, &key).await?;
    let name = format!("{}.csv", export.known.contest.key);
    stream("text/csv; charset=utf-8", &name, |out| export.csv(out))
}

/// A contest with its boards and all matches.
#[utoipa::path(get, path = "/contests/{key}/export.json", tag = "contests", params(("key" = String, Path, description = "its key")),
    responses((status = 200, description = "`contest`, `games`, `boards`, `matches`", body = Object)))]
pub(super) async fn json(
    State(app): State<App>,
    who: MaybeMe,
    Path(key): Path<String>,
) -> Result<Response, ApiError> {
    let export = Export::open(app, who, &key).await?;
    let name = format!("{}.json", export.known.contest.key);
    stream("application/json", &name, |out| export.json(out))
}

/// The records of all matches, one on a line, in the order in which they were recorded.
#[utoipa::path(get, path = "/contests/{key}/export/records", tag = "contests", params(("key" = String, Path, description = "its key")),
    responses((status = 200, description = "a record on each line", body = String, content_type = "application/x-ndjson")))]
pub(super) async fn records(
    State(app): State<App>,
    who: MaybeMe,
    Path(key): Path<String>,
) -> Result<Response, ApiError> {
    let export = Export::open(app, who, &key).await?;
    let name = format!("{}-records.jsonl", export.known.contest.key);
    stream("application/x-ndjson", &name, |out| export.records(out))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exported_tables_contain_no_formulas() {
        assert_eq!(field("ada.lovelace"), "ada.lovelace");
        assert_eq!(field("=1+1"), "'=1+1");
        assert_eq!(field("@sum"), "'@sum");
        assert_eq!(field("a\r\nb"), "a\u{FFFD}\u{FFFD}b");
    }
}
