//! Making and changing contests. They start and end by themselves: the service compares their times with the clock.

use axum::extract::State;
use axum::http::StatusCode;
use contest::{Final, GameLeagues, Leagues, Settings, Way};
use model::ContestState;
use store::{ContestChange, NewContest};

use super::note;
use crate::extract::{Admin, Json, Path};
use crate::wire::{ContestAsk, ContestGameAsk, ContestPatch, Done};
use crate::{ApiError, App, now_ms};

fn invalid(wrong: impl Into<String>, hint: &str) -> ApiError {
    ApiError::new(StatusCode::BAD_REQUEST, "contest", wrong, hint)
}

fn title(text: &str) -> Result<String, ApiError> {
    let text = text.trim();
    if !(1..=80).contains(&text.chars().count()) || text.chars().any(char::is_control) {
        return Err(invalid("a title has 1 to 80 visible characters", "send another `title`"));
    }
    Ok(game::text::safe_line(text, 80))
}

fn check_key(key: &str) -> Result<(), ApiError> {
    let plain = key.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
    if !(3..=32).contains(&key.len()) || !plain || key.starts_with('-') || key.ends_with('-') {
        return Err(invalid(
            "a key has 3 to 32 small letters, digits and `-` between them",
            "send another `key`",
        ));
    }
    Ok(())
}

fn check_times(starts: i64, ends: i64) -> Result<(), ApiError> {
    const YEAR_MS: i64 = 366 * 24 * 3600 * 1000;
    if starts <= 0 || ends <= starts || ends - starts > YEAR_MS {
        return Err(invalid(
            "a contest ends after it starts, within a year",
            "send `starts` and `ends` in milliseconds since 1970",
        ));
    }
    Ok(())
}

/// The leagues of a game in a contest, in their order; the last one is the top.
fn leagues(ask: &ContestGameAsk) -> Result<GameLeagues, ApiError> {
    let usual = Leagues::usual().of(&ask.game).ok_or_else(|| {
        let known: Vec<&str> = Leagues::usual().0.iter().map(|game| game.game.as_str()).collect();
        invalid(
            format!("there is no game `{}`", game::text::safe_line(&ask.game, 40)),
            &format!("choose from: {}", known.join(", ")),
        )
    })?;
    let mut taken = usual.clone();
    if let Some(keys) = ask.leagues.as_deref().filter(|keys| !keys.is_empty()) {
        if let Some(unknown) = keys.iter().find(|key| !usual.leagues.iter().any(|league| league.key == **key))
        {
            let known: Vec<&str> = usual.leagues.iter().map(|league| league.key.as_str()).collect();
            let wrong = format!("{} has no league `{}`", ask.game, game::text::safe_line(unknown, 40));
            return Err(invalid(wrong, &format!("choose from: {}", known.join(", "))));
        }
        taken.leagues.retain(|league| keys.contains(&league.key));
        if let Some(last) = taken.leagues.last_mut().filter(|last| last.way == Way::Ladder) {
            last.way = Way::Top;
        }
    }
    Ok(taken)
}

fn described(text: Option<&crate::wire::Text>) -> model::Text {
    text.map(|text| model::Text { en: text.en.trim().to_owned(), fr: text.fr.trim().to_owned() })
        .unwrap_or_default()
}

/// Create a contest.
#[utoipa::path(post, path = "/admin/contests", tag = "admin", request_body = ContestAsk,
    responses((status = 200, body = Done)))]
pub(super) async fn make(
    State(app): State<App>,
    Admin(who): Admin,
    Json(ask): Json<ContestAsk>,
) -> Result<Json<Done>, ApiError> {
    check_key(&ask.key)?;
    check_times(ask.starts, ask.ends)?;
    let games = Leagues(ask.games.iter().map(leagues).collect::<Result<_, _>>()?);
    let number = |value: i64| u32::try_from(value).unwrap_or(0);
    let finals = Final { top: number(ask.final_top), matches: number(ask.final_matches) };
    let mut settings = Settings {
        games,
        finals,
        about: described(ask.about.as_ref()),
        prizes: described(ask.prizes.as_ref()),
        team_size: ask.team_size.unwrap_or(1),
        more: serde_json::Map::new(),
    };
    for game in &ask.games {
        if let Some(edition) = &game.edition {
            settings = settings.with_edition(&game.game, edition);
        }
    }
    settings.check().map_err(|wrong| {
        invalid(game::text::safe_line(&wrong.to_string(), 300), "change `games` or the final")
    })?;
    let new = NewContest {
        key: ask.key.clone(),
        title: title(&ask.title)?,
        starts: Some(ask.starts),
        ends: Some(ask.ends),
        invited_only: ask.invited_only,
        settings: serde_json::to_value(&settings).map_err(ApiError::internal)?,
        state: ContestState::Planned,
    };
    app.store.create_contest(&new, now_ms()).await.map_err(|error| match error.kind {
        store::ErrorKind::Conflict => ApiError::conflict(
            "key_taken",
            format!("there is already a contest `{}`", ask.key),
            "send another `key`",
        ),
        _ => error.into(),
    })?;
    changed(&app);
    note(&app, &who, format!("contest {} made", ask.key)).await?;
    Ok(Json(Done::YES))
}

/// Makes a change visible to everybody at once.
fn changed(app: &App) {
    app.service.forget_contests();
    app.responses.forget();
}

