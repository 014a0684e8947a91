//! Tests of code that is not submitted.

use axum::extract::State;
use axum::http::StatusCode;
use contest::{DraftTest, MOST_TESTS, TestOpponent};
use model::{BotId, VersionId};

use super::versions::{check_queue, check_source, may_enter};
use super::{convert, site};
use crate::contests::{ContestLookup as _, LeagueLookup as _};
use crate::extract::{Json, Submitter};
use crate::guard::limits::Limit;
use crate::wire::{DraftTestAsk, VersionInfo};
use crate::{ApiError, App};

/// Most opponents of a test.
const MOST_OPPONENTS: usize = 8;

/// Builds code without submitting it, and plays test matches, which only you can see. A new test of the same bot ends the
/// matches of the last one that are not over. `GET /versions/{id}` shows the build log and the matches.
#[utoipa::path(post, path = "/tests", tag = "bots", request_body = DraftTestAsk, responses(
    (status = 201, body = VersionInfo),
))]
pub(crate) async fn test_draft(
    State(app): State<App>,
    Submitter(me): Submitter,
    Json(ask): Json<DraftTestAsk>,
) -> Result<(StatusCode, Json<VersionInfo>), ApiError> {
    let contests = app.contests().await?;
    let known = contests.by_key(ask.contest.as_deref())?;
    known.game(&ask.game)?;
    check_source(&ask.source)?;
    let matches = ask.matches.unwrap_or(1);
    if matches > MOST_TESTS || ask.opponents.len() > MOST_OPPONENTS {
        return Err(ApiError::bad(
            "too many matches or opponents",
            format!("at most {MOST_TESTS} matches and {MOST_OPPONENTS} opponents"),
        ));
    }
    let seed = ask.seed.as_deref().map(str::parse::<i64>).transpose();
    let seed = seed.map_err(|_| ApiError::bad("the seed is not a number", "send an integer of 64 bits"))?;
    let opponents = ask.opponents.iter().map(|word| opponent(word)).collect::<Result<_, _>>()?;
    let language = site::language(&app, &ask.language).await?;
    may_enter(&app, known, &me).await?;
    Limit::Test.of_account(&app, &me.name).await?;
    check_queue(&app).await?;
    let test = DraftTest {
        contest_id: known.contest.id,
        game: ask.game,
        user_id: app.store.entrant_of(known.contest.id, me.id).await?,
        language,
        source: ask.source,
        opponents,
        players: ask.players,
        seat: ask.seat,
        seed,
        matches,
    };
    let draft = app.service.test_draft(&test).await?;
    Ok((StatusCode::CREATED, Json(convert::version_info(&draft, None))))
}

/// Reads an opponent.
fn opponent(word: &str) -> Result<TestOpponent, ApiError> {
    let id = |text: &str| text.parse::<i64>().ok();
    let found = match word.split_once(':') {
        None if word == "boss" => Some(TestOpponent::Boss),
        None => word.strip_prefix('@').map(|name| TestOpponent::BuiltIn(name.to_owned())),
        Some(("version", text)) => id(text).map(VersionId).map(TestOpponent::Version),
        Some(("bot", text)) => id(text).map(BotId).map(TestOpponent::Bot),
        Some(_) => None,
    };
    found.ok_or_else(|| {
        ApiError::bad("there is no such opponent", "choose `boss`, `@NAME`, `version:ID` or `bot:ID`")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn opponents_are_read() {
        assert_eq!(opponent("boss").unwrap(), TestOpponent::Boss);
        assert_eq!(opponent("@random").unwrap(), TestOpponent::BuiltIn("random".to_owned()));
        assert_eq!(opponent("version:7").unwrap(), TestOpponent::Version(VersionId(7)));
        assert_eq!(opponent("bot:8").unwrap(), TestOpponent::Bot(BotId(8)));
        for word in ["", "random", "bot:", "bot:x", "user:1"] {
            assert_eq!(opponent(word).unwrap_err().code, "bad_request", "{word}");
        }
    }
}
