//! A small network over facts: things that are true or not, of which few are true at once. Each fact adds a row of weights, the sums pass two
//! more layers. So a state of a search is judged in less than a microsecond.
//!
//! Rows are bytes, with a factor for each column. Their sums are whole numbers and the other layers are computed in one order, so the answers are the
//! same on every machine.

use crate::network::{Dense, NotANetwork, number, opened, relu};

/// The first line of a file.
const MAGIC: &str = "agon facts 1";
/// Sums that each fact adds to.
const WIDTH: usize = 64;
/// Numbers of the layer behind the sums: one of these.
const HIDDEN: [usize; 2] = [16, 32];
/// The most facts that are read, so that the sums stay small enough: 127 times as many fit 16 bits.
const MOST: usize = 250;

/// A network over facts with two answers.
#[derive(Clone, Debug)]
pub struct FactNetwork {
    /// For each fact what it adds to the sums.
    rows: Vec<[i8; WIDTH]>,
    factor: [f32; WIDTH],
    bias: [f32; WIDTH],
    /// The size of the layer behind the sums.
    inner: usize,
    hidden: Dense,
    out: Dense,
}

impl FactNetwork {
    /// Reads the file of such a network.
    ///
    /// # Errors
    ///
    /// When it is not such a file.
    pub fn read(file: &[u8]) -> Result<FactNetwork, NotANetwork> {
        let (mut lines, mut rest) = opened(file, MAGIC)?;
        let mut words = lines.next().unwrap_or("").split_ascii_whitespace();
        if words.next() != Some("sizes") || lines.next().is_some() {
            return Err(NotANetwork("its head is not the sizes of its layers"));
        }
        let facts: usize = number(&mut words)?;
        let [width, inner, outputs]: [usize; 3] =
            [number(&mut words)?, number(&mut words)?, number(&mut words)?];
        if (width, outputs) != (WIDTH, 2)
            || !HIDDEN.contains(&inner)
            || words.next().is_some()
            || !(1..=usize::from(u16::MAX)).contains(&facts)
        {
            return Err(NotANetwork("its sizes are not those that can be computed"));
        }
        let mut column = || -> Result<[f32; WIDTH], NotANetwork> {
            let mut numbers = [0.0; WIDTH];
            for number in &mut numbers {
                *number = rest.float()?;
            }
            Ok(numbers)
        };
        let (factor, bias) = (column()?, column()?);
        let (rows, _) = rest.take(facts * WIDTH)?.as_chunks::<WIDTH>();
        let rows = rows.iter().map(|row| row.map(u8::cast_signed)).collect();
        let (hidden, out) = (Dense::read(&mut rest, WIDTH, inner)?, Dense::read(&mut rest, inner, 2)?);
        rest.end()?;
        Ok(FactNetwork { rows, factor, bias, inner, hidden, out })
    }

    /// The number of facts that it knows.
    pub fn facts(&self) -> usize {
        self.rows.len()
    }

