//! Small trained networks: chances of the actions and the value of a position, from the arrays of a batch ([`Network`]), and one number
//! from a few ([`Layers`]).
//!
//! A trunk of 3 x 3 convolutions reads the board; the head reads the cell of the own unit, the mean of all cells and the scalars.
//! `training/` trains the networks and writes their files. Weights of the trunk are bytes with a factor for each channel.
//!
//! All sums are computed in one order, whatever instructions the processor has, so the answers are the same on every machine.

use std::str::{FromStr, Lines, SplitAsciiWhitespace};

/// The first line of a file.
const MAGIC: &str = "agon network 1";
/// The first line of a file of dense layers.
const MAGIC_OF_LAYERS: &str = "agon layers 1";
/// A convolution reads a cell and its neighbours.
const TAPS: usize = 9;

/// A trained network.
#[derive(Clone, Debug)]
pub struct Network {
    height: usize,
    width: usize,
    planes: Vec<Plane>,
    scalars: Vec<f32>,
    own: usize,
    first: Convolution,
    blocks: Vec<[Convolution; 2]>,
    hidden: Dense,
    head: Dense,
}

/// How a plane of a batch becomes planes of the input.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Plane {
    /// One plane: the numbers times a factor.
    Times(f32),
    /// A plane for each number from 1 to this one; greater numbers count as this one.
    OneHot(u8),
}

impl Plane {
    fn inputs(self) -> usize {
        match self {
            Plane::Times(_) => 1,
            Plane::OneHot(most) => most.into(),
        }
    }
}

/// The answer of a network.
#[derive(Clone, PartialEq, Debug)]
pub struct Judgement {
    /// The logit of each action: greater is better. Actions that are not possible have one too.
    pub logits: Vec<f32>,
    /// The expected sum of rewards to come.
    pub value: f32,
}

