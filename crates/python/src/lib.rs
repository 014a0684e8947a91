//! The native part of the Python package `agon`: a thin layer over [`catalog::batch`].
//!
//! Arrays belong to the caller: a step writes into buffers that Python passes, and releases the interpreter meanwhile.

// Arguments of methods for Python are owned.
#![allow(clippy::needless_pass_by_value)]

mod buffers;

use std::path::PathBuf;
use std::sync::atomic::AtomicU64;
use std::sync::{Mutex, MutexGuard, PoisonError};

use catalog::UnknownBot;
use catalog::batch::{Answer, AnyBatch, Autoreset, BatchError, BatchPlan, Opponent, Outputs, sample};
use catalog::record::Entry;
use catalog::verify::{Driver, Place, files_by};
use game::{Choice, Dice, Layout, Seat, Selection};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict, PyList};

use viewer::{Look, Renderer};

use buffers::{Input, Output, distinct};

fn invalid(error: &BatchError) -> PyErr {
    match error {
        BatchError::Opponent(_) | BatchError::Threads(_) | BatchError::Diverged(_) => {
            PyRuntimeError::new_err(error.to_string())
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}

fn wrong(message: impl ToString) -> PyErr {
    PyValueError::new_err(message.to_string())
}

/// Many games at once.
#[pyclass(frozen, module = "agon._agon")]
struct Batch {
    /// `None` once it is closed.
    batch: Mutex<Option<Box<dyn AnyBatch>>>,
    dice: Mutex<Dice>,
}

/// The open batch, while it is locked.
struct Open<'a>(MutexGuard<'a, Option<Box<dyn AnyBatch>>>);

impl Open<'_> {
    fn get(&mut self) -> PyResult<&mut dyn AnyBatch> {
        match self.0.as_mut() {
            Some(batch) => Ok(&mut **batch),
            None => Err(wrong("the batch is closed; make a new one")),
        }
    }
}

impl Batch {
    fn holding(batch: Box<dyn AnyBatch>, sampling: u64) -> Batch {
        Batch { batch: Mutex::new(Some(batch)), dice: Mutex::new(Dice::new(sampling)) }
    }

    fn open(&self) -> Open<'_> {
        Open(self.batch.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Does something that needs no interpreter with the batch.
    fn with<T: Send>(
        &self,
        py: Python<'_>,
        act: impl FnOnce(&mut dyn AnyBatch) -> Result<T, BatchError> + Send,
    ) -> PyResult<T> {
        py.detach(|| {
            let mut open = self.open();
            open.get().and_then(|batch| act(batch).map_err(|error| invalid(&error)))
        })
    }
}

/// The arrays of a step, as Python passes them.
type Arrays<'py> = (
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
    Bound<'py, PyAny>,
);

struct Taken {
    planes: Output<u8>,
    scalars: Output<f32>,
    masks: Output<u8>,
    rewards: Output<f32>,
    acting: Output<u8>,
    terminated: Output<u8>,
    scores: Output<f32>,
    ranks: Output<u8>,
    faults: Output<u8>,
}

impl Taken {
    fn new(arrays: &Arrays<'_>) -> PyResult<Taken> {
        let taken = Taken {
            planes: Output::new(&arrays.0, "planes")?,
            scalars: Output::new(&arrays.1, "scalars")?,
            masks: Output::new(&arrays.2, "masks")?,
            rewards: Output::new(&arrays.3, "rewards")?,
            acting: Output::new(&arrays.4, "acting")?,
            terminated: Output::new(&arrays.5, "terminated")?,
            scores: Output::new(&arrays.6, "scores")?,
            ranks: Output::new(&arrays.7, "ranks")?,
            faults: Output::new(&arrays.8, "faults")?,
        };
        distinct(&[
            taken.planes.range(),
            taken.scalars.range(),
            taken.masks.range(),
            taken.rewards.range(),
            taken.acting.range(),
            taken.terminated.range(),
            taken.scores.range(),
            taken.ranks.range(),
            taken.faults.range(),
        ])?;
        Ok(taken)
    }

