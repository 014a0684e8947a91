//! The normal distribution.

/// The 97.5 % quantile: half the width of a 95 % interval, in standard errors.
pub(crate) const Z95: f64 = 1.959_963_984_540_054;

/// Beyond this value the tail is computed separately, so that it keeps its relative precision.
const TAIL: f64 = 3.0;

/// The probability that a standard normal variable is below `x`. In the middle by the series of G. Marsaglia
/// ("Evaluating the normal distribution", 2004), in the tails by Laplace's continued fraction. NaN counts as zero.
pub(crate) fn cdf(x: f64) -> f64 {
    if x.is_nan() {
        0.5
    } else if x > TAIL {
        1.0 - upper_tail(x)
    } else if x < -TAIL {
        upper_tail(-x)
    } else {
        let mut term = x;
        let mut sum = x;
        let mut odd = 1.0;
        while term.abs() > 1e-17 {
            odd += 2.0;
            term *= x * x / odd;
            sum += term;
        }
        0.5 + sum * density(x)
    }
}

fn upper_tail(x: f64) -> f64 {
    let density = density(x);
    if density == 0.0 {
        return 0.0;
    }
    // 120 levels from below are far more than a double needs at x >= 3.
    let fraction = (1..=120).rev().fold(x, |below, level| x + f64::from(level) / below);
    density / fraction
}

fn density(x: f64) -> f64 {
    (-0.5 * x * x).exp() / (2.0 * std::f64::consts::PI).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values by mpmath 1.3: `mp.dps = 30; ncdf(x)`.
    #[test]
    fn agrees_with_thirty_digits() {
        let table = [
            (0.0, 0.5),
            (1.0, 0.841_344_746_068_542_9),
            (-1.0, 0.158_655_253_931_457_05),
            (1.959_963_984_540_054, 0.975),
            (2.999, 0.998_645_663_466_272_9),
            (3.001, 0.998_654_527_174_915),
            (-5.0, 2.866_515_718_791_939e-7),
            (-10.0, 7.619_853_024_160_526e-24),
        ];
        for (x, expected) in table {
            let got = cdf(x);
            assert!((got - expected).abs() <= 1e-13 * expected, "cdf({x}) = {got}, not {expected}");
        }
        assert!(cdf(1e9) >= 1.0 && cdf(-1e9) <= 0.0 && (cdf(f64::NAN) - 0.5).abs() < 1e-15);
    }
}