/// A file that is not a network.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("this is not a network: {0}")]
pub struct NotANetwork(pub(crate) &'static str);

/// A convolution of 3 x 3 cells.
#[derive(Clone, Debug)]
struct Convolution {
    inputs: usize,
    outputs: usize,
    bias: Vec<f32>,
    /// By tap, input and output.
    weights: Vec<f32>,
}

/// A layer in which every output reads every input.
#[derive(Clone, Debug)]
pub(crate) struct Dense {
    bias: Vec<f32>,
    /// By input and output.
    weights: Vec<f32>,
}

/// The numbers of all cells, channel after channel in each cell. The board has an edge of empty cells.
struct Cells {
    stride: usize,
    channels: usize,
    numbers: Vec<f32>,
}

impl Cells {
    fn new(height: usize, width: usize, channels: usize) -> Cells {
        let stride = width + 2;
        Cells { stride, channels, numbers: vec![0.0; (height + 2) * stride * channels] }
    }

    fn at(&self, y: usize, x: usize) -> usize {
        ((y + 1) * self.stride + x + 1) * self.channels
    }
}

impl Network {
    /// Reads the file of a network.
    ///
    /// # Errors
    ///
    /// When it is not such a file.
    pub fn read(file: &[u8]) -> Result<Network, NotANetwork> {
        let (lines, mut rest) = opened(file, MAGIC)?;
        let (mut board, mut planes, mut scalars) = ([0; 2], Vec::new(), Vec::new());
        let [mut own, mut channels, mut blocks, mut hidden, mut actions] = [0; 5];
        for line in lines {
            let mut words = line.split_ascii_whitespace();
            match words.next().unwrap_or("") {
                "board" => board = [number(&mut words)?, number(&mut words)?],
                "planes" => planes = vec![Plane::Times(1.0); size(number(&mut words)?)?],
                "one-hot" => {
                    let plane = plane(&mut planes, &mut words)?;
                    *plane = Plane::OneHot(number(&mut words)?);
                }
                "scale" => {
                    let plane = plane(&mut planes, &mut words)?;
                    *plane = Plane::Times(number(&mut words)?);
                }
                "scalars" => {
                    scalars = words
                        .map(str::parse)
                        .collect::<Result<_, _>>()
                        .map_err(|_| NotANetwork("a number"))?;
                }
                "own" => own = number(&mut words)?,
                "channels" => channels = size(number(&mut words)?)?,
                "blocks" => blocks = size(number(&mut words)?)?,
                "hidden" => hidden = size(number(&mut words)?)?,
                "actions" => actions = size(number(&mut words)?)?,
                _ => return Err(NotANetwork("an unknown line of its head")),
            }
        }
        let [height, width] = board;
        let is_known = CHANNELS.contains(&channels) && own < planes.len();
        if !is_known || size(height)? == 0 || size(width)? == 0 {
            return Err(NotANetwork("its size is not one that can be computed"));
        }
        let inputs = planes.iter().map(|plane| plane.inputs()).sum::<usize>() + 1;
        let first = Convolution::read(&mut rest, inputs, channels)?;
        let block = |rest: &mut Bytes<'_>| {
            let mut layer = || Convolution::read(rest, channels, channels);
            Ok([layer()?, layer()?])
        };
        let blocks = (0..blocks).map(|_| block(&mut rest)).collect::<Result<_, _>>()?;
        let hidden_layer = Dense::read(&mut rest, 2 * channels + scalars.len(), hidden)?;
        let head = Dense::read(&mut rest, hidden, actions + 1)?;
        rest.end()?;
        Ok(Network { height, width, planes, scalars, own, first, blocks, hidden: hidden_layer, head })
    }

    /// The answer for the arrays of one seat, as a batch writes them.
    ///
    /// # Panics
    ///
    /// When the arrays are those of another game.
    pub fn judge(&self, planes: &[u8], scalars: &[f32]) -> Judgement {
        let area = self.height * self.width;
        assert!(
            planes.len() == area * self.planes.len() && scalars.len() == self.scalars.len(),
            "array sizes"
        );
        let mut cells = self.first.of(&self.input(planes), self.height, self.width);
        relu(&mut cells.numbers);
        for [first, second] in &self.blocks {
            let mut inner = first.of(&cells, self.height, self.width);
            relu(&mut inner.numbers);
            let more = second.of(&inner, self.height, self.width);
            for (number, more) in cells.numbers.iter_mut().zip(&more.numbers) {
                *number += more;
            }
            relu(&mut cells.numbers);
        }
        let channels = self.first.outputs;
        let mut seen = vec![0.0; 2 * channels + scalars.len()];
        let (here, rest) = seen.split_at_mut(channels);
        let (mean, numbers) = rest.split_at_mut(channels);
        for (place, &own) in planes[self.own * area..][..area].iter().enumerate() {
            let at = cells.at(place / self.width, place % self.width);
            let cell = &cells.numbers[at..at + channels];
            for ((mean, here), number) in mean.iter_mut().zip(&mut *here).zip(cell) {
                *mean += number;
                *here += f32::from(own) * number;
            }
        }
        for mean in mean {
            *mean /= area as f32;
        }
        for ((number, scalar), factor) in numbers.iter_mut().zip(scalars).zip(&self.scalars) {
            *number = scalar * factor;
        }
        let mut hidden = self.hidden.of(&seen);
        relu(&mut hidden);
        let mut logits = self.head.of(&hidden);
        let value = logits.pop().unwrap_or(0.0);
        Judgement { logits, value }
    }

    /// The planes of the input. The last one is 1 on the whole board: it shows the edge.
    fn input(&self, planes: &[u8]) -> Cells {
        let area = self.height * self.width;
        let mut cells = Cells::new(self.height, self.width, self.first.inputs);
        let mut channel = 0;
        for (numbers, plane) in planes.chunks_exact(area).zip(&self.planes) {
            for (place, &number) in numbers.iter().enumerate().filter(|(_, number)| **number != 0) {
                let at = cells.at(place / self.width, place % self.width);
                match *plane {
                    Plane::Times(factor) => cells.numbers[at + channel] = f32::from(number) * factor,
                    Plane::OneHot(most) => {
                        cells.numbers[at + channel + usize::from(number.min(most)) - 1] = 1.0;
                    }
                }
            }
            channel += plane.inputs();
        }
        for place in 0..area {
            let at = cells.at(place / self.width, place % self.width);
            cells.numbers[at + channel] = 1.0;
        }
        cells
    }
}

/// Dense layers, with negative numbers set to zero between them: one number from a few. They are so small that bytes for weights would
/// not pay.
#[derive(Clone, Debug)]
pub struct Layers {
    inputs: usize,
    layers: Vec<Dense>,
}

