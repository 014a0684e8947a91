//! Ladders, matches of four players, contests that end.

use std::time::Duration;

use contest::{Event, League, Way};
use model::{ContestState, LadderKind, Tier};
use store::MatchFilter;

use crate::support::{ARENA, TestArena, league, now, settings};
use crate::trials::{KIT, LAZY, NEVER, TRACK, under};

const HYPER: &str = "hypersonic";
/// A bot that does not move, and survives while no other player comes near.
const STILL: &str = "import sys
width, height, me = map(int, input().split())
while True:
    try:
        rows = [input() for _ in range(height)]
    except EOFError:
        break
    for _ in range(int(input())):
        kind, owner, x, y, *_ = map(int, input().split())
        if kind == 0 and owner == me: here = f'{x} {y}'
    print('MOVE', here, flush=True)
";

/// A bot that blows itself up in the eighth round.
pub(crate) fn rash() -> String {
    STILL.replace("'MOVE'", "'BOMB'")
}

fn hyper(boss: &str, regulars: &[&str], players: &[u8], placement: u32, way: Way) -> League {
    let mut made = league(HYPER, 6);
    made.key = format!("{boss}-league");
    made.boss = boss.into();
    made.regulars = regulars.iter().map(|&name| name.into()).collect();
    (made.players, made.placement, made.way) = (players.to_vec(), placement, way);
    made
}

pub(crate) fn bots_above_the_boss_are_promoted(arena: &mut TestArena) {
    // The bot of the starter kit beats this boss on most maps, and the boss beats a bot that only waits.
    let rated = |boss: &str, way| {
        let mut made = under(boss);
        (made.key, made.placement, made.way) = (format!("{boss}-league"), 3, way);
        made
    };
    arena.standing_contest(&settings(TRACK, vec![rated("boss-2", Way::Ladder), rated("boss-3", Way::Top)]));
    arena.open(1, NEVER);
    let (user, other) = (arena.user(), arena.user());
    let good = arena.submit(user, TRACK, KIT);
    let lazy = arena.submit(other, TRACK, LAZY);
    let bot = arena.until("promotion", async |store| {
        store.bot(good.bot_id).await.unwrap().filter(|bot| bot.tier == Tier(1))
    });
    // The same rules: the same version stays active.
    assert_eq!(bot.active_version, Some(good.id));
    let promotion = arena.runtime.block_on(arena.store.promotions(bot.id)).unwrap().remove(0);
    let decisive =
        arena.runtime.block_on(arena.store.match_row(promotion.match_id.unwrap())).unwrap().unwrap();
    assert!(decisive.seats.iter().any(|seat| seat.version_id == good.id));
    arena.until("a match above", async |store| {
        let matches = store.matches_of(bot.id, MatchFilter::All, None, 20).await.unwrap();
        matches.into_iter().find(|row| row.tier == Tier(1) && row.seats[0].rating.is_some())
    });
    // In the lower league, the other bot loses to the boss and stays.
    arena.until("the other is placed", async |store| {
        let all = store.standings_of(lazy.id).await.unwrap();
        all.first().is_some_and(|one| one.standing.tally.games >= 9).then_some(())
    });
    assert_eq!(arena.bot(lazy.bot_id).tier, Tier(0));
    assert!(
        arena.events().iter().any(|event| matches!(event, Event::BoardChanged { at } if at.tier == Tier(1)))
    );
}

