//! Leagues as data: the rules, the boss and the promotion of each.

use std::collections::BTreeSet;
use std::sync::OnceLock;

use catalog::AnyGame;
use game::{Lang, Selected, Selection};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::Tier;

/// A text in both languages of the site.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Text {
    /// In English.
    pub en: String,
    /// In French.
    pub fr: String,
}

impl Text {
    /// Whether it is empty in both languages.
    pub fn is_empty(&self) -> bool {
        self.en.is_empty() && self.fr.is_empty()
    }

    /// The text in this language.
    pub fn of(&self, lang: Lang) -> &str {
        match lang {
            Lang::En => &self.en,
            Lang::Fr => &self.fr,
        }
    }
}

/// The display name of a built-in bot; its plain name when the game does not have such a bot.
pub fn title_of<'a>(game: &str, built_in: &'a str) -> &'a str {
    catalog::find(game).ok().and_then(|game| game.bot(built_in)).map_or(built_in, |bot| bot.title)
}

/// What a built-in bot says about itself; `None` when the game does not have such a bot.
pub fn motto_of(game: &str, built_in: &str) -> Option<Text> {
    let [en, fr] = catalog::find(game).ok()?.bot(built_in)?.motto;
    Some(Text { en: en.to_owned(), fr: fr.to_owned() })
}

/// How a version is promoted out of a league.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Way {
    /// At most five matches, all against the boss: see [`Trial`](crate::Trial).
    BestOfFive,
    /// A ladder that includes the boss: a version is promoted when it is above the boss after its placement matches.
    Ladder,
    /// The ladder of the highest league.
    Top,
}

/// A league of a game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct League {
    /// Its stable name: `wood-2`.
    pub key: String,
    /// Its display name.
    pub name: Text,
    /// Its description, in one sentence.
    pub about: Text,
    /// The game's own league with these rules, from 1.
    pub rules: u8,
    /// The edition of the rules.
    pub edition: String,
    /// The built-in bot to beat.
    pub boss: String,
    /// Other built-in bots that play on its ladders.
    #[serde(default)]
    pub regulars: Vec<String>,
    /// Numbers of players of a match; there is a ladder for each.
    pub players: Vec<u8>,
    /// How a version is promoted.
    pub way: Way,
    /// The number of matches on each ladder before a version may be promoted.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub placement: u32,
    /// The seat of the player against the boss, where the rules give the seats different tasks; otherwise the seats
    /// alternate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seat: Option<u8>,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

impl League {
    /// Its built-in bots, the boss first.
    pub fn built_in(&self) -> impl Iterator<Item = &str> {
        std::iter::once(&self.boss).chain(&self.regulars).map(String::as_str)
    }

    /// Whether it has ladders.
    pub fn has_ladders(&self) -> bool {
        self.way != Way::BestOfFive
    }

    /// The rule set for a number of players.
    ///
    /// # Errors
    ///
    /// When the game has no such rules, which [`Leagues::check`] excludes.
    pub fn selected(&self, game: &dyn AnyGame, players: u8) -> Result<Selected, LeaguesError> {
        let edition = Some(self.edition.clone());
        let asked = Selection { league: Some(self.rules), edition, players: Some(players) };
        game.select(&asked).map_err(|error| LeaguesError(error.to_string()))
    }
}

/// The leagues of a game, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct GameLeagues {
    /// Name of the game.
    pub game: String,
    /// The leagues, from the lowest up.
    pub leagues: Vec<League>,
}

impl GameLeagues {
    /// The league of a tier; `None` when the game has fewer leagues.
    pub fn league(&self, tier: Tier) -> Option<&League> {
        usize::try_from(tier.0).ok().and_then(|index| self.leagues.get(index))
    }

    /// The leagues with their tiers, from the lowest up.
    pub fn tiers(&self) -> impl Iterator<Item = (Tier, &League)> {
        (0..).map(Tier).zip(&self.leagues)
    }

    /// Whether the league above this tier has the same rules (except for the number of the league), so that a version
    /// that was written for this tier plays by the same rules there.
    pub fn goes_on_above(&self, tier: Tier) -> bool {
        let (Some(here), Some(above)) = (self.league(tier), self.league(tier.next())) else { return false };
        let Ok(game) = catalog::find(&self.game) else { return false };
        let plain = |league: &League, players: u8| {
            let selected = league.selected(game, players).ok()?;
            let Value::Object(mut rules) = game.start(selected, 0).rules() else { return None };
            rules.remove("league");
            Some(rules)
        };
        above.players.iter().all(|&players| {
            let rules = plain(above, players);
            rules.is_some() && rules == plain(here, players)
        })
    }
}