impl Layers {
    /// Reads the file of such layers.
    ///
    /// # Errors
    ///
    /// When it is not such a file.
    pub fn read(file: &[u8]) -> Result<Layers, NotANetwork> {
        let (mut lines, mut rest) = opened(file, MAGIC_OF_LAYERS)?;
        let mut words = lines.next().unwrap_or("").split_ascii_whitespace();
        if words.next() != Some("sizes") || lines.next().is_some() {
            return Err(NotANetwork("its head is not the sizes of its layers"));
        }
        let mut sizes = Vec::new();
        while words.clone().next().is_some() {
            sizes.push(size(number(&mut words)?)?);
        }
        if sizes.len() < 2 || sizes.contains(&0) || sizes.last() != Some(&1) {
            return Err(NotANetwork("its sizes are not those of layers with one output"));
        }
        let layers = sizes.windows(2).map(|pair| Dense::read(&mut rest, pair[0], pair[1]));
        let layers = layers.collect::<Result<_, _>>()?;
        rest.end()?;
        Ok(Layers { inputs: sizes[0], layers })
    }

    /// The numbers that it reads.
    pub fn inputs(&self) -> usize {
        self.inputs
    }

    /// The answer. Numbers that are missing are zero.
    pub fn judge(&self, input: &[f32]) -> f32 {
        let Some((first, rest)) = self.layers.split_first() else { return 0.0 };
        let mut numbers = first.of(input);
        for layer in rest {
            relu(&mut numbers);
            numbers = layer.of(&numbers);
        }
        numbers.first().copied().unwrap_or(0.0)
    }
}

pub(crate) fn relu(numbers: &mut [f32]) {
    for number in numbers {
        *number = number.max(0.0);
    }
}

/// The numbers of channels for which convolutions are compiled.
const CHANNELS: [usize; 4] = [16, 32, 48, 64];

impl Convolution {
    fn of(&self, input: &Cells, height: usize, width: usize) -> Cells {
        let mut output = Cells::new(height, width, self.outputs);
        match self.outputs {
            16 => convolve::<16>(self, input, &mut output, height, width),
            32 => convolve::<32>(self, input, &mut output, height, width),
            48 => convolve::<48>(self, input, &mut output, height, width),
            _ => convolve::<64>(self, input, &mut output, height, width),
        }
        output
    }

    fn read(from: &mut Bytes<'_>, inputs: usize, outputs: usize) -> Result<Convolution, NotANetwork> {
        let mut layer =
            Convolution { inputs, outputs, bias: Vec::new(), weights: vec![0.0; TAPS * inputs * outputs] };
        for output in 0..outputs {
            let [factor, bias] = [from.float()?, from.float()?];
            layer.bias.push(bias);
            for (place, byte) in from.take(TAPS * inputs)?.iter().enumerate() {
                layer.weights[place * outputs + output] = f32::from(byte.cast_signed()) * factor;
            }
        }
        Ok(layer)
    }
}

/// Computes a convolution, with wide registers where the processor has them.
fn convolve<const OUT: usize>(
    layer: &Convolution,
    input: &Cells,
    output: &mut Cells,
    height: usize,
    width: usize,
) {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        #[allow(unsafe_code)]
        // SAFETY: the processor has the instructions, as the line above has asked.
        unsafe {
            return convolve_wide::<OUT>(layer, input, output, height, width);
        }
    }
    convolve_plain::<OUT>(layer, input, output, height, width);
}

/// The same function for processors with AVX2: the compiler uses registers of eight numbers, each with a sum of its own, so the
/// order of the additions does not change.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn convolve_wide<const OUT: usize>(
    layer: &Convolution,
    input: &Cells,
    output: &mut Cells,
    height: usize,
    width: usize,
) {
    convolve_plain::<OUT>(layer, input, output, height, width);
}

#[inline(always)]
fn convolve_plain<const OUT: usize>(
    layer: &Convolution,
    input: &Cells,
    output: &mut Cells,
    height: usize,
    width: usize,
) {
    let inputs = layer.inputs;
    let (weights, _) = layer.weights.as_chunks::<OUT>();
    let Ok(bias) = <[f32; OUT]>::try_from(layer.bias.as_slice()) else { return };
    for y in 0..height {
        for x in 0..width {
            let mut sums = bias;
            for tap in 0..TAPS {
                let at = ((y + tap / 3) * input.stride + x + tap % 3) * inputs;
                let seen = &input.numbers[at..at + inputs];
                for (&number, weights) in seen.iter().zip(&weights[tap * inputs..][..inputs]) {
                    // About half of the numbers are zero.
                    if number != 0.0 {
                        for (sum, weight) in sums.iter_mut().zip(weights) {
                            *sum += number * weight;
                        }
                    }
                }
            }
            let at = output.at(y, x);
            output.numbers[at..at + OUT].copy_from_slice(&sums);
        }
    }
}

