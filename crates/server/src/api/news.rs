//! Turns events of the service into events for listeners.

use std::collections::BTreeSet;
use std::time::Duration;

use contest::Event;
use model::{BotId, LadderKind, MatchId, Tier, UserId};
use store::MatchRow;
use tokio::sync::broadcast;

use super::convert;
use crate::wire::LiveEvent;
use crate::{ApiError, App, error};

/// Shortest time between two events of a board.
const BOARDS_EVERY: Duration = Duration::from_secs(2);

/// Boards that changed: contest, game, tier.
type Boards = BTreeSet<(i64, String, Tier)>;

/// Passes events on until the service is closed.
pub(crate) async fn follow(app: App, mut events: broadcast::Receiver<Event>) {
    let mut boards = Boards::default();
    let mut time_for_boards = tokio::time::interval(BOARDS_EVERY);
    time_for_boards.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
    let failed = |error: ApiError| {
        tracing::warn!(target: "agon::events", error = %error::log_line(&error.message), "an event was not sent");
    };
    loop {
        let came = tokio::select! {
            came = events.recv() => came,
            _ = time_for_boards.tick() => {
                tell_boards(&app, &mut boards).await.unwrap_or_else(failed);
                continue;
            }
        };
        match came {
            Ok(event) => tell(&app, &mut boards, event).await.unwrap_or_else(failed),
            // Events were lost. The store has all data; listeners reload the data that they show.
            Err(broadcast::error::RecvError::Lagged(_)) => app.hub.to_all(&LiveEvent::Missed),
            Err(broadcast::error::RecvError::Closed) => return,
        }
    }
}

/// Sends events for the boards that changed since the last call.
async fn tell_boards(app: &App, boards: &mut Boards) -> Result<(), ApiError> {
    let changed = std::mem::take(boards);
    if changed.is_empty() {
        return Ok(());
    }
    app.responses.forget();
    let contests = app.contests().await?;
    for (contest, game, tier) in changed {
        let event =
            LiveEvent::Board { contest: contests.key_of(contest), game: game.clone(), tier: tier.into() };
        app.hub.to_board(&game, &event);
    }
    Ok(())
}

async fn tell(app: &App, boards: &mut Boards, event: Event) -> Result<(), ApiError> {
    let hub = &app.hub;
    match event {
        Event::MatchStarted { match_id, at, .. } => {
            app.responses.forget();
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
            app.responses.forget();
            if let Some((row, info)) = row(app, match_id).await? {
                for (user, bot) in owners(&row) {
                    hub.to_user(user, &LiveEvent::MyMatch { info: info.clone(), bot: bot.into() });
                }
                if at.kind != LadderKind::Test {
                    hub.to_all(&LiveEvent::MatchDone { info });
                }
            }
        }
        Event::MatchVoid { .. } => {}
        Event::VersionBuilt { user_id, bot_id, version_id, ready } => {
            if let Some(user) = user_id {
                hub.to_user(
                    user,
                    &LiveEvent::VersionBuilt { version: version_id.into(), bot: bot_id.into(), ready },
                );
            }
        }
        Event::Promotion { user_id, bot_id, name, contest_id, game, from_tier, to_tier } => {
            let event = LiveEvent::Promotion {
                bot: convert::bot_ref(bot_id, &name, user_id.is_none()),
                contest: app.contests().await?.key_of(contest_id),
                game,
                from: from_tier.into(),
                to: to_tier.into(),
            };
            hub.to_all(&event);
            if let Some(user) = user_id {
                hub.to_user(user, &event);
            }
        }
        Event::BoardChanged { at } => {
            if at.kind != LadderKind::Test {
                boards.insert((at.contest_id, at.game, at.tier));
            }
        }
        Event::Notice { user_id } => hub.to_user(user_id, &LiveEvent::Notice),
        Event::Contest { contest_id, state } => {
            app.service.forget_contests();
            app.responses.forget();
            let contest = app.contests().await?.key_of(contest_id);
            hub.to_all(&LiveEvent::Contest { contest, state: convert::contest_state(state) });
        }
    }
    Ok(())
}

async fn row(app: &App, id: MatchId) -> Result<Option<(MatchRow, crate::wire::MatchInfo)>, ApiError> {
    let contests = app.contests().await?;
    Ok(app.store.match_row(id).await?.map(|row| {
        let info = convert::match_info(&row, &contests);
        (row, info)
    }))
}

/// The owners of the bots that played, each once, with the bot; for a test, its author alone.
fn owners(row: &MatchRow) -> impl Iterator<Item = (UserId, BotId)> {
    let told = |seat: &&store::SeatRow| seat.part != store::Part::Opponent;
    let mut owners: Vec<(UserId, BotId)> =
        row.seats.iter().filter(told).filter_map(|seat| Some((seat.user_id?, seat.bot_id))).collect();
    owners.sort_unstable();
    owners.dedup();
    owners.into_iter()
}
