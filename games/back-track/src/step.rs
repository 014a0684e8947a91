//! A turn (rules, section 9).

use std::borrow::Cow;

use game::{Fault, FaultKind, Log, Seat, Words, words};

use crate::autoplace::{self, Route};
use crate::event::{Event, Reason, spot};
use crate::grid::Cells;
use crate::links;
use crate::map::{Map, Wish};
use crate::order::{Command, Order};
use crate::rules::{AutoplaceStop, Objective, Rules};
use crate::state::State;
use crate::wave::reaches;

/// Plays a turn: follows the rules, with one function per step.
pub(crate) fn step(
    rules: &Rules,
    map: &Map,
    state: &mut State,
    orders: &[Option<Order>],
    log: &mut impl Log<Event>,
) {
    state.turns += 1;
    let mut turn = Turn { rules, map, state, log };
    for (player, order) in orders.iter().enumerate().take(2) {
        turn.read_answer(player, order.as_ref());
    }
    let placed = turn.place(orders);
    let unstable = turn.disrupt(orders);
    turn.ink(unstable);
    turn.connect(&placed, unstable);
    turn.score();
    turn.check_side_quest(&placed);
    turn.check_end(unstable != 0);
}

struct Turn<'a, L> {
    rules: &'a Rules,
    map: &'a Map,
    state: &'a mut State,
    log: &'a mut L,
}

/// Why a command is skipped.
#[derive(Clone, Copy)]
enum Skip {
    Outside,
    Town,
    Inked,
    TrackExists,
    AlreadyPlaced,
    NoPaint { cost: u8, left: u8 },
    AutoplaceStopped,
    SecondAutoplace,
    NoDisruptionLeft,
    NoSuchRegion,
    RegionInked,
    TownRegion,
}

impl Skip {
    const fn code(self) -> &'static str {
        match self {
            Skip::Outside => "outside",
            Skip::Town => "town",
            Skip::Inked => "inked",
            Skip::TrackExists => "track-exists",
            Skip::AlreadyPlaced => "already-placed",
            Skip::NoPaint { .. } => "no-paint",
            Skip::AutoplaceStopped => "autoplace-stopped",
            Skip::SecondAutoplace => "second-autoplace",
            Skip::NoDisruptionLeft => "no-disruption-left",
            Skip::NoSuchRegion => "no-such-region",
            Skip::RegionInked => "region-inked",
            Skip::TownRegion => "town-region",
        }
    }

    const fn reason(self) -> &'static str {
        match self {
            Skip::Outside => "The cell lies outside the grid.",
            Skip::Town => "There is a town on the cell.",
            Skip::Inked => "The region of the cell is inked.",
            Skip::TrackExists => "There is a track on the cell.",
            Skip::AlreadyPlaced => "The same answer has placed a track on the cell.",
            Skip::NoPaint { .. } => "There is not enough paint left.",
            Skip::AutoplaceStopped => "The same answer has placed a track on the way of its AUTOPLACE.",
            Skip::SecondAutoplace => "Only the first AUTOPLACE of an answer counts.",
            Skip::NoDisruptionLeft => "There is no disruption point left.",
            Skip::NoSuchRegion => "There is no such region.",
            Skip::RegionInked => "The region is inked.",
            Skip::TownRegion => "There is a town in the region.",
        }
    }

    /// The expected form in English and in French.
    fn expected(self) -> Words {
        match self {
            Skip::Outside => words("a cell of the grid", "une case de la grille"),
            Skip::Town | Skip::TrackExists | Skip::AlreadyPlaced => words("a free cell", "une case libre"),
            Skip::Inked => words(
                "a cell of a region that is not inked",
                "une case d’une région qui n’est pas couverte d’encre",
            ),
            Skip::NoPaint { cost, left } => words(
                format!("tracks that cost no more than the paint: it costs {cost}, {left} left"),
                format!("des rails qui ne coûtent pas plus que la peinture : coût {cost}, reste {left}"),
            ),
            Skip::AutoplaceStopped => words(
                "an AUTOPLACE before the tracks placed by hand",
                "un AUTOPLACE avant les rails posés à la main",
            ),
            Skip::SecondAutoplace => words("at most one AUTOPLACE", "au plus un AUTOPLACE"),
            Skip::NoDisruptionLeft => {
                words("no more disruptions than there are points", "pas plus de perturbations que de points")
            }
            Skip::NoSuchRegion => words("the id of a region", "l’identifiant d’une région"),
            Skip::RegionInked => {
                words("a region that is not inked", "une région qui n’est pas couverte d’encre")
            }
            Skip::TownRegion => words("a region without a town", "une région sans ville"),
        }
    }
}

