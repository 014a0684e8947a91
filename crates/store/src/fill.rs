//! Generated data for benchmarks: many bots and many matches, with standings that are the fold of the log.

use model::{BotId, Tier, VersionId};
use sha2::{Digest as _, Sha256};

use crate::bots::hex;
use crate::db::Tx;
use crate::fold::{self, Played, Standing};
use crate::tables::{TABLES, Table};
use crate::value::Value;
use crate::{Result, Store, StoreError};

/// The amount of generated data.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Bots of users, spread over three games and four tiers.
    pub bots: i64,
    /// Finished matches.
    pub matches: i64,
    /// The seed of the random numbers.
    pub seed: u64,
}

/// The games and leagues of generated data.
#[derive(Clone, Debug)]
pub struct World {
    /// The settings of the contest.
    pub settings: String,
    /// The leagues with ladders of each game.
    pub games: Vec<WorldGame>,
}

/// A game of generated data.
#[derive(Clone, Debug)]
pub struct WorldGame {
    /// Its name.
    pub name: String,
    /// Its leagues with ladders, from the lowest up.
    pub leagues: Vec<WorldLeague>,
}

/// A league of generated data.
#[derive(Clone, Debug)]
pub struct WorldLeague {
    /// Its tier.
    pub tier: Tier,
    /// The numbers of players of its ladders.
    pub players: Vec<i64>,
    /// Its built-in bots.
    pub built_in: Vec<String>,
    /// Its share of the bots.
    pub share: i64,
}

impl World {
    /// Three made-up games with four leagues each; most bots are in the lowest.
    pub fn made_up() -> World {
        let built_in = ["boss", "regular", "champion"].map(str::to_owned);
        let game = |(name, players): (&str, &[i64])| WorldGame {
            name: name.to_owned(),
            leagues: [(2, 6), (3, 5), (4, 4), (5, 1)]
                .map(|(tier, share)| WorldLeague {
                    tier: Tier(tier),
                    players: players.to_vec(),
                    built_in: built_in.to_vec(),
                    share,
                })
                .to_vec(),
        };
        let games: [(&str, &[i64]); 3] =
            [("first-game", &[2]), ("second-game", &[2, 4]), ("third-game", &[2])];
        World { settings: "{}".to_owned(), games: games.map(game).to_vec() }
    }
}

/// Matches in one transaction.
const BATCH: i64 = 20_000;
/// Milliseconds between two results.
const STEP: i64 = 1_000;

impl WorldGame {
    /// The league of its bot with this number.
    fn league_of(&self, bot: i64) -> Option<&WorldLeague> {
        let shares: i64 = self.leagues.iter().map(|league| league.share).sum();
        let mut place = bot % shares.max(1);
        self.leagues.iter().find(|league| {
            place -= league.share;
            place < 0
        })
    }
}

/// Language, source and digest of a bot. A built-in bot has no source.
fn program_of(id: i64, built_in: Option<&str>) -> Vec<Value> {
    let source = if built_in.is_some() { String::new() } else { format!("print('WAIT') # {id}") };
    let digest = if built_in.is_some() { String::new() } else { hex(&Sha256::digest(source.as_bytes())) };
    let language = if built_in.is_some() { "house" } else { "Python" };
    vec![language.into(), (&source).into(), (&digest).into()]
}

/// A ladder that is being filled.
struct Pool {
    ladder: i64,
    game: usize,
    tier: Tier,
    players: usize,
    /// The version, bot and standing of each entrant.
    entrants: Vec<(VersionId, BotId, Standing)>,
}

/// `SplitMix64`: a seed gives the same data in all versions of the program.
struct Dice(u64);

impl Dice {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }
}

/// Fills an empty database with made-up games. `progress` gets the number of matches done and their total.
///
/// # Errors
///
/// When the database is not empty, or fails.
pub async fn generate(store: &Store, plan: &Plan, progress: &(dyn Fn(i64, i64) + Send + Sync)) -> Result<()> {
    generate_in(store, plan, &World::made_up(), progress).await
}

