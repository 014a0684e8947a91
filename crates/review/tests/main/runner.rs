//! Continuations by the runner of matches, with bots that play in memory and with programs.

use std::sync::OnceLock;

use catalog::AnyGame;
use game::Selected;
use play::{MatchPlan, Placement, PlayedMatch, Runner, to_record};
use referee::{Clock, Ending};
use review::{Fork, Recording, numbered};
use sandbox::{Level, Limits, Program, Sandbox};
use toolchain::{Bot, Builtin, How, Launcher};

use crate::rule_set;

fn sandbox() -> &'static Sandbox {
    static PLAIN: OnceLock<Sandbox> = OnceLock::new();
    PLAIN.get_or_init(|| Sandbox::new(Some(Level::None)).unwrap())
}

fn builtin(builtin: Builtin) -> Bot {
    let name = format!("@{}", builtin.name());
    Bot { name: name.clone(), asked: name, digest: None, how: How::Builtin(builtin) }
}

fn script(name: &str, text: &str) -> Bot {
    let argv = ["/bin/sh", "-c", text].map(std::ffi::OsString::from).to_vec();
    let program = Program { argv, folder: None, writable: None, env: Vec::new() };
    Bot { name: name.into(), asked: name.into(), digest: None, how: How::Program(program) }
}

fn plan<'a>(game: &'static dyn AnyGame, selected: Selected, seed: i64, bots: &'a [Bot]) -> MatchPlan<'a> {
    MatchPlan {
        game,
        selected,
        seed,
        bots: bots.iter().collect(),
        clock: Clock::SITE,
        ponder: true,
        limits: Limits::BOT,
        placement: Placement::default(),
        inspect: false,
    }
}

fn play(plan: &MatchPlan<'_>, fork: Option<(&Fork, u64)>) -> PlayedMatch {
    let launcher = Launcher::new("/no/such/agon");
    let runner = Runner::new(sandbox(), &launcher, None);
    match fork {
        Some((fork, number)) => runner.continuing(fork.past(), number).play(plan),
        None => runner.play(plan),
    }
}

/// The answers of each seat.
fn by_seat(played: &PlayedMatch) -> Vec<Vec<&Option<Vec<u8>>>> {
    let answers =
        |seat| played.log.iter().filter(|turn| turn.seat.0 == seat).map(|turn| &turn.output).collect();
    (0..played.play.players()).map(answers).collect()
}

#[test]
fn the_same_bots_end_a_match_in_the_same_way() {
    for game in catalog::games() {
        for number in 0..20 {
            let selected = rule_set(game, number);
            let bots: Vec<Bot> = (0..selected.players)
                .map(|seat| {
                    builtin(if seat == 0 && number % 4 == 0 { Builtin::Wait } else { Builtin::Random })
                })
                .collect();
            let plan = plan(game, selected, number as i64, &bots);
            let whole = play(&plan, None);
            let recording = Recording::of(to_record(&plan, &whole)).unwrap();
            for turn in (1..=recording.last_turn).step_by(10) {
                let fork = Fork::new(&recording, turn, &[]).unwrap();
                let again = play(&plan, Some((&fork, 0)));
                assert_eq!(by_seat(&again), by_seat(&whole), "{} {number} {turn}", game.info().name);
                assert_eq!(again.ending, whole.ending);
                assert_eq!(again.play.end(), whole.play.end());
            }
        }
    }
}

#[test]
fn continuations_have_random_numbers_of_their_own() {
    let game = catalog::find("hypersonic").unwrap();
    let selected = rule_set(game, 0);
    let bots = vec![builtin(Builtin::Random); usize::from(selected.players)];
    let plan = plan(game, selected, 5, &bots);
    let recording = Recording::of(to_record(&plan, &play(&plan, None))).unwrap();
    let fork = Fork::new(&recording, 4, &[]).unwrap();
    let outputs: Vec<Vec<Option<Vec<u8>>>> = (0..3)
        .map(|number| play(&plan, Some((&fork, number))).log.iter().map(|turn| turn.output.clone()).collect())
        .collect();
    let past = 3 * bots.len();
    assert_eq!(outputs[0][..past], outputs[1][..past]);
    assert_ne!(outputs[0], outputs[1]);
    assert_ne!(outputs[1], outputs[2]);
}