/// The leagues of some games.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Leagues(pub Vec<GameLeagues>);

/// Leagues or settings that cannot be played: the location, and how to fix it. The fault of their author.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct LeaguesError(String);

impl Leagues {
    /// The default leagues of all games.
    pub fn usual() -> &'static Leagues {
        static USUAL: OnceLock<Leagues> = OnceLock::new();
        USUAL.get_or_init(|| match Leagues::of_registry() {
            Ok(leagues) => leagues,
            Err(error) => unreachable!("the files are part of the program and a test reads them: {error}"),
        })
    }

    /// The leagues that each game of the registry defines.
    fn of_registry() -> Result<Leagues, LeaguesError> {
        let of = |game: &dyn AnyGame| {
            let name = game.info().name;
            let leagues = serde_json::from_str(game.arena_leagues())
                .map_err(|error| LeaguesError(format!("{name}: not a list of leagues: {error}")))?;
            Ok(GameLeagues { game: name.to_owned(), leagues })
        };
        let leagues = Leagues(catalog::games().map(of).collect::<Result<_, _>>()?);
        leagues.check()?;
        Ok(leagues)
    }

    /// Reads leagues from JSON and checks them.
    ///
    /// # Errors
    ///
    /// When they cannot be read or played; the message says where.
    pub fn read(text: &str) -> Result<Leagues, LeaguesError> {
        let leagues: Leagues = serde_json::from_str(text)
            .map_err(|error| LeaguesError(format!("not a list of leagues: {error}")))?;
        leagues.check()?;
        Ok(leagues)
    }

    /// The leagues of a game.
    pub fn of(&self, game: &str) -> Option<&GameLeagues> {
        self.0.iter().find(|leagues| leagues.game == game)
    }

    /// Checks that all leagues can be played: games, rules, editions and bosses exist, and only the last league is the
    /// top.
    ///
    /// # Errors
    ///
    /// The first mistake.
    pub fn check(&self) -> Result<(), LeaguesError> {
        let mut games = BTreeSet::new();
        if self.0.is_empty() {
            return Err(LeaguesError("there is no game; name at least one".into()));
        }
        for of_game in &self.0 {
            let game = &of_game.game;
            let found = catalog::find(game).map_err(|error| LeaguesError(error.to_string()))?;
            if !games.insert(game) {
                return Err(LeaguesError(format!("{game} is there twice")));
            }
            let mut keys = BTreeSet::new();
            for (tier, league) in of_game.tiers() {
                let at = |what: String| LeaguesError(format!("{game}, tier {tier} ({}): {what}", league.key));
                if !keys.insert(&league.key) {
                    return Err(at("two leagues have this key".into()));
                }
                check_league(found, league, of_game.league(tier.next()).is_none()).map_err(at)?;
            }
            if keys.is_empty() {
                return Err(LeaguesError(format!("{game} has no league; name at least one")));
            }
        }
        Ok(())
    }
}

/// The maximum of `placement`.
const MOST_PLACEMENT: u32 = 1000;

fn check_league(game: &dyn AnyGame, league: &League, last: bool) -> Result<(), String> {
    let plain = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if league.key.is_empty() || league.key.len() > 32 || !league.key.chars().all(plain) {
        return Err("a key is 1 to 32 small letters, digits and -".into());
    }
    for text in [&league.name, &league.about] {
        if [&text.en, &text.fr].into_iter().any(|text| text.trim().is_empty() || text.len() > 300) {
            return Err("name and about need a text of at most 300 bytes in English and in French".into());
        }
    }
    for bot in league.built_in() {
        if game.bot(bot).is_none() {
            return Err(catalog::UnknownBot::new(bot, [game], []).to_string());
        }
    }
    let built_in: BTreeSet<&str> = league.built_in().collect();
    if built_in.len() <= league.regulars.len() {
        return Err("the boss and the regulars must all be different".into());
    }
    let players: BTreeSet<u8> = league.players.iter().copied().collect();
    if players.is_empty() || players.len() < league.players.len() {
        return Err("name each number of players once, and at least one".into());
    }
    for players in players {
        league.selected(game, players).map_err(|error| error.0)?;
        if league.seat.is_some_and(|seat| seat >= players) {
            return Err(format!(
                "there is no seat {} at a table of {players}",
                league.seat.unwrap_or_default()
            ));
        }
    }
    match league.way {
        Way::BestOfFive if league.players != [2] => Err("a best of five is played by 2".into()),
        Way::BestOfFive if !league.regulars.is_empty() => Err("a best of five has no regulars".into()),
        Way::BestOfFive if last => Err("the last league needs a ladder: `ladder` or `top`".into()),
        Way::Top if !last => Err("only the last league is the `top`".into()),
        Way::Ladder | Way::Top if league.seat.is_some() => Err("on a ladder the seats alternate".into()),
        Way::Ladder | Way::Top if !(1..=MOST_PLACEMENT).contains(&league.placement) => {
            Err(format!("a placement has 1 to {MOST_PLACEMENT} matches"))
        }
        Way::BestOfFive | Way::Ladder | Way::Top => Ok(()),
    }
}

