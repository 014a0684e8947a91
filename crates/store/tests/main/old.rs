//! A database of an older version can be opened and read.

use model::{BotId, MatchId, Trial, UserId};
use store::{BoardQuery, Outcome, Store};

use crate::setup::GAME;

#[tokio::test]
async fn an_old_database_is_migrated_and_readable() {
    let scratch = testing::scratch();
    let file = scratch.path().join("arena.db");
    std::fs::copy(testing::repository("crates/store/tests/main/old/arena.db"), &file).unwrap();
    let store = Store::open(&format!("sqlite:{}", file.display()), scratch.path(), 2_000).await.unwrap();
    assert_eq!(store.setting("hall_paused").await.unwrap().as_deref(), Some("1"));
    let query = BoardQuery { size: 10, ..BoardQuery::default() };
    let board = store.game_board(1, GAME, 2, &query).await.unwrap();
    let rows: Vec<(&str, bool)> =
        board.rows.iter().map(|row| (row.name.as_str(), row.built_in.is_some())).collect();
    assert_eq!(rows, [("boss-1", true), ("Ann", false)]);
    let profile = store.profile(UserId(1)).await.unwrap().unwrap();
    assert_eq!((profile.name.as_str(), profile.bots.len()), ("Ann", 1));
    assert_eq!(profile.bots[0].standings[0].standing.side_quest_sum.to_bits(), 0.5_f64.to_bits());
    let row = store.match_row(MatchId(1)).await.unwrap().unwrap();
    assert_eq!((row.seed, row.seats[0].outcome, row.seats[0].bot_id), (42, Some(Outcome::Won), BotId(2)));
    assert_eq!(row.seats[1].built_in.as_deref(), Some("boss-1"));
    let trial = store.last_trial(BotId(2)).await.unwrap().unwrap();
    assert_eq!(trial.trial, Trial { wins: 1, draws: 0, losses: 0 });
    assert_eq!(store.notices(UserId(1), None, 10).await.unwrap().len(), 1);
    assert_eq!(store.recompute(true, &|_, _| {}).await.unwrap().different, 0);
    store.close().await;
}
