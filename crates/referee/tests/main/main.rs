//! The referee in time that never passes: every clock, every way to fail.

// Tests may assume.
#![allow(clippy::unwrap_used)]

use std::time::Duration;

use game::{Seat, Selection};
use referee::{Cause, Clock, Command, Ending, Exit, Question, Referee, Settings, Stream};

const P0: Seat = Seat(0);
const P1: Seat = Seat(1);

fn ms(ms: u64) -> Duration {
    Duration::from_millis(ms)
}

fn referee_with(game: &str, players: u8, change: impl FnOnce(&mut Settings)) -> Referee {
    let game = catalog::find(game).unwrap();
    let selected = game.select(&Selection { players: Some(players), ..Selection::default() }).unwrap();
    let mut settings = Settings::new(Clock::SITE, game.limits(selected));
    change(&mut settings);
    Referee::new(game.start(selected, 1), settings)
}

fn referee(game: &str, clock: Clock) -> Referee {
    referee_with(game, 2, |settings| settings.clock = clock)
}

/// The question that must be next.
fn asked(referee: &mut Referee) -> Question {
    match referee.poll() {
        Some(Command::Ask(question)) => question,
        other => panic!("a question is due, not {other:?}"),
    }
}

/// Asks `seat`, whose question must be next, and answers `line` after `took`.
fn exchange(referee: &mut Referee, seat: Seat, at: Duration, took: Duration, line: &str) {
    assert_eq!(asked(referee).seat, seat);
    referee.sent(seat, at, None);
    referee.stdout(seat, at + took, None, format!("{line}\n").as_bytes());
}

/// Both submarines are placed on seed 1, where this is water.
fn placed(clock: Clock) -> Referee {
    let mut referee = referee("ocean-of-code", clock);
    exchange(&mut referee, P0, ms(0), ms(1), "5 9");
    exchange(&mut referee, P1, ms(10), ms(1), "7 2");
    referee
}

fn commands(referee: &mut Referee) -> Vec<Command> {
    std::iter::from_fn(|| referee.poll()).collect()
}

fn causes(mut referee: Referee) -> Vec<Option<Cause>> {
    assert_eq!(commands(&mut referee).last(), Some(&Command::Finish));
    match referee.finish().unwrap().0 {
        Ending::Over { causes, .. } => causes,
        Ending::Void { why, .. } => panic!("void: {why}"),
    }
}

fn cause_names(referee: Referee) -> Vec<Option<&'static str>> {
    causes(referee).iter().map(|cause| cause.as_ref().map(Cause::name)).collect()
}

#[test]
fn questions_carry_the_protocol() {
    let mut referee = referee("ocean-of-code", Clock::SITE);
    let first = asked(&mut referee);
    assert!(first.text.starts_with("15 15 0\n"));
    assert_eq!(first.text.lines().count(), 16);
    assert_eq!(referee.poll(), None);
    assert_eq!(referee.deadline(), None, "the clock starts when the question is written");
    referee.sent(P0, ms(5), None);
    assert_eq!(referee.deadline(), Some(ms(1055)));
}

#[test]
fn everybody_is_asked_at_once_in_a_simultaneous_game() {
    let mut referee = referee_with("hypersonic", 4, |_| {});
    let seats: Vec<u8> = (0..4).map(|_| asked(&mut referee).seat.0).collect();
    assert_eq!(seats, [0, 1, 2, 3]);
    for seat in [3, 1, 0, 2] {
        assert_eq!(referee.poll(), None);
        referee.sent(Seat(seat), ms(0), None);
        referee.stdout(Seat(seat), ms(1), None, b"MOVE 6 5\n");
    }
    assert_eq!(asked(&mut referee).seat, P0);
}