/// The same with these games.
///
/// # Errors
///
/// Those of [`generate`].
pub async fn generate_in(
    store: &Store,
    plan: &Plan,
    world: &World,
    progress: &(dyn Fn(i64, i64) + Send + Sync),
) -> Result<()> {
    let mut dice = Dice(plan.seed);
    let mut tx = store.begin().await?;
    tx.be_empty().await?;
    let mut pools = tx.people(plan, world).await?;
    tx.commit().await?;
    let mut seq = 0;
    while seq < plan.matches {
        let mut tx = store.begin().await?;
        let count = BATCH.min(plan.matches - seq);
        tx.results(&mut pools, &mut dice, seq, count).await?;
        tx.commit().await?;
        seq += count;
        progress(seq, plan.matches);
    }
    let mut tx = store.begin().await?;
    let standings: Vec<Vec<Value>> = pools
        .iter()
        .flat_map(|pool| pool.entrants.iter().map(|entrant| (pool.ladder, entrant)))
        .map(|(ladder, (version, bot, standing))| standing.row(ladder, *version, *bot, true).values())
        .collect();
    tx.fill("standings", &standings).await?;
    let text = |text: &str| Value::from(text);
    tx.insert_rows(
        table("counters")?,
        &["name", "value"],
        &[vec![text("seq"), plan.matches.into()], vec![text("lease"), plan.matches.into()]],
    )
    .await?;
    tx.count_on().await?;
    tx.commit().await?;
    store.analyze().await
}

fn table(name: &str) -> Result<&'static Table> {
    TABLES.iter().find(|table| table.name == name).ok_or_else(|| StoreError::not_found(name))
}

fn names(table: &Table) -> Vec<&'static str> {
    table.columns().iter().map(|(name, _)| *name).collect()
}

impl Tx {
    async fn fill(&mut self, name: &str, rows: &[Vec<Value>]) -> Result<()> {
        let table = table(name)?;
        self.insert_rows(table, &names(table), rows).await
    }

    /// Creates users, bots, versions and ladders.
    async fn people(&mut self, plan: &Plan, world: &World) -> Result<Vec<Pool>> {
        let games = world.games.len() as i64;
        let nothing = || Value::Text(None);
        let none = || Value::Int(None);
        let text = |text: &str| Value::from(text);
        let users: Vec<Vec<Value>> = (1..=(plan.bots + games - 1) / games.max(1))
            .map(|id| {
                let name = format!("player-{id:05}");
                let fixed = [nothing(), text("-"), text("player"), text("en"), id.into(), 0.into(), 0.into()];
                let turns = vec![0.into(), 0.into(), 0.into(), nothing(), nothing()];
                [vec![id.into(), Value::from(&name), Value::from(&name)], fixed.to_vec(), turns].concat()
            })
            .collect();
        self.fill("users", &users).await?;
        let contest = [
            1.into(),
            text("arena"),
            text("Arena"),
            none(),
            none(),
            0.into(),
            Value::from(&world.settings),
            text("running"),
            1.into(),
        ];
        self.fill("contests", &[contest.to_vec()]).await?;

        let mut pools = Vec::new();
        let mut ladders = Vec::new();
        for (game, WorldGame { name, leagues }) in world.games.iter().enumerate() {
            for WorldLeague { tier, players, .. } in leagues {
                for &players in players {
                    let id = ladders.len() as i64 + 1;
                    ladders.push(vec![
                        id.into(),
                        1.into(),
                        text(name),
                        (*tier).into(),
                        players.into(),
                        text("ladder"),
                    ]);
                    pools.push(Pool {
                        ladder: id,
                        game,
                        tier: *tier,
                        players: players as usize,
                        entrants: Vec::new(),
                    });
                }
            }
        }
        self.fill("ladders", &ladders).await?;

        let (mut bots, mut versions) = (Vec::new(), Vec::new());
        let mut add = |user: Option<i64>, built_in: Option<&str>, game: usize, tier: Tier| {
            let id = bots.len() as i64 + 1;
            let name = user
                .map_or_else(|| built_in.unwrap_or_default().to_owned(), |user| format!("player-{user:05}"));
            let (state, name) = (text("ready"), Value::from(&name));
            let who =
                vec![id.into(), 1.into(), text(&world.games[game].name), user.into(), built_in.into(), name];
            bots.push([who, vec![tier.into(), id.into(), nothing(), id.into()]].concat());
            let program = [vec![id.into(), id.into(), 1.into()], program_of(id, built_in)].concat();
            let build =
                vec![state, nothing(), id.into(), tier.into(), 1.into(), 0.into(), 0.into(), nothing()];
            let by = vec![none(), none(), nothing(), nothing(), nothing()];
            versions.push([program, build, by].concat());
            for pool in pools.iter_mut().filter(|pool| pool.game == game && pool.tier == tier) {
                pool.entrants.push((VersionId(id), BotId(id), Standing::newcomer()));
            }
        };
        for (game, WorldGame { leagues, .. }) in world.games.iter().enumerate() {
            for league in leagues {
                for built_in in &league.built_in {
                    add(None, Some(built_in), game, league.tier);
                }
            }
        }
        for bot in 0..plan.bots {
            let game = (bot % games) as usize;
            let league = world.games[game].league_of(bot / games);
            let league = league.ok_or_else(|| StoreError::conflict("a game has no league"))?;
            add(Some(bot / games + 1), None, game, league.tier);
        }
        self.fill("bots", &bots).await?;
        self.fill("versions", &versions).await?;
        Ok(pools)
    }

