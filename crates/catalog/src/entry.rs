//! How each game wears the common face.

use std::marker::PhantomData;

use game::{
    Dice, Fault, Info, Lang, Limits, Match, MatchError, Outcome, Painter, Rules, Seat, Seats, Selected,
    Selection, Show, StatementError,
};
use serde_json::Value;

use crate::face::{AnyGame, AnyMatch, SetUpError};
use crate::record::{Header, RulesField};
use crate::show::{AnyShow, Showing};
use crate::simulate::{self, Plan, Tally};

/// A game as it stands in the catalog.
pub(crate) struct Entry<G>(PhantomData<fn() -> G>);

impl<G> Entry<G> {
    pub(crate) const NEW: Entry<G> = Entry(PhantomData);
}

/// What the catalog must know of a game beyond [`Game`].
trait Listed: Show {
    /// The map comes with the first turn, not with the initialization lines.
    const MAP_IN_FIRST_TURN: bool = false;

    /// Applies what only this game's traces have in their header.
    fn apply_options(_rules: &mut Self::Rules, _header: &Header) -> Result<(), String> {
        Ok(())
    }
}

impl Listed for ocean_of_code::OceanOfCode {}

impl Listed for back_track::BackTrack {}

impl Listed for hypersonic::Hypersonic {
    const MAP_IN_FIRST_TURN: bool = true;

    /// The options of the traces (Hypersonic rules, section 1).
    fn apply_options(rules: &mut hypersonic::Rules, header: &Header) -> Result<(), String> {
        for (name, value) in header.options.iter().flatten() {
            let number = value.as_u64().and_then(|number| u16::try_from(number).ok()).ok_or_else(|| {
                format!("the option {name} must be a whole number from 0 to 65535, not {value}")
            })?;
            match name.as_str() {
                "version" => {}
                "boxes" => rules.boxes = Some(number),
                "bombs" => rules.bombs = number,
                "range" => rules.range = number,
                _ => {
                    return Err(format!("there is no option {name}; known are version, boxes, bombs, range"));
                }
            }
        }
        Ok(())
    }
}

/// The rules that a header asks for: written out in full in a record, by name in a trace.
fn rules_of<G: Listed>(header: &Header) -> Result<G::Rules, SetUpError> {
    let edition = match &header.rules {
        Some(RulesField::Full(rules)) => {
            let rules: G::Rules = serde_json::from_value(Value::Object(rules.clone())).map_err(|error| {
                SetUpError::BadRules(format!("these are not rules of {}: {error}", G::info().title))
            })?;
            rules.check().map_err(SetUpError::BadRules)?;
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
    let mut rules = G::rule_set(G::info().select(&asked).map_err(SetUpError::Unknown)?);
    G::apply_options(&mut rules, header).map_err(SetUpError::BadRules)?;
    rules.check().map_err(SetUpError::BadRules)?;
    Ok(rules)
}

impl<G: Listed> AnyGame for Entry<G> {
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
}

impl<G: Listed> AnyMatch for Match<G> {
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

    fn faults(&self) -> &[Fault] {
        Match::faults(self)
    }

    fn outcome(&self) -> Outcome {
        Match::outcome(self)
    }

    fn end(&self) -> Value {
        serde_json::to_value(Match::end(self)).expect("an end is plain data")
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

    fn picture(&self, colours: bool) -> String {
        let mut painter = Painter::new(colours);
        self.game().draw(self.state(), &mut painter);
        painter.finish()
    }
}
