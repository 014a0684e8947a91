//! The result of a match in the form of the official SDK (its class `GameResult`), which `-l` writes.
//!
//! A match is a sequence of frames: one before the first answer, then one for each answer that was asked for. Every
//! list has an entry for each frame; `outputs` and `errors` have a list for each player and one for the referee, with
//! `null` where a player was not asked. The views are in our own format: the drawing code of the SDK cannot show
//! them.

use std::collections::BTreeMap;

use game::Selected;
use play::{MatchPlan, PlayedMatch};
use referee::Ending;
use serde::Serialize;
use serde_json::json;

use super::{causes_of, contract_scores, failures};
use crate::commands::play::clean;

#[derive(Serialize, Debug)]
#[serde(rename_all = "camelCase")]
pub(super) struct GameResult {
    errors: BTreeMap<String, Vec<Option<String>>>,
    outputs: BTreeMap<String, Vec<Option<String>>>,
    summaries: Vec<Option<String>>,
    views: Vec<Option<String>>,
    scores: BTreeMap<String, i32>,
    uinput: Vec<String>,
    metadata: String,
    tooltips: Vec<Tooltip>,
    ids: BTreeMap<String, usize>,
    agents: Vec<Agent>,
    fail_cause: Option<String>,
}

#[derive(Serialize, Debug)]
struct Tooltip {
    turn: usize,
    text: String,
    event: usize,
}

#[derive(Serialize, Debug)]
struct Agent {
    index: usize,
    name: String,
    avatar: Option<String>,
    #[serde(rename = "agentId")]
    id: usize,
}

pub(super) fn of(plan: &MatchPlan<'_>, played: &PlayedMatch) -> GameResult {
    let players = plan.bots.len();
    let frames = played.log.len() + 1;
    let lists = |first: Option<&str>| -> BTreeMap<String, Vec<Option<String>>> {
        let mut lists: BTreeMap<_, _> =
            (0..players).map(|seat| (seat.to_string(), vec![first.map(str::to_owned)])).collect();
        lists.insert("referee".into(), vec![Some(String::new()); frames]);
        lists
    };
    let mut result = GameResult {
        errors: lists(Some("")),
        outputs: lists(None),
        summaries: vec![None],
        views: Vec::new(),
        scores: BTreeMap::new(),
        uinput: vec![format!("seed={}", plan.seed)],
        metadata: metadata(plan, played),
        tooltips: Vec::new(),
        ids: (0..players).map(|seat| (seat.to_string(), seat)).collect(),
        agents: plan
            .bots
            .iter()
            .enumerate()
            .map(|(index, bot)| Agent { index, name: clean(&bot.name), avatar: None, id: index })
            .collect(),
        fail_cause: None,
    };
    // The match is replayed in memory to find the effect of each answer.
    let mut play = plan.game.start(plan.selected, plan.seed);
    let view = |play: &dyn catalog::AnyMatch| {
        Some(json!({"agon": {"turn": play.turn(), "board": play.picture(false)}}).to_string())
    };
    result.views.push(view(&*play));
    let mut faults = 0;
    let mut last_frame = vec![0; players];
    let mut same_turn = Vec::new();
    let mut coming = played.log.iter();
    for frame in 1..frames {
        // Players that answer together have their frames in the order of the seats, not in the order of arrival.
        if same_turn.is_empty() {
            same_turn.extend(coming.by_ref().take(play.awaited().into_iter().count()));
            same_turn.sort_by_key(|entry| std::cmp::Reverse(entry.seat));
        }
        let Some(entry) = same_turn.pop() else { break };
        let turn = play.turn();
        // The same match has accepted every answer of the log before.
        let _ = play.answer(entry.seat, entry.output.as_deref());
        for (list, said) in [
            (&mut result.outputs, entry.output.as_ref().map(|line| text(line) + "\n")),
            (&mut result.errors, Some(text(&entry.stderr))),
        ] {
            for seat in 0..players {
                let said = if seat == entry.seat.index() { said.clone() } else { None };
                list.entry(seat.to_string()).or_default().push(said);
            }
        }
        let news: Vec<String> = play.faults()[faults..].iter().map(ToString::to_string).collect();
        faults = play.faults().len();
        result.summaries.push((!news.is_empty()).then(|| news.join("\n")));
        result.views.push(if play.turn() == turn { None } else { view(&*play) });
        last_frame[entry.seat.index()] = frame;
    }
    for (seat, why) in failures(causes_of(played)) {
        let text = format!("player {seat} failed: {why}");
        result.tooltips.push(Tooltip { turn: last_frame[seat], text, event: seat });
    }
    match &played.ending {
        Ending::Over { outcome, causes } => {
            result.scores =
                (0..players).map(|seat| seat.to_string()).zip(contract_scores(outcome, causes)).collect();
        }
        Ending::Void { why, .. } => result.fail_cause = Some(why.clone()),
    }
    result
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Data without a field in the SDK's format, as JSON in a string.
fn metadata(plan: &MatchPlan<'_>, played: &PlayedMatch) -> String {
    let Selected { league, edition, players } = plan.selected;
    let outcome = match &played.ending {
        Ending::Over { outcome, causes } => json!({
            "scores": outcome.scores,
            "ranks": outcome.ranks,
            "reason": outcome.reason,
            "causes": causes.iter().map(|cause| cause.as_ref().map(referee::Cause::name)).collect::<Vec<_>>(),
        }),
        Ending::Void { why, .. } => json!({"void": why}),
    };
    json!({"agon": {
        "game": plan.game.info().name, "league": league, "rules": edition, "players": players, "outcome": outcome,
    }})
    .to_string()
}
