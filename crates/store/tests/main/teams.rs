//! Teams, and accounts that are deleted.

use model::UserId;
use store::{ErrorKind, Role};

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, new_user};

on_both!(a_team_has_one_bot, a_deleted_account);

async fn a_team_has_one_bot(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (store, contest) = (&arena.store, arena.contest.id);
    let mut users = Vec::new();
    for name in ["Ann", "Bob", "Eve"] {
        users.push(store.create_user(&new_user(name), 1).await.unwrap().id);
    }
    let team = store.create_team(contest, "Rails", "abc", users[0], 2).await.unwrap();
    assert_eq!(store.user(team.id).await.unwrap().unwrap().role, Role::Team);
    let taken = store.create_team(contest, "bob", "abd", users[1], 2).await.unwrap_err();
    assert_eq!(taken.kind, ErrorKind::Conflict);
    let wrong = store.join_team(contest, "abx", users[1], 2).await.unwrap_err();
    assert_eq!(wrong.kind, ErrorKind::NotFound);
    assert_eq!(store.join_team(contest, "abc", users[1], 2).await.unwrap(), team);
    let full = store.join_team(contest, "abc", users[2], 2).await.unwrap_err();
    assert!(full.message.contains("full"), "{full}");
    let twice = store.create_team(contest, "Other", "abe", users[1], 2).await.unwrap_err();
    assert_eq!(twice.kind, ErrorKind::Conflict);
    assert!(store.user_by_name("Other").await.unwrap().is_none(), "nothing of it is left");

    // Both members enter the same bot.
    let mut bots = Vec::new();
    for &user in &users {
        let entrant = store.entrant_of(contest, user).await.unwrap();
        bots.push(store.submit(&arena.submission(entrant), 3).await.unwrap().bot_id);
    }
    assert_eq!(bots[0], bots[1]);
    assert_ne!(bots[0], bots[2]);
    assert_eq!(store.bot(bots[0]).await.unwrap().unwrap().name, "Rails");
    let late = store.join_team(contest, "abc", users[2], 9).await.unwrap_err();
    assert_eq!(late.kind, ErrorKind::Conflict, "Eve has a bot of her own");

    // Notices of the team reach its members.
    store.set_paused(bots[0], Some("tired"), 4).await.unwrap();
    for &user in &users[..2] {
        assert_eq!(store.notices(user, None, 5).await.unwrap().len(), 1);
    }
    assert_eq!(store.teams_of(users[1]).await.unwrap(), [team.id]);
    assert_eq!(store.people(team.id).await.unwrap(), users[..2]);
    assert_eq!(store.people(users[2]).await.unwrap(), users[2..]);
    let names: Vec<String> =
        store.team_members(contest).await.unwrap().into_iter().map(|one| one.name).collect();
    assert_eq!(names, ["Ann", "Bob"]);
    assert!(store.leave_team(contest, users[0]).await.unwrap());
    assert!(!store.leave_team(contest, users[0]).await.unwrap());
    assert_eq!(
        store.leave_team(contest, users[1]).await.unwrap_err().kind,
        ErrorKind::Conflict,
        "the last one"
    );
    assert_eq!(store.counts().await.unwrap().users, 3);
}

async fn a_deleted_account(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (user, bot, ann) = arena.climber("Ann").await;
    let (_, _, bob) = arena.climber("Bob").await;
    arena.play(&arena.two, &[ann.id, bob.id], &[1, 2]).await;
    arena.store.set_about(user.id, Some("I like trains")).await.unwrap();
    let name = arena.store.delete_user(user.id, 50).await.unwrap();
    assert_eq!(name, format!("deleted-{}", user.id));
    let gone = arena.store.user(user.id).await.unwrap().unwrap();
    assert_eq!((gone.name, gone.about, gone.blocked), (name.clone(), None, true));
    assert!(arena.store.user_by_name("Ann").await.unwrap().is_none());
    assert_eq!(arena.store.source(ann.id).await.unwrap(), "");
    let row = &arena.store.matches_of(bot.id, store::MatchFilter::All, None, 5).await.unwrap()[0];
    assert_eq!(row.seats[0].name, name, "the result stays");
    assert_eq!(
        arena.store.field(arena.two.id).await.unwrap().iter().filter(|one| one.bot_id == bot.id).count(),
        0
    );
    arena.sound(1).await;
    assert!(arena.store.delete_user(UserId(999), 50).await.is_err());
}
