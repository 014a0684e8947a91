//! Games of persons against built-in bots.

use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use game::Fault;
use model::{MatchId, Tier, UserId};
use replay::wire::{Challenge, Continuation, Replay, Reply};
use replay::{HumanGame, HumanGameError};
use tokio::sync::Semaphore;

use crate::contests::{ContestLookup as _, LeagueLookup as _};
use crate::extract::{Address, Json, MaybeMe, Path};
use crate::wire::{HumanGameAsk, HumanGameLine};
use crate::{ApiError, App};

/// Most games of one person; a new game ends the one that was unused for the longest time.
const MOST_EACH: usize = 3;
/// Most games in all.
const MOST: usize = 400;
/// A game that is unused for this time ends.
const UNUSED: Duration = Duration::from_mins(30);

/// The person who plays a game.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Owner {
    User(UserId),
    Visitor(IpAddr),
}

#[derive(Debug)]
struct OpenGame {
    owner: Owner,
    touched: Instant,
    game: Arc<Mutex<HumanGame>>,
}

/// The games that are being played.
#[derive(Debug)]
pub struct HumanGames {
    open: Mutex<BTreeMap<u64, OpenGame>>,
    /// Limits the bosses that think at the same time: the matches of the arena come first.
    thinking: Arc<Semaphore>,
}

impl Default for HumanGames {
    fn default() -> HumanGames {
        HumanGames { open: Mutex::default(), thinking: Arc::new(Semaphore::new(1)) }
    }
}

impl HumanGames {
    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, OpenGame>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends games until `owner` can begin another one.
    fn make_room(&self, owner: Owner) -> Result<(), ApiError> {
        let mut open = self.open();
        open.retain(|_, game| game.touched.elapsed() < UNUSED);
        let own = |open: &BTreeMap<u64, OpenGame>| {
            let mut own: Vec<(Instant, u64)> = open
                .iter()
                .filter(|(_, game)| game.owner == owner)
                .map(|(id, game)| (game.touched, *id))
                .collect();
            own.sort_unstable();
            own
        };
        let own = own(&open);
        for (_, id) in own.iter().take((own.len() + 1).saturating_sub(MOST_EACH)) {
            open.remove(id);
        }
        if open.len() >= MOST {
            return Err(ApiError::busy("too many games are being played", 60));
        }
        Ok(())
    }

    fn put(&self, owner: Owner, game: HumanGame) -> Result<(u64, Arc<Mutex<HumanGame>>), ApiError> {
        // The id cannot be guessed; numbers of JavaScript have 53 bits.
        let id = getrandom::u64().map_err(ApiError::internal)? >> 11;
        let game = Arc::new(Mutex::new(game));
        self.open().insert(id, OpenGame { owner, touched: Instant::now(), game: Arc::clone(&game) });
        Ok((id, game))
    }

    /// Begins a game of `owner`.
    async fn begin(
        &self,
        owner: Owner,
        begin: impl FnOnce() -> Result<HumanGame, HumanGameError> + Send + 'static,
    ) -> Result<axum::Json<Reply>, ApiError> {
        self.make_room(owner)?;
        let game = self.work(begin).await?;
        let (id, game) = self.put(owner, game)?;
        let reply = lock(&game).reply(id as usize);
        Ok(axum::Json(reply))
    }

    fn find(&self, id: u64, owner: Owner) -> Result<Arc<Mutex<HumanGame>>, ApiError> {
        let mut open = self.open();
        let found = open.get_mut(&id).filter(|game| game.owner == owner);
        let found = found.ok_or_else(|| {
            ApiError::new(
                axum::http::StatusCode::NOT_FOUND,
                "no_table",
                "there is no such game, or it has ended",
                "POST /api/v1/human-games for a new one",
            )
        })?;
        found.touched = Instant::now();
        Ok(Arc::clone(&found.game))
    }

