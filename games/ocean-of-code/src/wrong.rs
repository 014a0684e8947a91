//! The faults of answers, and their official texts.

use std::fmt;

use game::{Fault, FaultKind, Seat, Words, quote, words};

use crate::Rules;
use crate::order::{Power, trim};

/// Why an answer, or a piece of it, cannot be parsed. Always fatal once it is checked.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Unreadable {
    /// The placement is not two numbers.
    PlacementFormat,
    /// A command occurs twice in a line.
    Duplicate,
    /// The word is not a command of the league.
    Unknown,
    /// `MOVE` with too many arguments.
    MoveArgs,
    /// `MOVE` without a direction.
    MoveForm,
    /// Not one of the four letters.
    BadDirection,
    /// Not the name of a power of the league.
    BadPower,
    /// `TORPEDO` without exactly two arguments.
    TorpedoArgs,
    /// `TORPEDO` with arguments that are not integers.
    TorpedoNumbers,
    /// `SONAR` without exactly one argument.
    SonarArgs,
    /// `SONAR` with an argument that is not the number of a sector.
    SonarSector,
    /// `SILENCE` without exactly two arguments.
    SilenceArgs,
    /// `SILENCE` with an argument that is not a number of steps.
    SilenceDistance,
    /// `MINE` with too many arguments.
    MineArgs,
    /// `MINE` without a direction.
    MineForm,
    /// `TRIGGER` with too many arguments.
    TriggerArgs,
    /// `TRIGGER` without two integers.
    TriggerNumbers,
}

impl Unreadable {
    /// All variants.
    pub const ALL: [Unreadable; 17] = [
        Unreadable::PlacementFormat,
        Unreadable::Duplicate,
        Unreadable::Unknown,
        Unreadable::MoveArgs,
        Unreadable::MoveForm,
        Unreadable::BadDirection,
        Unreadable::BadPower,
        Unreadable::TorpedoArgs,
        Unreadable::TorpedoNumbers,
        Unreadable::SonarArgs,
        Unreadable::SonarSector,
        Unreadable::SilenceArgs,
        Unreadable::SilenceDistance,
        Unreadable::MineArgs,
        Unreadable::MineForm,
        Unreadable::TriggerArgs,
        Unreadable::TriggerNumbers,
    ];