#[test]
fn a_line_may_come_in_pieces_and_end_in_any_way() {
    let mut referee = referee("ocean-of-code", Clock::SITE);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), None);
    for piece in [&b"5"[..], b" ", b"9"] {
        referee.stdout(P0, ms(1), None, piece);
        assert_eq!(referee.poll(), None);
    }
    referee.stdout(P0, ms(2), None, b"\r");
    assert_eq!(asked(&mut referee).seat, P1);
    // The line feed behind the carriage return is not an empty answer.
    referee.stdout(P0, ms(2), None, b"\n");
    exchange_sent(&mut referee, P1, "7 2\r\n");
    exchange(&mut referee, P0, ms(20), ms(1), "MOVE E TORPEDO");
    assert_eq!(referee.log().len(), 3);
    assert_eq!(referee.log()[0].output.as_deref(), Some(&b"5 9"[..]));
    assert_eq!(referee.log()[0].wall, ms(2));
}

fn exchange_sent(referee: &mut Referee, seat: Seat, bytes: &str) {
    referee.sent(seat, ms(3), None);
    referee.stdout(seat, ms(4), None, bytes.as_bytes());
}

#[test]
fn site_clock_allows_two_overruns() {
    let mut referee = placed(Clock::SITE);
    let mut at = ms(100);
    for turn in 0..3 {
        exchange(&mut referee, P0, at, ms(75), "MOVE E TORPEDO");
        if turn < 2 {
            exchange(&mut referee, P1, at + ms(80), ms(49), "MOVE S TORPEDO");
        }
        at += ms(200);
    }
    let causes = causes(referee);
    assert!(matches!(causes[0], Some(Cause::Timeout { used_ms: 75, limit_ms: 50, .. })), "{causes:?}");
    assert_eq!(causes[1], None);
}

#[test]
fn site_clock_kills_at_limit_and_grace() {
    let mut referee = placed(Clock::SITE);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(100), None);
    assert_eq!(referee.deadline(), Some(ms(200)));
    referee.tick(ms(199), |_| None);
    assert_eq!(referee.poll(), None);
    referee.stdout(P0, ms(199), None, b"MOVE");
    referee.tick(ms(200), |_| None);
    assert_eq!(commands(&mut referee), [Command::Kill(P0), Command::Finish]);
    let (ending, log, _) = referee.finish().unwrap();
    let Ending::Over { outcome, causes } = ending else { panic!("void") };
    assert_eq!(outcome.scores, [-1, 6]);
    let expected = Cause::Timeout { used_ms: 100, limit_ms: 50, partial: Some("`MOVE`".into()) };
    assert_eq!(causes, [Some(expected), None]);
    assert_eq!(log.last().unwrap().output, None);
}

#[test]
fn an_answer_that_came_too_late_is_late_even_if_nobody_ticked() {
    let mut referee = placed(Clock::SITE);
    exchange(&mut referee, P0, ms(100), ms(101), "MOVE E TORPEDO");
    assert_eq!(cause_names(referee), [Some("timeout"), None]);
}

#[test]
fn strict_clock_has_no_grace() {
    let mut referee = placed(Clock::Strict);
    exchange(&mut referee, P0, ms(100), ms(50), "MOVE E TORPEDO");
    exchange(&mut referee, P1, ms(200), ms(51), "MOVE S TORPEDO");
    assert_eq!(cause_names(referee), [None, Some("timeout")]);
}

#[test]
fn a_bank_is_spent_and_then_empty() {
    let mut referee = placed("bank=30".parse().unwrap());
    exchange(&mut referee, P0, ms(100), ms(70), "MOVE E TORPEDO");
    exchange(&mut referee, P1, ms(200), ms(80), "MOVE S TORPEDO");
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(300), None);
    assert_eq!(referee.deadline(), Some(ms(360)), "10 ms are left in the bank");
    referee.stdout(P0, ms(361), None, b"MOVE E TORPEDO\n");
    assert_eq!(cause_names(referee), [Some("timeout"), None]);
}

