//! The forms of replays. Their content is not trusted: every list is checked before it is used.

use std::collections::BTreeMap;

use game::Seat;
use serde::Deserialize;
use serde_json::Value;

use super::{Answer, Replay};

/// No game here has more players.
const MOST_PLAYERS: usize = 8;

/// A replay that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ReplayError {
    /// The file ends too early.
    #[error("the replay is cut off: {0}; download it again")]
    CutOff(serde_json::Error),
    /// Not JSON, or with values of other kinds.
    #[error("this is not a replay: {0}")]
    Form(serde_json::Error),
    /// Something is missing or makes no sense.
    #[error("{0}")]
    Content(String),
}

impl From<serde_json::Error> for ReplayError {
    fn from(error: serde_json::Error) -> ReplayError {
        if error.is_eof() { ReplayError::CutOff(error) } else { ReplayError::Form(error) }
    }
}

fn content<T>(why: impl Into<String>) -> Result<T, ReplayError> {
    Err(ReplayError::Content(why.into()))
}

/// The keys of all forms. Keys without use here, above all the views, are skipped.
#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Form {
    #[serde(alias = "success")]
    game_result: Option<Box<Form>>,
    puzzle_title: Option<Value>,
    question_title: Option<Value>,
    game_id: Option<Value>,
    seed: Option<Value>,
    referee_input: Option<String>,
    uinput: Option<Vec<Option<String>>>,
    frames: Option<Vec<Frame>>,
    agents: Option<Vec<Agent>>,
    scores: Option<ByPlayer>,
    ranks: Option<ByPlayer>,
    outputs: Option<BTreeMap<String, Vec<Option<String>>>>,
    errors: Option<BTreeMap<String, Vec<Option<String>>>>,
    metadata: Option<Value>,
}

/// What `agon referee` writes to the metadata of its results. In the results the scores of players that failed are changed as
/// testers expect; the metadata have the true ones.
#[derive(Deserialize)]
struct Ours {
    game: String,
    league: u8,
    rules: String,
    outcome: OurOutcome,
}

