//! Tuning the parameters of a bot by matches: the parameters, the plan, and how a bot gets its values.
//!
//! A run that tunes has the steps first: `iterations` from each start. A step plays a few units of one side against the
//! other. Then the values that were found from each start play against the values of the first start. In every unit the
//! first side has one seat and the second all others.
//!
//! Against another opponent the two sides do not meet: each of them plays the same seeds against the opponent, first the
//! one side, then the other. The end is the same with the values of the first start as the last side.

use std::ffi::OsString;
use std::ops::Range;
use std::str::FromStr;

use game::Dice;
use rating::Dial;
use serde::{Deserialize, Serialize};
use toolchain::{Bot, How};

use crate::error::InvalidRun;

/// The most parameters of a bot.
pub(crate) const MOST_PARAMETERS: usize = 256;

/// The plan of a tuning.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Tuning {
    /// The parameters.
    pub parameters: Vec<Parameter>,
    /// The number of steps from each start.
    pub iterations: u64,
    /// Units of each side of a step.
    pub units: u64,
    /// Units of each duel at the end; 0 for no duel.
    pub confirm: u64,
    /// The number of starts: the given values first, then values drawn from the ranges.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub starts: u64,
    /// Whether the opponent is another bot: the second one of the run.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub against: bool,
}

fn one() -> u64 {
    1
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
fn is_one(starts: &u64) -> bool {
    *starts == 1
}

/// A parameter of a bot.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Parameter {
    /// Its name: a letter, then letters, digits and `_`.
    pub name: String,
    /// Its range, start and step.
    #[serde(flatten)]
    pub dial: Dial,
}

/// A parameter that is not valid. The fault is the caller's.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct ParameterError(String);

impl FromStr for Parameter {
    type Err = ParameterError;

    /// Reads `name=low:high:start`, optionally followed by `:step`, `:int` or both.
    fn from_str(text: &str) -> Result<Parameter, ParameterError> {
        let wrong = |why: &str| {
            ParameterError(format!("`{text}`: {why}; a parameter is name=low:high:start[:step][:int]"))
        };
        let (name, rest) = text.split_once('=').ok_or_else(|| wrong("there is no `=`"))?;
        let mut words: Vec<&str> = rest.split(':').collect();
        let whole = words.last() == Some(&"int");
        if whole {
            words.pop();
        }
        let numbers: Vec<f64> = words
            .iter()
            .map(|word| word.trim().parse().map_err(|_| wrong(&format!("`{word}` is not a number"))))
            .collect::<Result<_, _>>()?;
        let (low, high, start, step) = match numbers[..] {
            [low, high, start] => (low, high, start, default_step(low, high, whole)),
            [low, high, start, step] => (low, high, start, step),
            _ => return Err(wrong("there must be three or four numbers")),
        };
        let parameter = Parameter { name: name.to_owned(), dial: Dial { low, high, start, step, whole } };
        parameter.check().map_err(|error| wrong(&error.0))?;
        Ok(parameter)
    }
}

/// A tenth of the range.
fn default_step(low: f64, high: f64, whole: bool) -> f64 {
    let step = (high - low) / 10.0;
    if whole { step.max(1.0) } else { step }
}

impl Parameter {
    fn check(&self) -> Result<(), ParameterError> {
        let name = &self.name;
        let letters = |c: char| c.is_ascii_alphanumeric() || c == '_';
        if !name.starts_with(|c: char| c.is_ascii_alphabetic())
            || !name.chars().all(letters)
            || name.len() > 64
        {
            return Err(ParameterError("a name is a letter, then letters, digits and `_`".into()));
        }
        // The plain name goes into the environment, where these names have a meaning for the system.
        let upper = name.to_ascii_uppercase();
        if ["PATH", "HOME", "LANG"].contains(&upper.as_str()) || upper.starts_with("LD_") {
            let why = format!("`{name}` means something to the system; choose another name");
            return Err(ParameterError(why));
        }
        self.dial.check().map_err(|error| ParameterError(error.to_string()))
    }

    /// A value as a bot gets it: only significant digits.
    pub fn text(&self, value: f64) -> String {
        if self.dial.whole {
            return format!("{value:.0}");
        }
        let digits = (3.0 - self.dial.step.log10().floor()).clamp(0.0, 12.0) as usize;
        let text = format!("{value:.digits$}");
        let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
        if text == "-0" { "0".into() } else { text.to_owned() }
    }
}

