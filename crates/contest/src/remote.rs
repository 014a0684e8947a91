//! Results of other machines. Nothing that a worker says is believed: a match is simulated again from its answers, and the
//! stored record is made anew from them.

use std::io::Read as _;

use catalog::AnyGame;
use catalog::record::{self, Entry, Header, Line, Played, Player, RulesField, Turn};
use flate2::read::GzDecoder;
use game::{FaultKind, Seat, Selected};
use referee::Cause;
use serde_json::{Map, Value, json};
use store::Leased;

use crate::play::{Ended, Finish};

/// The largest record, uncompressed.
const LARGEST: u64 = 64 << 20;
/// The longest text that a cause may have.
const LONGEST: usize = 64 << 10;
/// The longest information about the host and its limits.
const LONGEST_INFO: usize = 4 << 10;

/// A result that the rules do not give; the reason.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Refused(pub(crate) String);

fn refused<T>(why: impl Into<String>) -> Result<T, Refused> {
    Err(Refused(why.into()))
}

/// A digest of the match in a compressed record: its game, seed and answers.
pub(crate) fn digest(packed: &[u8]) -> Result<String, Refused> {
    Ok(read(packed)?.digest(&Value::Null))
}

fn read(packed: &[u8]) -> Result<Box<Played>, Refused> {
    let mut text = Vec::new();
    let unpacked = GzDecoder::new(packed).take(LARGEST).read_to_end(&mut text);
    unpacked.map_err(|error| Refused(format!("the record cannot be unpacked: {error}")))?;
    match record::read(&text) {
        Ok(Entry::Played(played)) => Ok(played),
        Ok(Entry::Map(..)) => refused("the record has no turns"),
        Err(error) => refused(error.to_string()),
    }
}

/// The result of a match from its compressed record.
pub(crate) fn check(
    (game, selected): (&'static dyn AnyGame, Selected),
    leased: &Leased,
    packed: &[u8],
) -> Result<Ended, Refused> {
    let claimed = read(packed)?;
    let mut play = game.start(selected, leased.seed);
    let (rules, players) = (play.rules(), usize::from(play.players()));
    let Value::Object(rules) = rules else { return refused("the rules are no object") };
    let is_ours = claimed.header.game == game.info().name
        && claimed.header.seed == leased.seed
        && matches!(&claimed.header.rules, Some(RulesField::Full(claimed)) if *claimed == rules);
    if !is_ours {
        return refused("the record is that of another match");
    }
    let mut last: Vec<Option<(u32, Vec<u8>)>> = vec![None; players];
    let mut is_absent = vec![false; players];
    let mut turns = Vec::with_capacity(claimed.turns.len());
    for (index, turn) in claimed.turns.iter().enumerate() {
        let (seat, answer) = (Seat(turn.player), turn.answer());
        if !play.awaited().contains(seat) {
            return refused(format!("answer {index} is of player {seat}, who is not asked"));
        }
        let stderr = turn.stderr.as_ref().map(|line| line.0.clone()).unwrap_or_default();
        last[seat.index()] = Some((play.turn(), stderr.clone()));
        is_absent[seat.index()] |= answer.is_none();
        if let Err(error) = play.answer(seat, answer) {
            return refused(format!("answer {index}: {error}"));
        }
        turns.push(Turn {
            wall_us: turn.wall_us,
            cpu_us: turn.cpu_us,
            stderr: (!stderr.is_empty()).then_some(Line(stderr)),
            ..Turn::new(turn.player, answer.map(<[u8]>::to_vec))
        });
    }
    if !play.awaited().is_empty() {
        return refused("the match is not over");
    }
    let outcome = play.outcome();
    let Value::Object(end) = play.end() else { return refused("the end is no object") };
    let said = claimed.outcome.as_ref().unwrap_or(&Value::Null);
    if said["scores"] != json!(outcome.scores) || said["ranks"] != json!(outcome.ranks) || claimed.end != end
    {
        return refused(format!("the result is {}, the rules give {}", said["ranks"], json!(outcome.ranks)));
    }
    let mut causes: Vec<Option<Cause>> = match serde_json::from_value(said["details"].clone()) {
        Ok(causes) => causes,
        Err(error) => return refused(format!("the causes cannot be read: {error}")),
    };
    if causes.len() != players || said["details"].to_string().len() > LONGEST {
        return refused("the causes are not those of the players");
    }
    for (seat, cause) in causes.iter_mut().enumerate() {
        let is_fatal = |fault: &&game::Fault| {
            fault.fatal && fault.kind != FaultKind::Missing && fault.seat.index() == seat
        };
        match (play.faults().iter().find(is_fatal), &cause) {
            (Some(fault), Some(_)) => *cause = Some(Cause::Invalid { fault: fault.clone() }),
            (Some(_), None) => return refused(format!("the invalid answer of player {seat} is missing")),
            (None, Some(Cause::Invalid { .. })) => {
                return refused(format!("no answer of player {seat} is invalid"));
            }
            (None, None) if is_absent[seat] => {
                return refused(format!("player {seat} did not answer, without a cause"));
            }
            (None, _) => {}
        }
    }
    let took_us = claimed.host.as_ref().and_then(|host| host["took_us"].as_u64()).unwrap_or(0);
    let record = Played {
        header: Header {
            agon: Some(record::VERSION),
            game: game.info().name.to_owned(),
            seed: leased.seed,
            league: None,
            rules: Some(RulesField::Full(rules)),
            players: None,
            options: None,
        },
        bots: Some(players_of(leased, claimed.bots.as_deref())),
        end,
        outcome: Some(json!({
            "scores": outcome.scores,
            "ranks": outcome.ranks,
            "reason": outcome.reason,
            "causes": causes.iter().map(|cause| cause.as_ref().map(Cause::name)).collect::<Vec<_>>(),
            "details": causes,
        })),
        metrics: metrics(&turns, players),
        settings: claimed.settings.filter(is_short),
        host: claimed.host.filter(is_short),
        parent: None,
        turns,
    };
    let finish = Finish { play: &*play, causes: &causes, last, took_ms: took_us / 1000 };
    Ok(finish.ended(leased, &record))
}

fn is_short(info: &Value) -> bool {
    info.is_object() && info.to_string().len() <= LONGEST_INFO
}

/// The players of a match, as our own records name them.
fn players_of(leased: &Leased, claimed: Option<&[Player]>) -> Vec<Player> {
    let player = |(seat, of): (usize, &store::LeasedSeat)| {
        let name = game::text::safe_line(&of.name, 60);
        let command = of.built_in.as_ref().map_or_else(|| name.clone(), |built_in| format!("@{built_in}"));
        let memory = claimed.and_then(|players| players.get(seat)).and_then(|player| player.memory);
        Player { name, command, digest: None, memory }
    };
    leased.seats.iter().enumerate().map(player).collect()
}

/// The numbers that bots wrote about themselves.
fn metrics(turns: &[Turn], players: usize) -> Option<Value> {
    let mut found: Vec<Map<String, Value>> = vec![Map::new(); players];
    let mut turn_of = vec![0; players];
    for turn in turns {
        let seat = usize::from(turn.player);
        if let Some(stderr) = &turn.stderr {
            play::metrics_of(&String::from_utf8_lossy(&stderr.0), turn_of[seat], &mut found[seat]);
        }
        turn_of[seat] += 1;
    }
    found.iter().any(|metrics| !metrics.is_empty()).then(|| json!(found))
}
