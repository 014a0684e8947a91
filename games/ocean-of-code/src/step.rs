//! A step: a placement, or a whole turn of a player with all its frames.

use game::{Fault, Game, Log, Seat};

use crate::grid::{Cell, Direction, Sea};
use crate::order::{Action, Chain, Command, Order, Power};
use crate::state::{Ending, Phase, ShownAction, State};
use crate::wrong::{NotAllowed, Unreadable, missing};
use crate::{Event, OceanOfCode, Rules};

/// The player is disqualified; the fault is already recorded.
struct Fatal;

/// The result of the check of an action (rules, section 7, Scan).
enum Check {
    Executable,
    Dropped(NotAllowed),
    Fatal(Unreadable),
}

/// Plays a step.
#[inline]
pub(crate) fn step(
    game: &OceanOfCode,
    state: &mut State,
    orders: &[Option<Order>],
    log: &mut impl Log<Event>,
) {
    match state.phase {
        Phase::Turn => {
            let seat = state.on_turn();
            let turn = state.turn;
            log.event(|| Event::Turn { turn, seat });
            play_turn(game, state, seat, orders[seat.index()].as_ref(), log);
        }
        Phase::Placement(seat) => place(game, state, seat, orders[seat.index()].as_ref(), log),
        Phase::Over(_) => return,
    }
    if let Phase::Over(ending) = state.phase {
        let scores = state.scores;
        log.event(|| Event::Over { reason: ending.label(), scores });
    }
}

/// Rules, section 4. Player 1 is asked even when player 0 has just been disqualified.
fn place(
    game: &OceanOfCode,
    state: &mut State,
    seat: Seat,
    order: Option<&Order>,
    log: &mut impl Log<Event>,
) {
    match start_cell(game, seat, order) {
        Ok(cell) => {
            log.event(|| Event::Placed { seat, cell });
            let submarine = state.submarine_mut(seat);
            submarine.cell = cell;
            submarine.visited = Sea::only(cell.index());
        }
        Err(fault) => {
            log.fault(fault);
            log.event(|| Event::Disqualified { seat });
            state.disqualify(seat);
        }
    }
    if seat == Seat(0) {
        state.phase = Phase::Placement(Seat(1));
    } else if state.disqualified() != [false; 2] {
        state.phase = Phase::Over(Ending::Disqualified);
    } else {
        state.phase = Phase::Turn;
        if next_frame(game.rules(), state) {
            next_turn(game.rules(), state);
        }
    }
}

/// The start cell of a placement, or a function that creates the fault.
fn start_cell<'a>(
    game: &'a OceanOfCode,
    seat: Seat,
    order: Option<&'a Order>,
) -> Result<Cell, impl FnOnce() -> Fault + use<'a>> {
    let wrong = match order {
        Some(Order::Place { x, y }) => match Cell::new(*x, *y).filter(|&cell| game.map().is_water(cell)) {
            Some(cell) => return Ok(cell),
            None => Some(Ok(NotAllowed::PlacementCell)),
        },
        Some(Order::Turn(_)) => Some(Err(Unreadable::PlacementFormat)),
        Some(Order::Unreadable { why, .. }) => Some(Err(*why)),
        None => None,
    };
    Err(move || {
        let rules = game.rules();
        let text = order.map(Order::print).unwrap_or_default();
        match wrong {
            Some(Ok(why)) => why.fault(rules, 0, seat, &text),
            Some(Err(why)) => why.fault(rules, 0, seat, &text),
            None => missing(rules, 0, seat),
        }
    })
}

/// Rules, section 5: whether another frame is played. It is not when all frames are used or a player has no lives left;
/// the frame that detects the latter counts.
#[inline]
fn next_frame(rules: &Rules, state: &mut State) -> bool {
    let dead = state.submarines[0].lives == 0 || state.submarines[1].lives == 0;
    let last = state.frames >= rules.max_frames;
    if !last {
        state.frames += 1;
    }
    if dead {
        state.phase = Phase::Over(Ending::ZeroLives);
    } else if last {
        state.phase = Phase::Over(Ending::FrameLimit);
    }
    !(dead || last)
}

