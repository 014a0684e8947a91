//! The charts: each turns a part of the report into a figure with a title that states the finding.

use rating::Estimate;

use crate::clean::{put, short, thousands};
use crate::numbers::Axis;
use crate::outcomes::Sorted;
use crate::run_report::{PlayerTimes, Quantiles, RunReport, TurnMetric};
use crate::svg::{Plot, Size};
use crate::verdict::{Curve, Tuned, Verdict};

/// The number of colours; players beyond them share a colour and differ in their dashes.
const COLOURS: usize = 8;
/// Most lines with intervals: more intervals would hide each other.
const MOST_BANDS: usize = 3;
/// Most players side by side in one chart.
pub(crate) const MOST_BESIDE: usize = 4;

/// A chart with its texts.
pub(crate) struct Figure {
    /// The finding.
    pub(crate) title: String,
    /// How to read it.
    pub(crate) note: String,
    /// The pictures: one, or a narrow and a wide one of the same data.
    pub(crate) svg: String,
    /// The player, if the chart is about a single one.
    pub(crate) player: Option<usize>,
}

/// The CSS classes of a player's elements: its colour, its dashes, and the name for hiding it.
pub(crate) fn classes(player: usize) -> String {
    format!("c{} d{} s{player}", player % COLOURS, player / COLOURS % 3)
}

/// A number with its significant digits.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    if size >= 1e7 || (size > 0.0 && size < 1e-3) {
        format!("{value:.1e}")
    } else if size >= 1000.0 {
        thousands(value.round() as i64)
    } else if value.fract() == 0.0 {
        format!("{value:.0}").replace('-', "−")
    } else {
        let text = format!(
            "{value:.*}",
            if size >= 100.0 {
                1
            } else if size >= 1.0 {
                2
            } else {
                3
            }
        );
        text.trim_end_matches('0').trim_end_matches('.').replace('-', "−")
    }
}

/// A short number for a mark of an axis: thousands, millions and more are abbreviated.
pub(crate) fn mark(value: f64) -> String {
    let size = value.abs();
    let units = [(1e9, "G"), (1e6, "M"), (1e3, "k")];
    let round =
        units.iter().find(|(unit, _)| size >= *unit && size < unit * 1e3 && size % (unit / 10.0) == 0.0);
    round.map_or_else(|| number(value), |(unit, name)| format!("{}{name}", number(value / unit)))
}

fn signed(value: f64) -> String {
    format!("{value:+.0}").replace('-', "−")
}

/// An interval in words; a bound at the cap counts as no bound.
pub(crate) fn interval(elo: &Estimate) -> String {
    let bound = |value: f64| match value {
        value if value >= rating::ELO_CAP => "∞".to_owned(),
        value if value <= -rating::ELO_CAP => "−∞".to_owned(),
        value => signed(value),
    };
    format!("{} ({} to {})", signed(elo.value), bound(elo.low), bound(elo.high))
}

/// Ratings over games.
pub(crate) fn ratings(findings: &RunReport, curve: &Curve) -> Option<Figure> {
    let last = *curve.games.last()?;
    let versus = match findings.kind {
        "duel" => Some((findings.name(0), findings.name(1))),
        "tune" => Some(match &findings.verdict {
            Verdict::Tune { against: Some(opponent), .. } => ("what was found", opponent.as_str()),
            _ => ("what was found", "the start"),
        }),
        _ => None,
    };
    let title = match versus {
        Some((first, second)) => {
            let elo = curve.lines.first()?.1.last()?;
            format!(
                "{} against {}: {} Elo after {} games",
                short(first, 30),
                short(second, 30),
                interval(elo),
                thousands(last as i64)
            )
        }
        None => format!("Ratings after each of {} games", thousands(last as i64)),
    };
    let note = match versus {
        Some(_) => {
            "The line is the estimate after so many games, the band its 95 % interval. Above zero the first bot is better."
        }
        None if curve.lines.len() <= MOST_BANDS => "Elo above the mean of all; the bands are 95 % intervals.",
        None => "Elo above the mean of all. Point at the chart for the 95 % intervals.",
    };
    let draw = |size: Size, class: &str| rating_plot(findings, curve, size, class, &title);
    let svg = draw(Size::CARD, "narrow") + &draw(Size::WIDE, "wide");
    Some(Figure { title, note: note.to_owned(), svg, player: None })
}

