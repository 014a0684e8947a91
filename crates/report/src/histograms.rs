//! Histograms: final scores and lengths of matches.

use crate::charts::{Figure, classes, mark, number};
use crate::clean::{put, short, thousands};
use crate::numbers::{Axis, Histogram, Stretch};
use crate::run_report::RunReport;
use crate::svg::{Plot, Size};

/// A histogram of one player's final scores, over the bins that all players share.
pub(crate) fn scores(findings: &RunReport, player: usize) -> Option<Figure> {
    let histogram = &findings.scores;
    let counts = histogram.counts.get(player)?;
    let total: u64 = counts.iter().sum();
    let most = counts.iter().copied().max().filter(|&most| most > 0)?;
    let usual = histogram.ranges()[counts.iter().position(|&count| count == most)?];
    let name = short(findings.name(player), 30);
    let title = format!("{name}: most often {}", range(usual));
    let top = histogram.counts.iter().map(|counts| largest_share(counts)).fold(0.0, f64::max);
    let layers = [(classes(player), counts.as_slice())];
    let tip = |bin: (i64, i64), counts: &[u64]| {
        format!(
            "{name} scored {} in {} of {} games",
            range(bin),
            thousands(counts[0] as i64),
            thousands(total as i64)
        )
    };
    let svg =
        histogram_plot(histogram, &layers, total, top, ["share of its games", "final score"], tip, &title);
    Some(Figure { title, note: String::new(), svg, player: Some(player) })
}

/// The lengths of matches.
pub(crate) fn lengths(findings: &RunReport) -> Option<Figure> {
    let lengths = &findings.lengths;
    let histogram = &lengths.turns;
    let total: u64 = histogram.counts.iter().flatten().sum();
    if total == 0 {
        return None;
    }
    let title = format!(
        "Half of the matches are over after {} turns, the longest takes {}",
        lengths.median, lengths.longest
    );
    let colours: Vec<String> = match lengths.kinds.len() {
        1 => vec!["plain".into()],
        _ => vec!["c0".into(), "plain".into(), "c1".into()],
    };
    let layers: Vec<(String, &[u64])> = colours
        .into_iter()
        .zip(&histogram.counts)
        .map(|(class, counts)| (class, counts.as_slice()))
        .collect();
    let bins = histogram.counts[0].len();
    let top =
        (0..bins).map(|bin| layers.iter().map(|(_, counts)| counts[bin]).sum::<u64>()).max().unwrap_or(0);
    let tip = |bin: (i64, i64), counts: &[u64]| {
        let mut tip = format!(
            "{} turns: {} of {} matches",
            range(bin),
            thousands(counts.iter().sum::<u64>() as i64),
            thousands(total as i64)
        );
        if counts.len() > 1 {
            for (kind, count) in lengths.kinds.iter().zip(counts) {
                put(&mut tip, format_args!(" | {}: {}", short(kind, 34), thousands(*count as i64)));
            }
        }
        tip
    };
    let top = top as f64 / total as f64;
    let draw =
        histogram_plot(histogram, &layers, total, top, ["share of matches", "turns of a match"], tip, &title);
    Some(Figure { title, note: String::new(), svg: draw, player: None })
}

fn largest_share(counts: &[u64]) -> f64 {
    let total: u64 = counts.iter().sum();
    counts.iter().copied().max().unwrap_or(0) as f64 / total.max(1) as f64
}

fn range((from, to): (i64, i64)) -> String {
    if from == to { thousands(from) } else { format!("{} to {}", thousands(from), thousands(to)) }
}

/// Bars over bins, stacked in layers, as shares of a total.
fn histogram_plot(
    histogram: &Histogram,
    layers: &[(String, &[u64])],
    total: u64,
    top: f64,
    [upright, across]: [&str; 2],
    tip: impl Fn((i64, i64), &[u64]) -> String,
    seen: &str,
) -> String {
    let mut plot = Plot::new(Size::CARD, 4);
    let y = plot.upright(&Axis::linear(0.0, 100.0 * top, 4), upright, |value| format!("{} %", number(value)));
    let [left, right, top_edge, bottom] = plot.inside();
    let gaps = histogram.stretches.len().saturating_sub(1) as f64;
    let bins: usize = histogram.stretches.iter().map(|stretch| stretch.bins).sum();
    let width = (right - left - 18.0 * gaps) / bins.max(1) as f64;
    let (mut x, mut bin) = (left, 0);
    for (at, stretch) in histogram.stretches.iter().enumerate() {
        if at > 0 {
            plot.text("break middle", x + 9.0, bottom + 4.0, "//");
            x += 18.0;
        }
        let from = x;
        name_bins(&mut plot, stretch, from, width);
        for own in 0..stretch.bins {
            let mut below = 0u64;
            let counts: Vec<u64> = layers.iter().map(|(_, counts)| counts[bin]).collect();
            for ((class, _), count) in layers.iter().zip(&counts) {
                let share = |count: u64| y.at(100.0 * count as f64 / total.max(1) as f64);
                if *count > 0 {
                    plot.rect(
                        &format!("bar {class}"),
                        [x + 0.5, share(below)],
                        [x + width - 0.5, share(below + count)],
                        None,
                    );
                }
                below += count;
            }
            plot.rect("stripe", [x, top_edge], [x + width, bottom], Some(&tip(stretch.range(own), &counts)));
            x += width;
            bin += 1;
        }
        plot.line("zero", [from, bottom], [x, bottom]);
    }
    plot.label_below(across);
    plot.finish("card", seen)
}

/// Labels bins at even distances, as many as fit.
fn name_bins(plot: &mut Plot, stretch: &Stretch, from: f64, width: f64) {
    let names: Vec<String> = (0..stretch.bins).map(|bin| bin_mark(stretch, bin)).collect();
    let room = 6.6 * names.iter().map(|name| name.chars().count()).max().unwrap_or(1) as f64;
    let each = ((room + 8.0) / width).ceil().max(1.0) as usize;
    let mut free = f64::NEG_INFINITY;
    for (bin, name) in names.iter().enumerate().step_by(each) {
        // A wide bin is labelled under its left edge, one with a single number under its middle.
        let place = from + width * (bin as f64 + if stretch.width == 1 { 0.5 } else { 0.0 });
        // Labels of neighbouring stretches must not overlap.
        let place = place.max(from + room / 2.0 - 8.0);
        let fits = place + room / 2.0 <= from + width * stretch.bins as f64 + 8.0;
        if bin == 0 || (fits && place - room / 2.0 >= free) {
            plot.mark_below(place, name);
            free = place + room / 2.0 + 4.0;
        }
    }
}

/// The label of a bin: short, unless its neighbour would have the same label.
fn bin_mark(stretch: &Stretch, bin: usize) -> String {
    let short = |bin: usize| mark(stretch.range(bin).0 as f64);
    if short(bin) == short(bin + 1) { thousands(stretch.range(bin).0) } else { short(bin) }
}