/// The maximum length of a description of a contest, in bytes.
const LONGEST_TEXT: usize = 20_000;
/// The maximum of `team_size`.
const MOST_TEAM_MEMBERS: u32 = 20;

/// The settings of the final of a contest.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Final {
    /// The number of finalists: the best of the highest league.
    pub top: u32,
    /// The number of matches of each finalist.
    pub matches: u32,
}

impl Default for Final {
    fn default() -> Final {
        Final { top: 16, matches: 30 }
    }
}

/// The settings of a contest. It has its own copy of the leagues, so that later changes of the defaults do not affect
/// it.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Settings {
    /// Games and leagues.
    pub games: Leagues,
    /// The final, for a contest that ends.
    #[serde(rename = "final", default)]
    pub finals: Final,
    /// The description, in Markdown.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub about: Text,
    /// The prizes, in Markdown.
    #[serde(default, skip_serializing_if = "Text::is_empty")]
    pub prizes: Text,
    /// The maximum number of members of a team; 0 or 1: everybody plays alone.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub team_size: u32,
    /// Settings of other crates.
    #[serde(flatten)]
    pub more: Map<String, Value>,
}

impl Default for Settings {
    /// Every game with its default leagues.
    fn default() -> Settings {
        Settings {
            games: Leagues::usual().clone(),
            finals: Final::default(),
            about: Text::default(),
            prizes: Text::default(),
            team_size: 0,
            more: Map::new(),
        }
    }
}

impl Settings {
    /// Reads the settings of a contest and checks them.
    ///
    /// # Errors
    ///
    /// When they cannot be read or played; the message says where.
    pub fn read(text: &str) -> Result<Settings, LeaguesError> {
        let settings: Settings = serde_json::from_str(text)
            .map_err(|error| LeaguesError(format!("not the settings of a contest: {error}")))?;
        settings.check()?;
        Ok(settings)
    }

    /// Checks that the contest can be played.
    ///
    /// # Errors
    ///
    /// The first mistake.
    pub fn check(&self) -> Result<(), LeaguesError> {
        self.games.check()?;
        let Final { top, matches } = self.finals;
        if !(2..=200).contains(&top) || !(1..=500).contains(&matches) {
            return Err(LeaguesError("a final has 2 to 200 players and 1 to 500 matches each".into()));
        }
        for text in [&self.about, &self.prizes] {
            if [&text.en, &text.fr].into_iter().any(|text| text.len() > LONGEST_TEXT) {
                return Err(LeaguesError(format!("a description has at most {LONGEST_TEXT} bytes")));
            }
        }
        if self.team_size > MOST_TEAM_MEMBERS {
            return Err(LeaguesError(format!("a team has at most {MOST_TEAM_MEMBERS} members")));
        }
        Ok(())
    }