/// The tracks that a player claims in a turn, before they are on the board.
struct Claims {
    player: usize,
    cells: Cells,
    paint: u8,
}

impl<L: Log<Event>> Turn<'_, L> {
    /// Section 8: the consequences of an answer that is missing or cannot be parsed.
    fn read_answer(&mut self, player: usize, order: Option<&Order>) {
        let turn = u32::from(self.state.turns);
        let seat = Seat(player as u8);
        let Some(order) = order else {
            self.state.active[player] = false;
            self.log.fault(|| Fault {
                turn,
                seat,
                kind: FaultKind::Missing,
                fatal: true,
                code: Cow::Borrowed("no-answer"),
                reason: "No answer came in time.".into(),
                expected: Cow::Borrowed("a line of commands"),
                expected_fr: Cow::Borrowed("une ligne de commandes"),
                came: "nothing".into(),
            });
            return;
        };
        for command in order.commands.iter() {
            if let Command::Message(text) = command {
                self.log.event(|| Event::Message { seat: seat.0, text: text.to_string() });
            }
        }
        if let Some(piece) = &order.unreadable {
            self.state.active[player] = false;
            self.state.scores[player] = -1;
            self.log.fault(|| Fault {
                turn,
                seat,
                kind: FaultKind::Unreadable,
                fatal: true,
                code: Cow::Borrowed(piece.what.code()),
                reason: piece.to_string(),
                expected: Cow::Borrowed(piece.what.forms().0),
                expected_fr: Cow::Borrowed(piece.what.forms().1),
                came: game::quote(piece.text.as_bytes()),
            });
        }
    }

    fn skipped(&mut self, player: usize, command: &Command, why: Skip) {
        let turn = u32::from(self.state.turns);
        self.log.fault(|| {
            let (expected, expected_fr) = why.expected();
            Fault {
                turn,
                seat: Seat(player as u8),
                kind: FaultKind::NotAllowed,
                fatal: false,
                code: Cow::Borrowed(why.code()),
                reason: why.reason().into(),
                expected,
                expected_fr,
                came: game::quote(command.to_string().as_bytes()),
            }
        });
    }

    /// Steps 1 to 3. Both players place tracks on the board as it was at the start of the turn; returns the new tracks.
    fn place(&mut self, orders: &[Option<Order>]) -> Cells {
        let claims = [0, 1].map(|player| match orders.get(player) {
            Some(Some(order)) => self.claim(player, order),
            _ => Cells::EMPTY,
        });
        let both = claims[0] & claims[1];
        self.state.tracks[0] |= claims[0] - both;
        self.state.tracks[1] |= claims[1] - both;
        self.state.tracks[2] |= both;
        for cell in &both {
            self.log.event(|| Event::Neutral { cell: spot(cell) });
        }
        claims[0] | claims[1]
    }

    fn claim(&mut self, player: usize, order: &Order) -> Cells {
        let mut claims = Claims { player, cells: Cells::EMPTY, paint: self.rules.paint };
        let mut autoplaced = false;
        for command in order.commands.iter() {
            match *command {
                Command::Place { x, y } => {
                    if let Err(why) = self.place_by_hand(&mut claims, x, y) {
                        self.skipped(player, command, why);
                    }
                }
                Command::Autoplace { .. } if autoplaced => {
                    self.skipped(player, command, Skip::SecondAutoplace);
                }
                Command::Autoplace { from, to } => {
                    autoplaced = true;
                    match self.find_route(player, from, to) {
                        Ok(route) => self.place_route(&mut claims, command, &route),
                        Err(why) => self.skipped(player, command, why),
                    }
                }
                _ => (),
            }
        }
        claims.cells
    }

    /// Step 3, a `PLACE_TRACKS` command.
    fn place_by_hand(&mut self, claims: &mut Claims, x: u32, y: u32) -> Result<(), Skip> {
        let cell = self.map.cell_at(x, y).ok_or(Skip::Outside)?;
        if self.map.town_cells.contains(cell) {
            return Err(Skip::Town);
        }
        if self.state.inked_cells.contains(cell) {
            return Err(Skip::Inked);
        }
        if self.state.tracks.iter().any(|tracks| tracks.contains(cell)) {
            return Err(Skip::TrackExists);
        }
        self.pay(claims, cell, false)
    }

    /// Step 3, the last two checks of a placement, which also apply to a cell of a route.
    fn pay(&mut self, claims: &mut Claims, cell: usize, auto: bool) -> Result<(), Skip> {
        if claims.cells.contains(cell) {
            return Err(Skip::AlreadyPlaced);
        }
        let cost = self.map.costs[cell];
        let left = claims.paint;
        claims.paint = left.checked_sub(cost).ok_or(Skip::NoPaint { cost, left })?;
        claims.cells.add(cell);
        let seat = claims.player as u8;
        self.log.event(|| Event::Placed { seat, cell: spot(cell), cost, auto });
        Ok(())
    }

    /// Step 2: the route of an AUTOPLACE.
    fn find_route(&mut self, player: usize, from: (u32, u32), to: (u32, u32)) -> Result<Route, Skip> {
        if from == to {
            return Ok(Route::NONE);
        }
        let from = self.map.cell_at(from.0, from.1).ok_or(Skip::Outside)?;
        let to = self.map.cell_at(to.0, to.1).ok_or(Skip::Outside)?;
        let rails = self.state.rails(self.map);
        let route = autoplace::route(self.map, &rails, &self.state.inked_cells, from, to);
        if route.cells().len() > 0 {
            let seat = player as u8;
            self.log.event(|| Event::Route { seat, cells: route.cells().map(spot).collect() });
        }
        Ok(route)
    }

    /// Step 3, the placements of an AUTOPLACE. It is normal, and not a fault, that the paint is not enough for the
    /// whole route.
    fn place_route(&mut self, claims: &mut Claims, command: &Command, route: &Route) {
        for cell in route.cells() {
            match (self.pay(claims, cell, true), self.rules.autoplace_stop) {
                (Ok(()), _) => (),
                (Err(Skip::NoPaint { .. }), _) => return,
                (Err(_), AutoplaceStop::AnySkip) => {
                    return self.skipped(claims.player, command, Skip::AutoplaceStopped);
                }
                (Err(why), AutoplaceStop::LackOfPaint) => self.skipped(claims.player, command, why),
            }
        }
    }

    /// Step 4. Returns the regions to be inked, a bit each: a region that is not inked was below the threshold before
    /// the turn.
    fn disrupt(&mut self, orders: &[Option<Order>]) -> u64 {
        let mut unstable = 0;
        for (player, order) in orders.iter().enumerate().take(2) {
            let Some(order) = order else { continue };
            let mut points = self.rules.disruption;
            for command in order.commands.iter() {
                let target = match *command {
                    Command::DisruptRegion(region) => Some(region),
                    Command::DisruptCell { x, y } => {
                        self.map.cell_at(x, y).map(|cell| u32::from(self.map.regions[cell]))
                    }
                    _ => continue,
                };
                match self.disrupt_region(player, &mut points, target) {
                    Ok(region) if self.state.instability[region] >= self.rules.ink_threshold => {
                        unstable |= 1 << region;
                    }
                    Ok(_) => (),
                    Err(why) => self.skipped(player, command, why),
                }
            }
        }
        unstable
    }

    /// Disrupts a region, and returns it.
    fn disrupt_region(&mut self, player: usize, points: &mut u8, target: Option<u32>) -> Result<usize, Skip> {
        let region = target.ok_or(Skip::Outside)?;
        if *points == 0 {
            return Err(Skip::NoDisruptionLeft);
        }
        if region >= u32::from(self.map.region_count) {
            return Err(Skip::NoSuchRegion);
        }
        if self.state.inked >> region & 1 != 0 {
            return Err(Skip::RegionInked);
        }
        if !self.rules.town_regions_disruptable && self.map.town_regions >> region & 1 != 0 {
            return Err(Skip::TownRegion);
        }
        *points -= 1;
        self.state.instability[region as usize] += 1;
        self.state.last_disrupted[player] = Some(region as u8);
        let instability = self.state.instability[region as usize];
        self.log.event(|| Event::Disrupted { seat: player as u8, region: region as u8, instability });
        Ok(region as usize)
    }

    /// Step 5.
    fn ink(&mut self, unstable: u64) {
        for region in Map::ids(unstable) {
            let cells = self.map.region_cells[region];
            let lost = self.state.tracks.map(|tracks| tracks & cells);
            if !lost[1].is_empty() && self.state.last_disrupted[0] == Some(region as u8) {
                // Section 11.5, the objective of league 2.
                self.reach_objective(Objective::InkOpponent);
            }
            self.state.inked |= 1 << region;
            self.state.inked_cells |= cells;
            for tracks in &mut self.state.tracks {
                *tracks -= cells;
            }
            self.log.event(|| Event::Inked {
                region: region as u8,
                lost: lost.map(|lost| lost.iter().map(spot).collect()),
            });
        }
    }

    /// Step 6, section 11.1: updates the active connections.
    fn connect(&mut self, placed: &Cells, inked: u64) {
        if placed.is_empty() && inked == 0 {
            return;
        }
        let before = self.state.links.active;
        let State { links, tracks, inked_cells, .. } = &mut *self.state;
        let anew = links.follow(self.map, tracks, &(*placed - *inked_cells), inked);
        for wish in links::bits(anew & (before | self.state.links.active)) {
            let Wish { from, to } = self.map.wishes[wish];
            let (state, map) = (&*self.state, self.map);
            if state.links.active >> wish & 1 == 0 {
                self.log.event(|| Event::Disconnected { from, to });
            } else {
                self.log.event(|| {
                    let path = links::path(map, &state.tracks, usize::from(from), usize::from(to));
                    let points = state.links.points_of[wish];
                    Event::Connected { from, to, path: path.into_iter().map(spot).collect(), points }
                });
            }
        }
    }

    /// Step 6, section 11.1: every active connection gives points.
    fn score(&mut self) {
        let points = self.state.links.points;
        for player in 0..2 {
            self.state.scores[player] += points[player] as i32;
        }
        let scores = self.state.scores;
        if points != [0, 0] {
            self.log.event(|| Event::Scored { points, scores });
        }
        // Section 11.5, the objective of league 1.
        if scores[0] >= 1 {
            self.reach_objective(Objective::Score);
        }
    }

    fn reach_objective(&mut self, objective: Objective) {
        if self.rules.objective == Some(objective) && !self.state.objective_reached {
            self.state.objective_reached = true;
            self.log.event(|| Event::Objective);
        }
    }

    /// Step 7, section 11.2. Only a new track can achieve the side quest.
    fn check_side_quest(&mut self, placed: &Cells) {
        if !self.rules.side_quest || placed.is_empty() {
            return;
        }
        let [_, _, _, places] = &self.map.terrains;
        for player in 0..2 {
            if self.state.side_quest[player] {
                continue;
            }
            let tracks = self.state.tracks[player] | self.state.tracks[2];
            let from = tracks & *places;
            if from.is_empty() {
                continue;
            }
            let towns = self.map.town_cells;
            if reaches(&from, &(tracks | towns), &towns) {
                self.state.side_quest[player] = true;
                self.log.event(|| Event::SideQuest { seat: player as u8 });
            }
        }
    }

    /// Step 8, section 11.3.
    fn check_end(&mut self, inked: bool) {
        let over = if self.state.active != [true, true] {
            Reason::Disqualified
        } else if self.state.objective_reached {
            Reason::Objective
        } else if self.rules.objective.is_none() && self.is_hopeless(inked) {
            Reason::NoConnectionPossible
        } else if self.state.turns >= self.rules.max_turns {
            Reason::MaxTurns
        } else {
            return;
        };
        self.state.over = Some(over);
        self.log.event(|| Event::Over { reason: over });
    }

    /// Whether no desired connection is possible any more. Only inking removes possibilities; before it the whole grid
    /// can be crossed. An active connection is possible.
    fn is_hopeless(&self, inked: bool) -> bool {
        if !inked || self.state.links.active != 0 {
            return self.map.wish_count == 0;
        }
        let passable = (self.map.board - self.state.inked_cells) | self.map.town_cells;
        !self.map.towns().iter().any(|town| {
            let goals: Cells =
                Map::ids(u64::from(town.desires)).map(|to| usize::from(self.map.towns[to].cell)).collect();
            reaches(&Cells::only(usize::from(town.cell)), &passable, &goals)
        })
    }
}