/// A program that was not there is sent the past, its answers are ignored, and from the turn on they count.
#[test]
fn programs_are_brought_up_to_date() {
    let game = catalog::find("hypersonic").unwrap();
    let selected = game.select(&game::Selection::default()).unwrap();
    let bots = vec![builtin(Builtin::Wait); 2];
    let before = plan(game, selected, 5, &bots);
    let recording = Recording::of(to_record(&before, &play(&before, None))).unwrap();
    let fork = Fork::new(&recording, 6, &[]).unwrap();
    // It copies its input to its standard error output and answers each question, which ends with its last entity.
    let copy = script(
        "copy",
        "read w h id; echo \"$w $h $id\" >&2; while :; do i=0; while [ $i -lt $h ]; do read -r row || exit; echo \"$row\" >&2; i=$((i+1)); done; \
         read n; echo $n >&2; i=0; while [ $i -lt $n ]; do read -r e; echo \"$e\" >&2; i=$((i+1)); done; echo 'MOVE 0 0'; done",
    );
    let bots = [copy, builtin(Builtin::Wait)];
    let mut again = plan(game, selected, 5, &bots);
    again.clock = Clock::Off;
    let played = play(&again, Some((&fork, 0)));
    assert!(
        matches!(&played.ending, Ending::Over { causes, .. } if causes.iter().all(Option::is_none)),
        "{played:?}"
    );
    assert_eq!(played.caught_up[0].ignored, 5);
    assert_eq!(played.caught_up[1], referee::CaughtUp { ignored: 5, differed: 0 });
    let continued = Recording::of(to_record(&again, &played)).unwrap();
    assert_eq!(continued.asked_until(0, 5).unwrap(), recording.asked_until(0, 5).unwrap());
    assert_eq!(continued.asked_until(0, 6).unwrap()[5].answer.as_deref(), Some(&b"MOVE 0 0"[..]));
    let seen: Vec<u8> =
        played.log.iter().filter(|turn| turn.seat.0 == 0).flat_map(|turn| turn.stderr.clone()).collect();
    let sent: String = continued.asked(0).unwrap().iter().map(|asked| asked.input.as_str()).collect();
    let seen = String::from_utf8(seen).unwrap();
    assert!(sent.starts_with(&seen) && seen.len() > sent.len() / 2, "the bot was sent something else");
}

#[test]
fn a_program_that_fails_on_the_past_makes_the_continuation_void() {
    let game = catalog::find("hypersonic").unwrap();
    let selected = game.select(&game::Selection::default()).unwrap();
    let waiting = vec![builtin(Builtin::Wait); 2];
    let before = plan(game, selected, 5, &waiting);
    let recording = Recording::of(to_record(&before, &play(&before, None))).unwrap();
    let bots =
        numbered(&[script("crash", "echo MOVE 0 0; echo oh no >&2; exit 3"), builtin(Builtin::Wait)], 0);
    let plan = plan(game, selected, 5, &bots);
    let fork = Fork::new(&recording, 6, &[]).unwrap();
    let played = play(&plan, Some((&fork, 0)));
    let Ending::Void { why, by } = &played.ending else { panic!("{played:?}") };
    assert_eq!(by.map(|seat| seat.0), Some(0));
    for words in ["turn 2", "exit code 3", "oh no", "past"] {
        assert!(why.contains(words), "{why}");
    }
    // From the turn on the same failure is a loss.
    let fork = Fork::new(&recording, 2, &[]).unwrap();
    let played = play(&plan, Some((&fork, 0)));
    assert!(matches!(&played.ending, Ending::Over { causes, .. } if causes[0].is_some()), "{played:?}");
}