fn rating_plot(findings: &RunReport, curve: &Curve, size: Size, class: &str, seen: &str) -> String {
    // The first few games are not meaningful, and their intervals would flatten the rest of the chart: bands begin after
    // them, and are whole.
    let settled = curve.games.len() / 8;
    let shown = || curve.lines.iter().flat_map(|(_, line)| line.iter().skip(settled));
    let values = curve.lines.iter().flat_map(|(_, line)| line.iter().skip(settled / 2)).map(|elo| elo.value);
    let with_bands = curve.lines.len() <= MOST_BANDS;
    let reach = |pick: fn(&Estimate) -> f64| shown().filter(move |_| with_bands).map(pick);
    let low = values.clone().chain(reach(|elo| elo.low.max(elo.value - 800.0))).fold(0.0, f64::min);
    let high = values.chain(reach(|elo| elo.high.min(elo.value + 800.0))).fold(0.0, f64::max);
    let mut plot = Plot::new(size, 5);
    let y = plot.upright(&Axis::linear(low, high, 5), "Elo", mark);
    let marks = if size.width > 600.0 { 8 } else { 4 };
    let last = curve.games.last().copied().unwrap_or(1) as f64;
    let mut across = Axis::linear(0.0, last, marks);
    // The axis ends with the last game, not with a round number beyond it.
    across.high = last.max(1.0);
    across.marks.retain(|&mark| mark <= last && mark.fract() == 0.0);
    let x = plot.across(&across, false, "games", mark);
    let places: Vec<f64> = curve.games.iter().map(|&games| x.at(games as f64)).collect();
    for (player, line) in curve.lines.iter().filter(|_| with_bands) {
        let points: Vec<[f64; 3]> = places
            .iter()
            .zip(line)
            .skip(settled)
            .map(|(&x, elo)| [x, y.at(elo.low), y.at(elo.high)])
            .collect();
        plot.band(&format!("band {}", classes(*player)), &points);
    }
    for (player, line) in &curve.lines {
        let class = format!("curve {}", classes(*player));
        plot.path(&class, places.iter().zip(line).map(|(&x, elo)| [x, y.at(elo.value)]));
        if let (Some(&x), Some(elo)) = (places.last(), line.last()) {
            plot.dot(&format!("dot {}", classes(*player)), x, y.at(elo.value), 3.0);
        }
    }
    plot.stripes(&places, |at| {
        let mut tip = format!("after {} games", thousands(curve.games[at] as i64));
        let mut lines: Vec<&(usize, Vec<Estimate>)> = curve.lines.iter().collect();
        lines.sort_by(|a, b| b.1[at].value.total_cmp(&a.1[at].value));
        for (player, line) in lines.iter().take(12) {
            put(&mut tip, format_args!(" | {}: {}", short(findings.name(*player), 24), interval(&line[at])));
        }
        tip
    });
    plot.finish(class, seen)
}