    /// Runs work of a game on a separate thread; the amount of work at the same time is limited.
    async fn work<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> Result<T, HumanGameError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let thinking = Arc::clone(&self.thinking);
        let waited = tokio::time::timeout(Duration::from_secs(5), thinking.acquire_owned()).await;
        let Ok(Ok(permit)) = waited else {
            return Err(ApiError::busy("too many games against bosses at this moment", 5));
        };
        let done = super::aside(move || {
            let _permit = permit;
            work()
        });
        Ok(done.await??)
    }
}

fn owner(me: &MaybeMe, address: Address) -> Owner {
    me.0.as_ref().map_or(Owner::Visitor(address.0), |signed| Owner::User(signed.id))
}

fn lock(game: &Mutex<HumanGame>) -> MutexGuard<'_, HumanGame> {
    game.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins a game against the boss of a tier, or against another built-in bot.
#[utoipa::path(post, path = "/human-games", tag = "human-games", request_body = HumanGameAsk, responses(
    (status = 200, description = "The first turn of the person: `id`, `steps`, `asked`, `end`", body = Object),
))]
pub(crate) async fn begin(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Json(ask): Json<HumanGameAsk>,
) -> Result<axum::Json<Reply>, ApiError> {
    let contests = app.contests().await?;
    let league = contests.by_key(ask.contest.as_deref())?.league(&ask.game, Tier(ask.tier))?;
    let challenge = Challenge {
        game: ask.game.clone(),
        league: Some(league.rules),
        edition: Some(league.edition.clone()),
        players: ask.players.or_else(|| league.players.first().copied()),
        seed: ask.seed,
        seat: ask.seat.or(league.seat).unwrap_or(0),
        opponent: ask.opponent.unwrap_or_else(|| league.boss.clone()),
        seconds: ask.seconds,
    };
    let fresh = i64::from(getrandom::u32().map_err(ApiError::internal)?);
    app.human_games.begin(owner(&me, address), move || HumanGame::new(&challenge, fresh)).await
}

/// Continues a finished match from a turn: by hand in one seat, or by built-in bots alone. The answer is that of a game
/// against the boss, and the game goes on with the same requests.
#[utoipa::path(post, path = "/matches/{id}/continue", tag = "matches", params(("id" = i64, Path)), request_body = Object, responses(
    (status = 200, description = "`id` of a game under `/human-games`, `steps`, `asked` (null when no person plays), `end`", body = Object),
))]
pub(crate) async fn continue_match(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<MatchId>,
    Json(ask): Json<Continuation>,
) -> Result<axum::Json<Reply>, ApiError> {
    let row = super::matches::find(&app, id, &me).await?;
    let mut played = super::replays::read(&app, &row).await?;
    replay::redact::record(&mut played, &super::replays::names(&row), &[]);
    let nobody = |_: &str, _: u8| Err("choose `you` or a built-in bot".to_owned());
    app.human_games.begin(owner(&me, address), move || HumanGame::continued(&played, &ask, nobody)).await
}

/// The turn in which the person must answer, with the steps since the last request.
#[utoipa::path(get, path = "/human-games/{id}", tag = "human-games", params(("id" = u64, Path)), responses(
    (status = 200, description = "`id`, the `steps` that were not sent yet, `asked`, `end`", body = Object),
))]
pub(crate) async fn question(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
) -> Result<axum::Json<Reply>, ApiError> {
    let game = app.human_games.find(id, owner(&me, address))?;
    super::aside(move || lock(&game).reply(id as usize)).await.map(axum::Json)
}

/// The game so far. While it is played, only what the person may know; all of it when it is over.
#[utoipa::path(get, path = "/human-games/{id}/replay", tag = "human-games", params(("id" = u64, Path)), responses(
    (status = 200, description = "A replay, in the form of the replay of a match", body = Object),
))]
pub(crate) async fn replay(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
) -> Result<axum::Json<Replay>, ApiError> {
    let game = app.human_games.find(id, owner(&me, address))?;
    super::aside(move || lock(&game).replay()).await.map(axum::Json)
}