#[test]
fn cpu_clock_counts_cpu_time_and_guards() {
    let mut referee = placed(Clock::CPU);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(100), Some(ms(7)));
    assert_eq!(referee.deadline(), Some(ms(150)));
    // The machine was busy with others: 20 ms of CPU time in 50 ms, so 30 ms are left at the least.
    referee.tick(ms(150), |_| Some(ms(27)));
    assert_eq!(referee.deadline(), Some(ms(180)));
    referee.stdout(P0, ms(179), Some(ms(50)), b"MOVE E TORPEDO\n");
    assert_eq!(referee.log().last().unwrap().cpu, Some(ms(43)));
    // Fifty milliseconds of CPU time are a timeout.
    assert_eq!(asked(&mut referee).seat, P1);
    referee.sent(P1, ms(200), Some(ms(1)));
    referee.tick(ms(250), |_| Some(ms(51)));
    assert_eq!(cause_names(referee), [None, Some("timeout")]);
    // A program that sleeps meets the guard.
    let mut referee = placed(Clock::CPU);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), Some(ms(0)));
    let mut now = ms(0);
    while let Some(deadline) = referee.deadline() {
        now = deadline;
        referee.tick(now, |_| Some(ms(0)));
    }
    assert_eq!(now, ms(2000));
    assert_eq!(cause_names(referee), [Some("timeout"), None]);
}

#[test]
fn clock_off_waits_for_ever() {
    let mut referee = placed(Clock::Off);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), None);
    assert_eq!(referee.deadline(), None);
    referee.stdout(P0, ms(10_000_000), None, b"MOVE E TORPEDO\n");
    assert_eq!(asked(&mut referee).seat, P1);
}

#[test]
fn a_crash_tells_how_and_what_was_said_last() {
    let mut referee = placed(Clock::SITE);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), None);
    referee.stderr(P0, b"index out of range\n");
    referee.gone(P0, ms(3), None, Exit::Signal(11));
    let causes = causes(referee);
    let Some(Cause::Crash { exit, stderr }) = &causes[0] else { panic!("{causes:?}") };
    assert_eq!((exit.to_string().as_str(), stderr.as_str()), ("signal 11 (SIGSEGV)", "index out of range\n"));
}

#[test]
fn a_program_that_ends_between_its_turns_crashes_when_it_is_asked() {
    let mut referee = placed(Clock::SITE);
    exchange(&mut referee, P0, ms(20), ms(1), "MOVE E TORPEDO");
    referee.gone(P0, ms(22), None, Exit::Code(0));
    exchange(&mut referee, P1, ms(30), ms(1), "MOVE S TORPEDO");
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(40), None);
    assert_eq!(cause_names(referee), [Some("crash"), None]);
}

#[test]
fn a_program_may_end_after_its_last_answer() {
    let mut referee = referee("ocean-of-code", Clock::SITE);
    exchange(&mut referee, P0, ms(0), ms(1), "5 9");
    referee.gone(P0, ms(2), None, Exit::Code(1));
    exchange(&mut referee, P1, ms(10), ms(1), "99 99");
    let causes = causes(referee);
    assert_eq!(causes[0], None, "the game was over before it was asked again");
    assert!(
        matches!(&causes[1], Some(Cause::Invalid { fault }) if fault.code == "placement-cell"),
        "{causes:?}"
    );
}

#[test]
fn floods_are_stopped_at_their_limit() {
    let mut referee = placed(Clock::SITE);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), None);
    referee.stdout(P0, ms(1), None, &[b'x'; 10_000]);
    assert_eq!(referee.poll(), None);
    referee.stdout(P0, ms(1), None, b"x");
    assert_eq!(causes(referee)[0], Some(Cause::Flood { stream: Stream::Line, limit: 10_000 }));
    // Lines nobody asked for count as well.
    let mut referee = placed(Clock::SITE);
    assert_eq!(asked(&mut referee).seat, P0);
    for _ in 0..100 {
        referee.stdout(P1, ms(1), None, &b"SURFACE\n".repeat(100));
    }
    assert_eq!(referee.poll(), Some(Command::Kill(P1)));
    referee.sent(P0, ms(2), None);
    referee.stdout(P0, ms(3), None, b"MOVE E TORPEDO\n");
    assert_eq!(causes(referee)[1], Some(Cause::Flood { stream: Stream::Turn, limit: 64 << 10 }));
}