/// Rules, section 5, step 3: in a frame without queued actions the next turn starts, or the game ends.
#[inline]
const fn next_turn(rules: &Rules, state: &mut State) {
    if state.turn >= rules.max_turns {
        state.phase = Phase::Over(Ending::TurnLimit);
    } else {
        state.turn += 1;
    }
}

/// Rules, section 7: a turn of a player. The frame of its first action has already begun.
#[inline]
fn play_turn(
    game: &OceanOfCode,
    state: &mut State,
    seat: Seat,
    order: Option<&Order>,
    log: &mut impl Log<Event>,
) {
    state.submarine_mut(seat).start_turn();
    let done = match order {
        Some(Order::Turn(chain)) => Turn { game, state, seat, chain, log }.play(),
        other => {
            let (rules, turn) = (game.rules(), state.turn.into());
            log.fault(|| match other {
                Some(Order::Unreadable { why, text }) => why.fault(rules, turn, seat, text),
                Some(order) => Unreadable::Unknown.fault(rules, turn, seat, &order.print()),
                None => missing(rules, turn, seat),
            });
            Err(Fatal)
        }
    };
    if done.is_err() {
        log.event(|| Event::Disqualified { seat });
        state.disqualify(seat);
        state.phase = Phase::Over(Ending::Disqualified);
    }
}

/// A turn while it is being played.
struct Turn<'a, L> {
    game: &'a OceanOfCode,
    state: &'a mut State,
    seat: Seat,
    chain: &'a Chain,
    log: &'a mut L,
}

// An action is passed by reference where its bytes are read one by one: they were written one by one a moment ago, and a
// processor waits if it reads a longer piece than it has written.
#[allow(clippy::trivially_copy_pass_by_ref)]
impl<'a, L: Log<Event>> Turn<'a, L> {
    /// Rules, section 7, Order of work. Each iteration of the loop begins after the execution of an action, with the rest of
    /// its frame: the scan and the update of the scores. A fatal error leaves the loop, and with it the frame, without an
    /// update of the scores.
    #[inline]
    fn play(&mut self) -> Result<(), Fatal> {
        let mut front = 0;
        let first = self.scan(&mut front)?;
        // The forced SURFACE applies only to a turn in which the first scan finds no action.
        self.execute(first.unwrap_or(&Action::Surface), front, first.is_none())?;
        loop {
            front += 1;
            let action = self.scan(&mut front)?;
            self.state.update_scores();
            if !next_frame(self.game.rules(), self.state) {
                return Ok(());
            }
            let Some(action) = action else {
                next_turn(self.game.rules(), self.state);
                return Ok(());
            };
            self.execute(action, front, false)?;
        }
    }

