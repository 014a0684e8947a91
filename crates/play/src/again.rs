//! The command line that plays a match again.

use catalog::record::Played;
use referee::Clock;
use sandbox::Level;
use serde::Deserialize as _;
use serde_json::Value;

/// A match as `agon play` plays it: all settings that determine it. The number of bots is the number of players.
#[derive(Clone, Debug)]
pub struct Command<'a> {
    /// Name of the game.
    pub game: &'a str,
    /// Level of the league; `None` if it is not known.
    pub league: Option<u8>,
    /// Name of the edition; `None` if it is not known.
    pub edition: Option<&'a str>,
    /// The seed.
    pub seed: i64,
    /// How time is kept; `None` if it is not known.
    pub clock: Option<Clock>,
    /// The level of the sandbox; `None` for the strongest that the host reaches.
    pub sandbox: Option<Level>,
    /// Whether bots may think while they are not asked; `None` if it is not known.
    pub ponder: Option<bool>,
    /// The bots by seat, as the words on the command line.
    pub bots: Vec<&'a str>,
}

impl<'a> Command<'a> {
    /// The match of a record; `None` if the record names no bots. A record may come from a stranger: a match that was
    /// played without a sandbox is repeated in one.
    pub fn of_record(
        played: &'a Played,
        league: Option<u8>,
        edition: Option<&'a str>,
    ) -> Option<Command<'a>> {
        let bots = played.bots.as_deref().filter(|bots| !bots.is_empty())?;
        let settings = played.settings.as_ref().unwrap_or(&Value::Null);
        let level = Level::deserialize(&settings["box"]["level"]).ok();
        Some(Command {
            game: &played.header.game,
            league,
            edition,
            seed: played.header.seed,
            clock: Clock::deserialize(&settings["clock"]).ok(),
            sandbox: level.filter(|&level| level != Level::None),
            ponder: settings["ponder"].as_bool(),
            bots: bots.iter().map(|bot| bot.command.as_str()).collect(),
        })
    }

    /// The command line that plays the match again, quoted for a shell. It contains the command lines of bots
    /// unchanged: make it safe before it is shown (see [`game::text`]).
    pub fn again(&self) -> String {
        let mut words = vec!["agon".to_owned(), "play".into(), self.game.into()];
        let mut option = |name: &str, value: Option<String>| {
            if let Some(value) = value {
                words.extend([name.to_owned(), value]);
            }
        };
        option("--league", self.league.map(|league| league.to_string()));
        option("--edition", self.edition.map(str::to_owned));
        option("--seed", Some(self.seed.to_string()));
        option("--clock", self.clock.map(|clock| clock.to_string()));
        option("--sandbox", self.sandbox.map(|level| level.to_string()));
        // Pondering is named only if it is not the default of the game.
        let default = catalog::find(self.game).ok().map(|game| game.info().simultaneous);
        if let Some(ponder) = self.ponder.filter(|&ponder| default != Some(ponder)) {
            words.push(if ponder { "--ponder" } else { "--no-ponder" }.into());
        }
        for &bot in &self.bots {
            words.extend(["--bot".to_owned(), bot.to_owned()]);
        }
        shell_words::join(words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_known_settings_are_in_the_command() {
        let command = Command {
            game: "ocean-of-code",
            league: Some(2),
            edition: Some("standard"),
            seed: -7,
            clock: Some(Clock::Bank { bank_ms: 9 }),
            sandbox: Some(Level::B),
            ponder: Some(true),
            bots: vec!["python3 'my bot.py'", "@random"],
        };
        let words = |text: &str| shell_words::split(text).unwrap();
        let bots = ["--bot", "python3 'my bot.py'", "--bot", "@random"];
        let before = "agon play ocean-of-code --league 2 --edition standard --seed -7 --clock bank=9 --sandbox b --ponder";
        assert_eq!(words(&command.again()), [words(before), bots.map(str::to_owned).to_vec()].concat());
        let unknown =
            Command { league: None, edition: None, clock: None, sandbox: None, ponder: None, ..command };
        let before = "agon play ocean-of-code --seed -7";
        assert_eq!(words(&unknown.again()), [words(before), bots.map(str::to_owned).to_vec()].concat());
    }

    /// Players of Hypersonic answer together, those of Ocean of Code in turn.
    #[test]
    fn pondering_is_named_where_it_is_not_the_default() {
        let again = |game, ponder| {
            let bots = Vec::new();
            let (league, edition, clock, sandbox) = (None, None, None, None);
            Command { game, league, edition, seed: 1, clock, sandbox, ponder: Some(ponder), bots }.again()
        };
        assert_eq!(again("hypersonic", true), "agon play hypersonic --seed 1");
        assert_eq!(again("hypersonic", false), "agon play hypersonic --seed 1 --no-ponder");
        assert_eq!(again("ocean-of-code", true), "agon play ocean-of-code --seed 1 --ponder");
        assert_eq!(again("ocean-of-code", false), "agon play ocean-of-code --seed 1");
    }
}
