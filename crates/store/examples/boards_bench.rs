//! How long boards, profiles and lists of matches take on a large site.
//!
//! `cargo run --release -p store --example boards_bench -- sqlite:/var/tmp/big.db 10000 1000000` fills an empty database (or takes
//! one that was filled before) and prints the times of every query a page makes.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a program")]

use std::path::Path;
use std::time::{Duration, Instant};

use model::{LadderKind, MatchId, UserId};
use store::fill::{self, Plan};
use store::{BoardQuery, MatchFilter, MatchList, Result, Store, StoreError};

const ROUNDS: usize = 200;
const CONTEST: i64 = 1;

#[tokio::main]
async fn main() -> std::process::ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [url, bots, matches] = arguments.as_slice() else {
        eprintln!("give the database's URL, the number of bots and the number of matches");
        return 2.into();
    };
    let (Ok(bots), Ok(matches)) = (bots.parse(), matches.parse()) else {
        eprintln!("the numbers of bots and matches must be numbers");
        return 2.into();
    };
    let data = std::env::temp_dir().join(format!("agon-boards-bench-{}", std::process::id()));
    let done = bench(url, &data, &Plan { bots, matches, seed: 1 }).await;
    let _ = std::fs::remove_dir_all(&data);
    match done {
        Ok(()) => 0.into(),
        Err(error) => {
            eprintln!("{error}");
            2.into()
        }
    }
}

async fn bench(url: &str, data: &Path, plan: &Plan) -> Result<()> {
    let store = Store::open(url, data, 0).await?;
    if store.counts().await?.matches == 0 {
        let start = Instant::now();
        fill::generate(&store, plan, &|_, _| ()).await?;
        println!(
            "filled with {} bots and {} matches in {:.1} s",
            plan.bots,
            plan.matches,
            start.elapsed().as_secs_f64()
        );
    }
    let start = Instant::now();
    let checked = store.recompute(true, &|_, _| ()).await?;
    println!(
        "recompute: {} matches in {:.1} s, {} differences",
        checked.matches,
        start.elapsed().as_secs_f64(),
        checked.different
    );
    queries(&store, plan).await
}

/// Times a query over many rounds; the body sees the number of the round.
macro_rules! time {
    ($name:literal, $round:ident => $query:expr) => {{
        let mut times = Vec::with_capacity(ROUNDS);
        for $round in 0..ROUNDS {
            let start = Instant::now();
            let _ = $query.await?;
            times.push(start.elapsed());
        }
        print_times($name, &mut times);
    }};
}

async fn queries(store: &Store, plan: &Plan) -> Result<()> {
    let ladders = store.ladders(CONTEST, "second-game").await?;
    let missing =
        || StoreError::new(store::ErrorKind::NotFound, "the database was not filled by this program");
    // The lowest tier has most bots.
    let ladder = ladders.iter().rfind(|ladder| ladder.kind == LadderKind::Ladder).ok_or_else(missing)?;
    let boss = store.built_in_bots(CONTEST, "second-game").await?.into_iter().next().ok_or_else(missing)?;
    let users = ((plan.bots + 2) / 3).max(1);
    let user = |round: usize| UserId((round as i64 * 7919) % users + 1);
    let page = |page: usize| BoardQuery { page: page as i64, size: 50, search: String::new() };
    let search = |text: &str| BoardQuery { page: 0, size: 50, search: text.to_owned() };
    let list = |before| MatchList {
        contest_id: Some(CONTEST),
        game: Some("third-game".to_owned()),
        tier: None,
        before,
        limit: 50,
    };
    let bots = store.bots_of_user(UserId(1)).await?;
    let bot = |round: usize| bots.get(round % bots.len().max(1)).map_or(boss.id, |bot| bot.id);
    let far_back = |round: usize| MatchId(plan.matches / 200 * (round as i64 + 1));

    println!("{:<34}{:>10}{:>10}{:>10}", "query", "p50 ms", "p99 ms", "max ms");
    time!("leaderboard, first page", _round => store.leaderboard(ladder.id, &page(0)));
    time!("leaderboard, any page", round => store.leaderboard(ladder.id, &page(round % 25)));
    time!("leaderboard, search", round => store.leaderboard(ladder.id, &search(&format!("{round:03}"))));
    time!("game board, any page", round => store.game_board(CONTEST, "second-game", 2, &page(round % 60)));
    time!("game board, search", round => store.game_board(CONTEST, "second-game", 2, &search(&format!("{round:03}"))));
    time!("side-quest board", _round => store.side_quest_board(CONTEST, "third-game", LadderKind::Ladder, 10, &page(0)));
    time!("matchmaker's field", _round => store.field(ladder.id));
    time!("profile", round => store.profile(user(round)));
    time!("bot page", round => store.bot_page(bot(round)));
    time!("bot page of a boss", _round => store.bot_page(boss.id));
    time!("history", round => store.bot_history(bot(round), ladder.id));
    time!("history of a boss", _round => store.bot_history(boss.id, ladder.id));
    time!("opponents", round => store.opponents(bot(round)));
    time!("opponents of a boss", _round => store.opponents(boss.id));
    time!("matches of a bot", round => store.matches_of(bot(round), MatchFilter::All, None, 50));
    time!("matches of a bot, errors", round => store.matches_of(bot(round), MatchFilter::Errors, None, 50));
    time!("matches of a bot, won", round => store.matches_of(bot(round), MatchFilter::Won, None, 50));
    time!("matches of a boss, errors", _round => store.matches_of(boss.id, MatchFilter::Errors, None, 50));
    time!("recent matches, all", _round => store.recent(&MatchList { limit: 50, ..MatchList::default() }));
    time!("recent matches of a game", _round => store.recent(&list(None)));
    time!("recent matches, far back", round => store.recent(&list(Some(far_back(round)))));
    time!("one match", round => store.match_row(far_back(round)));
    time!("running", _round => store.running());
    time!("counts", _round => store.counts());
    time!("users, search", round => store.list_users(&format!("{round:03}"), 0, 50));
    Ok(())
}

fn print_times(name: &str, times: &mut [Duration]) {
    times.sort_unstable();
    let at = |share: f64| times[((times.len() - 1) as f64 * share) as usize].as_secs_f64() * 1e3;
    println!("{name:<34}{:>10.2}{:>10.2}{:>10.2}", at(0.5), at(0.99), at(1.0));
}
