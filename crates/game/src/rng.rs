//! Random numbers: the two generators with which a seed gives the same map as in the official referees, and [`Dice`] for
//! everything else.

/// The 48-bit linear congruential generator of `java.util.Random`
/// (Ocean of Code rules, section 2; Hypersonic rules, section 2).
#[derive(Clone, Debug)]
pub struct JavaRandom {
    state: u64,
}

impl JavaRandom {
    const MULTIPLIER: u64 = 0x5_DEEC_E66D;
    const MASK: u64 = (1 << 48) - 1;

    /// The generator as created from a seed. Only the low 48 bits of the seed matter.
    #[inline]
    pub const fn new(seed: i64) -> Self {
        JavaRandom { state: (seed as u64 ^ Self::MULTIPLIER) & Self::MASK }
    }

    /// A draw of 31 bits.
    #[inline]
    pub const fn draw31(&mut self) -> u32 {
        self.state = (self.state.wrapping_mul(Self::MULTIPLIER).wrapping_add(0xB)) & Self::MASK;
        (self.state >> 17) as u32
    }

    /// A number below `bound`, as `nextInt(bound)` draws it.
    #[inline]
    pub const fn below(&mut self, bound: u32) -> u32 {
        if bound.is_power_of_two() {
            return ((bound as u64 * self.draw31() as u64) >> 31) as u32;
        }
        loop {
            let u = self.draw31();
            let r = u % bound;
            if u - r + (bound - 1) < 1 << 31 {
                return r;
            }
        }
    }
}

/// Java's `SHA1PRNG` byte stream and the draws made from it (Back Track rules, section 2).
#[derive(Clone, Debug)]
pub struct Sha1Prng {
    state: Wide,
    out: [u8; 20],
    /// The block after `out`, computed ahead of its use so that the processor can compute it while `out` is consumed.
    ahead: [u8; 20],
    /// Bytes of `out` already handed out; 20 when a new block is due.
    used: usize,
    /// Blocks made so far.
    blocks: u64,
}

/// Twenty bytes as a number, least significant byte first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Wide {
    low: u128,
    high: u32,
}

impl Wide {
    fn of(digest: [u32; 5]) -> Self {
        let [a, b, c, d, e] = digest.map(u32::swap_bytes);
        let low = u128::from(d) << 96 | u128::from(c) << 64 | u128::from(b) << 32 | u128::from(a);
        Wide { low, high: e }
    }

    /// The number that the same bytes make as signed ones: a byte of 128 or more stands for 256 less, which takes one from
    /// the byte above it.
    fn signed(self) -> Self {
        let negative = self.low >> 7 & (u128::MAX / 255);
        let negative_high = self.high >> 7 & (u32::MAX / 255);
        let (low, borrow) = self.low.overflowing_sub(negative << 8);
        let above = negative_high << 8 | (negative >> 120) as u32;
        Wide { low, high: self.high.wrapping_sub(above).wrapping_sub(u32::from(borrow)) }
    }

    fn plus(self, other: Wide) -> Self {
        let (low, carry) = self.low.overflowing_add(other.low);
        Wide { low, high: self.high.wrapping_add(other.high).wrapping_add(u32::from(carry)) }
    }
}

impl Sha1Prng {
    /// The stream of a seed.
    pub fn new(seed: i64) -> Self {
        let message = u128::from(seed as u64) | 0x80 << 64;
        let state = Wide::of(sha1_of(message, 0, 64));
        let mut prng = Sha1Prng { state, out: [0; 20], ahead: [0; 20], used: 20, blocks: 0 };
        prng.make_ahead();
        prng
    }

    /// How many bytes were taken so far (the check points of Back Track rules, section 5.9).
    pub const fn bytes_taken(&self) -> u64 {
        (self.blocks * 20 + self.used as u64).saturating_sub(20)
    }

    /// The next block (section 2.1, step 2). Adding signed bytes with a signed carry, lowest byte first, is adding the
    /// numbers they make.
    fn make_ahead(&mut self) {
        let digest = sha1_of(self.state.low, u128::from(self.state.high) | 0x80 << 32, 160);
        for (bytes, word) in self.ahead.chunks_exact_mut(4).zip(digest) {
            bytes.copy_from_slice(&word.to_be_bytes());
        }
        let sum = self.state.signed().plus(Wide::of(digest).signed()).plus(Wide { low: 1, high: 0 });
        self.state = if sum == self.state {
            let first = (sum.low as u8).wrapping_add(1);
            Wide { low: sum.low & !0xFF | u128::from(first), ..sum }
        } else {
            sum
        };
    }

