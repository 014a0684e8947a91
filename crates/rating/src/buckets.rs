//! Groups of values.

/// Divides values into a few buckets of about the same size: one for each value if there are few different ones.
/// Returns the inclusive bounds of each bucket.
#[must_use]
pub fn buckets(values: &[f64]) -> Vec<(f64, f64)> {
    const MOST: usize = 5;
    let mut sorted: Vec<f64> = values.iter().copied().filter(|value| value.is_finite()).collect();
    sorted.sort_by(f64::total_cmp);
    let mut different = sorted.clone();
    different.dedup();
    if different.len() <= MOST + 1 {
        return different.into_iter().map(|value| (value, value)).collect();
    }
    let mut buckets: Vec<(f64, f64)> = Vec::new();
    let mut from = 0;
    for part in 1..=MOST {
        // Equal values stay together.
        let mut to = (sorted.len() * part / MOST).max(from);
        while to > from && to < sorted.len() && sorted[to].total_cmp(&sorted[to - 1]).is_eq() {
            to += 1;
        }
        if to > from {
            buckets.push((sorted[from], sorted[to - 1]));
            from = to;
        }
    }
    buckets
}

#[cfg(test)]
// These numbers are exact.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    #[test]
    fn buckets_share_the_values_evenly() {
        assert_eq!(buckets(&[2.0, 1.0, 2.0]), [(1.0, 1.0), (2.0, 2.0)]);
        let values: Vec<f64> = (0..100).map(f64::from).collect();
        assert_eq!(buckets(&values), [(0.0, 19.0), (20.0, 39.0), (40.0, 59.0), (60.0, 79.0), (80.0, 99.0)]);
        let mut heaped = vec![7.0; 90];
        heaped.extend((0..10).map(f64::from));
        let heaped = buckets(&heaped);
        assert!(heaped.len() <= 5 && heaped.windows(2).all(|pair| pair[0].1 < pair[1].0), "{heaped:?}");
        assert!(buckets(&[f64::NAN]).is_empty());
    }
}