/// Checks an answer without giving it.
#[utoipa::path(post, path = "/human-games/{id}/check", tag = "human-games", params(("id" = u64, Path)), request_body = HumanGameLine, responses(
    (status = 200, description = "The faults of the answer; an empty list if it is valid", body = Vec<Object>),
))]
pub(crate) async fn check(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
    Json(HumanGameLine { line }): Json<HumanGameLine>,
) -> Result<axum::Json<Vec<Fault>>, ApiError> {
    let game = app.human_games.find(id, owner(&me, address))?;
    super::aside(move || lock(&game).check(line.as_deref().unwrap_or_default())).await.map(axum::Json)
}

/// Gives the answer of the person. The other players move until the person must answer again or the game is over.
#[utoipa::path(post, path = "/human-games/{id}/answer", tag = "human-games", params(("id" = u64, Path)), request_body = HumanGameLine, responses(
    (status = 200, description = "`id`, `steps`, `asked` (null when it is over), `end`", body = Object),
))]
pub(crate) async fn answer(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
    Json(HumanGameLine { line }): Json<HumanGameLine>,
) -> Result<axum::Json<Reply>, ApiError> {
    let game = app.human_games.find(id, owner(&me, address))?;
    let reply = app.human_games.work(move || {
        let mut game = lock(&game);
        game.answer(line.as_deref())?;
        Ok(game.reply(id as usize))
    });
    reply.await.map(axum::Json)
}

/// The record of a finished game.
#[utoipa::path(get, path = "/human-games/{id}/record", tag = "human-games", params(("id" = u64, Path)), responses(
    (status = 200, description = "A record, as `agon watch` and `agon verify` read it", body = Object),
))]
pub(crate) async fn record(
    State(app): State<App>,
    me: MaybeMe,
    address: Address,
    Path(id): Path<u64>,
) -> Result<Response, ApiError> {
    let game = app.human_games.find(id, owner(&me, address))?;
    let played = super::aside(move || {
        let game = lock(&game);
        game.is_over().then(|| game.record())
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

#[cfg(test)]
mod tests {
    use std::net::Ipv4Addr;

    use bots::{Budget, Lines, Lost, Mind};
    use serde_json::{Value, json};
    use toolchain::Launcher;

    use super::*;
    use crate::Server;
    use crate::config::Settings;

    struct Broken;

    impl Mind for Broken {
        fn answer(&mut self, _: &mut Lines<'_>, _: Budget) -> Result<Vec<u8>, Lost> {
            Err(Lost::Over)
        }
    }

    #[test]
    fn a_built_in_bot_that_fails_is_answered_with_500() {
        let folder = testing::scratch();
        let data = folder.path().display().to_string();
        let settings = [("listen", "127.0.0.1:0"), ("workers", "0"), ("data", &data)];
        let settings = settings.map(|(key, value)| (key, Some(value.to_owned())));
        let config = Settings::new().flags(settings).check().unwrap();
        let server = Server::start(config, Launcher::new("/nonexistent")).unwrap();
        let challenge = Challenge {
            game: "hypersonic".to_owned(),
            league: None,
            edition: None,
            players: None,
            seed: None,
            seat: 0,
            opponent: "boss-1".to_owned(),
            seconds: None,
        };
        let game = HumanGame::new(&challenge, 1).unwrap().with_bot(|| Box::new(Broken));
        let owner = Owner::Visitor(Ipv4Addr::LOCALHOST.into());
        let (id, _) = server.app().human_games.put(owner, game).unwrap();

        let base = format!("http://{}", server.address());
        let agent = ureq::Agent::config_builder().http_status_as_error(false).build().new_agent();
        let request = agent.post(format!("{base}/api/v1/human-games/{id}/answer")).header("origin", &base);
        let mut answer = request.send_json(json!({"line": "MOVE 0 0"})).unwrap();
        let body: Value = answer.body_mut().read_json().unwrap();
        assert_eq!((answer.status().as_u16(), &body["error"]["code"]), (500, &json!("internal")));
        assert_eq!(body["error"]["message"], "the server failed; the request is not at fault");
    }
}