#[test]
fn the_output_of_a_match_is_bounded() {
    assert_eq!(referee("ocean-of-code", Clock::SITE).settings().match_bytes, 4 << 20);
    let mut referee = referee_with("ocean-of-code", 2, |settings| settings.match_bytes = 12_000);
    exchange(&mut referee, P0, ms(0), ms(1), "5 9");
    exchange(&mut referee, P1, ms(10), ms(1), "7 2");
    let long = format!("SURFACE|MSG {}", "x".repeat(7_000));
    exchange(&mut referee, P0, ms(20), ms(1), &long);
    exchange(&mut referee, P1, ms(30), ms(1), "SURFACE");
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(40), None);
    referee.stdout(P0, ms(41), None, long.as_bytes());
    let cause = causes(referee)[0].clone().unwrap();
    assert_eq!(cause, Cause::Flood { stream: Stream::Match, limit: 12_000 });
    assert_eq!(cause.to_string(), "flood: more than 12000 bytes in one match");
}

#[test]
fn memory_is_a_cause_of_its_own() {
    let mut referee = placed(Clock::SITE);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), None);
    referee.out_of_memory(P0, ms(9), None, 768 << 20);
    assert_eq!(causes(referee)[0].as_ref().unwrap().to_string(), "memory: more than 768 MiB");
}

#[test]
fn the_others_play_on_when_one_is_out() {
    let mut referee = referee_with("hypersonic", 3, |_| {});
    for _ in 0..3 {
        let seat = asked(&mut referee).seat;
        referee.sent(seat, ms(0), None);
    }
    referee.gone(Seat(1), ms(1), None, Exit::Code(3));
    assert_eq!(referee.poll(), Some(Command::Kill(Seat(1))));
    referee.stdout(Seat(0), ms(1), None, b"MOVE 0 0\n");
    referee.stdout(Seat(2), ms(1), None, b"MOVE 12 0\n");
    let next: Vec<Seat> = commands(&mut referee)
        .into_iter()
        .map(|command| match command {
            Command::Ask(question) => question.seat,
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(next, [Seat(0), Seat(2)]);
}

#[test]
fn an_invalid_answer_names_what_was_expected() {
    let mut referee = placed(Clock::SITE);
    exchange(&mut referee, P0, ms(20), ms(1), "MOVE Q");
    let causes = causes(referee);
    let Some(Cause::Invalid { fault }) = &causes[0] else { panic!("{causes:?}") };
    assert_eq!((fault.seat, fault.code.as_ref(), fault.turn), (P0, "bad-direction", 3));
}

#[test]
fn early_lines_are_dropped_or_kept() {
    for keep in [false, true] {
        let mut referee = referee_with("ocean-of-code", 2, |settings| settings.keep_early_lines = keep);
        assert_eq!(asked(&mut referee).seat, P0);
        referee.sent(P0, ms(0), None);
        referee.stdout(P0, ms(1), None, b"5 9\nMOVE E TORPEDO\n");
        exchange(&mut referee, P1, ms(2), ms(1), "7 2");
        assert_eq!(asked(&mut referee).seat, P0);
        referee.sent(P0, ms(4), None);
        assert_eq!(
            referee.poll().is_some(),
            keep,
            "the second line answers the second question only if kept"
        );
    }
}

#[test]
fn a_stall_of_the_host_is_nobodys_time() {
    let mut referee = placed(Clock::Strict);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), None);
    referee.stalled(ms(15));
    assert_eq!(referee.deadline(), Some(ms(65)));
    referee.stdout(P0, ms(60), None, b"MOVE E TORPEDO\n");
    assert_eq!(asked(&mut referee).seat, P1);
    assert_eq!(referee.stall(), ms(15));
    // Nobody can say whether this player would have been late.
    referee.sent(P1, ms(100), None);
    referee.stalled(ms(300));
    referee.tick(ms(450), |_| None);
    assert_eq!(referee.deadline(), Some(ms(800)), "it gets its limit and the stall once more");
    referee.stdout(P1, ms(799), None, b"MOVE E TORPEDO\n");
    assert_eq!(commands(&mut referee), [Command::Finish]);
    assert!(matches!(referee.finish().unwrap().0, Ending::Void { why, by: None } if why.contains("300 ms")));
}