    /// The code of the rules and the official text, in which `{segment}` stands for the piece of the answer and
    /// `{token}` for the wrong word.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            Unreadable::PlacementFormat => {
                ("placement-format", "Cannot read initial coordinates. Expected format: 'X Y'")
            }
            Unreadable::Duplicate => ("duplicate", "Two equal commands executed."),
            Unreadable::Unknown => ("unknown", "Unknown command: {segment}"),
            Unreadable::MoveArgs => {
                ("move-args", "Invalid amount of parameters to MOVE. Should be MOVE direction power")
            }
            Unreadable::MoveForm => ("move-form", "Invalid move command: {segment}"),
            Unreadable::BadDirection => {
                ("bad-direction", "Invalid direction: {token}. Legal values are: N, S, E or W.")
            }
            Unreadable::BadPower => ("bad-power", "Invalid power to charge: {token}"),
            Unreadable::TorpedoArgs => {
                ("torpedo-args", "Invalid amount of params for TORPEDO, should be TORPEDO x y")
            }
            Unreadable::TorpedoNumbers => {
                ("torpedo-numbers", "Invalid params to Torpedo. Should be TORPEDO x y")
            }
            Unreadable::SonarArgs => {
                ("sonar-args", "Invalid amount of params for SONAR, should be: SONAR sectorId")
            }
            Unreadable::SonarSector => ("sonar-sector", "Invalid sector on SONAR: {segment}"),
            Unreadable::SilenceArgs => {
                ("silence-args", "Invalid amount of params for Silence, should be: SILENCE direction steps")
            }
            Unreadable::SilenceDistance => ("silence-distance", "Invalid distance on SILENCE: {segment}"),
            Unreadable::MineArgs => {
                ("mine-args", "Invalid amount of params for MINE, should be MINE direction")
            }
            Unreadable::MineForm => ("mine-form", "Invalid mine command: {segment}"),
            Unreadable::TriggerArgs => {
                ("trigger-args", "Invalid amount of params for TRIGGER, should be TRIGGER x y")
            }
            Unreadable::TriggerNumbers => {
                ("trigger-numbers", "Invalid params to Trigger. Should be Trigger x y")
            }
        }
    }

    /// The expected form.
    fn expected(self, rules: &Rules) -> Words {
        match self {
            Unreadable::PlacementFormat => words(
                "two numbers of one or two digits with one space in between, such as `3 7`",
                "deux nombres d’un ou deux chiffres séparés par une espace, comme `3 7`",
            ),
            Unreadable::Duplicate => {
                words("each command at most once in a line", "chaque commande au plus une fois par ligne")
            }
            Unreadable::Unknown => words("a command of this league", "une commande de cette ligue"),
            Unreadable::MoveArgs => words(
                "MOVE, a direction and at most one power",
                "MOVE, une direction et au plus une capacité à charger",
            ),
            Unreadable::MoveForm | Unreadable::BadDirection | Unreadable::MineForm => {
                words("a direction: N, S, E or W", "une direction : N, S, E ou W")
            }
            Unreadable::BadPower => {
                let names = rules.power_names();
                words(
                    format!("a power of this league: {names}"),
                    format!("une capacité de cette ligue : {names}"),
                )
            }
            Unreadable::TorpedoArgs | Unreadable::TorpedoNumbers => {
                words("TORPEDO x y with two integers", "TORPEDO x y avec deux entiers")
            }
            Unreadable::SonarArgs | Unreadable::SonarSector => {
                words("SONAR and a sector from 1 to 9", "SONAR et un secteur de 1 à 9")
            }
            Unreadable::SilenceArgs | Unreadable::SilenceDistance => {
                let steps = rules.silence_steps;
                words(
                    format!("SILENCE, a direction and a number of steps from 0 to {steps}"),
                    format!("SILENCE, une direction et un nombre de pas de 0 à {steps}"),
                )
            }
            Unreadable::MineArgs => words("MINE and a direction", "MINE et une direction"),
            Unreadable::TriggerArgs | Unreadable::TriggerNumbers => {
                words("TRIGGER x y with two integers", "TRIGGER x y avec deux entiers")
            }
        }
    }

    /// The official text for a piece of an answer, or for the whole answer where it cannot be parsed at all.
    fn reason(self, segment: &[u8]) -> String {
        let token = |at| segment.split(|&byte| byte == b' ').nth(at).unwrap_or_default();
        let (mark, text) = match self {
            Unreadable::BadDirection => ("{token}", token(1)),
            Unreadable::BadPower => ("{token}", trim(token(2))),
            _ => ("{segment}", segment),
        };
        self.words().1.replace(mark, &String::from_utf8_lossy(text))
    }

    /// The fault for a piece of an answer.
    pub(crate) fn fault(self, rules: &Rules, turn: u32, seat: Seat, segment: &[u8]) -> Fault {
        let (expected, expected_fr) = self.expected(rules);
        Fault {
            turn,
            seat,
            kind: FaultKind::Unreadable,
            fatal: true,
            code: self.words().0.into(),
            reason: self.reason(segment),
            expected,
            expected_fr,
            came: quote(segment),
        }
    }
}

impl fmt::Display for Unreadable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words().1)
    }
}

impl std::error::Error for Unreadable {}

/// Why a parsed action is not allowed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum NotAllowed {
    /// The start is off the map or an island. Fatal.
    PlacementCell,
    /// A step off the map or onto an island. Fatal.
    Blocked,
    /// A step onto the submarine's own trail. Fatal.
    Visited,
    /// The power is not charged.
    Uncharged {
        /// The power.
        power: Power,
        /// Its charges.
        has: u8,
    },
    /// The target of a torpedo is an island, off the map or too many steps away.
    OutOfReach,
    /// The cell for a mine is an island or off the map.
    MineBlocked,
    /// The cell for a mine already has an own mine.
    MineTaken,
    /// The player has no active mine at the target.
    NoMine,
    /// No action of the answer could be executed, so the submarine surfaces.
    NoAction,
}

impl NotAllowed {
    /// Whether it disqualifies the player; if not, the action is dropped.
    pub const fn is_fatal(self) -> bool {
        matches!(self, NotAllowed::PlacementCell | NotAllowed::Blocked | NotAllowed::Visited)
    }

    /// Code and text: the official text for fatal faults, our own text for actions that the referee drops silently.
    const fn words(self) -> (&'static str, &'static str) {
        match self {
            NotAllowed::PlacementCell => ("placement-cell", "Invalid coordinates!"),
            NotAllowed::Blocked => ("blocked", "Invalid move. Tried to move outside map or onto island"),
            NotAllowed::Visited => ("visited", "Can't visit same location twice. Use surface."),
            NotAllowed::Uncharged { .. } => ("uncharged", "The power is not charged; the action is dropped."),
            NotAllowed::OutOfReach => {
                ("out-of-reach", "The torpedo cannot reach the target; the action is dropped.")
            }
            NotAllowed::MineBlocked => {
                ("mine-blocked", "No mine can lie off the map or on an island; the action is dropped.")
            }
            NotAllowed::MineTaken => {
                ("mine-taken", "A mine of the player lies there already; the action is dropped.")
            }
            NotAllowed::NoMine => {
                ("no-mine", "No active mine of the player lies there; the action is dropped.")
            }
            NotAllowed::NoAction => ("no-action", "No action could be executed; the submarine surfaces."),
        }
    }

