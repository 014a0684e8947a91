//! Every cell and every path that a submarine can have, concluded from the actions that it showed.
//!
//! A hypothesis is a shape: the trail a submarine has drawn since it started or surfaced, seen from where it began, which is
//! unknown. All beginnings that are possible for one shape are kept together as a set of cells, so that a move is a shift of
//! this set and a test of one bit of the shape. Until the first silence there is a single hypothesis; a silence makes one of
//! each way it can have gone; surfacing makes all one again, since it forgets the trails.
//!
//! Explosions split hypotheses by the lives that they would have cost, and the lives in the next question decide. Only proved facts
//! exclude cells: the true cell is always among them.

use ocean_of_code::{Cell, Direction, Sea, ShownAction};

use super::chart::{Chart, Grid, INDICES, cell_at, shift, shift_by, spread};

/// The most hypotheses; beyond this number the least likely ones are merged (see [`Tracker::melt`]).
const MOST: usize = 2_000;
/// The same before a silence, which makes up to 17 of each.
const MOST_IN_SILENCE: usize = 600;
/// The number of shapes that is enough to estimate mines.
const ENOUGH: usize = 1_000;
/// Displacements reach 14 cells to each side; rows of 32 leave the carry between them empty.
const SHAPE_ROW: i32 = 32;
const SHAPE_WORDS: usize = 15;
/// The displacement of a beginning.
const ORIGIN: u16 = 14 * SHAPE_ROW as u16 + 14;
/// No mine was laid.
const NO_DROP: u32 = u32::MAX;

/// One shape of a trail, with all places it can be at.
#[derive(Clone, Debug)]
struct Hypothesis {
    /// Where the submarine can be now.
    cells: Sea,
    /// Displacement from the beginning of the trail.
    at: u16,
    /// Displacements visited.
    trail: [u64; SHAPE_WORDS],
    /// Equal for equal displacements, trails and mines.
    key: u64,
    /// The latest mine laid on this trail, an index of [`Tracker::drops`].
    drop: u32,
    /// Mines of this trail that were set off, by their number since the beginning.
    spent: u64,
    /// Whether the mines are those of one of several merged hypotheses: likely, but not certain.
    vague: bool,
    /// Its weight relative to the others.
    weight: f32,
    /// Lives lost since the last question.
    loss: u8,
}

/// A mine laid on a trail.
#[derive(Clone, Copy, Debug)]
struct Drop {
    /// Displacement of the submarine that laid it.
    at: u16,
    /// The mine before it.
    before: u32,
    /// Mines before it.
    number: u8,
}

/// Where a submarine can be.
#[derive(Clone, Debug)]
pub(super) struct Tracker {
    hypotheses: Vec<Hypothesis>,
    drops: Vec<Drop>,
    /// How likely each beginning of the present trails was.
    anchors: Box<Grid>,
    /// Mines laid before the present trails began: the chance of each cell, one grid per mine.
    old_mines: Vec<Grid>,
    /// Whether all hypotheses were excluded and tracking started again.
    #[cfg(test)]
    lost: bool,
}

