//! Axes of charts: label, range and ticks.

/// An axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// Quantity and unit.
    pub label: String,
    /// Minimum and maximum value shown. On a logarithmic axis, their logarithms to base 10.
    pub range: (f64, f64),
    /// Position of each tick, in the same scale as `range`, and its text.
    pub ticks: Vec<(f64, String)>,
    scale: Scale,
}

/// Meaning of the positions on an axis.
#[derive(Debug, Clone, Copy)]
enum Scale {
    /// Logarithms to base 10.
    Logarithmic,
    /// The numbers themselves.
    Linear,
    /// Shares from 0 to 1, displayed in percent.
    Shares,
    /// Indices of names.
    Names,
}

/// Largest number of ticks on an axis with equal steps.
const MOST_TICKS: f64 = 10.0;

/// Interval of coordinates on which an axis is drawn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Interval {
    /// Coordinate of the smallest value.
    pub(super) from: f64,
    /// Coordinate of the largest value.
    pub(super) to: f64,
}

impl Interval {
    /// Returns the middle.
    pub(super) fn middle(self) -> f64 {
        (self.from + self.to) / 2.0
    }
}

impl Axis {
    /// Creates a logarithmic axis (base 10) for positive values. Ticks are at powers of ten, and at multiples
    /// of them if the range is short.
    #[must_use]
    pub fn logarithmic(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let range = around(values.map(f64::log10), 0.05);
        let decades = range.1 - range.0;
        let multiples: &[f64] = match decades {
            ..=0.8 => &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0],
            ..=2.5 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let powers = multiples_of(step(decades).max(1.0), range.0.floor(), range.1);
        let ticks =
            powers.flat_map(|power| multiples.iter().map(move |multiple| multiple * 10_f64.powf(power)));
        let ticks =
            ticks.map(|value| (value.log10(), value)).filter(|(at, _)| (range.0..=range.1).contains(at));
        let ticks = ticks.map(|(at, value)| (at, plain(value))).collect();
        Self { label: label.to_owned(), range, ticks, scale: Scale::Logarithmic }
    }

    /// Creates an axis for values, with ticks at whole numbers.
    #[must_use]
    pub fn whole(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let range = around(values, 0.5);
        let ticks = multiples_of(step(range.1 - range.0).max(1.0), range.0, range.1);
        let ticks = ticks.map(|at| (at, plain(at))).collect();
        Self { label: label.to_owned(), range, ticks, scale: Scale::Linear }
    }

    /// Creates an axis of shares from 0 to 1, with ticks in percent.
    #[must_use]
    pub fn shares(label: &str) -> Self {
        let ticks = multiples_of(0.2, 0.0, 1.0).map(|at| (at, format!("{} %", plain(100.0 * at))));
        Self { label: label.to_owned(), range: (-0.03, 1.03), ticks: ticks.collect(), scale: Scale::Shares }
    }

    /// Creates an axis with a tick for each name, at 0, 1, 2 and so on.
    #[must_use]
    pub fn names(label: &str, names: impl Iterator<Item = String>) -> Self {
        let ticks: Vec<_> = (0..).map(f64::from).zip(names).collect();
        let range = (-0.5, ticks.len() as f64 - 0.5);
        Self { label: label.to_owned(), range, ticks, scale: Scale::Names }
    }

    /// Formats the value at a position, with four digits.
    pub(super) fn format_value(&self, at: f64) -> String {
        match self.scale {
            Scale::Logarithmic => digits(10_f64.powf(at)),
            Scale::Linear => digits(at),
            Scale::Shares => format!("{} %", digits(100.0 * at)),
            Scale::Names => {
                let nearest = self.ticks.iter().min_by(|a, b| (a.0 - at).abs().total_cmp(&(b.0 - at).abs()));
                nearest.map_or_else(String::new, |(_, name)| name.clone())
            }
        }
    }

