//! A game of the registry: the implementation of the object-safe interface for every [`game::Game`].

use std::marker::PhantomData;

use bots::BuiltIn;
use game::{
    Arrays, Audit, Colour, Dice, Fault, Feature, Game, Info, Lang, Limits, Match, MatchError, Outcome,
    Painter, Rules, ScorePart, Seat, Seats, Selected, Selection, Show, Silent, StatementError,
};
use serde_json::Value;

use crate::any::{AnyGame, AnyMatch, SetUpError};
use crate::batch::{AnyBatch, Autoreset, Batch, BatchError, BatchPlan};
use crate::record::{Header, RulesField};
use crate::show::{AnyShow, Showing};
use crate::simulate::{self, Plan, Tally};
use crate::steps::{self, Steps};

/// A game of the registry: its engine is the type, its bots are given.
pub(crate) struct Entry<G> {
    ladder: &'static [BuiltIn],
    levels: &'static [BuiltIn],
    engine: PhantomData<fn() -> G>,
}

impl<G> Entry<G> {
    pub(crate) const fn new(ladder: &'static [BuiltIn]) -> Entry<G> {
        Entry { ladder, levels: &[], engine: PhantomData }
    }

    /// The same game with levels of its champion.
    pub(crate) const fn levels(self, levels: &'static [BuiltIn]) -> Entry<G> {
        Entry { levels, ..self }
    }
}

/// The rules that a header asks for: written out in full in a record, by name in a trace.
pub(crate) fn rules_of<G: Game>(header: &Header) -> Result<G::Rules, SetUpError> {
    let edition = match &header.rules {
        Some(RulesField::Full(rules)) => {
            let rules: G::Rules = serde_json::from_value(Value::Object(rules.clone()))
                .map_err(|error| SetUpError::Form { title: G::info().title, why: error.to_string() })?;
            rules.check()?;
            return Ok(rules);
        }
        Some(RulesField::Edition(name)) => Some(name.clone()),
        None => None,
    };
    // The official referees play leagues above the last one by the rules of the last one.
    let last = G::info().leagues.len() as u8;
    let league = header.league.or_else(|| header.options.as_ref()?.get("version")?.as_u64());
    let league = league.map(|level| u8::try_from(level).unwrap_or(u8::MAX).min(last));
    let asked = Selection { league, edition, players: header.players };
    let mut rules = G::rule_set(G::info().select(&asked)?);
    if let Some(options) = &header.options {
        G::apply_trace_options(&mut rules, options)?;
    }
    rules.check()?;
    Ok(rules)
}

impl<G: Show + Audit + Arrays> AnyGame for Entry<G> {
    fn info(&self) -> &'static Info {
        G::info()
    }

    fn limits(&self, selected: Selected) -> Limits {
        G::rule_set(selected).limits()
    }

    fn statement(&self, selected: Selected, lang: Lang) -> Result<String, StatementError> {
        game::render(G::statement(lang), &G::statement_facts(&G::rule_set(selected)))
    }

    fn start(&self, selected: Selected, seed: i64) -> Box<dyn AnyMatch> {
        Box::new(Match::<G>::new(G::rule_set(selected), seed))
    }

    fn set_up(&self, header: &Header) -> Result<Box<dyn AnyMatch>, SetUpError> {
        Ok(Box::new(Match::<G>::new(rules_of::<G>(header)?, header.seed)))
    }

    fn show(&self, header: &Header) -> Result<Box<dyn AnyShow>, SetUpError> {
        Ok(Box::new(Showing::new(Match::<G>::new(rules_of::<G>(header)?, header.seed))))
    }

    fn simulate(&self, plan: &Plan<'_>) -> Tally {
        simulate::run::<G>(plan)
    }

    fn steps(&self, selected: Selected, seed: i64, answers: &[(Seat, Vec<u8>)]) -> Box<dyn Steps> {
        steps::read::<G>(G::rule_set(selected), seed, answers)
    }

    fn batch(&self, plan: BatchPlan) -> Result<Box<dyn AnyBatch>, BatchError> {
        Ok(Box::new(Batch::<G>::new(plan)?))
    }

    fn batch_of(&self, header: &Header) -> Result<Box<dyn AnyBatch>, SetUpError> {
        let rules = rules_of::<G>(header)?;
        let selected = G::info().select(&Selection::default())?;
        let opponents = vec![None; rules.players().into()];
        let plan = BatchPlan { selected, games: 1, threads: 1, autoreset: Autoreset::Off, opponents };
        Ok(Box::new(Batch::<G>::with_rules(rules, plan).expect("a plan with one game and all agents")))
    }

    fn ladder(&self) -> &'static [BuiltIn] {
        self.ladder
    }

    fn levels(&self) -> &'static [BuiltIn] {
        self.levels
    }

    fn arena_leagues(&self) -> &'static str {
        G::arena_leagues()
    }

    fn win_model(&self) -> Option<&'static str> {
        G::win_model()
    }

    fn score_parts(&self, scores: &[i64]) -> Vec<ScorePart> {
        G::score_parts(scores)
    }

    #[cfg(feature = "battery")]
    fn fuzz_parser(&self, data: &[u8]) {
        game::battery::fuzz_parser::<G>(data);
    }
}