pub(crate) fn built_in_bots_fill_matches_of_four(arena: &mut TestArena) {
    arena.standing_contest(&settings(HYPER, vec![hyper("boss-1", &["boss-2"], &[2, 4], 2, Way::Top)]));
    arena.open(1, Duration::from_millis(1));
    // First the needed matches: both bots are placed on both ladders; then pastime matches.
    for players in [2, 4] {
        let ladder = arena
            .runtime
            .block_on(arena.store.ensure_ladder(ARENA, HYPER, Tier(0), players, LadderKind::Ladder))
            .unwrap();
        arena.until("matches for the sake of it", async |store| {
            let field = store.field(ladder.id).await.unwrap();
            (field.len() == 2 && field.iter().all(|one| one.games >= 4)).then_some(())
        });
    }
    let boss = arena.runtime.block_on(arena.store.built_in_bots(ARENA, HYPER)).unwrap().remove(0);
    let rows = arena.runtime.block_on(arena.store.matches_of(boss.id, MatchFilter::All, None, 50)).unwrap();
    let four = rows.iter().find(|row| row.players == 4 && row.seats[0].rank.is_some()).unwrap();
    assert_eq!(
        four.seats.iter().filter(|seat| seat.bot_id == boss.id).count(),
        2,
        "the boss sits twice: {four:?}"
    );
    // The live view of spectators.
    let watched = arena.until("a live match", async |_| {
        let playing = arena.service().live().into_iter().next()?;
        let (shown, live) = arena.service().watch(playing.match_id)?;
        (shown.turn > 3).then(|| live.map(|live| (shown, live.replay())))?
    });
    assert!(!watched.0.hidden && watched.1.steps.len() > 2);
    let said = watched.1.steps.iter().flat_map(|step| step.answers.iter().flatten());
    assert!(said.clone().count() > 2 && said.into_iter().all(|said| said.stderr.is_none()));
}

pub(crate) fn a_contest_starts_ends_and_plays_its_final(arena: &mut TestArena) {
    arena.standing_contest(&settings(HYPER, vec![hyper("boss-1", &[], &[2], 2, Way::Top)]));
    let own = settings(
        HYPER,
        vec![hyper("boss-1", &[], &[2], 2, Way::Ladder), hyper("boss-2", &[], &[2], 2, Way::Top)],
    );
    let starts = now() + 700;
    let contest = arena.contest("cup", &own, Some(starts), Some(starts + 6000), ContestState::Planned);
    arena.open(1, NEVER);
    let state = |arena: &TestArena, wanted: ContestState| {
        arena.until(wanted.word(), async |store| {
            store.contest(contest).await.unwrap().filter(|contest| contest.state == wanted)
        })
    };
    let users = [arena.user(), arena.user(), arena.user()];
    let early = arena.submit_to(contest, users[0], HYPER, "Python", STILL, true);
    arena.built(early.id);
    state(arena, ContestState::Running);
    assert!(now() >= starts);
    // A version that was built before the start is activated after it.
    arena.runtime.block_on(arena.service().activate(early.id)).unwrap();
    for (user, source) in [(users[1], STILL.to_owned()), (users[2], rash())] {
        arena.submit_to(contest, user, HYPER, "Python", &source, true);
    }
    state(arena, ContestState::Final);
    assert!(now() >= starts + 6000);
    state(arena, ContestState::Closed);
    // All finalists of the highest reached tier have played two matches of the final, and no match waits.
    let ladders = arena.runtime.block_on(arena.store.ladders(contest, HYPER)).unwrap();
    let finals: Vec<_> = ladders.iter().filter(|ladder| ladder.kind == LadderKind::Final).collect();
    let highest = users.iter().filter_map(|&user| {
        arena.runtime.block_on(arena.store.bot_of(contest, HYPER, user)).unwrap().map(|bot| bot.tier)
    });
    let highest: Vec<Tier> = highest.collect();
    let top = *highest.iter().max().unwrap();
    let finalists = highest.iter().filter(|&&tier| tier == top).count();
    assert_eq!(finals.len(), 1, "{ladders:?}");
    assert_eq!(finals[0].tier, top);
    let field = arena.runtime.block_on(arena.store.field(finals[0].id)).unwrap();
    if finalists >= 2 {
        assert_eq!(field.len(), finalists, "{field:?}");
        assert!(field.iter().all(|one| one.user_id.is_some() && (2..=3).contains(&one.games)), "{field:?}");
    } else {
        assert!(field.is_empty(), "nobody plays a final alone: {field:?}");
    }
    for ladder in &ladders {
        assert_eq!(arena.runtime.block_on(arena.store.waiting_on(ladder.id)).unwrap(), 0);
    }
    let error = arena.runtime.block_on(arena.service().test(early.id)).unwrap_err();
    assert!(error.message.contains("not running"), "{error}");
    let told: Vec<ContestState> = (arena.events().into_iter())
        .filter_map(|event| match event {
            Event::Contest { contest_id, state } if contest_id == contest => Some(state),
            _ => None,
        })
        .collect();
    assert_eq!(told, [ContestState::Running, ContestState::Final, ContestState::Closed]);
}
