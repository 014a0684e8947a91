//! Drafts are tested without being submitted.

use model::{LadderKind, MatchId, VersionId};
use store::{Built, ErrorKind, MatchFilter, MatchList, NewVersion, Part, PlannedMatch, TestPlan, Version};

use crate::home::Home;
use crate::on_both;
use crate::setup::{Arena, GAME};

on_both!(a_draft_is_tested_in_private, a_new_test_supersedes_the_last_one, old_drafts_are_removed);

async fn plan(arena: &Arena, opponent: VersionId, matches: i64) -> TestPlan {
    let tier = model::Tier(0);
    let ladder = arena.store.ensure_ladder(arena.contest.id, GAME, tier, 2, LadderKind::Test).await.unwrap();
    let one = |seed| PlannedMatch { seed, seats: vec![None, Some(opponent)] };
    TestPlan { ladder_id: ladder.id, priority: 0, matches: (0..matches).map(one).collect() }
}

async fn built(arena: &Arena, draft: &Version) -> usize {
    assert_eq!(arena.next_to_build(10).await.unwrap().id, draft.id);
    arena.built(draft.id, &Built::Ready(String::new()), 10).await;
    arena.store.queue_plan(draft.id, 10).await.unwrap()
}

fn code(arena: &Arena, user: model::UserId) -> NewVersion {
    NewVersion { activate: false, ..arena.submission(user) }
}

async fn a_draft_is_tested_in_private(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (ann, bot, version) = arena.player("Ann").await;
    let (_, other, opponent) = arena.player("Bob").await;
    let plan = plan(&arena, opponent.id, 2).await;
    let (draft, superseded) = arena.store.draft(&code(&arena, ann.id), Some(&plan), 10).await.unwrap();
    assert!(draft.is_draft() && superseded.is_empty());
    assert_eq!(built(&arena, &draft).await, 2);
    assert_eq!(arena.store.queue_plan(draft.id, 10).await.unwrap(), 0, "a plan is queued once");
    // It is no version, and cannot become active.
    assert_eq!(arena.store.versions(bot.id, None).await.unwrap().len(), 1);
    assert_eq!(arena.store.activate(draft.id, 10).await.unwrap_err().kind, ErrorKind::Conflict);
    // The turn of the opponent's author is not used up.
    let leased = arena.store.lease("w", 20, 30).await.unwrap().unwrap();
    assert_eq!(leased.seed, 0);
    arena.record(&leased, &[2, 1]).await;
    let row = arena.store.match_row(leased.id).await.unwrap().unwrap();
    let parts: Vec<Part> = row.seats.iter().map(|seat| seat.part).collect();
    assert_eq!(parts, [Part::Tested, Part::Opponent]);
    // No list shows it, and nobody is blamed for it.
    let recent = arena.store.recent(&MatchList { limit: 10, ..MatchList::default() }).await.unwrap();
    assert!(recent.iter().all(|row| row.id != leased.id));
    for one in [bot.id, other.id] {
        let rows = arena.store.matches_of(one, MatchFilter::All, None, 10).await.unwrap();
        assert!(rows.iter().all(|row| row.id != leased.id));
        assert!(arena.store.opponents(one).await.unwrap().is_empty());
    }
    for number in 0..4 {
        let leased = match number {
            0 => arena.store.lease("w", 20, 30).await.unwrap().unwrap(),
            _ => {
                let id = arena.enqueue(&arena.trial, &[draft.id, opponent.id], 0).await;
                let leased = arena.store.lease("w", 20, 30).await.unwrap().unwrap();
                assert_eq!(leased.id, id);
                leased
            }
        };
        arena.store.void(leased.id, leased.token, "spoilt", Some(1), 20).await.unwrap();
        arena.store.cancel(leased.id).await.unwrap();
    }
    assert!(arena.store.bot(other.id).await.unwrap().unwrap().paused.is_none());
    let tests = arena.store.matches_of_version(draft.id, LadderKind::Test, 20).await.unwrap();
    assert_eq!(tests.len(), 1);
    assert_eq!(arena.store.submit(&arena.submission(ann.id), 11).await.unwrap().number, version.number + 1);
}

async fn a_new_test_supersedes_the_last_one(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (ann, _, _) = arena.player("Ann").await;
    let boss = arena.bosses[0].active_version.unwrap();
    let plan = plan(&arena, boss, 3).await;
    let draft = async || arena.store.draft(&code(&arena, ann.id), Some(&plan), 10).await.unwrap();
    let (first, _) = draft().await;
    assert_eq!(built(&arena, &first).await, 3);
    let leased = arena.store.lease("w", 20, 30).await.unwrap().unwrap();
    // A draft without matches, for a recorded turn, supersedes nothing.
    let (alone, none) = arena.store.draft(&code(&arena, ann.id), None, 10).await.unwrap();
    assert!(none.is_empty());
    assert_eq!(built(&arena, &alone).await, 0);
    let (second, superseded) = draft().await;
    assert_eq!(superseded.len(), 3);
    assert!(superseded.contains(&leased.id));
    assert!(!arena.store.renew(leased.id, leased.token, 40).await.unwrap(), "the match is given up");
    assert!(arena.store.lease("w", 20, 30).await.unwrap().is_none());
    // One that waits to be built is removed, one that is being built plays nothing.
    let (third, _) = draft().await;
    assert!(arena.store.version(second.id).await.unwrap().is_none());
    assert_eq!(arena.next_to_build(10).await.unwrap().id, third.id);
    let (fourth, _) = draft().await;
    arena.built(third.id, &Built::Ready(String::new()), 10).await;
    assert_eq!(arena.store.queue_plan(third.id, 10).await.unwrap(), 0);
    assert_eq!(built(&arena, &fourth).await, 3);
}

async fn old_drafts_are_removed(home: &Home) {
    let arena = Arena::new(home.open().await).await;
    let (ann, bot, _) = arena.player("Ann").await;
    let boss = arena.bosses[0].active_version.unwrap();
    let plan = plan(&arena, boss, 1).await;
    let mut played: Vec<(VersionId, MatchId)> = Vec::new();
    for _ in 0..23 {
        let (draft, _) = arena.store.draft(&code(&arena, ann.id), Some(&plan), 10).await.unwrap();
        built(&arena, &draft).await;
        let leased = arena.store.lease("w", 20, 30).await.unwrap().unwrap();
        arena.record(&leased, &[1, 2]).await;
        played.push((draft.id, leased.id));
    }
    let mut kept = 0;
    for (draft, id) in played {
        let here = arena.store.version(draft).await.unwrap().is_some();
        assert_eq!(arena.store.match_row(id).await.unwrap().is_some(), here);
        kept += usize::from(here);
    }
    assert_eq!(kept, 21, "twenty and the newest");
    assert_eq!(arena.store.versions(bot.id, None).await.unwrap().len(), 1);
    arena.store.recompute(true, &|_, _| ()).await.unwrap();
}