    fn outputs(&mut self) -> Outputs<'_> {
        Outputs {
            planes: self.planes.slice(),
            scalars: self.scalars.slice(),
            masks: self.masks.slice(),
            rewards: self.rewards.slice(),
            acting: self.acting.slice(),
            terminated: self.terminated.slice(),
            scores: self.scores.slice(),
            ranks: self.ranks.slice(),
            faults: self.faults.slice(),
        }
    }
}

/// The settings of a batch that Python passes by name.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Asked {
    games: usize,
    threads: usize,
    autoreset: String,
    league: Option<u8>,
    edition: Option<String>,
    players: Option<u8>,
    opponents: Vec<(usize, String, u64)>,
    sampling: u64,
}

#[pymethods]
impl Batch {
    #[new]
    fn new(game: &str, asked: &Bound<'_, PyDict>) -> PyResult<Batch> {
        let asked: Asked = asked.extract()?;
        let found = catalog::find(game).map_err(wrong)?;
        let selection = Selection { league: asked.league, edition: asked.edition, players: asked.players };
        let selected = found.select(&selection).map_err(wrong)?;
        let autoreset = match asked.autoreset.as_str() {
            "same_step" => Autoreset::SameStep,
            "next_step" => Autoreset::NextStep,
            "off" => Autoreset::Off,
            other => {
                return Err(wrong(format!("autoreset is `same_step`, `next_step` or `off`, not `{other}`")));
            }
        };
        let mut opponents = vec![None; selected.players.into()];
        for (seat, name, nodes) in asked.opponents {
            let bot = found.bot(&name).ok_or_else(|| wrong(UnknownBot::new(&name, [found], [])))?;
            let seats = opponents.len();
            let place = opponents
                .get_mut(seat)
                .ok_or_else(|| wrong(format!("there is no seat {seat}; the game has {seats}")))?;
            *place = Some(Opponent { bot, nodes });
        }
        let (games, threads) = (asked.games, asked.threads);
        let plan = BatchPlan { selected, games, threads, autoreset, opponents };
        let batch = found.batch(plan).map_err(|error| invalid(&error))?;
        Ok(Batch::holding(batch, asked.sampling))
    }

    /// The match of a record or trace, as a batch of one game. With it come the name of
    /// the game and the seed with which it must be reset.
    #[staticmethod]
    fn of_record(line: &[u8]) -> PyResult<(Batch, &'static str, i64)> {
        let Entry::Played(played) = catalog::record::read(line).map_err(wrong)? else {
            return Err(wrong("this is a map, not a match"));
        };
        let game = catalog::find(&played.header.game).map_err(wrong)?;
        let batch = game.batch_of(&played.header).map_err(wrong)?;
        Ok((Batch::holding(batch, 0), game.info().name, played.header.seed))
    }