    /// The expected form.
    fn expected(self, rules: &Rules) -> Words {
        match self {
            NotAllowed::PlacementCell => words("a water cell", "une case d’eau"),
            NotAllowed::Blocked => words("a move to a water cell", "un mouvement vers une case d’eau"),
            NotAllowed::Visited => words(
                "a cell not visited since the start or the last SURFACE",
                "une case non visitée depuis le départ ou le dernier SURFACE",
            ),
            NotAllowed::Uncharged { power, has } => {
                let (needed, name) = (rules.charge(power).unwrap_or_default(), power.name());
                words(
                    format!("{needed} charges for {name}, it has {has}"),
                    format!("{needed} charges pour {name}, il en a {has}"),
                )
            }
            NotAllowed::OutOfReach => {
                let range = rules.torpedo_range;
                words(
                    format!("a water cell at most {range} steps through water away"),
                    format!("une case d’eau à au plus {range} pas par l’eau"),
                )
            }
            NotAllowed::MineBlocked => {
                words("a water cell next to the submarine", "une case d’eau voisine du sous-marin")
            }
            NotAllowed::MineTaken => words("a cell without an own mine", "une case sans mine à soi"),
            NotAllowed::NoMine => words(
                "the cell of an own mine laid in an earlier turn",
                "la case d’une mine à soi posée à un tour précédent",
            ),
            NotAllowed::NoAction => words("an action that can be executed", "une action exécutable"),
        }
    }

    /// The fault for a piece of an answer.
    pub(crate) fn fault(self, rules: &Rules, turn: u32, seat: Seat, segment: &[u8]) -> Fault {
        let (code, reason) = self.words();
        let (expected, expected_fr) = self.expected(rules);
        Fault {
            turn,
            seat,
            kind: FaultKind::NotAllowed,
            fatal: self.is_fatal(),
            code: code.into(),
            reason: reason.into(),
            expected,
            expected_fr,
            came: quote(segment),
        }
    }
}

impl fmt::Display for NotAllowed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.words().1)
    }
}

impl std::error::Error for NotAllowed {}

/// Rules, section 12: no answer in time.
const TIMEOUT: (&str, &str) = ("timeout", "Timeout!");

/// The fault of a player that did not answer.
pub(crate) fn missing(rules: &Rules, turn: u32, seat: Seat) -> Fault {
    let time = if turn == 0 { rules.first_turn_ms } else { rules.turn_ms };
    Fault {
        turn,
        seat,
        kind: FaultKind::Missing,
        fatal: true,
        code: TIMEOUT.0.into(),
        reason: TIMEOUT.1.into(),
        expected: format!("an answer within {time} ms and {} bytes", rules.answer_bytes).into(),
        expected_fr: format!("une réponse en {time} ms et {} octets", rules.answer_bytes).into(),
        came: "nothing".into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn texts_are_the_official_ones() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/traces/reasons.json");
        let file = std::fs::read_to_string(path).unwrap();
        let official: BTreeMap<String, String> = serde_json::from_str(&file).unwrap();
        let fatal = [NotAllowed::PlacementCell, NotAllowed::Blocked, NotAllowed::Visited];
        let ours: BTreeMap<String, String> = Unreadable::ALL
            .into_iter()
            .map(Unreadable::words)
            .chain(fatal.into_iter().map(NotAllowed::words))
            .chain([TIMEOUT])
            .map(|(code, words)| (code.to_owned(), words.to_owned()))
            .collect();
        assert_eq!(ours, official);
    }

    #[test]
    fn texts_name_the_piece_or_the_word() {
        let check = |why: Unreadable, segment: &str, text: &str| {
            assert_eq!(why.reason(segment.as_bytes()), text);
        };
        check(Unreadable::Unknown, "héllo {token} ☃", "Unknown command: héllo {token} ☃");
        check(Unreadable::MoveForm, "MOVE", "Invalid move command: MOVE");
        check(Unreadable::BadDirection, "MOVE  N", "Invalid direction: . Legal values are: N, S, E or W.");
        check(
            Unreadable::BadDirection,
            "MOVE {segment}",
            "Invalid direction: {segment}. Legal values are: N, S, E or W.",
        );
        check(Unreadable::BadPower, "MOVE N \tX\tY", "Invalid power to charge: X\tY");
        check(Unreadable::SonarSector, "SONAR 0", "Invalid sector on SONAR: SONAR 0");
        check(Unreadable::TorpedoArgs, "TORPEDO", Unreadable::TorpedoArgs.words().1);
    }
}