#[test]
fn who_never_answers_is_late_even_if_the_host_stood_still() {
    for clock in [Clock::Strict, Clock::SITE, Clock::CPU] {
        let mut referee = placed(clock);
        assert_eq!(asked(&mut referee).seat, P0);
        referee.sent(P0, ms(0), Some(ms(0)));
        referee.stalled(ms(300));
        for _ in 0..4 {
            let deadline = referee.deadline().filter(|_| referee.poll().is_none());
            let Some(deadline) = deadline else { break };
            referee.tick(deadline, |_| Some(ms(60)));
        }
        let causes = causes(referee);
        assert!(matches!(causes[0], Some(Cause::Timeout { .. })), "{clock:?} {causes:?}");
    }
}

#[test]
fn a_program_that_was_not_let_run_gets_its_time_back() {
    let mut referee = placed(Clock::Strict);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), None);
    referee.credit(P0, ms(30));
    referee.credit(P1, ms(1000));
    assert_eq!(referee.deadline(), Some(ms(80)));
    referee.stdout(P0, ms(80), None, b"MOVE E TORPEDO\n");
    assert_eq!(referee.log().last().map(|answer| answer.uncharged), Some(ms(30)));
    assert_eq!(asked(&mut referee).seat, P1);
    // What others were given is nobody's, and a credit does not make a match void.
    referee.sent(P1, ms(100), None);
    assert_eq!(referee.deadline(), Some(ms(150)));
    referee.credit(P1, ms(30));
    referee.tick(ms(180), |_| None);
    let causes = causes(referee);
    assert!(matches!(causes[1], Some(Cause::Timeout { used_ms: 50, limit_ms: 50, .. })), "{causes:?}");
}

#[test]
fn a_player_that_waits_for_its_question_gets_no_time_of_others() {
    let mut referee = referee_with("hypersonic", 2, |settings| settings.clock = Clock::Strict);
    assert_eq!((asked(&mut referee).seat, asked(&mut referee).seat), (P0, P1));
    referee.sent(P0, ms(0), None);
    assert!(!referee.thinking().contains(P1));
    referee.stalled(ms(15));
    referee.excuse(P1, ms(500));
    referee.stdout(P0, ms(1), None, b"MOVE 6 5\n");
    referee.sent(P1, ms(2), None);
    let limit = u64::from(referee.settings().first_turn_ms);
    assert_eq!(referee.deadline(), Some(ms(2 + limit)));
}

#[test]
fn an_excuse_is_not_charged_and_a_delay_is() {
    let mut referee = placed(Clock::Strict);
    assert_eq!(asked(&mut referee).seat, P0);
    referee.sent(P0, ms(0), None);
    referee.excuse(P0, ms(200));
    assert_eq!(referee.deadline(), Some(ms(250)));
    referee.stdout(P0, ms(250), None, b"MOVE E TORPEDO\n");
    assert_eq!(asked(&mut referee).seat, P1);
    referee.sent(P1, ms(300), None);
    referee.postpone(P1, ms(355));
    assert_eq!(referee.overdue(ms(354)).count(), 0);
    assert_eq!(referee.overdue(ms(355)).collect::<Vec<_>>(), [P1]);
    // A credit moves the deadline, and the delay is not added to it.
    referee.credit(P1, ms(2));
    assert_eq!(referee.deadline(), Some(ms(355)));
    referee.stdout(P1, ms(353), None, b"MOVE S TORPEDO\n");
    assert_eq!(cause_names(referee), [None, Some("timeout")]);
}

#[test]
fn a_match_has_a_limit_in_wall_time() {
    let limits = game::Limits { first_turn_ms: 1000, turn_ms: 50, answer_bytes: 100 };
    let limit = |clock| Settings::new(clock, limits).with_match_limit(2, 102).match_ms;
    assert_eq!(limit(Clock::Strict), Some(4 * (2 * 1000 + 100 * 50)));
    assert_eq!(limit(Clock::Bank { bank_ms: 500 }), Some(4 * (2 * 1000 + 100 * 50 + 2 * 500)));
    assert_eq!(limit(Clock::CPU), Some(2 * 20_000 + 100 * 2000), "never less than the clock allows");
    assert_eq!(limit(Clock::Off), None);
}

