//! How likely a player in a given place is to play a given line: the better it would seem to our own evaluation, the likelier.

use ocean_of_code::{Cell, Direction, Sea, ShownAction, Submarine};

use super::evaluation::{Decision, Outlook};
use super::particles::Particle;
use bots::Budget;

/// How strictly a player follows its evaluation.
#[derive(Clone, Copy)]
pub(super) struct Habits {
    /// The difference of worth, in lives, that makes a line e times less likely.
    pub(super) temperature: f32,
    /// The share of lines that follow no reason.
    pub(super) whim: f32,
    /// Steps looked ahead.
    pub(super) depth: u8,
}

/// What is shown of the course of a line, and whether there was a shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Sight {
    surfaces: bool,
    moves: Option<Direction>,
    silent: bool,
    moves_first: bool,
    shoots: bool,
}

impl Sight {
    fn of(orders: &[ShownAction]) -> Sight {
        let at = |is: fn(&ShownAction) -> bool| orders.iter().position(is);
        let moves = orders.iter().find_map(|order| match order {
            ShownAction::Move(direction) => Some(*direction),
            _ => None,
        });
        let step = at(|order| matches!(order, ShownAction::Move(_)));
        let silence = at(|order| matches!(order, ShownAction::Silence));
        Sight {
            surfaces: at(|order| matches!(order, ShownAction::Surface(_))).is_some(),
            moves,
            silent: silence.is_some(),
            moves_first: matches!((step, silence), (Some(step), Some(silence)) if step < silence),
            shoots: at(|order| matches!(order, ShownAction::Torpedo(_))).is_some(),
        }
    }
}

/// The factor for a player that would have shot at another target.
const OTHER_TARGET: f32 = 0.3;
/// The chance that a line without a reason is the one that was shown, silence apart.
const ANY_LINE: f32 = 0.1;

/// A line that a player would consider.
pub(super) struct Choice {
    sight: Sight,
    pub(super) target: Option<Cell>,
    pub(super) end: Cell,
    visited: Sea,
    pub(super) worth: f32,
}

/// All lines that a submarine would consider, with or without silence, and the nodes spent: steps of the way ahead.
pub(super) fn choices(
    decision: &Decision<'_>,
    outlook: &mut Outlook<'_>,
    own: &Submarine,
    depth: u8,
    silence: bool,
) -> (Vec<Choice>, u64) {
    let mut choices = Vec::new();
    let mut nodes = 0;
    for course in decision.courses(own) {
        if course.is_silent() && !silence {
            continue;
        }
        let depth = if course.is_silent() { depth.min(1) } else { depth };
        let (plan, seen) = outlook.unarmed(&course);
        let ahead = outlook.ahead(&course, &seen, depth, &mut || {
            nodes += 1;
            true
        });
        let mut add = |shot: Option<(usize, Cell)>, worth: f32| {
            choices.push(Choice {
                sight: Sight {
                    surfaces: course.surfaces(),
                    moves: course.moves(),
                    silent: course.is_silent(),
                    moves_first: course.moves_first(),
                    shoots: shot.is_some(),
                },
                target: shot.map(|(_, target)| target),
                end: course.end(),
                visited: course.visited,
                worth,
            });
        };
        add(None, plan.worth() - ahead);
        for shot in decision.shots(&course) {
            let plan = outlook.armed_again(&course, shot);
            add(Some(shot), plan.worth() - ahead);
        }
    }
    (choices, nodes)
}

/// The chances of the lines of players in different places, with the same knowledge.
pub(super) struct Policy<'a> {
    decision: &'a Decision<'a>,
    outlook: Outlook<'a>,
    habits: &'a Habits,
    shown: Sight,
    target: Option<Cell>,
    nodes: u64,
}

impl<'a> Policy<'a> {
    pub(super) fn new(decision: &'a Decision<'a>, habits: &'a Habits, orders: &[ShownAction]) -> Policy<'a> {
        let target = orders.iter().find_map(|order| match order {
            ShownAction::Torpedo(target) => Some(*target),
            _ => None,
        });
        Policy {
            decision,
            outlook: Outlook::new(decision),
            habits,
            shown: Sight::of(orders),
            target,
            nodes: 0,
        }
    }

    /// The nodes that were spent.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The chance that a player in this place plays the line that was shown and becomes each of `children`.
    pub(super) fn chances(
        &mut self,
        own: &Submarine,
        children: &[Particle],
        ways: usize,
        budget: &mut Budget,
    ) -> Vec<f32> {
        let Habits { temperature, whim, .. } = *self.habits;
        // Silence is rare, and its many courses take long: it is left out where none was shown.
        let (choices, nodes) =
            choices(self.decision, &mut self.outlook, own, self.habits.depth, self.shown.silent);
        self.nodes += nodes;
        budget.spend(nodes);
        let most = choices.iter().map(|choice| choice.worth).fold(f32::MIN, f32::max);
        // Lines that look alike count as the best of them: more ways to go silent do not make silence likelier.
        let mut groups: Vec<(Sight, f32)> = Vec::new();
        for choice in &choices {
            match groups.iter_mut().find(|(sight, _)| *sight == choice.sight) {
                Some((_, worth)) => *worth = worth.max(choice.worth),
                None => groups.push((choice.sight, choice.worth)),
            }
        }
        let likely = |worth: f32| ((worth - most) / temperature).exp();
        let all: f32 = groups.iter().map(|&(_, worth)| likely(worth)).sum();
        let group = groups.iter().find(|(sight, _)| *sight == self.shown);
        let share = group.map_or(0.0, |&(_, worth)| likely(worth) / all.max(1e-9));
        let alike: Vec<&Choice> = choices.iter().filter(|choice| choice.sight == self.shown).collect();
        let within: f32 = alike.iter().map(|choice| likely(choice.worth)).sum();
        let ways = ways as f32;
        let chance = |child: &Particle| {
            let same = |choice: &&&Choice| choice.end == child.cell && choice.visited == child.visited;
            let reasoned: f32 = alike
                .iter()
                .filter(same)
                .map(|choice| {
                    let aimed = if choice.target == self.target { 1.0 } else { OTHER_TARGET };
                    aimed * likely(choice.worth)
                })
                .sum();
            let reasoned = if within > 0.0 { share * reasoned / within } else { 0.0 };
            // An unreasoned line is one of a few, and its silence goes anywhere.
            (1.0 - whim) * reasoned + whim * ANY_LINE / ways
        };
        children.iter().map(chance).collect()
    }
}