    /// The same contest with another edition of the rules in all leagues of a game.
    #[must_use]
    pub fn with_edition(mut self, game: &str, edition: &str) -> Settings {
        for league in self.games.0.iter_mut().filter(|of| of.game == game).flat_map(|of| &mut of.leagues) {
            edition.clone_into(&mut league.edition);
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_usual_leagues_can_be_played() {
        let usual = Leagues::usual();
        let names: Vec<&str> = usual.0.iter().map(|leagues| leagues.game.as_str()).collect();
        assert_eq!(names.len(), catalog::games().len(), "{names:?}");
        for leagues in &usual.0 {
            assert_eq!(leagues.leagues[0].way, Way::BestOfFive);
            assert_eq!(leagues.leagues.last().map(|league| league.way), Some(Way::Top));
        }
        let again = serde_json::to_string(usual).unwrap();
        assert_eq!(Leagues::read(&again).unwrap(), *usual);
    }

    #[test]
    fn built_in_bots_have_names_and_lines_of_their_own() {
        for game in catalog::games() {
            let titles: BTreeSet<&str> = game.ladder().iter().map(|bot| bot.title).collect();
            assert_eq!(titles.len(), game.ladder().len(), "{}", game.info().name);
            for bot in game.ladder() {
                assert_ne!(bot.title, bot.name);
                assert!(bot.motto.iter().all(|line| !line.trim().is_empty()), "{}", bot.name);
            }
        }
        assert_eq!(title_of("back-track", "boss-1"), "Gaston");
        assert_eq!(title_of("back-track", "nobody"), "nobody");
    }

    #[test]
    fn versions_go_on_where_the_rules_stay() {
        let goes_on = |game: &str| -> Vec<bool> {
            let leagues = Leagues::usual().of(game).unwrap();
            leagues.tiers().map(|(tier, _)| leagues.goes_on_above(tier)).collect()
        };
        assert_eq!(goes_on("ocean-of-code"), [false, false, true, true, true, false]);
        assert_eq!(goes_on("hypersonic"), [false, false, false, true, true, true, false]);
        assert_eq!(goes_on("back-track"), [false, false, true, true, true, false]);
    }

    #[test]
    fn the_player_has_the_task_where_only_one_seat_has_it() {
        let track = Leagues::usual().of("back-track").unwrap();
        let seats: Vec<Option<u8>> = track.leagues.iter().map(|league| league.seat).collect();
        assert_eq!(seats, [Some(0), Some(0), None, None, None, None]);
    }

    #[test]
    fn what_cannot_be_played_is_refused_and_named() {
        let usual = serde_json::to_string(Leagues::usual()).unwrap();
        let refused = |from: &str, to: &str| {
            let changed = usual.replacen(from, to, 1);
            assert_ne!(changed, usual, "{from}");
            Leagues::read(&changed).unwrap_err().to_string()
        };
        for (from, to, named) in [
            (r#""game":"ocean-of-code""#, r#""game":"chess""#, "there is no game"),
            (
                r#""boss":"boss-1""#,
                r#""boss":"kraken""#,
                "back-track, tier 0 (wood-2): there is no built-in bot `kraken`",
            ),
            (r#""rules":1"#, r#""rules":9"#, "has no league `9`"),
            (r#""edition":"standard""#, r#""edition":"1999""#, "has no edition `1999`"),
            (r#""players":[2]"#, r#""players":[3]"#, "number of players"),
            (r#""players":[2,4]"#, r#""players":[2,2]"#, "once"),
            (r#""placement":20"#, r#""placement":0"#, "1 to 1000 matches"),
            (r#""way":"top""#, r#""way":"best_of_five""#, "best of five has no regulars"),
            (r#""way":"ladder""#, r#""way":"top""#, "only the last league"),
            (r#""key":"wood-1""#, r#""key":"wood-2""#, "two leagues"),
            (r#""key":"wood-1""#, r#""key":"Wood 1""#, "small letters"),
            (r#""fr":"Bois 2""#, r#""fr":" ""#, "in French"),
            (r#""regulars":["boss-3"]"#, r#""regulars":["bronze"]"#, "all be different"),
            (r#""seat":0"#, r#""seat":2"#, "no seat 2"),
            (r#""seat":0"#, r#""seats":0"#, "unknown field"),
        ] {
            let said = refused(from, to);
            assert!(said.contains(named), "{from}: {said}");
        }
        assert!(Leagues::read("[]").is_err());
    }

    #[test]
    fn settings_keep_what_they_do_not_know() {
        let mut settings = Settings::default();
        settings.more.insert("open_signup".into(), true.into());
        settings.finals = Final { top: 4, matches: 10 };
        let text = serde_json::to_string(&settings).unwrap();
        assert_eq!(Settings::read(&text).unwrap(), settings);
        let other = Settings::read(&text).unwrap().with_edition("back-track", "2026");
        assert_eq!(other.games.of("back-track").unwrap().leagues[5].edition, "2026");
        assert!(other.check().is_ok());
        assert!(other.with_edition("hypersonic", "2026").check().is_err());
        assert!(Settings::read(&text.replace(r#""top":4"#, r#""top":1"#)).is_err());
    }
}
