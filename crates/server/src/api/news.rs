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
                    for (user, _) in owners(app, &row).await? {
                        hub.to_user(user, &event);
                    }
                } else {
                    hub.to_all(&event);
                }
            }
        }
        Event::MatchDone { match_id, at, .. } => {
            app.responses.forget();
            if let Some((row, info)) = row(app, match_id).await? {
                for (user, bot) in owners(app, &row).await? {
                    hub.to_user(user, &LiveEvent::MyMatch { info: info.clone(), bot: bot.into() });
                }
                if at.kind != LadderKind::Test {
                    hub.to_all(&LiveEvent::MatchDone { info });
                }
            }
        }
        Event::MatchVoid { .. } => {}
        Event::VersionBuilt { user_id, bot_id, version_id, ready } => {
            let event = LiveEvent::VersionBuilt { version: version_id.into(), bot: bot_id.into(), ready };
            if let Some(user) = user_id {
                to_people(app, user, &event).await?;
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
                to_people(app, user, &event).await?;
            }
        }
        Event::BoardChanged { at } => {
            if at.kind != LadderKind::Test {
                boards.insert((at.contest_id, at.game, at.tier));
            }
        }
        Event::Notice { user_id } => to_people(app, user_id, &LiveEvent::Notice).await?,
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

/// The people whose bots played, each once, with the bot; for a test, its author alone.
async fn owners(app: &App, row: &MatchRow) -> Result<Vec<(UserId, BotId)>, ApiError> {
    let told = |seat: &&store::SeatRow| seat.part != store::Part::Opponent;
    let mut accounts: Vec<(UserId, BotId)> =
        row.seats.iter().filter(told).filter_map(|seat| Some((seat.user_id?, seat.bot_id))).collect();
    accounts.sort_unstable();
    accounts.dedup();
    let mut owners = Vec::new();
    for (account, bot) in accounts {
        owners.extend(app.store.people(account).await?.into_iter().map(|person| (person, bot)));
    }
    Ok(owners)
}

/// Sends an event to a user, or to all members of a team.
async fn to_people(app: &App, account: UserId, event: &LiveEvent) -> Result<(), ApiError> {
    for person in app.store.people(account).await? {
        app.hub.to_user(person, event);
    }
    Ok(())
}
