//! The facts about a game that are known before it is played, and the choice of a rule set by name.

use serde::Serialize;

/// The static facts about a game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Info {
    /// The name on the command line and in records: `ocean-of-code`.
    pub name: &'static str,
    /// The name for people: `Ocean of Code`.
    pub title: &'static str,
    /// A description of one sentence.
    pub about: &'static str,
    /// The same sentence in French.
    #[serde(skip)]
    pub about_fr: &'static str,
    /// Whether the game has a side quest with a leaderboard of its own.
    #[serde(skip)]
    pub side_quest: bool,
    /// Whether the players answer at the same time.
    pub simultaneous: bool,
    /// Whether players see different things.
    pub hidden: bool,
    /// The fewest players.
    pub min_players: u8,
    /// The most players.
    pub max_players: u8,
    /// The leagues, from the first one up; levels count from 1. The last one is the full game and the default.
    pub leagues: &'static [League],
    /// The editions; the first one is the default.
    pub editions: &'static [Edition],
}

/// A league: a level of the game, from simple rules up to the full game.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct League {
    /// Its name for people.
    pub name: &'static str,
    /// What is new in this league.
    pub about: &'static str,
}

/// A variant of the rules, such as that of one contest.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Edition {
    /// Its name on the command line and in records.
    pub name: &'static str,
    /// A short description.
    pub about: &'static str,
}

/// A language of the statements.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// English.
    En,
    /// French.
    Fr,
}

/// A request for a rule set; a part that is left out takes its default.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Selection {
    /// Level of the league, from 1.
    pub league: Option<u8>,
    /// Name of the edition.
    pub edition: Option<String>,
    /// Number of players.
    pub players: Option<u8>,
}

/// A rule set that exists, by name.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Selected {
    /// Level of the league, from 1.
    pub league: u8,
    /// Name of the edition.
    pub edition: &'static str,
    /// Number of players.
    pub players: u8,
}

/// A request for a rule set that does not exist, with the choices there are.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{game} has no {what} `{asked}`; choose one of: {}", .choices.join(", "))]
pub struct SelectionError {
    /// `league`, `edition` or `number of players`.
    pub what: &'static str,
    /// The value that was asked for.
    pub asked: String,
    /// Title of the game.
    pub game: &'static str,
    /// The values there are.
    pub choices: Vec<String>,
}

impl Info {
    /// Fills in the defaults and checks that the rule set exists.
    ///
    /// # Errors
    ///
    /// When the league, the edition or the number of players is not one of the game's.
    pub fn select(&self, asked: &Selection) -> Result<Selected, SelectionError> {
        let unknown =
            |what, asked: String, choices| SelectionError { what, asked, game: self.title, choices };
        let last = self.leagues.len() as u8;
        let league = asked.league.unwrap_or(last);
        if !(1..=last).contains(&league) {
            let choices = (1..=last).map(|level| level.to_string()).collect();
            return Err(unknown("league", league.to_string(), choices));
        }
        let edition = match &asked.edition {
            None => self.editions[0].name,
            Some(name) => match self.editions.iter().find(|edition| edition.name == name) {
                Some(edition) => edition.name,
                None => {
                    let choices = self.editions.iter().map(|edition| edition.name.to_owned()).collect();
                    return Err(unknown("edition", name.clone(), choices));
                }
            },
        };
        let players = asked.players.unwrap_or(self.min_players);
        if !(self.min_players..=self.max_players).contains(&players) {
            let choices = (self.min_players..=self.max_players).map(|n| n.to_string()).collect();
            return Err(unknown("number of players", players.to_string(), choices));
        }
        Ok(Selected { league, edition, players })
    }

    /// Every rule set of the game.
    pub fn all(&self) -> impl Iterator<Item = Selected> + '_ {
        (1..=self.leagues.len() as u8).flat_map(move |league| {
            self.editions.iter().flat_map(move |edition| {
                (self.min_players..=self.max_players).map(move |players| Selected {
                    league,
                    edition: edition.name,
                    players,
                })
            })
        })
    }
}