/// The values of a tuned parameter, step by step.
pub(crate) fn parameter(tuned: &Tuned) -> Figure {
    let steps = tuned.path.len() - 1;
    let title = format!(
        "{}: {} at the start, {} after {steps} steps",
        short(&tuned.name, 30),
        tuned.start,
        tuned.found
    );
    let mut plot = Plot::new(Size::CARD, 6);
    let y = plot.upright(&Axis::linear(tuned.low, tuned.high, 4), &short(&tuned.name, 30), mark);
    let mut across = Axis::linear(0.0, steps as f64, 4);
    across.high = (steps as f64).max(1.0);
    across.marks.retain(|&mark| mark <= across.high && mark.fract() == 0.0);
    let x = plot.across(&across, false, "steps", mark);
    // At most as many points as a picture can show.
    let each = steps.div_ceil(160).max(1);
    let shown: Vec<usize> = (0..=steps).filter(|step| step % each == 0 || *step == steps).collect();
    plot.path("curve c0", shown.iter().map(|&step| [x.at(step as f64), y.at(tuned.path[step])]));
    let places: Vec<f64> = shown.iter().map(|&step| x.at(step as f64)).collect();
    plot.stripes(&places, |at| format!("after {} steps: {}", shown[at], number(tuned.path[shown[at]])));
    let svg = plot.finish("card", &title);
    let range = format!("The best value is from {} to {}", number(tuned.seen.low), number(tuned.seen.high));
    let words = tuned.seen.state.words();
    let note = if words.is_empty() { format!("{range}.") } else { format!("{range}; {words}.") };
    Figure { title, note, svg, player: None }
}

/// The durations of a player's answers, compared with the limit.
pub(crate) fn times(findings: &RunReport, times: &PlayerTimes) -> Option<Figure> {
    // A bot that plays in memory has no times.
    let longest = times.longest.as_ref().filter(|longest| longest.max > 0.0)?;
    let limit = findings.times.limit_ms.map(f64::from);
    let name = short(findings.name(times.player), 30);
    let title = match limit {
        Some(limit) => {
            format!("{name}: slowest answer {} ms of {} ms", number(longest.max / 1000.0), number(limit))
        }
        None => format!("{name}: slowest answer {} ms", number(longest.max / 1000.0)),
    };
    let rows: Vec<(&str, &Quantiles)> = [
        ("usual answer (median)", times.median.as_ref()),
        ("19 of 20 answers", times.p95.as_ref()),
        ("slowest answer", times.longest.as_ref()),
    ]
    .into_iter()
    .filter_map(|(label, quantiles)| Some((label, quantiles?)))
    .collect();
    // All players share the scale, so that their charts can be compared.
    let all = findings
        .times
        .players
        .iter()
        .flat_map(|player| [player.median, player.p95, player.longest])
        .flatten();
    let low = all.clone().map(|q| q.p5).filter(|&low| low > 0.0).fold(1000.0, f64::min).max(1.0) / 1000.0;
    let high = all.map(|q| q.max / 1000.0).chain(limit).fold(0.01, f64::max);
    let mut plot = Plot::new(Size { height: 86.0 + 42.0 * rows.len() as f64, ..Size::CARD }, 0);
    let x = plot.across(&Axis::logarithmic(low, high), true, "ms for an answer (logarithmic)", mark);
    let [.., top, bottom] = plot.inside();
    let class = classes(times.player);
    for (at, (label, q)) in rows.iter().enumerate() {
        let y = top + 26.0 + 42.0 * at as f64;
        let at = |us: f64| x.at((us / 1000.0).max(low));
        plot.text("row", 16.0, y - 9.0, label);
        plot.line(&format!("whisker {class}"), [at(q.p5), y + 5.0], [at(q.p95), y + 5.0]);
        plot.rect(
            &format!("bar {class}"),
            [at(q.p25), y - 2.0],
            [at(q.p75).max(at(q.p25) + 2.0), y + 12.0],
            None,
        );
        plot.line("median", [at(q.p50), y - 4.0], [at(q.p50), y + 14.0]);
        plot.dot(&format!("ring {class}"), at(q.max), y + 5.0, 3.0);
        let tip = format!(
            "{label}, over the matches | middle: {} ms | half of them: {} to {} ms | nine of ten: {} to {} ms | most: {} ms",
            ms(q.p50),
            ms(q.p25),
            ms(q.p75),
            ms(q.p5),
            ms(q.p95),
            ms(q.max)
        );
        let [left, right, ..] = plot.inside();
        plot.rect("stripe", [left, y - 20.0], [right, y + 20.0], Some(&tip));
    }
    if let Some(limit) = limit {
        plot.line("limit", [x.at(limit), top - 4.0], [x.at(limit), bottom]);
        plot.text("limit-word end", x.at(limit) - 4.0, top - 2.0, &format!("limit {} ms", number(limit)));
    }
    let svg = plot.finish("card", &title);
    Some(Figure { title, note: String::new(), svg, player: Some(times.player) })
}