impl<G: Show + Audit> AnyMatch for Match<G> {
    fn awaited(&self) -> Seats {
        Match::awaited(self)
    }

    fn question(&self, seat: Seat, out: &mut String) {
        Match::question(self, seat, out);
    }

    fn answer(&mut self, seat: Seat, line: Option<&[u8]>) -> Result<(), MatchError> {
        Match::answer(self, seat, line)
    }

    fn random_answer(&self, seat: Seat, dice: &mut Dice) -> Vec<u8> {
        G::print(&self.game().random_order(self.state(), seat, dice))
    }

    fn idle_answer(&self, seat: Seat, dice: &mut Dice) -> Vec<u8> {
        G::print(&self.game().idle_order(self.state(), seat, dice))
    }

    fn playout(&self, only_for: Option<Seat>, dice: &mut Dice) -> Outcome {
        let game = self.game();
        let mut state = match only_for {
            Some(seat) => game.disguised(self.state(), seat, dice),
            None => self.state().clone(),
        };
        let mut orders: Vec<Option<G::Order>> = vec![None; usize::from(game.rules().players())];
        loop {
            let seats = game.to_act(&state);
            if seats.is_empty() {
                return game.outcome(&state);
            }
            for seat in seats {
                orders[seat.index()] = Some(game.random_order(&state, seat, dice));
            }
            game.step(&mut state, &orders, &mut Silent);
            orders.fill(None);
        }
    }

    fn turn(&self) -> u32 {
        Match::turn(self)
    }

    fn faults(&self) -> &[Fault] {
        Match::faults(self)
    }

    fn outcome(&self) -> Outcome {
        Match::outcome(self)
    }

    fn end(&self) -> Value {
        serde_json::to_value(Match::end(self)).expect("an end is plain data")
    }

    fn max_steps(&self) -> u32 {
        self.game().max_steps()
    }

    fn turns_played(&self) -> u32 {
        self.game().turns_played(self.state())
    }

    fn players(&self) -> u8 {
        self.game().rules().players()
    }

    fn rules(&self) -> Value {
        serde_json::to_value(self.game().rules()).expect("rules are plain data")
    }

    fn map_lines(&self, seat: Seat) -> String {
        let view = self.game().view(self.state(), seat);
        let mut lines = String::new();
        G::write_init(&view, &mut lines);
        if G::MAP_IN_FIRST_TURN {
            G::write_turn(&view, &mut lines);
        }
        lines
    }

    fn map_record(&self) -> serde_json::Map<String, Value> {
        self.game().map_record()
    }

    fn features(&self) -> Vec<Feature> {
        self.game().features()
    }

    fn picture(&self, colours: bool) -> String {
        let mut painter = Painter::new(colours);
        if self.steps() > 0 {
            painter.put(Colour::Plain, &format!("turn {}", self.steps()));
            painter.line();
        }
        self.game().draw(self.state(), &mut painter);
        painter.finish()
    }
}
