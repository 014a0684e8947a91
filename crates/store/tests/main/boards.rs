//! Boards, profiles and lists.

use model::{MatchId, Tier, UserId};
use store::fill::{self, Plan};
use store::{BoardQuery, MatchFilter, MatchList, Outcome};

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, GAME};

on_both!(pages_of_boards, lists_of_matches, one_bot, generated_data_is_consistent);

fn query(page: i64, size: i64, search: &str) -> BoardQuery {
    BoardQuery { page, size, search: search.to_owned() }
}

async fn pages_of_boards(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let mut versions = Vec::new();
    for name in ["Ann", "Bob", "Anna", "Dan"] {
        versions.push(arena.climber(name).await.2.id);
    }
    let newcomer = arena.player("Eve").await.1.id;
    let boss = arena.bosses[1].active_version.unwrap();
    // The order is Ann, Bob, Anna, Dan; the boss has not played.
    for (better, worse) in [(0, 1), (1, 2), (2, 3), (0, 2), (1, 3), (0, 3)] {
        arena.play(&arena.two, &[versions[better], versions[worse]], &[1, 2]).await;
    }
    let board = arena.store.leaderboard(arena.two.id, &query(0, 3, "")).await.unwrap();
    assert_eq!(board.total, 5);
    assert_eq!(board.rows.iter().map(|row| row.place).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(
        (board.rows[0].name.as_str(), board.rows[0].tally.wins, board.rows[0].tally.losses),
        ("Ann", 3, 0)
    );
    assert!(board.rows.windows(2).all(|pair| pair[0].tally.proven >= pair[1].tally.proven));
    let rest = arena.store.leaderboard(arena.two.id, &query(1, 3, "")).await.unwrap();
    assert_eq!(rest.rows.iter().map(|row| row.place).collect::<Vec<_>>(), [4, 5]);
    assert!(rest.rows.iter().chain(&board.rows).any(|row| row.version_id == boss && row.built_in.is_some()));
    assert!(arena.store.leaderboard(arena.two.id, &query(9, 3, "")).await.unwrap().rows.is_empty());
    assert!(arena.store.leaderboard(999, &query(0, 3, "")).await.unwrap().rows.is_empty());
    // A search does not change the places.
    let found = arena.store.leaderboard(arena.two.id, &query(0, 10, "aNN")).await.unwrap();
    let places: Vec<(&str, i64)> = found.rows.iter().map(|row| (row.name.as_str(), row.place)).collect();
    let place_of = |name| board.rows.iter().chain(&rest.rows).find(|row| row.name == name).unwrap().place;
    assert_eq!((places, found.total), (vec![("Ann", 1), ("Anna", place_of("Anna"))], 2));
    // The whole game: the higher tier first, then the tier of trials.
    let game = arena.store.game_board(arena.contest.id, GAME, 2, &query(0, 4, "")).await.unwrap();
    let more = arena.store.game_board(arena.contest.id, GAME, 2, &query(1, 4, "")).await.unwrap();
    let tiers: Vec<i64> = game.rows.iter().chain(&more.rows).map(|row| row.tier.0).collect();
    assert_eq!((tiers, game.total), (vec![1, 1, 1, 1, 1, 0, 0], 7));
    let found = arena.store.game_board(arena.contest.id, GAME, 2, &query(0, 4, "eve")).await.unwrap();
    assert_eq!((found.rows[0].bot_id, found.rows[0].tier, found.total), (newcomer, Tier::FIRST, 1));
}

async fn lists_of_matches(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (_, bot, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    let mut ids = Vec::new();
    for ranks in [[1, 2], [2, 1], [1, 1], [1, 2]] {
        arena.play(&arena.two, &[ann.id, bob.id], &ranks).await;
        ids.push(arena.store.recent(&MatchList { limit: 1, ..Default::default() }).await.unwrap()[0].id);
    }
    let mut failed = crate::setup::result(&[2, 1]);
    failed.seats[0].cause = Some("timeout".to_owned());
    let id = arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    let leased = arena.store.lease("w", 1, 2).await.unwrap().unwrap();
    arena.store.record(leased.id, leased.token, &failed, &|_| Vec::new()).await.unwrap();
    ids.push(id);
    let waiting = arena.enqueue(&arena.two, &[ann.id, bob.id], 0).await;
    let of = async |filter, before| -> Vec<MatchId> {
        let rows = arena.store.matches_of(bot.id, filter, before, 3).await.unwrap();
        rows.iter().map(|row| row.id).collect()
    };
    assert_eq!(of(MatchFilter::All, None).await, [waiting, ids[4], ids[3]]);
    assert_eq!(of(MatchFilter::All, Some(ids[3])).await, [ids[2], ids[1], ids[0]]);
    assert_eq!(of(MatchFilter::Won, None).await, [ids[3], ids[0]]);
    assert_eq!(of(MatchFilter::Lost, None).await, [ids[4], ids[1]]);
    assert_eq!(of(MatchFilter::Errors, None).await, [ids[4]]);
    let list = |before| MatchList {
        contest_id: Some(arena.contest.id),
        game: Some(GAME.to_owned()),
        tier: Some(Tier(1)),
        before,
        limit: 2,
    };
    let recent = arena.store.recent(&list(None)).await.unwrap();
    assert_eq!(recent.iter().map(|row| row.id).collect::<Vec<_>>(), [ids[4], ids[3]]);
    let seat = &recent[0].seats[0];
    assert_eq!(
        (seat.name.as_str(), seat.outcome, seat.cause.as_deref()),
        ("Ann", Some(Outcome::Lost), Some("timeout"))
    );
    let before = arena.store.recent(&list(Some(ids[3]))).await.unwrap();
    assert_eq!(before.iter().map(|row| row.id).collect::<Vec<_>>(), [ids[2], ids[1]]);
    let other = MatchList { game: Some("back-track".to_owned()), limit: 5, ..Default::default() };
    assert!(arena.store.recent(&other).await.unwrap().is_empty());
    let export = arena.store.matches_of_contest(arena.contest.id, 2, 10).await.unwrap();
    assert_eq!(export.iter().map(|row| row.seq.unwrap()).collect::<Vec<_>>(), [3, 4, 5]);
    assert_eq!(arena.store.counts().await.unwrap().matches, 5);
}

async fn one_bot(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (user, bot, ann) = arena.climber("Ann").await;
    let (_, other, bob) = arena.climber("Bob").await;
    for number in 0..5 {
        let ranks = if number < 3 { [1, 2] } else { [2, 2] };
        arena.play(&arena.two, &[ann.id, bob.id], &ranks).await;
    }
    let history = arena.store.bot_history(bot.id, arena.two.id).await.unwrap();
    assert_eq!((history.len(), history[0].version), (5, 1));
    assert_eq!(arena.store.rated_ladders_of(bot.id).await.unwrap().len(), 1);
    let standing = arena.store.standing(arena.two.id, ann.id).await.unwrap().unwrap();
    assert_eq!(history[4].rating.to_bits(), standing.tally.rating.to_bits());
    assert!(arena.store.bot_history(bot.id, arena.four.id).await.unwrap().is_empty());
    let opponents = arena.store.opponents(bot.id).await.unwrap();
    assert_eq!((opponents.len(), opponents[0].bot_id), (1, other.id));
    assert_eq!((opponents[0].wins, opponents[0].draws, opponents[0].losses), (3, 2, 0));
    let profile = arena.store.profile(user.id).await.unwrap().unwrap();
    assert_eq!((profile.name.as_str(), profile.bots.len()), ("Ann", 1));
    let two = profile.bots[0].standings.iter().find(|placed| placed.ladder.id == arena.two.id).unwrap();
    assert_eq!((two.place, two.of, two.standing.tally.games), (Some(1), 3, 5));
    let trial = profile.bots[0].standings.iter().find(|placed| placed.ladder.id == arena.trial.id).unwrap();
    assert_eq!(trial.place, None, "no longer there");
    assert!(arena.store.profile(UserId(999)).await.unwrap().is_none());
}

async fn generated_data_is_consistent(home: &Home) {
    let store = home.open().await;
    fill::generate(&store, &Plan { bots: 50, matches: 5_000, seed: 3 }, &|_, _| ()).await.unwrap();
    let checked = store.recompute(true, &|_, _| ()).await.unwrap();
    assert_eq!((checked.matches, checked.different), (5_000, 0), "{checked:?}");
    let bosses = store.built_in_bots(1, "first-game").await.unwrap();
    let ladder =
        store.ladders(1, "first-game").await.unwrap().into_iter().find(|l| l.tier == Tier(2)).unwrap();
    let boss = bosses.iter().find(|bot| bot.tier == Tier(2)).unwrap();
    // A long history is thinned, but its last match is kept.
    let history = store.bot_history(boss.id, ladder.id).await.unwrap();
    assert!(history.len() > 50 && history.len() <= 200, "{}", history.len());
    let standing = store.standing(ladder.id, boss.active_version.unwrap()).await.unwrap().unwrap();
    assert_eq!(history.last().unwrap().rating.to_bits(), standing.tally.rating.to_bits());
    let twice = fill::generate(&store, &Plan { bots: 5, matches: 5, seed: 3 }, &|_, _| ()).await;
    assert!(twice.is_err(), "only an empty database is filled");
}
