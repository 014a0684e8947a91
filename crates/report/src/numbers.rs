//! The arithmetic of charts: intervals, quantiles, bins, axes.

use serde::Serialize;

/// A quantile of sorted values, interpolated between neighbours; zero if there are no values.
pub(crate) fn quantile(sorted: &[u64], share: f64) -> f64 {
    let Some(last) = sorted.len().checked_sub(1) else { return 0.0 };
    let place = share.clamp(0.0, 1.0) * last as f64;
    let (below, above) = (sorted[place.floor() as usize] as f64, sorted[place.ceil() as usize] as f64);
    below + (above - below) * place.fract()
}

/// Equal bins over a part of the axis.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Stretch {
    /// The first value of the first bin.
    pub(crate) low: i64,
    /// The number of integers in a bin.
    pub(crate) width: i64,
    /// The number of bins.
    pub(crate) bins: usize,
}

impl Stretch {
    fn of(low: i64, high: i64, most: usize) -> Stretch {
        let span = i128::from(high) - i128::from(low);
        let mut width: i128 = 1;
        let steps = [2, 5, 10];
        let mut decade: i128 = 1;
        while span / width >= most as i128 {
            width = steps.iter().map(|step| step * decade).find(|&wider| wider > width).unwrap_or(width);
            if width == 10 * decade {
                decade = width;
            }
        }
        let low = i128::from(low).div_euclid(width) * width;
        let bins = (i128::from(high) - low) / width + 1;
        // A first bin that would begin below the smallest integer begins there instead.
        let low = i64::try_from(low).unwrap_or(i64::MIN);
        Stretch { low, width: i64::try_from(width).unwrap_or(i64::MAX), bins: bins as usize }
    }

    fn bin(&self, value: i64) -> Option<usize> {
        let at = (i128::from(value) - i128::from(self.low)) / i128::from(self.width);
        (value >= self.low && at < self.bins as i128).then_some(at as usize)
    }

    /// The first and the last value of a bin.
    pub(crate) fn range(&self, bin: usize) -> (i64, i64) {
        let from = self.low.saturating_add(self.width.saturating_mul(bin as i64));
        (from, from.saturating_add(self.width - 1))
    }
}

/// A histogram of integers for several players over the same bins. If values form clusters that are far apart
/// (points, and points with a bonus of a million), the axis has a stretch for each cluster and nothing between them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub(crate) struct Histogram {
    pub(crate) stretches: Vec<Stretch>,
    /// Counts by player, over the bins of all stretches.
    pub(crate) counts: Vec<Vec<u64>>,
}

impl Histogram {
    /// Most bins; there may be one or two more because bins begin at round numbers.
    const BINS: usize = 24;
    /// A range up to this is never split.
    const WHOLE: i128 = 60;

    pub(crate) fn of(values: &[Vec<i64>]) -> Histogram {
        let mut all: Vec<i64> = values.iter().flatten().copied().collect();
        all.sort_unstable();
        all.dedup();
        let mut heaps: Vec<&[i64]> = if all.is_empty() { vec![] } else { vec![&all] };
        while heaps.len() < 3 {
            let Some((heap, at)) =
                heaps.iter().enumerate().find_map(|(i, heap)| Some((i, widest_gap(heap)?)))
            else {
                break;
            };
            let (left, right) = heaps[heap].split_at(at);
            heaps.splice(heap..=heap, [left, right]);
        }
        let each = Histogram::BINS / heaps.len().max(1);
        let stretches: Vec<Stretch> =
            heaps.iter().map(|heap| Stretch::of(heap[0], heap[heap.len() - 1], each)).collect();
        let bins = stretches.iter().map(|stretch| stretch.bins).sum();
        let counted = |values: &Vec<i64>| {
            let mut counts = vec![0; bins];
            for &value in values {
                let mut before = 0;
                for stretch in &stretches {
                    if let Some(bin) = stretch.bin(value) {
                        counts[before + bin] += 1;
                        break;
                    }
                    before += stretch.bins;
                }
            }
            counts
        };
        let counts = values.iter().map(counted).collect();
        Histogram { stretches, counts }
    }

    /// The first and the last value of each bin.
    pub(crate) fn ranges(&self) -> Vec<(i64, i64)> {
        self.stretches.iter().flat_map(|stretch| (0..stretch.bins).map(|bin| stretch.range(bin))).collect()
    }
}

/// The position at which sorted values split into two clusters whose distance is greater than the rest of the range.
fn widest_gap(sorted: &[i64]) -> Option<usize> {
    let span = i128::from(*sorted.last()?) - i128::from(sorted[0]);
    let gap = |at: &usize| i128::from(sorted[*at]) - i128::from(sorted[*at - 1]);
    let widest = (1..sorted.len()).max_by_key(gap)?;
    (span > Histogram::WHOLE && gap(&widest) * 2 > span).then_some(widest)
}

/// An axis with marks at round numbers.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Axis {
    pub(crate) low: f64,
    pub(crate) high: f64,
    pub(crate) marks: Vec<f64>,
}

