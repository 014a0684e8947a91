//! Drawing: a plot with two axes as inline SVG. The style sheet sets colours and fonts, so that a picture adapts to
//! light and dark mode and to printing; texts that are shown on hover are in `data-tip`.

use crate::clean::{html, put};
use crate::numbers::Axis;

/// The size of a plot in its own units, which are about the pixels of a phone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Size {
    pub(crate) width: f64,
    pub(crate) height: f64,
}

impl Size {
    /// As wide as a phone; two or three fit side by side on a desktop screen.
    pub(crate) const CARD: Size = Size { width: 400.0, height: 230.0 };
    /// As wide as the page on a desktop screen.
    pub(crate) const WIDE: Size = Size { width: 900.0, height: 300.0 };
}

/// Maps values to coordinates.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scale {
    low: f64,
    high: f64,
    from: f64,
    to: f64,
    logarithmic: bool,
}

impl Scale {
    pub(crate) fn at(&self, value: f64) -> f64 {
        let turn = |value: f64| if self.logarithmic { value.max(1e-300).log10() } else { value };
        let (low, high) = (turn(self.low), turn(self.high));
        let share = (turn(value) - low) / (high - low);
        let share = if share.is_finite() { share.clamp(-2.0, 3.0) } else { 0.0 };
        self.from + (self.to - self.from) * share
    }
}

/// A plot that is being drawn.
#[derive(Debug)]
pub(crate) struct Plot {
    size: Size,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
    body: String,
}

impl Plot {
    /// An empty plot with room at the left for marks of this number of characters.
    pub(crate) fn new(size: Size, characters: usize) -> Plot {
        let left = 14.0 + 6.6 * characters as f64;
        let (right, top, bottom) = (size.width - 12.0, 24.0, size.height - 36.0);
        Plot { size, left, right, top, bottom, body: String::new() }
    }

    /// Left, right, top and bottom of the inside.
    pub(crate) fn inside(&self) -> [f64; 4] {
        [self.left, self.right, self.top, self.bottom]
    }

    /// Draws marks and horizontal lines; the label is above them.
    pub(crate) fn upright(&mut self, axis: &Axis, label: &str, mark: impl Fn(f64) -> String) -> Scale {
        let scale =
            Scale { low: axis.low, high: axis.high, from: self.bottom, to: self.top, logarithmic: false };
        for &value in &axis.marks {
            let y = scale.at(value);
            let class = if value == 0.0 { "zero" } else { "grid" };
            self.line(class, [self.left, y], [self.right, y]);
            self.text("tick end", self.left - 5.0, y + 4.0, &mark(value));
        }
        self.text("label", 4.0, 12.0, label);
        scale
    }

    /// Draws marks below the plot; the label is under them.
    pub(crate) fn across(
        &mut self,
        axis: &Axis,
        logarithmic: bool,
        label: &str,
        mark: impl Fn(f64) -> String,
    ) -> Scale {
        let scale = Scale { low: axis.low, high: axis.high, from: self.left, to: self.right, logarithmic };
        for &value in &axis.marks {
            let x = scale.at(value);
            self.line("grid", [x, self.top], [x, self.bottom]);
            self.mark_below(x, &mark(value));
        }
        self.label_below(label);
        scale
    }

    /// A mark under the plot.
    pub(crate) fn mark_below(&mut self, x: f64, text: &str) {
        // Keeps the last mark inside the picture.
        let half = 3.3 * text.chars().count() as f64;
        let x = x.min(self.size.width - half - 1.0);
        self.text("tick middle", x, self.bottom + 15.0, text);
    }

    /// The label under the plot.
    pub(crate) fn label_below(&mut self, label: &str) {
        self.text("label middle", f64::midpoint(self.left, self.right), self.size.height - 5.0, label);
    }

    pub(crate) fn text(&mut self, class: &str, x: f64, y: f64, text: &str) {
        let text = html(text);
        put(&mut self.body, format_args!("<text class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\">{text}</text>"));
    }

    pub(crate) fn line(&mut self, class: &str, from: [f64; 2], to: [f64; 2]) {
        let ([x1, y1], [x2, y2]) = (from, to);
        put(
            &mut self.body,
            format_args!(
                "<line class=\"{class}\" x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x2:.1}\" y2=\"{y2:.1}\"/>"
            ),
        );
    }

