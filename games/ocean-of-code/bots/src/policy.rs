//! How likely a player in a given place is to play a given line: what our own evaluation says of all lines from there, read by a trained
//! network (`likelihood`).

use ocean_of_code::{Cell, Direction, Sea, ShownAction, Submarine};

use super::evaluation::{Decision, Outlook, Parts, Plan};
use super::likelihood::{Features, History, Rivals, Setting};
use super::particles::Particle;
use bots::Budget;

/// How a player chooses.
#[derive(Clone, Copy)]
pub(super) struct Habits {
    /// The share of lines that follow no reason.
    pub(super) whim: f32,
    /// Steps looked ahead.
    pub(super) depth: u8,
    /// How likely a line is, by what is read of it (`likelihood`).
    pub(super) logit: fn(&Features) -> f32,
}

/// What is shown of the course of a line, and whether there was a shot.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Sight {
    pub(super) surfaces: bool,
    pub(super) moves: Option<Direction>,
    pub(super) silent: bool,
    pub(super) moves_first: bool,
    pub(super) shoots: bool,
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
/// The greatest regret, in lives: that of a line that would not have been considered.
const MOST_REGRET: f32 = 1.0;

/// The difference of worth, in lives, that makes one of several shots of a course e times less likely.
const TEMPERATURE: f32 = 0.03;

/// A line that a player would consider.
pub(super) struct Choice {
    pub(super) sight: Sight,
    pub(super) target: Option<Cell>,
    pub(super) end: Cell,
    pub(super) visited: Sea,
    /// Direction and steps of its silence.
    pub(super) leap: Option<(Direction, u8)>,
    pub(super) worth: f32,
    pub(super) parts: Parts,
    /// The cost of the way ahead.
    pub(super) ahead: f32,
}

/// Lines that look alike.
struct Group {
    sight: Sight,
    /// The best of them.
    best: usize,
    count: usize,
}

/// What a player in one place would have done.
#[derive(Clone)]
pub(super) struct Asked {
    /// What the network reads of each group of lines that look alike.
    pub(super) groups: Vec<Features>,
    /// The group of the line that was shown.
    pub(super) shown: Option<usize>,
    /// The ways its silence can have gone, if there was one.
    pub(super) ways: Vec<Way>,
    /// The factor for its target.
    pub(super) aim: f32,
    /// How much worse than the best line the best of the shown group seems, in lives.
    pub(super) regret: f32,
    /// The chance that it plays the line that was shown and becomes each of the children.
    pub(super) chances: Vec<f32>,
}

/// A way that a silence can have gone.
#[derive(Clone)]
pub(super) struct Way {
    pub(super) end: Cell,
    pub(super) visited: Sea,
    pub(super) features: Features,
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
        let mut add = |shot: Option<(usize, Cell)>, plan: &Plan| {
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
                leap: course.leap(),
                worth: plan.worth() - ahead,
                parts: plan.parts,
                ahead,
            });
        };
        add(None, &plan);
        for shot in decision.shots(&course) {
            add(Some(shot), &outlook.armed_again(&course, shot));
        }
    }
    (choices, nodes)
}

/// The chances of the lines of players in different places, with the same knowledge.
pub(super) struct Policy<'a> {
    decision: &'a Decision<'a>,
    outlook: Outlook<'a>,
    habits: &'a Habits,
    setting: Setting,
    shown: Sight,
    target: Option<Cell>,
    nodes: u64,
}