impl Axis {
    /// An axis from `low` to `high`, extended to the next round numbers.
    pub(crate) fn linear(low: f64, high: f64, marks: usize) -> Axis {
        let (low, high) =
            if low.is_finite() && high.is_finite() { (low.min(high), high.max(low)) } else { (0.0, 1.0) };
        let span =
            if high - low > f64::EPSILON * low.abs().max(high.abs()).max(1.0) { high - low } else { 1.0 };
        let rough = span / marks.max(1) as f64;
        let decade = 10f64.powf(rough.log10().floor());
        let step =
            [1.0, 2.0, 5.0, 10.0].map(|step| step * decade).into_iter().find(|&step| step >= rough * 0.999);
        let step = step.unwrap_or(10.0 * decade);
        let (first, last) =
            ((low / step).floor(), (low.max(high) / step).ceil().max((low / step).floor() + 1.0));
        let count = ((last - first) as usize).min(100);
        let marks: Vec<f64> = (0..=count).map(|i| (first + i as f64) * step).collect();
        Axis { low: marks[0], high: marks[count], marks }
    }

    /// An axis for positive numbers: marks at powers of ten, with two and five between them if there is room.
    pub(crate) fn logarithmic(low: f64, high: f64) -> Axis {
        let low = if low.is_finite() && low > 0.0 { low } else { 1.0 };
        let high = if high.is_finite() && high > low { high } else { 2.0 * low };
        let first = low.log10().floor() as i32;
        let last = ((high.log10().ceil() as i32).max(first + 1)).min(first + 12);
        let all: Vec<f64> =
            (first..=last).flat_map(|power| [1.0, 2.0, 5.0].map(|step| step * 10f64.powi(power))).collect();
        // The ends are the nearest marks outside; floating point numbers may miss them slightly.
        let from = all.iter().rposition(|&mark| mark <= low * 1.000_001).unwrap_or(0);
        let to = all.iter().position(|&mark| mark >= high * 0.999_999).unwrap_or(all.len() - 1).max(from + 1);
        let many = to - from > 7;
        let marks = (from..=to).filter(|at| !many || at % 3 == 0).map(|at| all[at]).collect();
        Axis { low: all[from], high: all[to], marks }
    }
}

#[cfg(test)]
// These numbers are exact.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_lie_between_neighbours() {
        assert_eq!(quantile(&[], 0.5), 0.0);
        assert_eq!(quantile(&[7], 0.95), 7.0);
        assert_eq!(
            [0.0, 0.5, 0.75, 1.0].map(|share| quantile(&[10, 20, 30, 50], share)),
            [10.0, 25.0, 35.0, 50.0]
        );
    }

    #[test]
    fn each_value_falls_into_the_bin_that_names_it() {
        let values = vec![(-30..300).collect::<Vec<i64>>(), vec![5, 5, 299]];
        let histogram = Histogram::of(&values);
        assert_eq!(histogram.stretches, [Stretch { low: -40, width: 20, bins: 17 }]);
        for (counts, values) in histogram.counts.iter().zip(&values) {
            for ((from, to), count) in histogram.ranges().into_iter().zip(counts) {
                let held = values.iter().filter(|value| (from..=to).contains(value)).count();
                assert_eq!(*count, held as u64, "{from} to {to}");
            }
            assert_eq!(counts.iter().sum::<u64>(), values.len() as u64);
        }
    }

    #[test]
    fn distant_clusters_have_their_own_stretch() {
        let values = vec![vec![300, 2_000, 1_900, 1_000_012, 1_000_003]];
        let histogram = Histogram::of(&values);
        assert_eq!(histogram.stretches.len(), 3, "{histogram:?}");
        assert_eq!(histogram.counts[0].iter().sum::<u64>(), 5);
        let lives = Histogram::of(&[vec![-1, 6, 6, 0]]);
        assert_eq!(lives.stretches, [Stretch { low: -1, width: 1, bins: 8 }]);
    }

    #[test]
    fn extreme_values_are_counted_too() {
        for values in [vec![i64::MIN, i64::MAX], vec![i64::MIN, 0, i64::MAX], vec![i64::MAX], vec![i64::MIN]]
        {
            let histogram = Histogram::of(std::slice::from_ref(&values));
            assert_eq!(histogram.counts[0].iter().sum::<u64>(), values.len() as u64, "{histogram:?}");
            assert!(histogram.counts[0].len() <= Histogram::BINS + 3, "{histogram:?}");
        }
        assert!(Histogram::of(&[vec![], vec![]]).ranges().is_empty());
    }

    #[test]
    fn axes_have_round_marks_and_hold_what_they_show() {
        assert_eq!(Axis::linear(0.0, 97.0, 5).marks, [0.0, 20.0, 40.0, 60.0, 80.0, 100.0]);
        let log = Axis::logarithmic(0.3, 400.0);
        assert_eq!((log.low, log.high, &log.marks[..]), (0.2, 500.0, &[1.0, 10.0, 100.0][..]));
        assert_eq!(Axis::logarithmic(3.0, 50.0).marks, [2.0, 5.0, 10.0, 20.0, 50.0]);
        for (low, high) in
            [(3.0, 3.0), (-1e9, 1e-9), (0.0, 0.0), (f64::NAN, 1.0), (1e300, 2e300), (-5.0, -4.9)]
        {
            let axis = Axis::linear(low, high, 5);
            assert!(
                axis.low < axis.high && axis.marks.len() >= 2 && axis.marks.len() < 20,
                "{low} {high}: {axis:?}"
            );
            assert!(!(axis.low > low || axis.high < high), "{low} {high}: {axis:?}");
        }
        assert_eq!(Axis::logarithmic(0.0, f64::INFINITY).marks, [1.0, 2.0]);
    }
}