fn ms(us: f64) -> String {
    number(us / 1000.0)
}

/// A metric over the turns.
pub(crate) fn metric(findings: &RunReport, metric: &TurnMetric) -> Option<Figure> {
    let players: Vec<&(usize, Vec<(u64, crate::gather::Spread)>)> = metric.players.iter().collect();
    let spreads = || players.iter().flat_map(|(_, places)| places);
    let with_bands = players.len() <= MOST_BANDS;
    let (first, last) = (spreads().map(|(turn, _)| *turn).min()?, spreads().map(|(turn, _)| *turn).max()?);
    let pick = |low: bool| {
        spreads().map(move |(_, spread)| match (with_bands, low) {
            (true, true) => spread.min,
            (true, false) => spread.max,
            _ => spread.mean,
        })
    };
    let axis = Axis::linear(
        pick(true).fold(f64::INFINITY, f64::min),
        pick(false).fold(f64::NEG_INFINITY, f64::max),
        4,
    );
    let title = format!("{} over the turns", short(&metric.name, 40));
    let mut plot = Plot::new(Size::CARD, 6);
    let y = plot.upright(&axis, &short(&metric.name, 40), mark);
    let mut across = Axis::linear(first as f64, last as f64, 4);
    (across.low, across.high) = (first as f64, (last as f64).max(first as f64 + 1.0));
    across.marks.retain(|&mark| mark >= first as f64 && mark <= last as f64 && mark.fract() == 0.0);
    let x = plot.across(&across, false, "turn of the bot", mark);
    for (player, places) in players.iter().filter(|_| with_bands) {
        let points: Vec<[f64; 3]> = places
            .iter()
            .map(|(turn, spread)| [x.at(*turn as f64), y.at(spread.min), y.at(spread.max)])
            .collect();
        plot.band(&format!("band {}", classes(*player)), &points);
    }
    for (player, places) in &players {
        let class = format!("curve {}", classes(*player));
        plot.path(&class, places.iter().map(|(turn, spread)| [x.at(*turn as f64), y.at(spread.mean)]));
    }
    let mut turns: Vec<u64> = spreads().map(|(turn, _)| *turn).collect();
    turns.sort_unstable();
    turns.dedup();
    let places: Vec<f64> = turns.iter().map(|&turn| x.at(turn as f64)).collect();
    plot.stripes(&places, |at| {
        let mut tip = format!("turn {}", turns[at]);
        for (player, places) in players.iter().take(12) {
            if let Ok(found) = places.binary_search_by_key(&turns[at], |(turn, _)| *turn) {
                let spread = places[found].1;
                let name = short(findings.name(*player), 24);
                put(
                    &mut tip,
                    format_args!(
                        " | {name}: mean {}, {} to {}, {} matches",
                        number(spread.mean),
                        number(spread.min),
                        number(spread.max),
                        spread.count
                    ),
                );
            }
        }
        tip
    });
    let svg = plot.finish("card", &title);
    Some(Figure { title, note: String::new(), svg, player: None })
}

