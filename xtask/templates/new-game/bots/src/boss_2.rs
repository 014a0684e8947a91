//! The boss of the last league: it leaves coins alone that its opponent reaches first.

use __ident__::Direction;

use crate::boss_1;
use crate::question::{Question, distance, towards};

pub(crate) fn choose(question: &Question) -> Direction {
    let Question { own, opponent, coins } = question;
    let first = coins.iter().filter(|&&coin| distance(*own, coin) < distance(*opponent, coin));
    match first.min_by_key(|&&coin| distance(*own, coin)) {
        Some(&coin) => towards(*own, coin),
        None => boss_1::choose(question),
    }
}