    /// The sizes of the arrays and the names of their parts.
    fn layout<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let mut open = self.open();
        let batch = open.get()?;
        let layout = describe(py, batch.layout())?;
        let agents: Vec<usize> = batch.agents().iter().map(|seat| seat.index()).collect();
        layout.set_item("agents", agents)?;
        layout.set_item("players", batch.players())?;
        Ok(layout)
    }

    fn reset(&self, py: Python<'_>, seeds: Option<Vec<i64>>, arrays: Arrays<'_>) -> PyResult<()> {
        let mut taken = Taken::new(&arrays)?;
        self.with(py, |batch| batch.reset(seeds.as_deref(), taken.outputs()))
    }

    fn restart(
        &self,
        py: Python<'_>,
        games: Vec<usize>,
        seeds: Vec<i64>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let mut taken = Taken::new(&arrays)?;
        self.with(py, |batch| batch.restart(&games, &seeds, taken.outputs()))
    }

    fn step(&self, py: Python<'_>, actions: &Bound<'_, PyAny>, arrays: Arrays<'_>) -> PyResult<()> {
        let actions = Input::<Choice>::new(actions, "actions")?;
        let mut taken = Taken::new(&arrays)?;
        self.with(py, |batch| batch.step(actions.slice(), taken.outputs()))
    }

    fn step_lines(
        &self,
        py: Python<'_>,
        lines: Vec<Vec<Option<PyBackedBytes>>>,
        arrays: Arrays<'_>,
    ) -> PyResult<()> {
        let mut taken = Taken::new(&arrays)?;
        let owned = |line: Option<PyBackedBytes>| line.map(|line| line.to_vec());
        let lines: Vec<Vec<Answer>> =
            lines.into_iter().map(|lines| lines.into_iter().map(owned).collect()).collect();
        self.with(py, |batch| batch.step_lines(&lines, taken.outputs()))
    }

    fn write(&self, py: Python<'_>, arrays: Arrays<'_>) -> PyResult<()> {
        let mut taken = Taken::new(&arrays)?;
        self.with(py, |batch| batch.write(taken.outputs()))
    }

    fn reveal(&self, py: Python<'_>, planes: &Bound<'_, PyAny>, scalars: &Bound<'_, PyAny>) -> PyResult<()> {
        let mut planes = Output::<u8>::new(planes, "planes")?;
        let mut scalars = Output::<f32>::new(scalars, "scalars")?;
        distinct(&[planes.range(), scalars.range()])?;
        self.with(py, |batch| batch.reveal(planes.slice(), scalars.slice()))
    }

    fn sample(&self, py: Python<'_>, masks: &Bound<'_, PyAny>, actions: &Bound<'_, PyAny>) -> PyResult<()> {
        let masks = Input::<u8>::new(masks, "masks")?;
        let mut actions = Output::<Choice>::new(actions, "actions")?;
        distinct(&[masks.range(), actions.range()])?;
        self.with(py, |batch| {
            let (layout, rows) = (batch.layout(), batch.games() * batch.agents().len());
            for (array, found, each) in [
                ("masks", masks.slice().len(), layout.mask()),
                ("actions", actions.slice().len(), layout.actions.len()),
            ] {
                if found != rows * each {
                    return Err(BatchError::Length { array, found, expected: rows * each });
                }
            }
            let mut dice = self.dice.lock().unwrap_or_else(PoisonError::into_inner);
            sample(layout, masks.slice(), actions.slice(), &mut dice);
            Ok(())
        })
    }

    fn seeds(&self, py: Python<'_>) -> PyResult<Vec<i64>> {
        self.with(py, |batch| Ok(batch.seeds()))
    }

    fn view_of(&self, py: Python<'_>, game: usize, seat: u8) -> PyResult<String> {
        self.with(py, |batch| batch.view_of(game, Seat(seat)))
    }

    fn picture(&self, py: Python<'_>, game: usize, colours: bool) -> PyResult<String> {
        self.with(py, |batch| batch.picture(game, colours))
    }

    /// A picture of a game: height, width, and red, green and blue of each pixel.
    fn render<'py>(
        &self,
        py: Python<'py>,
        game: usize,
        width: u32,
        dark: bool,
    ) -> PyResult<(usize, usize, Bound<'py, PyBytes>)> {
        let played = self.with(py, |batch| batch.record(game))?;
        let drawn = py.detach(|| {
            let replay = replay::replay_of(&played).map_err(|error| error.to_string())?;
            let renderer = Renderer::new(&replay).map_err(|error| error.to_string())?;
            let last = renderer.steps().saturating_sub(1) as f64;
            renderer.rgb(last, Look { dark, width }).map_err(|error| error.to_string())
        });
        let (height, width, colours) = drawn.map_err(PyRuntimeError::new_err)?;
        Ok((height, width, PyBytes::new(py, &colours)))
    }

    fn encode(&self, py: Python<'_>, game: usize, seat: u8, line: &[u8]) -> PyResult<Option<Vec<Choice>>> {
        self.with(py, |batch| batch.encode(game, Seat(seat), line))
    }

    fn decode(&self, py: Python<'_>, game: usize, seat: u8, action: Vec<Choice>) -> PyResult<String> {
        let line = self.with(py, |batch| batch.decode(game, Seat(seat), &action))?;
        Ok(String::from_utf8_lossy(&line).into_owned())
    }

    fn save<'py>(&self, py: Python<'py>, game: usize) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(py, |batch| batch.save(game))?))
    }

    fn load(&self, py: Python<'_>, game: usize, saved: &[u8]) -> PyResult<()> {
        self.with(py, |batch| batch.load(game, saved))
    }

    fn branch(&self, py: Python<'_>, games: Vec<usize>) -> PyResult<Batch> {
        let batch = self.with(py, |batch| batch.branch(&games))?;
        Ok(Batch::holding(batch, 0))
    }

    fn simulate<'py>(
        &self,
        py: Python<'py>,
        game: usize,
        times: usize,
        seed: u64,
    ) -> PyResult<Bound<'py, PyBytes>> {
        Ok(PyBytes::new(py, &self.with(py, |batch| batch.simulate(game, times, seed))?))
    }

    fn close(&self) {
        self.open().0.take();
    }
}