async fn planned(app: &App, key: &str) -> Result<store::Contest, ApiError> {
    let contest = app.store.contest_by_key(key).await?.ok_or_else(|| ApiError::not_found("contest"))?;
    if contest.key == contest::PERMANENT {
        return Err(ApiError::conflict(
            "standing",
            "the permanent contest has no start and no end",
            "make one of your own",
        ));
    }
    Ok(contest)
}

/// Change a contest: its title and whether an invitation is needed at any time, its start until it has started, its end until
/// it has ended.
#[utoipa::path(patch, path = "/admin/contests/{key}", tag = "admin", params(("key" = String, Path, description = "its key")),
    request_body = ContestPatch, responses((status = 200, body = Done)))]
pub(super) async fn change(
    State(app): State<App>,
    Admin(who): Admin,
    Path(key): Path<String>,
    Json(patch): Json<ContestPatch>,
) -> Result<Json<Done>, ApiError> {
    let contest = planned(&app, &key).await?;
    let late = |what: &str| {
        ApiError::conflict("too_late", format!("the contest has {what} already"), "leave this time as it is")
    };
    if patch.starts.is_some() && contest.state != ContestState::Planned {
        return Err(late("started"));
    }
    if patch.ends.is_some() && !matches!(contest.state, ContestState::Planned | ContestState::Running) {
        return Err(late("ended"));
    }
    if patch.starts.is_some() || patch.ends.is_some() {
        let starts = patch.starts.or(contest.starts).unwrap_or_default();
        check_times(starts, patch.ends.or(contest.ends).unwrap_or_default())?;
    }
    let settings = if patch.about.is_some() || patch.prizes.is_some() {
        let mut settings: Settings =
            serde_json::from_value(contest.settings.clone()).map_err(ApiError::internal)?;
        if patch.about.is_some() {
            settings.about = described(patch.about.as_ref());
        }
        if patch.prizes.is_some() {
            settings.prizes = described(patch.prizes.as_ref());
        }
        settings
            .check()
            .map_err(|wrong| invalid(game::text::safe_line(&wrong.to_string(), 300), "shorten the text"))?;
        Some(serde_json::to_value(&settings).map_err(ApiError::internal)?)
    } else {
        None
    };
    let change = ContestChange {
        title: patch.title.as_deref().map(title).transpose()?,
        starts: patch.starts.map(Some),
        ends: patch.ends.map(Some),
        invited_only: patch.invited_only,
        settings,
    };
    app.store.change_contest(contest.id, &change).await?;
    changed(&app);
    note(&app, &who, format!("contest {key} changed")).await?;
    Ok(Json(Done::YES))
}

/// End a running contest now: no more bots are taken, and the final is played.
#[utoipa::path(post, path = "/admin/contests/{key}/finish", tag = "admin", params(("key" = String, Path, description = "its key")),
    responses((status = 200, body = Done)))]
pub(super) async fn finish(
    State(app): State<App>,
    Admin(who): Admin,
    Path(key): Path<String>,
) -> Result<Json<Done>, ApiError> {
    let contest = planned(&app, &key).await?;
    let now = now_ms();
    if contest.state != ContestState::Running || contest.starts.is_some_and(|starts| starts >= now) {
        return Err(ApiError::conflict(
            "not_running",
            "only a running contest can be ended",
            "look at its state",
        ));
    }
    // The service does the rest when it next looks at the clock.
    let change = ContestChange { ends: Some(Some(now)), ..ContestChange::default() };
    app.store.change_contest(contest.id, &change).await?;
    changed(&app);
    note(&app, &who, format!("contest {key} ended")).await?;
    Ok(Json(Done::YES))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask(game: &str, keys: Option<&[&str]>) -> ContestGameAsk {
        let leagues = keys.map(|keys| keys.iter().map(|&key| key.to_owned()).collect());
        ContestGameAsk { game: game.to_owned(), leagues, edition: None }
    }

    #[test]
    fn a_contest_takes_some_leagues_of_a_game() {
        let all = leagues(&ask("hypersonic", None)).unwrap();
        assert_eq!(all, *Leagues::usual().of("hypersonic").unwrap());
        let two = leagues(&ask("hypersonic", Some(&["bronze", "wood-1"]))).unwrap();
        let keys: Vec<&str> = two.leagues.iter().map(|league| league.key.as_str()).collect();
        assert_eq!(keys, ["wood-1", "bronze"]);
        assert_eq!(two.leagues[1].way, Way::Top);
        assert!(Leagues(vec![two]).check().is_ok());
        assert!(leagues(&ask("hypersonic", Some(&["platinum"]))).unwrap_err().hint.contains("legend"));
        assert!(leagues(&ask("chess", None)).unwrap_err().hint.contains("back-track"));
    }

    #[test]
    fn keys_titles_and_times_are_checked() {
        for good in ["abc", "class-2026"] {
            assert!(check_key(good).is_ok(), "{good}");
        }
        for bad in ["", "ab", "A-b", "-abc", "abc-", "a/b", "../x", "a b c", "é-accent"] {
            assert!(check_key(bad).is_err(), "{bad}");
        }
        assert!(title(" Spring ").is_ok_and(|title| title == "Spring"));
        assert!(title("").is_err() && title("a\nb").is_err() && title(&"x".repeat(81)).is_err());
        assert!(check_times(1000, 2000).is_ok());
        for (starts, ends) in [(0, 5), (5, 5), (6, 5), (1, i64::MAX)] {
            assert!(check_times(starts, ends).is_err());
        }
    }
}
