//! Tuning the parameters of a bot by matches: the parameters, the plan, and how a bot gets its values.
//!
//! A run that tunes has the iterations first, each a few units of one side against the other, and then a duel of the
//! values that were found against the start. In every unit the first side has one seat and the second all others.

use std::ffi::OsString;
use std::ops::Range;
use std::str::FromStr;

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
    /// The number of steps.
    pub iterations: u64,
    /// Units of each step.
    pub units: u64,
    /// Units of the duel at the end; 0 for no duel.
    pub confirm: u64,
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
        let all = self.iterations.checked_mul(self.units).and_then(|all| all.checked_add(self.confirm));
        if self.iterations == 0 || self.units == 0 || all != Some(units) {
            return Err(InvalidRun::TuningUnits);
        }
        Ok(())
    }

    /// The units of an iteration.
    pub fn iteration(&self, number: u64) -> Range<u64> {
        number * self.units..(number + 1) * self.units
    }

    /// The units of the duel at the end.
    pub fn confirmation(&self) -> Range<u64> {
        let from = self.iterations * self.units;
        from..from + self.confirm
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
        let good = Tuning { parameters: vec![parameter("a=0:1:0")], iterations: 3, units: 2, confirm: 4 };
        assert!(good.check(10).is_ok());
        assert!(good.check(11).is_err());
        assert!(Tuning { parameters: Vec::new(), ..good.clone() }.check(10).is_err());
        let twice = Tuning { parameters: vec![parameter("a=0:1:0"), parameter("A=0:1:0")], ..good.clone() };
        assert!(twice.check(10).unwrap_err().to_string().contains("two parameters of the name a"));
        assert!(Tuning { units: u64::MAX, ..good }.check(10).is_err());
    }
}