fn describe<'py>(py: Python<'py>, layout: &Layout) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("height", layout.height)?;
    told.set_item("width", layout.width)?;
    told.set_item("planes", PyList::new(py, layout.planes)?)?;
    told.set_item("scalars", PyList::new(py, layout.scalars)?)?;
    told.set_item("hidden_planes", PyList::new(py, layout.hidden_planes)?)?;
    told.set_item("hidden_scalars", PyList::new(py, layout.hidden_scalars)?)?;
    told.set_item("actions", PyList::new(py, layout.actions)?)?;
    Ok(told)
}

/// The names of all games.
#[pyfunction]
fn games() -> Vec<&'static str> {
    catalog::games().map(|game| game.info().name).collect()
}

/// The facts about a game, as JSON.
#[pyfunction]
fn game_facts(game: &str) -> PyResult<String> {
    let found = catalog::find(game).map_err(wrong)?;
    let info = found.info();
    let leagues: Vec<_> = info.leagues.iter().map(|league| league.name).collect();
    let bots: Vec<_> = found.ladder().iter().map(|bot| (bot.name, bot.about)).collect();
    let facts = serde_json::json!({
        "name": info.name, "title": info.title, "simultaneous": info.simultaneous, "leagues": leagues, "bots": bots,
    });
    Ok(facts.to_string())
}

/// Verifies files of records or traces by batches: matches and maps, turns, differences, unreadable lines, and the first
/// of these in words.
#[pyfunction]
fn verify(py: Python<'_>, files: Vec<PathBuf>, threads: usize) -> (u64, u64, u64, u64, Vec<String>) {
    let report = py.detach(|| files_by(Driver::Batch, &files, threads.max(1), &AtomicU64::new(0)));
    let place = |place: &Place| format!("{}:{}", files[place.file].display(), place.line);
    let differences = report.first.iter().map(|(at, mismatch)| format!("{}: {mismatch}", place(at)));
    let unreadable = report.unreadable.iter().map(|(at, why)| format!("{}: {why}", place(at)));
    let words = differences.chain(unreadable).collect();
    (report.games, report.turns, report.mismatches, report.unreadable_count, words)
}

#[pymodule]
fn _agon(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    module.add_class::<Batch>()?;
    module.add_function(wrap_pyfunction!(games, module)?)?;
    module.add_function(wrap_pyfunction!(game_facts, module)?)?;
    module.add_function(wrap_pyfunction!(verify, module)?)
}