/// A hash: a step of `SplitMix64`.
const fn mix(of: u64) -> u64 {
    let mut z = of.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

const SHAPE_BITS: usize = SHAPE_WORDS * 64;
/// What each displacement adds to a key when it is visited.
static VISITED: [u64; SHAPE_BITS] = keys(0);
/// What each adds while it is the present one.
static PRESENT: [u64; SHAPE_BITS] = keys(1 << 20);
/// What each adds when a shape there is melted.
static MELTED: [u64; SHAPE_BITS] = keys(2 << 20);

const fn keys(kind: u64) -> [u64; SHAPE_BITS] {
    let mut keys = [0; SHAPE_BITS];
    let mut at = 0;
    while at < SHAPE_BITS {
        keys[at] = mix(kind | at as u64);
        at += 1;
    }
    keys
}

/// The difference of indices of two cells that a displacement stands for.
fn offset(at: u16) -> i32 {
    let (row, column) = (i32::from(at) / SHAPE_ROW, i32::from(at) % SHAPE_ROW);
    (row - 14) * 16 + column - 14
}

/// The displacement after a step.
fn displaced(at: u16, direction: Direction) -> u16 {
    let by = match direction {
        Direction::N => -SHAPE_ROW,
        Direction::S => SHAPE_ROW,
        Direction::E => 1,
        Direction::W => -1,
    };
    (i32::from(at) + by) as u16
}

impl Hypothesis {
    fn anchored(cells: Sea) -> Hypothesis {
        let mut trail = [0; SHAPE_WORDS];
        trail[usize::from(ORIGIN) / 64] |= 1 << (ORIGIN % 64);
        let (at, drop) = (ORIGIN, NO_DROP);
        Hypothesis { cells, at, trail, key: 0, drop, spent: 0, vague: false, weight: 1.0, loss: 0 }
    }

    fn visited(&self, at: u16) -> bool {
        self.trail.get(usize::from(at) / 64).is_none_or(|word| word >> (at % 64) & 1 != 0)
    }

    /// One step; false when it is impossible.
    fn step(&mut self, direction: Direction, water: &Sea) -> bool {
        self.cells = shift(&self.cells, direction) & *water;
        // As long as there is a cell left, the displacement is within the map's width and height.
        let at = displaced(self.at, direction);
        if self.cells.is_empty() || self.visited(at) {
            return false;
        }
        let [from, to] = [self.at, at].map(usize::from);
        self.trail[to / 64] |= 1 << (to % 64);
        self.key ^= VISITED[to] ^ PRESENT[to] ^ PRESENT[from];
        self.at = at;
        true
    }

    /// Merges another hypothesis into this one: only cells that both have visited stay certain.
    fn absorb(&mut self, other: &Hypothesis) {
        self.cells |= other.cells;
        self.weight = self.weight.max(other.weight);
        for (mine, theirs) in self.trail.iter_mut().zip(other.trail) {
            *mine &= theirs;
        }
    }

    /// Equal for those that merge.
    fn merging_key(&self) -> u64 {
        self.key ^ mix(self.spent ^ u64::from(self.loss) << 56)
    }
}

/// Hypotheses without equals.
struct Merged {
    all: Vec<Hypothesis>,
    /// Their merging keys.
    keys: Vec<u64>,
    /// Which hypothesis has a key, by its low bits, or the next that is free from there.
    slots: Vec<u32>,
}

impl Merged {
    /// An empty list with room for a number of hypotheses.
    fn with_capacity(most: usize) -> Merged {
        let slots = vec![u32::MAX; (2 * most).next_power_of_two()];
        Merged { all: Vec::with_capacity(most), keys: Vec::with_capacity(most), slots }
    }

    fn add(&mut self, h: &Hypothesis) {
        let key = h.merging_key();
        let mask = self.slots.len() - 1;
        let mut slot = key as usize & mask;
        // There are twice as many slots as hypotheses.
        while let Some(&known) = self.keys.get(self.slots[slot] as usize) {
            if known == key {
                return self.all[self.slots[slot] as usize].absorb(h);
            }
            slot = (slot + 1) & mask;
        }
        self.slots[slot] = self.all.len() as u32;
        self.keys.push(key);
        self.all.push(h.clone());
    }
}

impl Tracker {
    /// A submarine that can be in any cell.
    pub(super) fn new(chart: &Chart) -> Tracker {
        let mut anchors = Box::new([0.0; INDICES]);
        for cell in &chart.water {
            anchors[cell] = 1.0;
        }
        Tracker {
            hypotheses: vec![Hypothesis::anchored(chart.water)],
            drops: Vec::new(),
            anchors,
            old_mines: Vec::new(),
            #[cfg(test)]
            lost: false,
        }
    }

    /// Every cell the submarine can be in.
    pub(super) fn cells(&self) -> Sea {
        self.hypotheses.iter().fold(Sea::EMPTY, |all, h| all | h.cells)
    }

    /// The chance of each cell; all together 1.
    pub(super) fn chances(&self) -> Box<Grid> {
        let mut chances = Box::new([0.0; INDICES]);
        for h in &self.hypotheses {
            let back = offset(h.at);
            for cell in &h.cells {
                chances[cell] += h.weight * self.anchors[(cell as i32 - back) as usize % INDICES];
            }
        }
        normalize(&mut chances, &self.cells());
        chances
    }

    /// Places with their trails and chances; each hypothesis has one for each of its cells.
    pub(super) fn places(&self) -> Vec<(Cell, Sea, f32)> {
        let mut places = Vec::new();
        for h in &self.hypotheses {
            let back = offset(h.at);
            let shape: Vec<i32> =
                (0..SHAPE_BITS as u16).filter(|&at| h.visited(at)).map(|at| offset(at) - back).collect();
            for cell in &h.cells {
                let at = |by: &i32| (cell as i32 + by) as usize % INDICES;
                let chance = h.weight * self.anchors[at(&-back)];
                places.push((cell_at(cell), shape.iter().map(at).collect(), chance));
            }
        }
        places
    }

    /// The chances after an open move, without making it.
    pub(super) fn chances_after_move(&self, chart: &Chart, direction: Direction) -> Box<Grid> {
        let mut chances = Box::new([0.0; INDICES]);
        let mut all = Sea::EMPTY;
        for h in &self.hypotheses {
            let at = displaced(h.at, direction);
            if h.visited(at) {
                continue;
            }
            let cells = shift(&h.cells, direction) & chart.water;
            all |= cells;
            let back = offset(at);
            for cell in &cells {
                chances[cell] += h.weight * self.anchors[(cell as i32 - back) as usize % INDICES];
            }
        }
        normalize(&mut chances, &all);
        chances
    }

    /// Expected mines in each cell.
    pub(super) fn mines(&self, chart: &Chart) -> Box<Grid> {
        let mut mines = Box::new([0.0; INDICES]);
        for old in &self.old_mines {
            for cell in &chart.water {
                mines[cell] += old[cell];
            }
        }
        if self.drops.is_empty() {
            return mines;
        }
        let mut total = 0.0;
        let mut laid: Box<Grid> = Box::new([0.0; INDICES]);
        for h in self.hypotheses.iter().step_by(self.hypotheses.len() / ENOUGH + 1) {
            let back = offset(h.at);
            for cell in &h.cells {
                let chance = h.weight * self.anchors[(cell as i32 - back) as usize % INDICES];
                total += chance;
                let mut next = h.drop;
                while let Some(drop) = self.drops.get(next as usize) {
                    next = drop.before;
                    if h.spent >> drop.number.min(63) & 1 == 0 {
                        laid[(cell as i32 - back + offset(drop.at)) as usize % INDICES] += chance;
                    }
                }
            }
        }
        if total > 0.0 {
            for cell in &chart.water {
                if laid[cell] > 0.0 {
                    let sides = sides(chart, cell);
                    let share = laid[cell] / total / sides.len().max(1) as f32;
                    for side in &sides {
                        mines[side] += share;
                    }
                }
            }
        }
        mines
    }

    /// Keeps only the hypotheses that pass; if none does, tracking starts again.
    fn keep(&mut self, chart: &Chart, mut passes: impl FnMut(&mut Hypothesis) -> bool) {
        self.hypotheses.retain_mut(|h| passes(h) && !h.cells.is_empty());
        self.recover(chart);
    }

    fn recover(&mut self, chart: &Chart) {
        if self.hypotheses.is_empty() {
            *self = Tracker::new(chart);
            #[cfg(test)]
            {
                self.lost = true;
            }
        }
    }

    /// Whether tracking ever had to start again, which means that the input contradicts the rules.
    #[cfg(test)]
    pub(super) fn was_lost(&self) -> bool {
        self.lost
    }

    /// The submarine was in one of these cells now.
    pub(super) fn among(&mut self, chart: &Chart, cells: Sea) {
        self.keep(chart, |h| {
            h.cells &= cells;
            true
        });
    }

    /// The submarine is less likely to be in one of these cells.
    pub(super) fn doubt(&mut self, cells: Sea, factor: f32) {
        // Each call may double the number of shapes.
        if cells.is_empty() || self.hypotheses.len() > MOST / 2 {
            return;
        }
        let mut split = Vec::new();
        for h in &mut self.hypotheses {
            let doubtful = h.cells & cells;
            if doubtful == h.cells {
                h.weight *= factor;
            } else if !doubtful.is_empty() {
                h.cells -= cells;
                split.push(Hypothesis { cells: doubtful, weight: h.weight * factor, ..h.clone() });
            }
        }
        self.hypotheses.append(&mut split);
    }

    /// An explosion: splits the hypotheses by the lives that it cost.
    pub(super) fn explosion(&mut self, chart: &Chart, at: Cell) {
        let center = Sea::only(at.index());
        let around = chart.blast[at.index()] - center;
        let (full, part) = (chart.rules().blast_damage, chart.rules().splash_damage);
        let mut split = Vec::new();
        for h in &mut self.hypotheses {
            for (cells, damage) in [(h.cells & center, full), (h.cells & around, part)] {
                if damage > 0 && !cells.is_empty() {
                    split.push(Hypothesis { cells, loss: h.loss.saturating_add(damage), ..h.clone() });
                    h.cells -= cells;
                }
            }
        }
        self.hypotheses.retain(|h| !h.cells.is_empty());
        self.hypotheses.append(&mut split);
    }

    /// The lives lost since the last time were these.
    pub(super) fn settle(&mut self, chart: &Chart, loss: u8) {
        self.keep(chart, |h| {
            let right = h.loss == loss;
            h.loss = 0;
            right
        });
    }

    /// The submarine did this.
    pub(super) fn follow(&mut self, chart: &Chart, action: ShownAction) {
        match action {
            ShownAction::Move(direction) => self.keep(chart, |h| h.step(direction, &chart.water)),
            ShownAction::Surface(sector) => self.surface(chart, sector),
            ShownAction::Torpedo(target) => {
                let from = chart.reach[target.index()];
                self.among(chart, from);
                self.explosion(chart, target);
            }
            ShownAction::Silence => self.silence(chart),
            ShownAction::Mine => self.mine(chart),
            ShownAction::Trigger(target) => {
                self.trigger(chart, target);
                self.explosion(chart, target);
            }
            ShownAction::Sonar(_) => {}
        }
    }

    /// Any direction, any distance up to the first cell in the way.
    fn silence(&mut self, chart: &Chart) {
        self.melt(MOST_IN_SILENCE);
        let steps = chart.rules().silence_steps;
        let ways = Direction::ALL.len() * usize::from(steps) + 1;
        let mut merged = Merged::with_capacity(self.hypotheses.len() * ways);
        for h in &self.hypotheses {
            merged.add(h);
            for direction in Direction::ALL {
                let mut gone = h.clone();
                for _ in 0..steps {
                    if !gone.step(direction, &chart.water) {
                        break;
                    }
                    merged.add(&gone);
                }
            }
        }
        self.hypotheses = merged.all;
        self.melt(MOST);
    }

    /// Equal shapes become one.
    fn merge(&mut self) {
        let mut merged = Merged::with_capacity(self.hypotheses.len());
        self.hypotheses.iter().for_each(|h| merged.add(h));
        self.hypotheses = merged.all;
    }

    /// Keeps the number of shapes in bounds: beyond `most`, the least likely become one per displacement, which remembers
    /// only what all of them have visited. That adds places the submarine cannot have, and takes none away.
    pub(super) fn melt(&mut self, most: usize) {
        if self.hypotheses.len() <= most {
            return;
        }
        let likely = |h: &Hypothesis| h.weight * h.cells.len() as f32;
        let mut order: Vec<(f32, u32)> =
            self.hypotheses.iter().zip(0..).map(|(h, at)| (likely(h), at)).collect();
        let (_, _, rest) =
            order.select_nth_unstable_by(most / 2, |a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
        for &(_, at) in &*rest {
            let h = &mut self.hypotheses[at as usize];
            h.key = MELTED[usize::from(h.at) % SHAPE_BITS];
            h.spent = 0;
            h.vague = h.drop != NO_DROP;
        }
        self.merge();
    }

    /// The trail is forgotten: all shapes become one, and where they were likely to be becomes the beginning of it.
    fn surface(&mut self, chart: &Chart, sector: u8) {
        let cells = chart.sector(sector);
        self.among(chart, cells);
        self.keep_old_mines(chart);
        let lost = chart.rules().surface_damage;
        let chances = self.chances();
        let mut losses: Vec<u8> = self.hypotheses.iter().map(|h| h.loss).collect();
        losses.sort_unstable();
        losses.dedup();
        let anchored = losses.into_iter().map(|loss| {
            let cells =
                self.hypotheses.iter().filter(|h| h.loss == loss).fold(Sea::EMPTY, |all, h| all | h.cells);
            Hypothesis { loss: loss.saturating_add(lost), ..Hypothesis::anchored(cells) }
        });
        self.hypotheses = anchored.collect();
        self.anchors = chances;
        self.drops.clear();
    }

    /// Mines stay when the trail is forgotten.
    fn keep_old_mines(&mut self, chart: &Chart) {
        if self.drops.is_empty() {
            return;
        }
        let numbers = self.drops.iter().map(|drop| drop.number).max().unwrap_or(0);
        for number in 0..=numbers {
            let mut grid: Grid = [0.0; INDICES];
            let mut total = 0.0;
            for h in self.hypotheses.iter().step_by(self.hypotheses.len() / ENOUGH + 1) {
                let back = offset(h.at);
                let mut next = h.drop;
                let mut laid = None;
                while let Some(drop) = self.drops.get(next as usize) {
                    next = drop.before;
                    if drop.number == number && h.spent >> number.min(63) & 1 == 0 {
                        laid = Some(offset(drop.at));
                    }
                }
                for cell in &h.cells {
                    let chance = h.weight * self.anchors[(cell as i32 - back) as usize % INDICES];
                    total += chance;
                    if let Some(laid) = laid {
                        let from = (cell as i32 - back + laid) as usize % INDICES;
                        let sides = sides(chart, from);
                        for side in &sides {
                            grid[side] += chance / sides.len() as f32;
                        }
                    }
                }
            }
            if total > 0.0 && grid.iter().any(|&chance| chance > 0.0) {
                for chance in &mut grid {
                    *chance /= total;
                }
                self.old_mines.push(grid);
            }
        }
    }

    /// A mine was laid on some side.
    fn mine(&mut self, chart: &Chart) {
        // A submarine with no water at its sides can lay no mine.
        let room = spread_sides(chart);
        self.among(chart, room);
        for h in &mut self.hypotheses {
            let number = self.drops.get(h.drop as usize).map_or(0, |drop| drop.number.saturating_add(1));
            self.drops.push(Drop { at: h.at, before: h.drop, number });
            h.drop = self.drops.len() as u32 - 1;
            h.key ^= mix((3 + u64::from(number)) << 20 | u64::from(h.at));
        }
    }

    /// A mine was set off: the submarine once was at its side. Splits by which mine it was.
    fn trigger(&mut self, chart: &Chart, target: Cell) {
        let side = sides(chart, target.index());
        // It may be a mine from before the trail.
        let mut oldest: Option<usize> = None;
        for (i, old) in self.old_mines.iter().enumerate() {
            if old[target.index()] > oldest.map_or(0.0, |best| self.old_mines[best][target.index()]) {
                oldest = Some(i);
            }
        }
        let mut split = Vec::new();
        for h in &self.hypotheses {
            if h.vague {
                split.push(h.clone());
                continue;
            }
            let mut next = h.drop;
            while let Some(drop) = self.drops.get(next as usize) {
                next = drop.before;
                if h.spent >> drop.number.min(63) & 1 != 0 {
                    continue;
                }
                let cells = h.cells & shift_by(&side, offset(h.at) - offset(drop.at));
                if !cells.is_empty() {
                    let spent = if drop.number < 63 { h.spent | 1 << drop.number } else { h.spent };
                    split.push(Hypothesis { cells, spent, ..h.clone() });
                }
            }
        }
        match oldest {
            None => self.hypotheses = split,
            Some(_) if !split.is_empty() => self.hypotheses.append(&mut split),
            Some(old) => {
                self.old_mines.remove(old);
            }
        }
        for old in &mut self.old_mines {
            old[target.index()] = 0.0;
        }
        self.merge();
        self.melt(MOST);
        self.recover(chart);
    }
}

/// The water at the sides of a cell.
fn sides(chart: &Chart, cell: usize) -> Sea {
    let only = Sea::only(cell);
    (spread(&only) - only) & chart.water
}

/// Water with water at a side.
fn spread_sides(chart: &Chart) -> Sea {
    Direction::ALL.into_iter().fold(Sea::EMPTY, |all, direction| all | shift(&chart.water, direction))
        & chart.water
}

/// Makes the sum of the chances of these cells 1; equal chances where all are 0.
fn normalize(chances: &mut Grid, cells: &Sea) {
    let total: f32 = cells.iter().map(|cell| chances[cell]).sum();
    let share = 1.0 / cells.len().max(1) as f32;
    for cell in cells {
        chances[cell] = if total > 0.0 { chances[cell] / total } else { share };
    }
}