impl Tuning {
    /// Refuses a tuning that cannot be played.
    ///
    /// # Errors
    ///
    /// When the numbers are not consistent.
    pub fn check(&self, units: u64) -> Result<(), InvalidRun> {
        if self.parameters.is_empty() || self.parameters.len() > MOST_PARAMETERS {
            return Err(InvalidRun::Parameters);
        }
        let mut names: Vec<String> =
            self.parameters.iter().map(|parameter| parameter.name.to_ascii_uppercase()).collect();
        names.sort_unstable();
        if let Some(twice) = names.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(InvalidRun::SameParameter(twice[0].to_ascii_lowercase()));
        }
        for parameter in &self.parameters {
            let name = || parameter.name.clone();
            parameter.check().map_err(|error| InvalidRun::Parameter { name: name(), error })?;
        }
        let numbers = [self.iterations, self.units, self.starts];
        let most = numbers.iter().try_fold(4_u64, |all, &number| all.checked_mul(number));
        let most =
            most.and_then(|most| most.checked_add(self.confirm.checked_mul(4)?.checked_mul(self.starts)?));
        if numbers.contains(&0) || most.is_none() || self.all_units() != units {
            return Err(InvalidRun::TuningUnits);
        }
        Ok(())
    }

    /// The number of all steps.
    pub fn steps(&self) -> u64 {
        self.starts * self.iterations
    }

    /// The number of all units.
    pub fn all_units(&self) -> u64 {
        self.end_of_steps() + self.duels() * self.confirm
    }

    /// The units of each side of a step. If the sides meet, both are the same units.
    pub fn step(&self, number: u64) -> [Range<u64>; 2] {
        let from = number * self.blocks() * self.units;
        let block = |nth: u64| from + nth * self.units..from + (nth + 1) * self.units;
        [block(0), block(self.blocks() - 1)]
    }

    /// The units of the duel of the values that were found from a start.
    pub fn confirmation(&self, start: u64) -> Range<u64> {
        let from = self.end_of_steps() + start * self.confirm;
        from..from + self.confirm
    }

    /// The units of the values of the first start against the opponent, if the opponent is another bot.
    pub fn baseline(&self) -> Option<Range<u64>> {
        self.against.then(|| self.confirmation(self.starts))
    }

    /// The number of the seed of a unit. Sides that are compared play the same seeds.
    pub fn seed_number(&self, unit: u64) -> u64 {
        let end = self.end_of_steps();
        if unit >= end {
            return self.steps() * self.units + (unit - end) % self.confirm.max(1);
        }
        let step = unit / (self.blocks() * self.units);
        step * self.units + unit % self.units
    }

    /// The side of a unit: 0 for the first side of a step and the values that were found, 1 for the second side and the
    /// values of the first start. If the sides meet, the first side.
    pub fn side(&self, unit: u64) -> usize {
        if unit < self.end_of_steps() {
            return usize::from(self.against && unit / self.units % 2 == 1);
        }
        usize::from(self.baseline().is_some_and(|baseline| baseline.contains(&unit)))
    }

    /// Blocks of units of a step.
    fn blocks(&self) -> u64 {
        if self.against { 2 } else { 1 }
    }

    fn duels(&self) -> u64 {
        self.starts + u64::from(self.against)
    }

    fn end_of_steps(&self) -> u64 {
        self.steps() * self.blocks() * self.units
    }

    /// The values at a start: the given ones, or values drawn from the ranges.
    pub(crate) fn dials(&self, start: u64, seed: i64) -> Vec<Dial> {
        let mut dice = Dice::new((seed as u64).wrapping_add(start));
        let dials = self.parameters.iter().map(|parameter| {
            let dial = parameter.dial;
            if start == 0 { dial } else { dial.starting_at(f64::from(dice.below(1 << 16)) / 65_536.0) }
        });
        dials.collect()
    }

    /// The words that name the bot with these values: with variables of its environment, and with the values in place of
    /// `{name}`.
    pub fn words_with_values(&self, asked: &str, values: &[f64]) -> String {
        let values = self
            .parameters
            .iter()
            .zip(values)
            .map(|(parameter, &value)| (&parameter.name, parameter.text(value)));
        let values: Vec<(&String, String)> = values.collect();
        let filled = values
            .iter()
            .fold(asked.to_owned(), |filled, (name, text)| filled.replace(&format!("{{{name}}}"), text));
        let variables = values.iter().flat_map(|(name, text)| {
            [format!("AGON_PARAM_{}={text}", name.to_ascii_uppercase()), format!("{name}={text}")]
        });
        variables.chain([filled]).collect::<Vec<_>>().join(" ")
    }

    /// A bot that gets these values: by its environment, as `AGON_PARAM_NAME` (in capital letters) and by the plain
    /// name, and by its arguments wherever they contain `{name}`.
    pub fn with_values(&self, bot: &Bot, values: &[f64], name: &str) -> Bot {
        let mut bot = Bot { name: name.to_owned(), ..bot.clone() };
        if let How::Program(program) = &mut bot.how {
            for (parameter, &value) in self.parameters.iter().zip(values) {
                let text = parameter.text(value);
                let name = &parameter.name;
                let known = format!("AGON_PARAM_{}", name.to_ascii_uppercase());
                program.env.extend([known, name.clone()].map(|name| (name.into(), text.clone().into())));
                for word in program.argv.iter_mut().skip(1) {
                    fill(word, &format!("{{{name}}}"), &text);
                }
            }
        }
        bot
    }
}