    #[inline(never)]
    fn refill(&mut self) {
        self.out = self.ahead;
        self.used = 0;
        self.blocks += 1;
        self.make_ahead();
    }

    /// The next byte of the stream.
    #[inline]
    pub fn byte(&mut self) -> u8 {
        if self.used == 20 {
            self.refill();
        }
        let byte = self.out[self.used];
        self.used += 1;
        byte
    }

    /// A draw of `bits` (1 to 32) bits (section 2.2).
    #[inline]
    pub fn next(&mut self, bits: u32) -> u32 {
        let bytes = bits.div_ceil(8);
        if self.used == 20 {
            self.refill();
        }
        let value = if bytes == 4 && self.used <= 16 {
            let at = self.used;
            self.used += 4;
            u32::from_be_bytes([self.out[at], self.out[at + 1], self.out[at + 2], self.out[at + 3]])
        } else {
            let mut value = 0;
            for _ in 0..bytes {
                value = value << 8 | u32::from(self.byte());
            }
            value
        };
        value >> (8 * bytes - bits)
    }

    /// A coin.
    #[inline]
    pub fn bool(&mut self) -> bool {
        self.next(1) != 0
    }

    /// A number from 0 to 1, without 1.
    #[inline]
    pub fn float(&mut self) -> f32 {
        self.next(24) as f32 / (1 << 24) as f32
    }

    /// A number from 0 to `bound`, without `bound`.
    #[inline]
    pub fn float_below(&mut self, bound: f32) -> f32 {
        let product = self.float() * bound;
        if product >= bound { bound.next_down() } else { product }
    }

    /// A number below `n`, which is at least 1; always takes 4 bytes or more.
    #[inline]
    pub fn below(&mut self, n: u32) -> u32 {
        let mut r = self.next(31);
        if n.is_power_of_two() {
            return ((u64::from(n) * u64::from(r)) >> 31) as u32;
        }
        loop {
            let q = r % n;
            if r - q + (n - 1) < 1 << 31 {
                return q;
            }
            r = self.next(31);
        }
    }

    /// A number from `lo` to `hi`, without `hi`. Where the span is a power of two it takes the *low* bits of the
    /// draw, unlike [`Sha1Prng::below`].
    #[inline]
    pub fn range(&mut self, lo: u32, hi: u32) -> u32 {
        let n = hi - lo;
        let r = self.next(32);
        if n.is_power_of_two() {
            return (r & (n - 1)) + lo;
        }
        let mut u = r >> 1;
        while u + (n - 1) - u % n >= 1 << 31 {
            u = self.next(32) >> 1;
        }
        u % n + lo
    }

    /// Shuffles from the end; a list of length 0 or 1 draws nothing.
    #[inline]
    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for i in (2..=list.len()).rev() {
            list.swap(i - 1, self.below(i as u32) as usize);
        }
    }
}

/// SHA-1 of a message of one block: up to 31 bytes and the bit that ends it, as two numbers, least significant byte first,
/// and how many bits it has. Whole numbers rather than bytes, so that the block is written as it is read.
#[inline]
fn sha1_of(first: u128, second: u128, bits: u8) -> [u32; 5] {
    let mut block = [0; 64];
    block[..16].copy_from_slice(&first.to_le_bytes());
    block[16..32].copy_from_slice(&second.to_le_bytes());
    block[48..].copy_from_slice(&u128::from(bits).to_be_bytes());
    let mut state = [0x6745_2301, 0xEFCD_AB89, 0x98BA_DCFE, 0x1032_5476, 0xC3D2_E1F0];
    sha1::block_api::compress(&mut state, &[block]);
    state
}

/// Dice for random play and tests: `SplitMix64`, written out here so that a seed means the same game for ever.
#[derive(Clone, Debug)]
pub struct Dice {
    state: u64,
}

impl Dice {
    /// Dice that roll the same numbers for the same seed.
    #[inline]
    pub const fn new(seed: u64) -> Self {
        Dice { state: seed }
    }

