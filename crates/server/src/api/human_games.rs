//! Games of persons against the boss.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use game::Fault;
use model::UserId;
use replay::HumanGame;
use replay::wire::{Challenge, Replay, Reply};
use tokio::sync::Semaphore;

use crate::contests::{ContestLookup as _, LeagueLookup as _};
use crate::extract::{Address, Json, MaybeMe, Path};
use crate::wire::{ErrorBody, TableAsk, TableLine};
use crate::{ApiError, App};

/// HumanGames one person may sit at; the one left alone longest is cleared for a new one.
const MOST_EACH: usize = 3;
/// HumanGames in all.
const MOST: usize = 400;
/// A table nobody touched for so long is cleared.
const LEFT_ALONE: Duration = Duration::from_mins(30);

/// PlayerInfo sits at a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    User(UserId),
    Visitor(IpAddr),
}

#[derive(Debug)]
struct Taken {
    owner: Owner,
    touched: Instant,
    table: Arc<Mutex<HumanGame>>,
}

/// All tables.
#[derive(Debug)]
pub struct HumanGames {
    taken: Mutex<BTreeMap<u64, Taken>>,
    /// Bosses that may think at the same time: the clocks of the matches come first.
    thinking: Arc<Semaphore>,
}

impl Default for HumanGames {
    fn default() -> HumanGames {
        HumanGames { taken: Mutex::default(), thinking: Arc::new(Semaphore::new(1)) }
    }
}

impl HumanGames {
    fn taken(&self) -> MutexGuard<'_, BTreeMap<u64, Taken>> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Makes room for one more table of `owner`.
    fn make_room(&self, owner: Owner) -> Result<(), ApiError> {
        let mut taken = self.taken();
        taken.retain(|_, table| table.touched.elapsed() < LEFT_ALONE);
        let own = |taken: &BTreeMap<u64, Taken>| {
            let mut own: Vec<(Instant, u64)> = taken
                .iter()
                .filter(|(_, table)| table.owner == owner)
                .map(|(id, table)| (table.touched, *id))
                .collect();
            own.sort_unstable();
            own
        };
        let own = own(&taken);
        for (_, id) in own.iter().take((own.len() + 1).saturating_sub(MOST_EACH)) {
            taken.remove(id);
        }
        if taken.len() >= MOST {
            return Err(ApiError::busy("all tables are taken", 60));
        }
        Ok(())
    }

    fn put(&self, owner: Owner, table: HumanGame) -> Result<(u64, Arc<Mutex<HumanGame>>), ApiError> {
        // Nobody can guess it; JavaScript counts to 2^53 only.
        let id = getrandom::u64().map_err(ApiError::internal)? >> 11;
        let table = Arc::new(Mutex::new(table));
        self.taken().insert(id, Taken { owner, touched: Instant::now(), table: Arc::clone(&table) });
        Ok((id, table))
    }

    fn find(&self, id: u64, owner: Owner) -> Result<Arc<Mutex<HumanGame>>, ApiError> {
        let mut taken = self.taken();
        let found = taken.get_mut(&id).filter(|table| table.owner == owner);
        let found = found.ok_or_else(|| {
            ApiError::new(
                axum::http::StatusCode::NOT_FOUND,
                "no_table",
                "there is no such table, or it was cleared",
                "POST /api/v1/human-games for a new one",
            )
        })?;
        found.touched = Instant::now();
        Ok(Arc::clone(&found.table))
    }

    /// Work with a table, off the threads that serve, and not too much of it at once.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, String> + Send + 'static,
    ) -> Result<T, ApiError> {
        let thinking = Arc::clone(&self.thinking);
        let waited = tokio::time::timeout(Duration::from_secs(5), thinking.acquire_owned()).await;
        let Ok(Ok(permit)) = waited else {
            return Err(ApiError::busy("too many games against bosses at this step", 5));
        };
        let done = super::aside(move || {
            let _permit = permit;
            work()
        });
        done.await?.map_err(|why| {
            ApiError::bad(game::text::safe_line(&why, 500), "look at /api/v1/site for what can be played")
        })
    }
}

fn owner(me: &MaybeMe, address: Address) -> Owner {
    me.0.as_ref().map_or(Owner::Visitor(address.0), |signed| Owner::User(signed.id))
}

fn lock(table: &Mutex<HumanGame>) -> MutexGuard<'_, HumanGame> {
    table.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sits down to a game against the boss of a league.