#[derive(Deserialize)]
struct OurOutcome {
    scores: Vec<f64>,
    ranks: Vec<f64>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Frame {
    agent_id: Option<i64>,
    stdout: Option<String>,
    stderr: Option<String>,
}

#[derive(Deserialize, Default)]
#[serde(rename_all = "camelCase", default)]
struct Agent {
    index: Option<usize>,
    #[serde(rename = "agentId")]
    id: Option<i64>,
    name: Option<String>,
    codingamer: Option<Name>,
    arenaboss: Option<Name>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Name {
    #[serde(alias = "nickname")]
    pseudo: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ByPlayer {
    List(Vec<f64>),
    Map(BTreeMap<String, f64>),
}

/// Reads replays: one, or several one after the other.
///
/// # Errors
///
/// Each that cannot be read says why; nothing behind one that is not JSON is read.
pub fn read(text: &[u8]) -> Vec<Result<Replay, ReplayError>> {
    let mut replays: Vec<Result<Replay, ReplayError>> = serde_json::Deserializer::from_slice(text)
        .into_iter::<Form>()
        .map(|form| form.map_err(ReplayError::from).and_then(Form::replay))
        .collect();
    if replays.is_empty() {
        replays.push(content("the file is empty"));
    }
    replays
}

impl Form {
    fn replay(mut self) -> Result<Replay, ReplayError> {
        // Titles and sometimes the seed stand outside, everything else inside.
        let mut titles: Vec<String> = Vec::new();
        let mut outer_seed = None;
        while let Some(inner) = self.game_result.take() {
            titles.extend(self.titles());
            outer_seed = outer_seed.or(self.seed.take());
            self = *inner;
        }
        titles.extend(self.titles());
        let seed = self.seed.take().or(outer_seed);
        let (seed, mut parameters) = self.input(seed)?;
        if let Some(ours) = self.ours() {
            titles.push(ours.game);
            parameters.entry("league".into()).or_insert_with(|| ours.league.to_string());
            parameters.entry("rules".into()).or_insert(ours.rules);
            self.scores = Some(ByPlayer::List(ours.outcome.scores));
            self.ranks = Some(ByPlayer::List(ours.outcome.ranks));
        }
        let players = self.count_players()?;
        let answers = if let Some(frames) = self.frames.take() {
            answers_of_frames(frames, &self.seats_by_agent(players), players)?
        } else if let Some(outputs) = self.outputs.take() {
            answers_of_outputs(&outputs, self.errors.as_ref(), players)
        } else {
            return content(
                "there are neither frames (a replay of the site) nor outputs (a result of a referee) in it",
            );
        };
        let scores = by_player(self.scores.take(), players, "scores")?;
        let ranks = by_player(self.ranks.take(), players, "ranks")?;
        if scores.is_none() && ranks.is_none() {
            return content("there are neither scores nor ranks in it, so there is nothing to compare with");
        }
        let game_id =
            self.game_id.as_ref().map(|id| id.as_str().map_or_else(|| id.to_string(), str::to_owned));
        Ok(Replay { game_id, titles, names: self.names(players), seed, parameters, answers, scores, ranks })
    }

    fn titles(&self) -> Vec<String> {
        let texts = |value: &Value| match value {
            Value::String(text) => vec![text.clone()],
            Value::Array(list) => list.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
            _ => Vec::new(),
        };
        [&self.puzzle_title, &self.question_title].into_iter().flatten().flat_map(texts).collect()
    }

    fn ours(&self) -> Option<Ours> {
        let metadata: Value = serde_json::from_str(self.metadata.as_ref()?.as_str()?).ok()?;
        serde_json::from_value(metadata.get("agon")?.clone()).ok()
    }

    /// The seed and the rest of the referee's input: a `key=value` on each line.
    fn input(&self, seed: Option<Value>) -> Result<(i64, BTreeMap<String, String>), ReplayError> {
        let lines = self.uinput.iter().flatten().flatten().map(String::as_str);
        let mut parameters: BTreeMap<String, String> = lines
            .chain(self.referee_input.as_deref())
            .flat_map(str::lines)
            .filter_map(|line| line.split_once('='))
            .map(|(key, value)| (key.trim().to_owned(), value.trim().to_owned()))
            .collect();
        let seed = match (parameters.remove("seed"), seed) {
            (Some(text), _) | (None, Some(Value::String(text))) => text,
            (None, Some(Value::Number(number))) => number.to_string(),
            _ => {
                return content(
                    "there is no seed in it: refereeInput should have a line `seed=N`, and without it the map is not known",
                );
            }
        };
        match seed.parse() {
            Ok(seed) => Ok((seed, parameters)),
            Err(_) => content(format!(
                "the seed {} is not a whole number of 64 bits with sign",
                game::quote(seed.as_bytes())
            )),
        }
    }

    fn count_players(&self) -> Result<usize, ReplayError> {
        let by_scores = match &self.scores {
            Some(ByPlayer::List(list)) => list.len(),
            Some(ByPlayer::Map(map)) => map.len(),
            None => 0,
        };
        let players = self.agents.as_ref().map_or(0, Vec::len).max(by_scores);
        match players {
            0 => content("it does not say who played: there are no agents and no scores"),
            1..=MOST_PLAYERS => Ok(players),
            _ => content(format!("it names {players} players; no game here has more than {MOST_PLAYERS}")),
        }
    }

    /// The seats by the numbers that the site gave to the agents.
    fn seats_by_agent(&self, players: usize) -> BTreeMap<i64, usize> {
        let agents = self.agents.iter().flatten().enumerate();
        agents
            .filter_map(|(at, agent)| Some((agent.id?, agent.index.unwrap_or(at))))
            .filter(|(_, seat)| *seat < players)
            .collect()
    }

    fn names(&self, players: usize) -> Vec<String> {
        let mut names: Vec<String> = (0..players).map(|seat| format!("player {seat}")).collect();
        for (at, agent) in self.agents.iter().flatten().enumerate() {
            let person = agent.codingamer.as_ref().or(agent.arenaboss.as_ref());
            let name = agent.name.as_ref().or(person.and_then(|person| person.pseudo.as_ref()));
            if let (Some(name), Some(place)) = (name, names.get_mut(agent.index.unwrap_or(at))) {
                name.clone_into(place);
            }
        }
        names
    }
}

fn answers_of_frames(
    frames: Vec<Frame>,
    seats: &BTreeMap<i64, usize>,
    players: usize,
) -> Result<Vec<Answer>, ReplayError> {
    let mut answers = Vec::new();
    for (frame, Frame { agent_id, stdout, stderr }) in frames.into_iter().enumerate() {
        let seat = match agent_id {
            Some(..0) => continue,
            None if stdout.is_none() => continue,
            None => return content(format!("frame {frame} has an answer and no agentId, so it is nobody's")),
            Some(id) => usize::try_from(id).ok().filter(|seat| *seat < players).or(seats.get(&id).copied()),
        };
        let Some(seat) = seat else {
            let id = agent_id.unwrap_or_default();
            return content(format!(
                "frame {frame} is of agent {id}, who is not among the {players} players"
            ));
        };
        let stderr = stderr.unwrap_or_default();
        answers.push(Answer {
            frame,
            seat: Some(Seat(seat as u8)),
            line: first_line(stdout.as_deref()),
            stderr,
        });
    }
    Ok(answers)
}

/// The lists have an entry for each frame; the entries of a player that was not asked are empty. A player that was asked and did
/// not answer is visible in `errors` at best.
fn answers_of_outputs(
    outputs: &BTreeMap<String, Vec<Option<String>>>,
    errors: Option<&BTreeMap<String, Vec<Option<String>>>>,
    players: usize,
) -> Vec<Answer> {
    let keys: Vec<String> = (0..players).map(|seat| seat.to_string()).collect();
    let frames = keys.iter().filter_map(|key| outputs.get(key)).map(Vec::len).max().unwrap_or(0);
    let at = |lists: Option<&BTreeMap<String, Vec<Option<String>>>>,
              seat: usize,
              frame: usize|
     -> Option<String> { lists?.get(&keys[seat])?.get(frame)?.clone() };
    // The first frame is before anything was asked.
    (1..frames)
        .map(|frame| {
            let seat = (0..players)
                .find(|&seat| at(Some(outputs), seat, frame).is_some())
                .or_else(|| (0..players).find(|&seat| at(errors, seat, frame).is_some()));
            Answer {
                frame,
                seat: seat.map(|seat| Seat(seat as u8)),
                line: seat.and_then(|seat| first_line(at(Some(outputs), seat, frame).as_deref())),
                stderr: seat.and_then(|seat| at(errors, seat, frame)).unwrap_or_default(),
            }
        })
        .collect()
}

/// Every answer here is one line. Nothing at all is no answer; an empty line has its line feed.
fn first_line(stdout: Option<&str>) -> Option<Vec<u8>> {
    let stdout = stdout.filter(|text| !text.is_empty())?;
    Some(stdout.split(['\n', '\r']).next().unwrap_or_default().as_bytes().to_vec())
}

fn by_player(values: Option<ByPlayer>, players: usize, what: &str) -> Result<Option<Vec<f64>>, ReplayError> {
    let list = match values {
        None => return Ok(None),
        Some(ByPlayer::List(list)) => list,
        Some(ByPlayer::Map(map)) => {
            let by_seat = (0..players).map(|seat| map.get(&seat.to_string()).copied());
            match by_seat.collect::<Option<Vec<f64>>>() {
                Some(list) => list,
                None => return content(format!("the {what} are not those of players 0 to {}", players - 1)),
            }
        }
    };
    match list.len() {
        0 => Ok(None),
        count if count == players => Ok(Some(list)),
        count => content(format!("there are {count} {what} for {players} players")),
    }
}