    /// The answers where these facts are true, each named as often as it is true. Facts that it does not know add nothing.
    pub fn judge(&self, facts: &[u16]) -> [f32; 2] {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            #[allow(unsafe_code)]
            // SAFETY: the processor has the instructions, as the line above has asked.
            unsafe {
                return self.judge_wide(facts);
            }
        }
        self.judge_plain(facts)
    }

    /// The same function for processors with AVX2.
    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn judge_wide(&self, facts: &[u16]) -> [f32; 2] {
        self.judge_plain(facts)
    }

    #[inline(always)]
    fn judge_plain(&self, facts: &[u16]) -> [f32; 2] {
        let mut sums = [0i16; WIDTH];
        for &fact in facts.iter().take(MOST) {
            if let Some(row) = self.rows.get(usize::from(fact)) {
                for (sum, &weight) in sums.iter_mut().zip(row) {
                    *sum += i16::from(weight);
                }
            }
        }
        let mut numbers = [0f32; WIDTH];
        for (at, number) in numbers.iter_mut().enumerate() {
            *number = (f32::from(sums[at]) * self.factor[at] + self.bias[at]).max(0.0);
        }
        if self.inner == 16 { self.behind::<2>(&numbers) } else { self.behind::<4>(&numbers) }
    }

    #[inline(always)]
    fn behind<const BLOCKS: usize>(&self, numbers: &[f32; WIDTH]) -> [f32; 2] {
        let mut hidden = self.hidden.blocks::<BLOCKS>(numbers);
        relu(hidden.as_flattened_mut());
        self.out.few(hidden.as_flattened())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTS: usize = 5;

    /// A network whose weights are small numbers, and the same weights as floats.
    fn file() -> Vec<u8> {
        let mut file = format!("agon facts 1\nsizes {FACTS} {WIDTH} 16 2\n\n").into_bytes();
        let floats = |count: usize, number: fn(usize) -> f32| {
            (0..count).flat_map(|at| number(at).to_le_bytes()).collect::<Vec<_>>()
        };
        let factor = floats(WIDTH, |_| 0.5);
        let bias = floats(WIDTH, |at| if at % 2 == 0 { 1.0 } else { -100.0 });
        let rows: Vec<u8> = (0..FACTS * WIDTH).map(|at| (at / WIDTH) as u8 + 1).collect();
        let hidden =
            [floats(16, |at| if at == 0 { -30.0 } else { 0.0 }), floats(WIDTH * 16, |_| 0.25)].concat();
        let out = [floats(2, |at| at as f32), floats(32, |at| if at < 4 { 1.0 } else { 0.0 })].concat();
        file.extend([factor, bias, rows, hidden, out].concat());
        file
    }

    fn bits(answers: [f32; 2]) -> [u32; 2] {
        answers.map(f32::to_bits)
    }

    #[test]
    fn facts_add_their_rows() {
        let network = FactNetwork::read(&file()).unwrap();
        assert_eq!(network.facts(), FACTS);
        // Facts 1 and 4 add 2 and 5 to each of 64 sums: half of them are 0.5 * 7 + 1, the others are below zero. So all hidden numbers
        // are 32 * 4.5 / 4 = 36, but for the first, which is 6; the answers add the first two.
        let [first, second] = network.judge(&[1, 4]);
        assert!((first - 42.0).abs() < 1e-5 && (second - 43.0).abs() < 1e-5, "{first}, {second}");
        assert_eq!(
            bits(network.judge(&[1, 4, 5, u16::MAX])),
            bits([first, second]),
            "unknown facts add nothing"
        );
        // No fact: all hidden numbers are 8, the first one is below zero.
        assert_eq!(bits(network.judge(&[])), bits([8.0, 9.0]));
    }

    #[test]
    fn answers_do_not_depend_on_the_processor() {
        let network = FactNetwork::read(&file()).unwrap();
        for facts in [&[][..], &[0], &[3, 1, 2], &[4; MOST + 9]] {
            assert_eq!(bits(network.judge(facts)), bits(network.judge_plain(facts)));
        }
    }

    #[test]
    fn damaged_files_are_refused() {
        let file = file();
        for length in 0..file.len() {
            assert!(FactNetwork::read(&file[..length]).is_err(), "{length} bytes");
        }
        let refused = |file: &[u8]| FactNetwork::read(file).unwrap_err().to_string();
        assert_eq!(refused(&[&file[..], b"x"].concat()), "this is not a network: bytes behind its end");
        let end = file.windows(2).position(|pair| pair == b"\n\n").unwrap();
        for sizes in
            ["5 64 16", "5 32 16 2", "5 64 17 2", "5 64 16 1", "0 64 16 2", "70000 64 16 2", "5 64 16 2 1"]
        {
            let file = [format!("agon facts 1\nsizes {sizes}").as_bytes(), &file[end..]].concat();
            assert!(FactNetwork::read(&file).is_err(), "{sizes}");
        }
    }
}