impl Dense {
    pub(crate) fn read(from: &mut Bytes<'_>, inputs: usize, outputs: usize) -> Result<Dense, NotANetwork> {
        let mut floats = |count: usize| (0..count).map(|_| from.float()).collect::<Result<Vec<f32>, _>>();
        Ok(Dense { bias: floats(outputs)?, weights: floats(inputs * outputs)? })
    }

    fn of(&self, input: &[f32]) -> Vec<f32> {
        let mut sums = self.bias.clone();
        for (number, weights) in input.iter().zip(self.weights.chunks_exact(sums.len())) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += number * weight;
            }
        }
        sums
    }

    /// The same for a known number of outputs, without memory of its own: eight of them in each block, which are computed side by side.
    #[inline(always)]
    pub(crate) fn blocks<const BLOCKS: usize>(&self, input: &[f32]) -> [[f32; 8]; BLOCKS] {
        let (weights, _) = self.weights.as_chunks::<8>();
        let (weights, _) = weights.as_chunks::<BLOCKS>();
        let mut sums = [[0.0; 8]; BLOCKS];
        for (block, (sums, bias)) in sums.iter_mut().zip(self.bias.as_chunks::<8>().0).enumerate() {
            let mut lanes = *bias;
            for (number, weights) in input.iter().zip(weights) {
                for (lane, weight) in lanes.iter_mut().zip(&weights[block]) {
                    *lane += number * weight;
                }
            }
            *sums = lanes;
        }
        sums
    }

    /// The same for few outputs.
    #[inline(always)]
    pub(crate) fn few<const OUT: usize>(&self, input: &[f32]) -> [f32; OUT] {
        let mut sums = [0.0; OUT];
        for (sum, bias) in sums.iter_mut().zip(&self.bias) {
            *sum = *bias;
        }
        let (weights, _) = self.weights.as_chunks::<OUT>();
        for (number, weights) in input.iter().zip(weights) {
            for (sum, weight) in sums.iter_mut().zip(weights) {
                *sum += number * weight;
            }
        }
        sums
    }
}

/// The lines of the head of a file behind the first one, which must be `magic`, and the bytes behind the head.
pub(crate) fn opened<'a>(file: &'a [u8], magic: &str) -> Result<(Lines<'a>, Bytes<'a>), NotANetwork> {
    let end = file.windows(2).position(|pair| pair == b"\n\n").ok_or(NotANetwork("its head has no end"))?;
    let head = std::str::from_utf8(&file[..end]).map_err(|_| NotANetwork("its head is not text"))?;
    let mut lines = head.lines();
    if lines.next() != Some(magic) {
        return Err(NotANetwork("its first line is another one"));
    }
    Ok((lines, Bytes(&file[end + 2..])))
}

/// The bytes that are left to read.
pub(crate) struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    /// Nothing may be left.
    pub(crate) fn end(&self) -> Result<(), NotANetwork> {
        if self.0.is_empty() { Ok(()) } else { Err(NotANetwork("bytes behind its end")) }
    }

    pub(crate) fn take(&mut self, count: usize) -> Result<&'a [u8], NotANetwork> {
        let (taken, rest) = self.0.split_at_checked(count).ok_or(NotANetwork("it ends too early"))?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn float(&mut self) -> Result<f32, NotANetwork> {
        let bytes = self.take(4)?.try_into().map_err(|_| NotANetwork("it ends too early"))?;
        let number = f32::from_le_bytes(bytes);
        if number.is_finite() { Ok(number) } else { Err(NotANetwork("a weight is not a number")) }
    }
}

pub(crate) fn number<T: FromStr>(words: &mut SplitAsciiWhitespace<'_>) -> Result<T, NotANetwork> {
    words.next().and_then(|word| word.parse().ok()).ok_or(NotANetwork("a number of its head"))
}

/// A size within reason, so that a damaged file asks for no gigabytes.
pub(crate) fn size(number: usize) -> Result<usize, NotANetwork> {
    if number <= 4096 { Ok(number) } else { Err(NotANetwork("a size of its head")) }
}

