//! The boss of the first league: it walks to the nearest coin.

use __ident__::Direction;

use crate::question::{Question, distance, towards};

pub(crate) fn choose(question: &Question) -> Direction {
    let nearest = question.coins.iter().min_by_key(|&&coin| distance(question.own, coin));
    nearest.map_or(Direction::Stay, |&coin| towards(question.own, coin))
}
