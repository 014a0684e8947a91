//! From what happens in the hall to what listeners are told.

use contest::Event;
use store::{ContestState, LadderKind, MatchRow};
use tokio::sync::broadcast;

use super::convert;
use super::events::Boards;
use crate::wire::LiveEvent;
use crate::{App, Problem, problem};

/// Hands on what happens until the hall is closed.
pub(crate) async fn follow(app: App, mut events: broadcast::Receiver<Event>) {
    let mut boards = Boards::default();
    loop {
        match events.recv().await {
            Ok(event) => {
                if let Err(error) = tell(&app, &mut boards, event).await {
                    problem::log(&format!("an event was not told: {}", error.message));
                }
            }
            // The store knows everything; listeners read again what they show.
            Err(broadcast::error::RecvError::Lagged(_)) => app.hub.to_all(&LiveEvent::Missed),
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}

async fn tell(app: &App, boards: &mut Boards, event: Event) -> Result<(), Problem> {
    let hub = &app.hub;
    match event {
        Event::MatchStarted { match_id, at, .. } => {
            if let Some((row, info)) = row(app, match_id).await? {
                let event = LiveEvent::MatchStarted { info };
                if at.kind == LadderKind::Test {
                    owners(&row).for_each(|(user, _)| hub.to_user(user, &event));
                } else {
                    hub.to_all(&event);
                }
            }
        }
        Event::MatchDone { match_id, at, .. } => {
            if let Some((row, info)) = row(app, match_id).await? {
                for (user, bot) in owners(&row) {
                    hub.to_user(user, &LiveEvent::MyMatch { info: info.clone(), bot });
                }
                if at.kind != LadderKind::Test {
                    hub.to_all(&LiveEvent::MatchDone { info });
                }
            }
        }
        Event::MatchVoid { .. } => {}
        Event::VersionBuilt { user_id, bot_id, version_id, ready } => {
            if let Some(user) = user_id {
                hub.to_user(user, &LiveEvent::VersionBuilt { version: version_id, bot: bot_id, ready });
            }
        }
        Event::Promotion { user_id, bot_id, name, contest_id, game, from_league, to_league } => {
            let event = LiveEvent::Promotion {
                bot: convert::bot_ref(bot_id, &name, user_id.is_none()),
                contest: app.contests().await?.key_of(contest_id),
                game,
                from: from_league,
                to: to_league,
            };
            hub.to_all(&event);
            if let Some(user) = user_id {
                hub.to_user(user, &event);
            }
        }
        Event::BoardChanged { at } => {
            if at.kind != LadderKind::Test && boards.is_due(at.contest_id, &at.game, at.league) {
                let contest = app.contests().await?.key_of(at.contest_id);
                hub.to_board(
                    &at.game,
                    &LiveEvent::Board { contest, game: at.game.clone(), league: at.league },
                );
            }
        }
        Event::Notice { user_id } => hub.to_user(user_id, &LiveEvent::Notice),
        Event::Contest { contest_id, state } => {
            app.book.forget();
            app.site.forget().await;
            let contest = app.contests().await?.key_of(contest_id);
            let state = match state {
                ContestState::Planned => crate::wire::ContestState::Planned,
                ContestState::Running => crate::wire::ContestState::Running,
                ContestState::Final => crate::wire::ContestState::Final,
                ContestState::Closed => crate::wire::ContestState::Closed,
            };
            hub.to_all(&LiveEvent::Contest { contest, state });
        }
    }
    Ok(())
}

async fn row(app: &App, id: i64) -> Result<Option<(MatchRow, crate::wire::MatchInfo)>, Problem> {
    let contests = app.contests().await?;
    Ok(app.store.match_row(id).await?.map(|row| {
        let info = convert::match_info(&row, &contests);
        (row, info)
    }))
}

/// Whose bots played, each once, with the bot.
fn owners(row: &MatchRow) -> impl Iterator<Item = (i64, i64)> {
    let mut owners: Vec<(i64, i64)> =
        row.seats.iter().filter_map(|seat| Some((seat.user_id?, seat.bot_id))).collect();
    owners.sort_unstable();
    owners.dedup();
    owners.into_iter()
}