    /// A rectangle, with a text that is shown on hover.
    pub(crate) fn rect(&mut self, class: &str, from: [f64; 2], to: [f64; 2], tip: Option<&str>) {
        let (x, y) = (from[0].min(to[0]), from[1].min(to[1]));
        let (width, height) = ((to[0] - from[0]).abs(), (to[1] - from[1]).abs());
        put(
            &mut self.body,
            format_args!(
                "<rect class=\"{class}\" x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width:.1}\" height=\"{height:.1}\""
            ),
        );
        if let Some(tip) = tip {
            put(&mut self.body, format_args!(" data-tip=\"{}\"", html(tip)));
        }
        self.body.push_str("/>");
    }

    pub(crate) fn dot(&mut self, class: &str, x: f64, y: f64, radius: f64) {
        put(
            &mut self.body,
            format_args!("<circle class=\"{class}\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius:.1}\"/>"),
        );
    }

    /// A line through points, cut off at the edge of the plot.
    pub(crate) fn path(&mut self, class: &str, points: impl IntoIterator<Item = [f64; 2]>) {
        let path = self.points(points);
        put(&mut self.body, format_args!("<polyline class=\"{class}\" points=\"{path}\"/>"));
    }

    /// The area between two lines over the same positions.
    pub(crate) fn band(&mut self, class: &str, points: &[[f64; 3]]) {
        let above = points.iter().map(|&[x, _, high]| [x, high]);
        let below = points.iter().rev().map(|&[x, low, _]| [x, low]);
        let path = self.points(above.chain(below));
        put(&mut self.body, format_args!("<polygon class=\"{class}\" points=\"{path}\"/>"));
    }

    fn points(&self, points: impl IntoIterator<Item = [f64; 2]>) -> String {
        let mut path = String::new();
        for [x, y] in points {
            put(&mut path, format_args!("{x:.1},{:.1} ", y.clamp(self.top, self.bottom)));
        }
        path.truncate(path.trim_end().len());
        path
    }

    /// Vertical stripes, one around each position, that show a text on hover.
    pub(crate) fn stripes(&mut self, places: &[f64], tip: impl Fn(usize) -> String) {
        for (at, &x) in places.iter().enumerate() {
            let left = if at == 0 { self.left } else { f64::midpoint(places[at - 1], x) };
            let right = places.get(at + 1).map_or(self.right, |&next| f64::midpoint(x, next));
            self.rect("stripe", [left, self.top], [right, self.bottom], Some(&tip(at)));
        }
    }

    /// The picture, with a description for screen readers.
    pub(crate) fn finish(self, class: &str, seen: &str) -> String {
        let Size { width, height } = self.size;
        format!(
            "<svg class=\"{class}\" viewBox=\"0 0 {width:.0} {height:.0}\" role=\"img\" aria-label=\"{}\">{}</svg>",
            html(seen),
            self.body
        )
    }
}

#[cfg(test)]
// These numbers are exact.
#[allow(clippy::float_cmp)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_goes_from_edge_to_edge() {
        let mut plot = Plot::new(Size::CARD, 4);
        let [left, right, top, bottom] = plot.inside();
        let y = plot.upright(&Axis::linear(0.0, 100.0, 5), "share", |value| value.to_string());
        assert_eq!([y.at(0.0), y.at(100.0), y.at(50.0)], [bottom, top, f64::midpoint(top, bottom)]);
        let x = plot.across(&Axis::logarithmic(1.0, 100.0), true, "ms", |value| value.to_string());
        for (value, place) in [(1.0, left), (10.0, f64::midpoint(left, right)), (100.0, right)] {
            assert!((x.at(value) - place).abs() < 1e-9, "{value}");
        }
        assert!(x.at(f64::NAN).is_finite() && x.at(-1.0).is_finite() && y.at(f64::INFINITY).is_finite());
    }

    #[test]
    fn text_cannot_break_out_of_a_picture() {
        let mut plot = Plot::new(Size::CARD, 4);
        plot.text("tick", 0.0, 0.0, "</text><script>");
        plot.rect("bar", [0.0, 0.0], [1.0, 1.0], Some("\" onload=\"x"));
        let svg = plot.finish("", "\"><b>");
        assert!(!svg.contains("<script") && !svg.contains("\" onload") && !svg.contains("<b>"), "{svg}");
    }
}