fn plane<'a>(
    planes: &'a mut [Plane],
    words: &mut SplitAsciiWhitespace<'_>,
) -> Result<&'a mut Plane, NotANetwork> {
    planes.get_mut(number::<usize>(words)?).ok_or(NotANetwork("a plane of its head"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A network that has learned from matches of a bot, and answers that `PyTorch` gave with its weights (`training/export.py`).
    const FILE: &[u8] = include_bytes!("../tests/network/network.bin");
    const CASES: &str = include_str!("../tests/network/network.cases");

    /// Planes, then scalars, logits and value.
    fn case(line: &str) -> (Vec<u8>, Vec<f32>) {
        let mut words = line.split(' ');
        let planes = words.next().unwrap().as_bytes().chunks(2);
        let byte = |pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap();
        (planes.map(byte).collect(), words.map(|word| word.parse().unwrap()).collect())
    }

    #[test]
    fn answers_are_those_of_the_training() {
        let network = Network::read(FILE).unwrap();
        let mut cases = 0;
        for (planes, numbers) in CASES.lines().map(case) {
            let (scalars, expected) = numbers.split_at(network.scalars.len());
            let Judgement { mut logits, value } = network.judge(&planes, scalars);
            logits.push(value);
            assert_eq!(logits.len(), expected.len());
            for (found, expected) in logits.iter().zip(expected) {
                assert!((found - expected).abs() < 1e-3 * expected.abs().max(1.0), "{found}, not {expected}");
            }
            cases += 1;
        }
        assert_eq!(cases, 24);
    }

    #[test]
    fn answers_do_not_depend_on_the_processor() {
        let network = Network::read(FILE).unwrap();
        let (planes, _) = case(CASES.lines().last().unwrap());
        let input = network.input(&planes);
        let (height, width) = (network.height, network.width);
        let mut plain = Cells::new(height, width, network.first.outputs);
        convolve_plain::<48>(&network.first, &input, &mut plain, height, width);
        assert_eq!(plain.numbers, network.first.of(&input, height, width).numbers);
    }

    /// Two inputs, two hidden numbers, one output.
    fn layers() -> Vec<u8> {
        let numbers: [f32; 9] = [0.5, -1.0, 1.0, 2.0, -1.0, 1.0, 0.25, 1.0, -3.0];
        let weights = numbers.iter().flat_map(|number| number.to_le_bytes());
        b"agon layers 1\nsizes 2 2 1\n\n".iter().copied().chain(weights).collect()
    }

    #[test]
    fn layers_add_what_is_positive() {
        let layers = Layers::read(&layers()).unwrap();
        assert_eq!(layers.inputs(), 2);
        // Hidden: 0.5 + 3 - 1 and -1 + 6 + 1, then 0.25 + 2.5 - 18.
        assert_eq!(layers.judge(&[3.0, 1.0]).to_bits(), (-15.25f32).to_bits());
        // Hidden: 0.5 - 4 and -1 + 4, then 0.25 - 9.
        assert_eq!(layers.judge(&[0.0, 4.0]).to_bits(), (-8.75f32).to_bits());
    }

    #[test]
    fn damaged_layers_are_refused() {
        let file = layers();
        for length in 0..file.len() {
            assert!(Layers::read(&file[..length]).is_err(), "{length} bytes");
        }
        let refused = |file: &[u8]| Layers::read(file).unwrap_err().to_string();
        assert_eq!(refused(&file[..file.len() - 1]), "this is not a network: it ends too early");
        assert_eq!(refused(&[&file[..], b"x"].concat()), "this is not a network: bytes behind its end");
        assert_eq!(refused(FILE), "this is not a network: its first line is another one");
        for head in ["sizes 2 2 2", "sizes 2 0 1", "sizes 1", "sizes 2 x 1", "sizes 2 99999 1", "size 2 2 1"]
        {
            let file = [format!("agon layers 1\n{head}\n\n").as_bytes(), &file[27..]].concat();
            assert!(Layers::read(&file).is_err(), "{head}");
        }
        let mut damaged = file;
        let end = damaged.len();
        damaged[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
        assert_eq!(refused(&damaged), "this is not a network: a weight is not a number");
    }

    #[test]
    fn damaged_files_are_refused() {
        for length in (0..FILE.len()).step_by(997) {
            assert!(Network::read(&FILE[..length]).is_err(), "{length} bytes");
        }
        let longer = [FILE, b"x"].concat();
        assert_eq!(Network::read(&longer).unwrap_err(), NotANetwork("bytes behind its end"));
        for place in 0..200 {
            let mut damaged = FILE.to_vec();
            damaged[place] ^= 0x15;
            // Some changes give another network; none may panic.
            let _ = Network::read(&damaged);
        }
    }
}
