//! Bots of known strength, without a game.

/// `SplitMix64` (G. Steele, D. Lea and C. Flood, 2014): a seed means the same numbers for ever.
pub(crate) struct Dice(u64);

impl Dice {
    pub(crate) fn new(seed: u64) -> Dice {
        Dice(seed)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Between 0 and 1.
    pub(crate) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }

    /// Standard normal (G. Box and M. Muller, 1958).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.share()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.share()).cos()
    }

    /// An index with these probabilities.
    pub(crate) fn choose(&mut self, probabilities: &[f64]) -> usize {
        let mut at = self.share();
        for (index, probability) in probabilities.iter().enumerate() {
            at -= probability;
            if at < 0.0 {
                return index;
            }
        }
        probabilities.len() - 1
    }

    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, (self.next() % (i as u64 + 1)) as usize);
        }
    }
}

/// The mean of scores 0 to 1 in equal steps under these probabilities.
pub(crate) fn mean(probabilities: &[f64]) -> f64 {
    let most = (probabilities.len() - 1) as f64;
    probabilities.iter().enumerate().map(|(at, p)| at as f64 / most * p).sum()
}

/// The standard deviation of the same.
pub(crate) fn deviation(probabilities: &[f64]) -> f64 {
    let most = (probabilities.len() - 1) as f64;
    let mean = mean(probabilities);
    probabilities.iter().enumerate().map(|(at, p)| (at as f64 / most - mean).powi(2) * p).sum::<f64>().sqrt()
}

/// Pentanomial probabilities of bots that differ by `elo` on maps that favour the first seat by `seat` Elo, one in `draws` games
/// being drawn whatever happens: two independent games on one map. Its mean is the answer, not the Elo put in.
pub(crate) fn pair(elo: f64, seat: f64, draws: f64) -> [f64; 5] {
    let game = |elo: f64| {
        let win = rating::score_of_elo(elo) * (1.0 - draws);
        [1.0 - draws - win, draws, win]
    };
    let (first, second) = (game(elo + seat), game(elo - seat));
    let mut pair = [0.0; 5];
    for (i, p) in first.iter().enumerate() {
        for (j, q) in second.iter().enumerate() {
            pair[i + j] += p * q;
        }
    }
    pair
}