impl<'a> Policy<'a> {
    pub(super) fn new(
        decision: &'a Decision<'a>,
        habits: &'a Habits,
        history: History,
        orders: &[ShownAction],
    ) -> Policy<'a> {
        let target = orders.iter().find_map(|order| match order {
            ShownAction::Torpedo(target) => Some(*target),
            _ => None,
        });
        Policy {
            decision,
            outlook: Outlook::new(decision),
            habits,
            setting: Setting::new(decision, history),
            shown: Sight::of(orders),
            target,
            nodes: 0,
        }
    }

    /// The nodes that were spent.
    pub(super) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// What a player in this place would have done, and the chances that it has become each of `children`, of which there are as many as
    /// `ways` before facts excluded some.
    pub(super) fn ask(
        &mut self,
        own: &Submarine,
        children: &[Particle],
        ways: usize,
        budget: &mut Budget,
    ) -> Asked {
        let Habits { whim, depth, logit } = *self.habits;
        // Silence is rare, and its many courses take long: it is left out where none was shown.
        let (choices, nodes) = choices(self.decision, &mut self.outlook, own, depth, self.shown.silent);
        self.nodes += nodes;
        budget.spend(nodes);
        let groups = grouped(&choices);
        let worth = |group: &Group| choices[group.best].worth;
        let [best, next] = two_best(groups.iter().map(worth));
        let features =
            |choice: &Choice, rivals: Rivals| self.setting.features(self.decision, own, choice, rivals);
        let read = |group: &Group| {
            let armed = Sight { shoots: true, ..group.sight };
            let armed = groups.iter().find(|other| !group.sight.shoots && other.sight == armed).map(worth);
            features(&choices[group.best], Rivals { best, next, alike: group.count, armed, within: false })
        };
        let read: Vec<Features> = groups.iter().map(read).collect();
        let shown = groups.iter().position(|group| group.sight == self.shown);
        let share = shown.map_or(0.0, |shown| softmax(read.iter().map(logit).collect())[shown]);

        let lines: Vec<&Choice> = choices.iter().filter(|choice| choice.sight == self.shown).collect();
        let mut gone = Vec::new();
        if self.shown.silent {
            let [best, next] = two_best(lines.iter().map(|line| line.worth));
            let rivals = Rivals { best, next, alike: lines.len(), armed: None, within: true };
            let way = |line: &&Choice| Way {
                end: line.end,
                visited: line.visited,
                features: features(line, rivals),
            };
            gone = lines.iter().map(way).collect();
        }
        let within = softmax(if self.shown.silent {
            gone.iter().map(|way| logit(&way.features)).collect()
        } else {
            lines.iter().map(|line| line.worth / TEMPERATURE).collect()
        });
        let aimed = |line: &Choice| if line.target == self.target { 1.0 } else { OTHER_TARGET };
        let reasoned = |is: &dyn Fn(&Choice) -> bool| {
            let those = lines.iter().zip(&within).filter(|(line, _)| is(line));
            those.map(|(line, chance)| aimed(line) * chance).sum::<f32>()
        };
        let chance = |child: &Particle| {
            let reasoned = reasoned(&|line| line.end == child.cell && line.visited == child.visited);
            // An unreasoned line is one of a few, and its silence goes anywhere.
            (1.0 - whim) * share * reasoned + whim * ANY_LINE / ways as f32
        };
        Asked {
            chances: children.iter().map(chance).collect(),
            aim: reasoned(&|_| true),
            regret: shown.map_or(MOST_REGRET, |shown| (best - worth(&groups[shown])).min(MOST_REGRET)),
            groups: read,
            shown,
            ways: gone,
        }
    }
}

/// Lines that look alike count as the best of them: more ways to go silent do not make silence likelier.
fn grouped(choices: &[Choice]) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (i, choice) in choices.iter().enumerate() {
        match groups.iter_mut().find(|group| group.sight == choice.sight) {
            Some(group) => {
                group.count += 1;
                if choice.worth > choices[group.best].worth {
                    group.best = i;
                }
            }
            None => groups.push(Group { sight: choice.sight, best: i, count: 1 }),
        }
    }
    groups
}

fn two_best(worths: impl Iterator<Item = f32>) -> [f32; 2] {
    worths.fold(
        [f32::MIN; 2],
        |[best, next], worth| {
            if worth > best { [worth, best] } else { [best, next.max(worth)] }
        },
    )
}

/// The chances that have these logarithms, up to a factor.
fn softmax(mut logits: Vec<f32>) -> Vec<f32> {
    let most = logits.iter().copied().fold(f32::MIN, f32::max);
    let mut all = 0.0;
    for logit in &mut logits {
        *logit = (*logit - most).exp();
        all += *logit;
    }
    for logit in &mut logits {
        *logit /= all;
    }
    logits
}
