//! The response: an opponent of the champion that has a copy of it. How often it wins tells how much the champion can be exploited.
//!
//! Each turn it asks the copy for the champion's answer and takes the answer that does best against it, without regard to any other. It needs the
//! nodes of [`THOUGHTS`] champions and is no bot of the ladder: it exists to be measured.

use back_track::Order;
use game::Game;

use super::champion::Champion;
use super::playout::Search;
use super::position::{Position, Strategy};
use super::side_quest;
use bots::{Budget, Handicap};

/// The searches of an answer: that of the copy and its own.
pub const THOUGHTS: u64 = 2;

/// Knows what the champion does.
pub(super) struct Response {
    copy: Champion,
}

impl Response {
    pub(super) fn new() -> Response {
        // Without a handicap the champion uses no chance: the copy answers as it does.
        Response { copy: Champion::new(Handicap::NONE, 0) }
    }
}

impl Strategy for Response {
    fn order(&mut self, position: &Position, budget: Budget) -> Order {
        let thought = || budget.share(1.0 / THOUGHTS as f64);
        let theirs = Position { game: position.game.clone(), state: position.state, me: 1 - position.me };
        let rival = self.copy.best(&theirs, thought());
        let lookahead = Champion::comparison(position.game.rules()).lookahead;
        let mut search = Search::new(&mut self.copy.planner, lookahead, position, position.me, thought());
        search.rival = Some(rival);
        search.run();
        side_quest::answer(position, &search.leaders(1)[0])
    }
}