    /// Rules, section 7, Scan: drops actions that cannot be executed from the front of the queue.
    #[inline(always)]
    fn scan(&mut self, front: &mut usize) -> Result<Option<&'a Action>, Fatal> {
        loop {
            if self.chain.has_text() {
                self.say(*front);
            }
            let chain = self.chain;
            let Some(action) = chain.get(*front) else { return Ok(None) };
            match self.check(action) {
                Check::Executable => return Ok(Some(action)),
                Check::Dropped(why) => self.refuse(why, *front),
                Check::Fatal(why) => {
                    let Turn { game, seat, chain, .. } = *self;
                    let turn = self.state.turn.into();
                    self.log.fault(|| why.fault(game.rules(), turn, seat, &chain.segment(*front)));
                    return Err(Fatal);
                }
            }
            *front += 1;
        }
    }

    /// Rules, section 8, MSG: only for the viewer.
    #[cold]
    fn say(&mut self, front: usize) {
        let seat = self.seat;
        for text in self.chain.messages(front) {
            self.log.event(|| Event::Message { seat, text: String::from_utf8_lossy(text).into_owned() });
        }
    }

    /// Records why an action is not allowed.
    #[inline]
    fn refuse(&mut self, why: NotAllowed, front: usize) {
        let Turn { game, seat, chain, .. } = *self;
        let turn = self.state.turn.into();
        self.log.fault(|| why.fault(game.rules(), turn, seat, &chain.segment(front)));
    }

    /// Rules, section 8: the checks.
    #[inline(always)]
    fn check(&self, action: &Action) -> Check {
        if let Action::Move { .. } | Action::Surface = action {
            Check::Executable
        } else {
            self.check_power(action)
        }
    }

    /// The same for all actions but moves, which are most actions. For a power the charge is checked first.
    #[inline(never)]
    fn check_power(&self, action: &Action) -> Check {
        let submarine = self.state.submarine(self.seat);
        match action.command() {
            Some(Command::Power(power)) => match self.game.needed(power) {
                Some(needed) if submarine.charge(power) >= needed => {}
                Some(_) => {
                    let has = submarine.charge(power);
                    return Check::Dropped(NotAllowed::Uncharged { power, has });
                }
                None => return Check::Fatal(Unreadable::Unknown),
            },
            Some(Command::Trigger) if self.game.needed(Power::Mine).is_none() => {
                return Check::Fatal(Unreadable::Unknown);
            }
            _ => {}
        }
        let refused = match *action {
            Action::Move { .. } | Action::Surface | Action::Sonar { .. } | Action::Silence { .. } => None,
            Action::Torpedo { target } => {
                let range = self.game.rules().torpedo_range;
                let reached = target.is_some_and(|cell| self.game.map().reaches(submarine.cell, cell, range));
                (!reached).then_some(NotAllowed::OutOfReach)
            }
            Action::Mine { direction } => match self.game.map().neighbour(submarine.cell, direction) {
                None => Some(NotAllowed::MineBlocked),
                Some(cell) => submarine.mines.contains(cell.index()).then_some(NotAllowed::MineTaken),
            },
            Action::Trigger { target } => {
                let active =
                    |cell: Cell| submarine.mines.contains(cell.index()) && submarine.fresh_mine != Some(cell);
                (!target.is_some_and(active)).then_some(NotAllowed::NoMine)
            }
            Action::Malformed { why, .. } => return Check::Fatal(why),
            Action::Unknown => return Check::Fatal(Unreadable::Unknown),
        };
        refused.map_or(Check::Executable, Check::Dropped)
    }

    /// Rules, section 8: the effects.
    #[inline(always)]
    fn execute(&mut self, action: &Action, front: usize, forced: bool) -> Result<(), Fatal> {
        if let Action::Move { direction, charge } = action {
            self.move_one(*direction, *charge, front)
        } else {
            self.execute_other(action, front, forced)
        }
    }

    /// The same for all actions but moves.
    #[inline(never)]
    fn execute_other(&mut self, action: &Action, front: usize, forced: bool) -> Result<(), Fatal> {
        match *action {
            Action::Surface => self.surface(forced),
            Action::Torpedo { target: Some(target) } => self.torpedo(target),
            Action::Sonar { sector } => self.sonar(sector),
            Action::Silence { direction, steps } => self.silence(direction, steps, front)?,
            Action::Mine { direction } => self.mine(direction),
            Action::Trigger { target: Some(target) } => self.trigger(target),
            // A move is executed by the caller, and the check excludes the others.
            Action::Move { .. }
            | Action::Torpedo { target: None }
            | Action::Trigger { target: None }
            | Action::Malformed { .. }
            | Action::Unknown => {}
        }
        Ok(())
    }

    fn show(&mut self, action: ShownAction) {
        self.state.submarine_mut(self.seat).shown.push(action);
    }

    /// The target rules of MOVE, for a step.
    #[inline]
    fn enter(&mut self, direction: Direction, front: usize) -> Result<(), Fatal> {
        let submarine = self.state.submarine_mut(self.seat);
        let why = match self.game.map().neighbour(submarine.cell, direction) {
            None => NotAllowed::Blocked,
            Some(cell) if !submarine.visited.insert(cell.index()) => NotAllowed::Visited,
            Some(cell) => {
                submarine.cell = cell;
                return Ok(());
            }
        };
        self.refuse(why, front);
        Err(Fatal)
    }

    /// MOVE: the power gains one charge, limited to the needed number.
    #[inline]
    fn move_one(&mut self, direction: Direction, charge: Option<Power>, front: usize) -> Result<(), Fatal> {
        let seat = self.seat;
        let from = self.state.submarine(seat).cell;
        self.enter(direction, front)?;
        let submarine = self.state.submarine_mut(seat);
        if let Some(power) = charge {
            let needed = self.game.needed(power).unwrap_or_default();
            let gained = &mut submarine.charges[power as usize];
            *gained = (*gained + 1).min(needed);
        }
        let to = submarine.cell;
        self.log.event(|| Event::Moved { seat, from, to, direction, charge });
        self.show(ShownAction::Move(direction));
        Ok(())
    }

    /// SURFACE, ordered or forced.
    #[inline]
    fn surface(&mut self, forced: bool) {
        let seat = self.seat;
        if self.chain.actions().is_empty() {
            let Turn { game, chain, .. } = *self;
            let turn = self.state.turn.into();
            self.log.fault(|| NotAllowed::NoAction.fault(game.rules(), turn, seat, &chain.print()));
        }
        let submarine = self.state.submarine_mut(seat);
        let cell = submarine.cell;
        let sector = cell.sector();
        let before = submarine.lives;
        submarine.visited = Sea::only(cell.index());
        submarine.lose(self.game.rules().surface_damage);
        let damage = before.abs_diff(submarine.lives);
        self.log.event(|| Event::Surfaced { seat, cell, sector, damage, forced });
        self.show(ShownAction::Surface(sector));
    }

    fn discharge(&mut self, power: Power) {
        self.state.submarine_mut(self.seat).charges[power as usize] = 0;
    }

    /// TORPEDO.
    #[inline]
    fn torpedo(&mut self, target: Cell) {
        let seat = self.seat;
        let from = self.state.submarine(seat).cell;
        self.log.event(|| Event::Torpedo { seat, from, to: target });
        self.discharge(Power::Torpedo);
        self.explode(target);
        self.show(ShownAction::Torpedo(target));
    }

    /// SONAR.
    #[inline]
    fn sonar(&mut self, sector: u8) {
        let seat = self.seat;
        let found = self.state.opponent(seat).cell.sector() == sector;
        self.discharge(Power::Sonar);
        self.state.submarine_mut(seat).sonar = Some(found);
        self.log.event(|| Event::Sonar { seat, sector, found });
        self.show(ShownAction::Sonar(sector));
    }

    /// SILENCE: each step has the target rules of MOVE.
    #[inline]
    fn silence(&mut self, direction: Direction, steps: u8, front: usize) -> Result<(), Fatal> {
        let seat = self.seat;
        let from = self.state.submarine(seat).cell;
        for _ in 0..steps {
            self.enter(direction, front)?;
        }
        self.discharge(Power::Silence);
        let to = self.state.submarine(seat).cell;
        self.log.event(|| Event::Silence { seat, from, to, direction, steps });
        self.show(ShownAction::Silence);
        Ok(())
    }

    /// MINE: the mine is not active before the owner's next turn.
    #[inline]
    fn mine(&mut self, direction: Direction) {
        let seat = self.seat;
        let submarine = self.state.submarine_mut(seat);
        if let Some(cell) = self.game.map().neighbour(submarine.cell, direction) {
            submarine.mines.add(cell.index());
            submarine.fresh_mine = Some(cell);
            self.log.event(|| Event::Mine { seat, cell });
        }
        self.discharge(Power::Mine);
        self.show(ShownAction::Mine);
    }

    /// TRIGGER: the cell can be mined again immediately.
    #[inline]
    fn trigger(&mut self, target: Cell) {
        let seat = self.seat;
        self.log.event(|| Event::Trigger { seat, cell: target });
        self.state.submarine_mut(seat).mines.discard(target.index());
        self.explode(target);
        self.show(ShownAction::Trigger(target));
    }

    /// Explosion: islands do not shield, mines are not triggered, the shooter is damaged too.
    #[inline]
    fn explode(&mut self, cell: Cell) {
        let seat = self.seat;
        let before = self.state.submarines.map(|submarine| submarine.lives);
        for submarine in &mut self.state.submarines {
            match submarine.cell.rings_to(cell) {
                0 => submarine.lose(self.game.rules().blast_damage),
                1 => submarine.lose(self.game.rules().splash_damage),
                _ => {}
            }
        }
        let lives = self.state.submarines.map(|submarine| submarine.lives);
        self.log.event(|| Event::Explosion {
            seat,
            cell,
            damage: [before[0].abs_diff(lives[0]), before[1].abs_diff(lives[1])],
            lives,
        });
    }
}