    /// Creates matches with their seats. A bot's strength follows from its number, with some chance.
    async fn results(&mut self, pools: &mut [Pool], dice: &mut Dice, from: i64, count: i64) -> Result<()> {
        let mut matches = Vec::with_capacity(count as usize);
        let mut seats = Vec::with_capacity(count as usize * 2);
        for seq in from + 1..=from + count {
            let index = dice.below(pools.len());
            let pool = &mut pools[index];
            let mut table: Vec<usize> = Vec::with_capacity(pool.players);
            let first = dice.below(pool.entrants.len());
            // Bots play against their neighbours; the boss plays in every eighth match.
            while table.len() < pool.players.min(pool.entrants.len()) {
                let place = match table.len() {
                    1 if seq % 8 == 0 => 0,
                    _ => (first + dice.below(40)) % pool.entrants.len(),
                };
                if !table.contains(&place) {
                    table.push(place);
                } else if table.len() == 1 && seq % 8 == 0 {
                    table.push((place + 1) % pool.entrants.len());
                }
            }
            let strength: Vec<usize> = table
                .iter()
                .map(|&place| pool.entrants[place].0.0 as usize % 997 + dice.below(600))
                .collect();
            let played: Vec<Played> = (table.iter().zip(&strength))
                .map(|(&place, own)| Played {
                    version: pool.entrants[place].0,
                    rank: 1 + strength.iter().filter(|other| *other > own).count() as i64,
                    failed: dice.below(50) == 0,
                    side_quest: (pool.game == 2).then(|| dice.below(12) as f64),
                })
                .collect();
            let mut after: Vec<(VersionId, Standing)> =
                table.iter().map(|&place| (pool.entrants[place].0, pool.entrants[place].2)).collect();
            fold::apply(&mut after, &played, true, seq);
            for (&place, (_, standing)) in table.iter().zip(&after) {
                pool.entrants[place].2 = *standing;
            }
            matches.push(match_line(seq, pool.ladder, dice.next() as i64));
            for (seat, played_seat) in played.iter().enumerate() {
                let score = strength[seat] as i64;
                let outcome = fold::outcome(&played, seat).word();
                let cause = if played_seat.failed { Some("timeout") } else { None };
                let standing = after[seat].1;
                seats.push(vec![
                    seq.into(),
                    (seat as i64).into(),
                    played_seat.version.into(),
                    pool.entrants[table[seat]].1.into(),
                    score.into(),
                    played_seat.rank.into(),
                    outcome.into(),
                    cause.into(),
                    Value::Text(None),
                    played_seat.side_quest.into(),
                    standing.rating.into(),
                    standing.uncertainty.into(),
                    0.into(),
                ]);
            }
        }
        self.fill("matches", &matches).await?;
        self.fill("seats", &seats).await
    }
}

fn match_line(seq: i64, ladder: i64, seed: i64) -> Vec<Value> {
    let at = seq * STEP;
    let none = || Value::Int(None);
    let nothing = || Value::Text(None);
    let key =
        vec![seq.into(), ladder.into(), seed.into(), 0.into(), Value::from("done"), Value::from("made-up")];
    let times =
        vec![none(), none(), 0.into(), 0.into(), at.into(), at.into(), (at + STEP).into(), seq.into()];
    let end = vec![Value::from("{\"reason\":\"turn-limit\"}"), nothing(), nothing(), 0.into(), none()];
    [key, times, end].concat()
}