#[utoipa::path(post, path = "/human-games", tag = "human-games", request_body = TableAsk, responses(
    (status = 200, description = "The first question: `id`, `steps`, `asked`, `end`", body = Object),
    (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 503, body = ErrorBody),
))]
pub(crate) async fn sit(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Json(ask): Json<TableAsk>,
) -> Result<axum::Json<Reply>, ApiError> {
    let contests = app.contests().await?;
    let league = contests.by_key(ask.contest.as_deref())?.league(&ask.game, ask.league)?;
    let challenge = Challenge {
        game: ask.game.clone(),
        league: Some(league.rules),
        edition: Some(league.edition.clone()),
        players: ask.players.or_else(|| league.players.first().copied()),
        seed: ask.seed,
        seat: ask.seat.or(league.seat).unwrap_or(0),
        opponent: league.boss.clone(),
        seconds: ask.seconds,
    };
    let owner = owner(&me, address);
    app.human_games.make_room(owner)?;
    let fresh = i64::from(getrandom::u32().map_err(ApiError::internal)?);
    let table = app.human_games.work(move || HumanGame::new(&challenge, fresh)).await?;
    let (id, table) = app.human_games.put(owner, table)?;
    let reply = lock(&table).reply(id as usize);
    Ok(axum::Json(reply))
}

/// What is asked now.
#[utoipa::path(get, path = "/human-games/{id}", tag = "human-games", params(("id" = u64, Path)), responses(
    (status = 200, description = "`id`, `steps` that were not told yet, `asked`, `end`", body = Object),
    (status = 404, body = ErrorBody),
))]
pub(crate) async fn table(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
) -> Result<axum::Json<Reply>, ApiError> {
    let table = app.human_games.find(id, owner(&me, address))?;
    super::aside(move || lock(&table).reply(id as usize)).await.map(axum::Json)
}

/// The game so far: what the person may know while it goes on, everything when it is over.
#[utoipa::path(get, path = "/human-games/{id}/replay", tag = "human-games", params(("id" = u64, Path)), responses(
    (status = 200, description = "A replay, as of a match", body = Object), (status = 404, body = ErrorBody),
))]
pub(crate) async fn replay(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
) -> Result<axum::Json<Replay>, ApiError> {
    let table = app.human_games.find(id, owner(&me, address))?;
    super::aside(move || lock(&table).replay()).await.map(axum::Json)
}

/// What would be wrong with an answer.
#[utoipa::path(post, path = "/human-games/{id}/check", tag = "human-games", params(("id" = u64, Path)), request_body = TableLine, responses(
    (status = 200, description = "The faults; none when all is well", body = Vec<Object>), (status = 404, body = ErrorBody),
))]
pub(crate) async fn check(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
    Json(TableLine { line }): Json<TableLine>,
) -> Result<axum::Json<Vec<Fault>>, ApiError> {
    let table = app.human_games.find(id, owner(&me, address))?;
    super::aside(move || lock(&table).check(line.as_deref().unwrap_or_default())).await.map(axum::Json)
}

/// An answer; the boss goes on until the person is asked again.
#[utoipa::path(post, path = "/human-games/{id}/answer", tag = "human-games", params(("id" = u64, Path)), request_body = TableLine, responses(
    (status = 200, description = "`id`, `steps`, `asked` (nothing when it is over), `end`", body = Object),
    (status = 400, body = ErrorBody), (status = 404, body = ErrorBody), (status = 503, body = ErrorBody),
))]
pub(crate) async fn answer(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
    Json(TableLine { line }): Json<TableLine>,
) -> Result<axum::Json<Reply>, ApiError> {
    let table = app.human_games.find(id, owner(&me, address))?;
    let reply = app.human_games.work(move || {
        let mut table = lock(&table);
        table.answer(line.as_deref())?;
        Ok(table.reply(id as usize))
    });
    reply.await.map(axum::Json)
}

/// The record of a game that is over.
#[utoipa::path(get, path = "/human-games/{id}/record", tag = "human-games", params(("id" = u64, Path)), responses(
    (status = 200, description = "A record, as `agon watch` and `agon verify` read it", body = Object),
    (status = 404, body = ErrorBody), (status = 409, body = ErrorBody),
))]
pub(crate) async fn record(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
) -> Result<Response, ApiError> {
    let table = app.human_games.find(id, owner(&me, address))?;
    let played = super::aside(move || {
        let table = lock(&table);
        table.is_over().then(|| table.record())
    });
    let played = played.await?.ok_or_else(|| {
        ApiError::conflict(
            "not_over",
            "the game is not over yet",
            "play it to its end; then its record can be had",
        )
    })?;
    let name = format!("attachment; filename=\"{}-{}.json\"", played.header.game, played.header.seed);
    Ok(([(header::CONTENT_DISPOSITION, name)], axum::Json(played)).into_response())
}