/// Plays with a limit of 300 ms, with 30 ms of extra time a turn for each of these players.
fn too_long(favoured: &[Seat]) -> Ending {
    let mut referee = referee_with("hypersonic", 2, |settings| {
        (settings.clock, settings.match_ms) = (Clock::Strict, Some(300));
    });
    let mut now = ms(0);
    while let Some(Command::Ask(Question { seat, .. })) = referee.poll() {
        referee.sent(seat, now, None);
        if favoured.contains(&seat) {
            referee.credit(seat, ms(30));
            now += ms(30);
        }
        now += ms(10);
        if referee.deadline().unwrap() <= now {
            referee.tick(now, |_| None);
        } else {
            referee.stdout(seat, now, None, b"MOVE 6 5\n");
        }
    }
    referee.finish().unwrap().0
}

#[test]
fn a_match_that_takes_too_long_is_void_and_names_the_player_that_got_the_time() {
    let Ending::Void { why, by } = too_long(&[P1]) else { panic!("not void") };
    assert_eq!(by, Some(P1), "{why}");
    assert!(why.starts_with("the match took longer than 300 ms, of which player 1 had"), "{why}");
    let nobody = Ending::Void { why: "the match took longer than 300 ms".into(), by: None };
    assert_eq!(too_long(&[P0, P1]), nobody);
    assert_eq!(too_long(&[]), nobody);
}

#[test]
fn a_void_match_is_never_scored() {
    let mut referee = placed(Clock::SITE);
    referee.void("the box broke".into(), None);
    assert_eq!(commands(&mut referee).last(), Some(&Command::Finish));
    assert_eq!(referee.finish().unwrap().0, Ending::Void { why: "the box broke".into(), by: None });
}

#[test]
fn standard_error_output_is_kept_by_turn_and_cut() {
    let mut referee = placed(Clock::SITE);
    referee.stderr(P0, b"thinking\n");
    exchange(&mut referee, P0, ms(20), ms(1), "MOVE E TORPEDO");
    assert_eq!(referee.log().last().unwrap().stderr, b"thinking\n");
    for _ in 0..1000 {
        referee.stderr(P0, &[b'x'; 4096]);
    }
    exchange(&mut referee, P1, ms(30), ms(1), "MOVE S TORPEDO");
    exchange(&mut referee, P0, ms(40), ms(1), "MOVE E TORPEDO");
    assert_eq!(referee.log().last().unwrap().stderr.len(), 10 << 10);
}

#[test]
fn clocks_are_read_as_they_are_written() {
    for clock in ["site", "strict", "bank=700", "cpu", "off"] {
        assert_eq!(clock.parse::<Clock>().unwrap().to_string(), clock);
    }
    assert!("bank=x".parse::<Clock>().unwrap_err().to_string().contains("site, strict, bank"));
}

/// A thousand matches in which one player is late at a random turn: each ends with just that verdict, in no time at all.
#[test]
fn a_thousand_timeouts() {
    for n in 0..1000u64 {
        let mut dice = game::Dice::new(n);
        let mut referee = placed(Clock::SITE);
        let late = dice.below(20);
        let mut now = ms(1000);
        for turn in 0.. {
            let Some(Command::Ask(Question { seat, .. })) = referee.poll() else { break };
            now += ms(100);
            referee.sent(seat, now, None);
            if turn == late {
                now = referee.deadline().unwrap();
                referee.tick(now, |_| None);
                let expected = if seat == P0 { [Some("timeout"), None] } else { [None, Some("timeout")] };
                assert_eq!(cause_names(referee), expected);
                break;
            }
            now += ms(u64::from(dice.below(50)));
            referee.stdout(seat, now, None, b"SONAR 1|MSG hello|SILENCE N 0\n");
            if referee.play().awaited().is_empty() {
                break;
            }
        }
    }
}
