//! Ladders, tables of four, contests that end.

use std::time::Duration;

use contest::{Event, League, Way};
use store::{ContestState, LadderKind, MatchFilter};

use crate::support::{ARENA, House, league, now, settings};
use crate::trials::{KIT, LAZY, NEVER, TRACK, under};

const HYPER: &str = "hypersonic";
/// It does not move, and so lives as long as nobody comes by.
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

/// It blows itself up in the eighth round.
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

pub(crate) fn a_ladder_leads_up(house: &mut House) {
    // On every map the kit beats this boss, and the boss beats who only waits.
    let rated = |boss: &str, way| {
        let mut made = under(boss);
        (made.key, made.placement, made.way) = (format!("{boss}-league"), 3, way);
        made
    };
    house.arena(&settings(TRACK, vec![rated("boss-2", Way::Ladder), rated("boss-3", Way::Top)]));
    house.open(1, NEVER);
    let (user, other) = (house.user(), house.user());
    let good = house.submit(user, TRACK, KIT);
    let lazy = house.submit(other, TRACK, LAZY);
    let bot = house.until("promotion", async |store| {
        store.bot(good.bot_id).await.unwrap().filter(|bot| bot.league == 1)
    });
    // The same rules: the same version goes on.
    assert_eq!(bot.active_version, Some(good.id));
    let promotion = house.runtime.block_on(house.store.promotions(bot.id)).unwrap().remove(0);
    let decisive =
        house.runtime.block_on(house.store.match_row(promotion.match_id.unwrap())).unwrap().unwrap();
    assert!(decisive.seats.iter().any(|seat| seat.version_id == good.id));
    house.until("a match above", async |store| {
        let matches = store.matches_of(bot.id, MatchFilter::All, None, 20).await.unwrap();
        matches.into_iter().find(|row| row.league == 1 && row.seats[0].rating.is_some())
    });
    // Below, the other one loses to the boss and stays.
    house.until("the other is placed", async |store| {
        let all = store.standings_of(lazy.id).await.unwrap();
        all.first().is_some_and(|one| one.standing.tally.games >= 9).then_some(())
    });
    assert_eq!(house.bot(lazy.bot_id).league, 0);
    assert!(house.events().iter().any(|event| matches!(event, Event::BoardChanged { at } if at.league == 1)));
}

pub(crate) fn the_house_plays_at_tables_of_four(house: &mut House) {
    house.arena(&settings(HYPER, vec![hyper("boss-1", &["boss-2"], &[2, 4], 2, Way::Top)]));
    house.open(1, Duration::from_millis(1));
    // First what is needed: both are placed on both ladders; then, for the visitors, one more and one more.
    for players in [2, 4] {
        let ladder = house
            .runtime
            .block_on(house.store.ensure_ladder(ARENA, HYPER, 0, players, LadderKind::Ladder))
            .unwrap();
        house.until("matches for the sake of it", async |store| {
            let field = store.field(ladder.id).await.unwrap();
            (field.len() == 2 && field.iter().all(|one| one.games >= 4)).then_some(())
        });
    }
    let boss = house.runtime.block_on(house.store.house_bots(ARENA, HYPER)).unwrap().remove(0);
    let rows = house.runtime.block_on(house.store.matches_of(boss.id, MatchFilter::All, None, 50)).unwrap();
    let four = rows.iter().find(|row| row.players == 4 && row.seats[0].rank.is_some()).unwrap();
    assert_eq!(
        four.seats.iter().filter(|seat| seat.bot_id == boss.id).count(),
        2,
        "the house sits twice: {four:?}"
    );
    // What onlookers see.
    let watched = house.until("a live match", async |_| {
        let playing = house.service().live().into_iter().next()?;
        let (shown, live) = house.service().watch(playing.match_id)?;
        (shown.turn > 3).then(|| live.map(|live| (shown, live.story())))?
    });
    assert!(!watched.0.hidden && watched.1.moments.len() > 2);
    let said = watched.1.moments.iter().flat_map(|moment| moment.answers.iter().flatten());
    assert!(said.clone().count() > 2 && said.into_iter().all(|said| said.stderr.is_none()));
}

pub(crate) fn a_contest_lives_and_ends(house: &mut House) {
    house.arena(&settings(HYPER, vec![hyper("boss-1", &[], &[2], 2, Way::Top)]));
    let own = settings(
        HYPER,
        vec![hyper("boss-1", &[], &[2], 2, Way::Ladder), hyper("boss-2", &[], &[2], 2, Way::Top)],
    );
    let starts = now() + 700;
    let contest = house.contest("cup", &own, Some(starts), Some(starts + 6000), ContestState::Planned);
    house.open(1, NEVER);
    let state = |house: &House, wanted: ContestState| {
        house.until(wanted.word(), async |store| {
            store.contest(contest).await.unwrap().filter(|contest| contest.state == wanted)
        })
    };
    let users = [house.user(), house.user(), house.user()];
    let early = house.submit_to(contest, users[0], HYPER, "Python", STILL, true);
    house.built(early.id);
    assert!(now() < starts || state(house, ContestState::Running).id == contest);
    state(house, ContestState::Running);
    assert!(now() >= starts);
    for (user, source) in [(users[1], STILL.to_owned()), (users[2], rash())] {
        house.submit_to(contest, user, HYPER, "Python", &source, true);
    }
    state(house, ContestState::Final);
    assert!(now() >= starts + 6000);
    state(house, ContestState::Closed);
    // Everybody of the highest league that was reached has played two matches of the final, and nothing waits.
    let ladders = house.runtime.block_on(house.store.ladders(contest, HYPER)).unwrap();
    let finals: Vec<_> = ladders.iter().filter(|ladder| ladder.kind == LadderKind::Final).collect();
    let highest = users.iter().filter_map(|&user| {
        house.runtime.block_on(house.store.bot_of(contest, HYPER, user)).unwrap().map(|bot| bot.league)
    });
    let highest: Vec<i64> = highest.collect();
    let top = *highest.iter().max().unwrap();
    let finalists = highest.iter().filter(|&&league| league == top).count();
    assert_eq!(finals.len(), 1, "{ladders:?}");
    assert_eq!(finals[0].league, top);
    let field = house.runtime.block_on(house.store.field(finals[0].id)).unwrap();
    if finalists >= 2 {
        assert_eq!(field.len(), finalists, "{field:?}");
        assert!(field.iter().all(|one| one.user_id.is_some() && (2..=3).contains(&one.games)), "{field:?}");
    } else {
        assert!(field.is_empty(), "nobody plays a final alone: {field:?}");
    }
    for ladder in &ladders {
        assert_eq!(house.runtime.block_on(house.store.waiting_on(ladder.id)).unwrap(), 0);
    }
    let error = house.runtime.block_on(house.service().test(early.id)).unwrap_err();
    assert!(error.message.contains("not running"), "{error}");
    let told: Vec<ContestState> = (house.events().into_iter())
        .filter_map(|event| match event {
            Event::Contest { contest_id, state } if contest_id == contest => Some(state),
            _ => None,
        })
        .collect();
    assert_eq!(told, [ContestState::Running, ContestState::Final, ContestState::Closed]);
}
