//! The response: an opponent that was trained against the champion alone. How often it wins tells how much the champion can be exploited.
//!
//! It plays as the champion does, but finds its opponent with a network that was trained on games of the champion alone: it knows the habits of
//! this one player. It is no bot of the ladder: it exists to be measured.

use std::sync::LazyLock;

use super::champion::{Champion, ITS_HABITS};
use super::likelihood::Features;
use super::policy::Habits;
use bots::Layers;

/// The weights; `response.json` says how they came about.
const FILE: &[u8] = include_bytes!("../response.bin");
static NETWORK: LazyLock<Layers> =
    LazyLock::new(|| Layers::read(FILE).expect("a test reads the file that is compiled in"));

/// Knows how the champion chooses.
pub(super) fn response() -> Champion {
    Champion::against(Habits { logit, ..ITS_HABITS })
}

fn logit(features: &Features) -> f32 {
    NETWORK.judge(features)
}

#[cfg(test)]
mod tests {
    use sha2::{Digest, Sha256};

    use super::*;
    use crate::likelihood::FEATURES;

    #[test]
    fn the_network_reads_what_that_of_the_champion_reads() {
        assert_eq!(NETWORK.inputs(), FEATURES);
    }

    #[test]
    fn the_card_has_the_digest_of_the_weights() {
        let digest = catalog::record::hex(&Sha256::digest(FILE));
        let card = include_str!("../response.json");
        assert!(card.contains(&format!("\"sha256\": \"{digest}\"")), "{digest}");
    }
}