fn fill(word: &mut OsString, mark: &str, value: &str) {
    if let Some(text) = word.to_str()
        && text.contains(mark)
    {
        *word = text.replace(mark, value).into();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(text: &str) -> Parameter {
        text.parse().unwrap()
    }

    #[test]
    fn parameters_are_read_as_they_are_typed() {
        let depth = parameter("depth=1:12:4:int");
        assert_eq!(depth.dial, Dial { low: 1.0, high: 12.0, start: 4.0, step: 1.1, whole: true });
        let weight = parameter("w_1=-1:1:0.25:0.05");
        assert_eq!(weight.dial, Dial { low: -1.0, high: 1.0, start: 0.25, step: 0.05, whole: false });
        assert!(parameter("n=0:8:2:2:int").dial.whole);
        for (text, word) in [
            ("depth", "no `=`"),
            ("depth=1:2", "three or four"),
            ("depth=1:x:3", "`x` is not a number"),
            ("1st=0:1:0", "a name is a letter"),
            ("a b=0:1:0", "a name is a letter"),
            ("Path=0:1:0", "another name"),
            ("LD_PRELOAD=0:1:0", "another name"),
            ("d=0:1:2", "the start 2"),
            ("d=0:1:nan", "finite"),
            ("d=0.5:3:1:int", "whole"),
        ] {
            let error = text.parse::<Parameter>().unwrap_err().to_string();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn values_have_only_significant_digits() {
        assert_eq!(parameter("n=0:8:2:int").text(3.0), "3");
        assert_eq!(parameter("w=0:1:0.5").text(0.1 + 0.2), "0.3");
        assert_eq!(parameter("w=0:1:0.5").text(1.0 / 3.0), "0.3333");
        assert_eq!(parameter("w=-1000:1000:0:100").text(-1234.5678), "-1234.6");
        assert_eq!(parameter("w=-1:1:0").text(-1e-9), "0");
        assert_eq!(parameter("w=0:100:0:10").text(20.0), "20");
    }

    #[test]
    fn a_bot_gets_its_parameters_in_three_ways() {
        let tuning = Tuning {
            parameters: vec![parameter("depth=1:9:3:int"), parameter("w=0:1:0.5")],
            iterations: 1,
            units: 1,
            confirm: 0,
            starts: 1,
            against: false,
        };
        let program = sandbox::Program {
            argv: ["bot", "--depth={depth}", "{w}:{w}", "{other}"].map(OsString::from).to_vec(),
            ..sandbox::Program::default()
        };
        let bot = Bot { name: "bot".into(), asked: "bot".into(), digest: None, how: How::Program(program) };
        let told = tuning.with_values(&bot, &[7.0, 0.25], "plus");
        let How::Program(program) = told.how else { panic!() };
        assert_eq!(program.argv, ["bot", "--depth=7", "0.25:0.25", "{other}"]);
        let env: Vec<(&str, &str)> = program
            .env
            .iter()
            .map(|(name, value)| (name.to_str().unwrap(), value.to_str().unwrap()))
            .collect();
        assert_eq!(env, [("AGON_PARAM_DEPTH", "7"), ("depth", "7"), ("AGON_PARAM_W", "0.25"), ("w", "0.25")]);
    }

    #[test]
    fn invalid_tunings_are_refused() {
        let good = Tuning {
            parameters: vec![parameter("a=0:1:0")],
            iterations: 3,
            units: 2,
            confirm: 4,
            starts: 1,
            against: false,
        };
        assert!(good.check(10).is_ok());
        assert!(good.check(11).is_err());
        assert!(Tuning { parameters: Vec::new(), ..good.clone() }.check(10).is_err());
        let twice = Tuning { parameters: vec![parameter("a=0:1:0"), parameter("A=0:1:0")], ..good.clone() };
        assert!(twice.check(10).unwrap_err().to_string().contains("two parameters of the name a"));
        assert!(Tuning { units: u64::MAX, ..good }.check(10).is_err());
    }

    #[test]
    fn sides_that_are_compared_play_the_same_seeds() {
        let alone = Tuning {
            parameters: vec![parameter("a=0:1:0")],
            iterations: 2,
            units: 3,
            confirm: 4,
            starts: 2,
            against: false,
        };
        assert_eq!((alone.step(1), alone.all_units()), ([3..6, 3..6], 2 * 2 * 3 + 2 * 4));
        assert_eq!((alone.confirmation(1), alone.baseline()), (16..20, None));
        assert_eq!([5, 12, 16].map(|unit| alone.seed_number(unit)), [5, 12, 12]);
        let against = Tuning { against: true, ..alone };
        assert_eq!((against.step(1), against.all_units()), ([6..9, 9..12], 2 * 2 * 2 * 3 + 3 * 4));
        assert_eq!((against.confirmation(1), against.baseline()), (28..32, Some(32..36)));
        assert_eq!([0, 2, 3, 5, 6, 9].map(|unit| against.seed_number(unit)), [0, 2, 0, 2, 3, 3]);
        assert_eq!([24, 28, 35].map(|unit| against.seed_number(unit)), [12, 12, 15]);
        assert_eq!([2, 3, 6, 11, 24, 35].map(|unit| against.side(unit)), [0, 1, 0, 1, 0, 1]);
    }
}