/// Shares of points by seat or by a feature of the map.
pub(crate) fn shares(findings: &RunReport, sorted: &Sorted) -> Option<Figure> {
    let players: Vec<usize> = match findings.kind {
        // The second bot of a duel has the complementary share.
        "duel" => vec![0],
        _ => findings.order().into_iter().take(MOST_BESIDE).collect(),
    };
    let group_name = |range: (f64, f64)| {
        if range.0 >= range.1 {
            number(range.0)
        } else {
            format!("{}–{}", number(range.0), number(range.1))
        }
    };
    let shares = || {
        sorted.groups.iter().flat_map(|group| {
            players.iter().filter_map(move |&player| Some((group.range, group.shares.get(player)?.as_ref()?)))
        })
    };
    shares().next()?;
    let title = if players.len() == 1 {
        let (best, worst) = (
            shares().max_by(|a, b| a.1.points.value.total_cmp(&b.1.points.value))?,
            shares().min_by(|a, b| a.1.points.value.total_cmp(&b.1.points.value))?,
        );
        let name = short(findings.name(players[0]), 30);
        let percent = |share: &crate::outcomes::Share| format!("{:.0} %", 100.0 * share.points.value);
        // If the intervals overlap, there is no finding yet.
        if best.1.points.low > worst.1.points.high {
            let by = if sorted.by == "seat" { "in seat" } else { "at" };
            let unit = if sorted.by == "seat" { String::new() } else { format!(" {}", sorted.unit) };
            format!(
                "{}: {name} takes {} {by} {}{unit}, {} {by} {}",
                capital(sorted.by),
                percent(best.1),
                group_name(best.0),
                percent(worst.1),
                group_name(worst.0)
            )
        } else {
            format!("{}: no clear difference for {name}", capital(sorted.by))
        }
    } else {
        format!("Points by {}", sorted.by)
    };
    let mut plot = Plot::new(Size::CARD, 5);
    let y = plot.upright(&Axis::linear(0.0, 100.0, 4), "share of points", |value| format!("{value:.0} %"));
    let [left, right, top, bottom] = plot.inside();
    plot.line("half", [left, y.at(50.0)], [right, y.at(50.0)]);
    let width = (right - left) / sorted.groups.len() as f64;
    for (at, group) in sorted.groups.iter().enumerate() {
        let from = left + width * at as f64;
        let mut tip = match sorted.by {
            "seat" => format!("seat {}", group_name(group.range)),
            _ => format!("{}: {} {}", sorted.by, group_name(group.range), sorted.unit),
        };
        for (beside, &player) in players.iter().enumerate() {
            let Some(share) = group.shares.get(player).and_then(Option::as_ref) else { continue };
            let x = from + width * (beside as f64 + 1.0) / (players.len() as f64 + 1.0);
            let class = classes(player);
            let Estimate { value, low, high } = share.points;
            plot.line(&format!("whisker {class}"), [x, y.at(100.0 * low)], [x, y.at(100.0 * high)]);
            plot.dot(&format!("dot {class}"), x, y.at(100.0 * value), 4.5);
            put(
                &mut tip,
                format_args!(
                    " | {}: {:.1} % ({:.1} to {:.1} %), {} {}",
                    short(findings.name(player), 24),
                    100.0 * value,
                    100.0 * low,
                    100.0 * high,
                    thousands(share.count as i64),
                    sorted.counted
                ),
            );
        }
        plot.mark_below(from + width / 2.0, &group_name(group.range));
        plot.rect("stripe", [from, top], [from + width, bottom], Some(&tip));
    }
    plot.label_below(if sorted.by == "seat" { "seat" } else { sorted.unit });
    let svg = plot.finish("card", &title);
    Some(Figure { title, note: String::new(), svg, player: None })
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_only_significant_digits() {
        let numbers = [0.0, 1.0, -2.5, 0.123_456, 123.456, 99_999.0, 1e9, 1e-9].map(number);
        assert_eq!(numbers, ["0", "1", "−2.5", "0.123", "123.5", "99,999", "1.0e9", "1.0e-9"]);
        let marks = [900.0, 6_000.0, 1_500.0, 25_000.0, 1_000_020.0, 3e9].map(mark);
        assert_eq!(marks, ["900", "6k", "1.5k", "25k", "1,000,020", "3G"]);
    }

    #[test]
    fn an_interval_without_a_bound_says_so() {
        let open = Estimate { value: 400.0, low: 12.4, high: rating::ELO_CAP };
        assert_eq!(interval(&open), "+400 (+12 to ∞)");
    }
}