    /// Maps a value to the interval on which the axis is drawn.
    pub(super) fn place(&self, value: f64, interval: Interval) -> f64 {
        let Interval { from, to } = interval;
        from + (value - self.range.0) / (self.range.1 - self.range.0) * (to - from)
    }
}

/// Returns the range of the values, extended at both ends by a twentieth of its length or by `least`,
/// whichever is larger.
fn around(values: impl Iterator<Item = f64>, least: f64) -> (f64, f64) {
    let bounds = values.fold(None, |bounds, value| {
        let (low, high) = bounds.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    });
    let (low, high) = bounds.unwrap_or((0.0, 1.0));
    let spare = ((high - low) * 0.05).max(least);
    (low - spare, high + spare)
}

/// Returns the smallest of 1, 2 and 5 times a power of ten that divides `length` into at most [`MOST_TICKS`]
/// steps.
fn step(length: f64) -> f64 {
    let power = 10_f64.powf((length / MOST_TICKS).log10().floor());
    let fits = |multiple: &f64| length / (multiple * power) <= MOST_TICKS;
    [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0) * power
}

fn multiples_of(step: f64, low: f64, high: f64) -> impl Iterator<Item = f64> {
    ((low / step).ceil() as i64..=(high / step).floor() as i64).map(move |i| i as f64 * step)
}

/// Formats a number with four digits, or with all digits of its integer part if there are more.
fn digits(value: f64) -> String {
    let before = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 + 1 };
    let behind = usize::try_from(4 - before).unwrap_or(0).min(6);
    let text = format!("{value:.behind$}");
    if behind == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// Formats a number without trailing zeros.
fn plain(value: f64) -> String {
    format!("{value:.6}").trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(axis: Axis) -> Vec<String> {
        axis.ticks.into_iter().map(|(_, text)| text).collect()
    }

    #[test]
    fn logarithmic_axes_have_marks_that_people_write() {
        let ticks = |values: &[f64]| texts(Axis::logarithmic("", values.iter().copied()));
        assert_eq!(ticks(&[0.01, 900.0]), ["0.01", "0.1", "1", "10", "100", "1000"]);
        assert_eq!(ticks(&[1.0, 9.0]), ["1", "2", "5", "10"]);
        assert_eq!(ticks(&[1.0, 2.7]), ["1", "1.2", "1.5", "2", "2.5", "3"]);
        assert_eq!(ticks(&[3.0]), ["3"]);
        assert_eq!(ticks(&[]), ["1", "2", "5", "10"]);
        assert_eq!(ticks(&[1.0, 1e12]).len(), 7);
    }

    #[test]
    fn places_on_an_axis_say_what_they_stand_for() {
        let logarithmic = Axis::logarithmic("", [0.01, 100.0].into_iter());
        assert_eq!([-2.0, 0.0, 1.0915].map(|at| logarithmic.format_value(at)), ["0.01", "1", "12.35"]);
        assert_eq!(Axis::whole("", [0.0, 1e6].into_iter()).format_value(123_456.0), "123456");
        assert_eq!(Axis::shares("").format_value(2.0 / 3.0), "66.67 %");
        let names = Axis::names("", ["3^3", "4^3"].map(str::to_owned).into_iter());
        assert_eq!([-0.2, 1.3].map(|at| names.format_value(at)), ["3^3", "4^3"]);
    }

    #[test]
    fn other_axes_have_about_ten() {
        let ticks = |low: f64, high: f64| texts(Axis::whole("", [low, high].into_iter()));
        assert_eq!(ticks(0.0, 7.0), ["0", "1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(ticks(-3.0, 14.0), ["-2", "0", "2", "4", "6", "8", "10", "12", "14"]);
        assert_eq!(ticks(0.0, 4e7).last().map(String::as_str), Some("40000000"));
        assert_eq!(texts(Axis::shares("")), ["0 %", "20 %", "40 %", "60 %", "80 %", "100 %"]);
    }
}