    /// 64 random bits.
    #[inline]
    pub const fn bits(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.state;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A number below `n` (at least 1).
    #[inline]
    pub const fn below(&mut self, n: u32) -> u32 {
        (((self.bits() >> 32) * n as u64) >> 32) as u32
    }

    /// True once in `n` times.
    #[inline]
    pub const fn one_in(&mut self, n: u32) -> bool {
        self.below(n) == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fmt::Write as _;

    /// Known values of `new java.util.Random(seed).nextInt(bound)`.
    #[test]
    fn java_random_known_values() {
        let mut random = JavaRandom::new(42);
        assert_eq!([0; 5].map(|_| random.below(10)), [0, 3, 8, 4, 0]);
        let mut random = JavaRandom::new(0);
        assert_eq!([0; 3].map(|_| random.below(100)), [60, 48, 29]);
        assert_eq!(JavaRandom::new(5).below(15), JavaRandom::new(5 + (1 << 48)).below(15));
    }

    struct Vectors {
        seed: i64,
        bytes: &'static str,
        below10: [u32; 5],
        below8: [u32; 5],
        range14: [u32; 5],
        range8: [u32; 5],
        float: f32,
        bools: [u8; 8],
        shuffled: [u8; 10],
    }

    /// The table of section 2.3 of the Back Track rules.
    const VECTORS: [Vectors; 3] = [
        Vectors {
            seed: 1,
            bytes: "96cb4cedc6d78a4666351950dd1d06af5561187421065896",
            below10: [0, 3, 0, 5, 6],
            below8: [4, 6, 3, 6, 2],
            range14: [16, 16, 19, 18, 18],
            range8: [5, 6, 0, 7, 4],
            float: 0.589_039_56,
            bools: [1, 1, 0, 1, 1, 1, 1, 0],
            shuffled: [9, 5, 7, 8, 1, 2, 4, 3, 6, 0],
        },
        Vectors {
            seed: -1,
            bytes: "bde848494a8671e61d7d572b9c9dcbd42e4fccb8d505b759",
            below10: [0, 3, 9, 4, 4],
            below8: [5, 2, 0, 4, 1],
            range14: [20, 15, 16, 19, 14],
            range8: [1, 6, 3, 4, 0],
            float: 0.741_825_6,
            bools: [1, 1, 0, 0, 0, 1, 0, 1],
            shuffled: [6, 3, 4, 8, 2, 7, 5, 9, 1, 0],
        },
        Vectors {
            seed: 42,
            bytes: "d50ac288b90ede2e311b02376bca7c702fb62a27ba1a100e",
            below10: [4, 1, 1, 0, 7],
            below8: [6, 5, 1, 3, 1],
            range14: [16, 17, 16, 17, 18],
            range8: [0, 6, 7, 0, 7],
            float: 0.832_195_4,
            bools: [1, 0, 1, 1, 1, 0, 1, 0],
            shuffled: [9, 2, 0, 5, 7, 6, 3, 8, 1, 4],
        },
    ];

    #[test]
    fn sha1prng_vectors() {
        for v in &VECTORS {
            let fresh = || Sha1Prng::new(v.seed);
            let mut prng = fresh();
            let mut bytes = String::new();
            for _ in 0..24 {
                write!(bytes, "{:02x}", prng.byte()).unwrap();
            }
            assert_eq!(bytes, v.bytes);
            assert_eq!(prng.bytes_taken(), 24);
            let mut prng = fresh();
            assert_eq!([0; 5].map(|_| prng.below(10)), v.below10);
            let mut prng = fresh();
            assert_eq!([0; 5].map(|_| prng.below(8)), v.below8);
            let mut prng = fresh();
            assert_eq!([0; 5].map(|_| prng.range(14, 21)), v.range14);
            let mut prng = fresh();
            assert_eq!([0; 5].map(|_| prng.range(0, 8)), v.range8);
            assert_eq!(fresh().float().to_bits(), v.float.to_bits());
            let mut prng = fresh();
            assert_eq!([0; 8].map(|_| u8::from(prng.bool())), v.bools);
            let mut list = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
            fresh().shuffle(&mut list);
            assert_eq!(list, v.shuffled);
        }
    }

    /// The sum of section 2.1, step 2, byte by byte as it is written there.
    #[test]
    fn blocks_follow_each_other_byte_by_byte() {
        let bytes = |wide: Wide| [&wide.low.to_le_bytes()[..], &wide.high.to_le_bytes()].concat();
        for seed in 0..200 {
            let mut prng = Sha1Prng::new(seed);
            for _ in 0..50 {
                let mut expected = bytes(prng.state);
                prng.make_ahead();
                let mut carry = 1i32;
                for (byte, &out) in expected.iter_mut().zip(&prng.ahead) {
                    let sum = i32::from(*byte as i8) + i32::from(out as i8) + carry;
                    *byte = sum as u8;
                    carry = sum >> 8;
                }
                assert_eq!(bytes(prng.state), expected);
            }
        }
    }

    #[test]
    fn dice_are_fair_enough() {
        let mut dice = Dice::new(7);
        let mut counts = [0; 6];
        for _ in 0..60_000 {
            counts[dice.below(6) as usize] += 1;
        }
        assert!(counts.iter().all(|&count| (9_500..10_500).contains(&count)), "{counts:?}");
    }
}
