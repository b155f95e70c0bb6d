//! Axes: what they measure, from where to where, and where they have marks.

/// An axis.
#[derive(Debug, Clone)]
pub struct Axis {
    /// What it measures, with the unit.
    pub label: String,
    /// From where to where.
    pub range: (f64, f64),
    /// Where it has marks, and what they say.
    pub ticks: Vec<(f64, String)>,
    scale: Scale,
}

/// What the places on an axis stand for.
#[derive(Debug, Clone, Copy)]
enum Scale {
    /// Powers of ten.
    Logarithmic,
    /// Numbers.
    Linear,
    /// Parts of one.
    Shares,
    /// The nearest mark.
    Names,
}

/// About as many marks have room on an axis.
const MOST_TICKS: f64 = 10.0;

impl Axis {
    /// An axis of logarithms to base 10, with marks at powers of ten, and at multiples of them where there is room. It holds all
    /// the values, which are positive.
    #[must_use]
    pub fn logarithmic(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let range = around(values.map(f64::log10), 0.05);
        let decades = range.1 - range.0;
        let multiples: &[f64] = match decades {
            ..=0.8 => &[1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0],
            ..=2.5 => &[1.0, 2.0, 5.0],
            _ => &[1.0],
        };
        let powers = multiples_of(step(decades).max(1.0), (range.0.floor(), range.1));
        let ticks =
            powers.flat_map(|power| multiples.iter().map(move |multiple| multiple * 10_f64.powf(power)));
        let ticks =
            ticks.map(|value| (value.log10(), value)).filter(|(at, _)| (range.0..=range.1).contains(at));
        let ticks = ticks.map(|(at, value)| (at, plain(value))).collect();
        Self { label: label.to_owned(), range, ticks, scale: Scale::Logarithmic }
    }

    /// An axis that holds all the values, with marks at whole numbers.
    #[must_use]
    pub fn whole(label: &str, values: impl Iterator<Item = f64>) -> Self {
        let range = around(values, 0.5);
        let ticks = multiples_of(step(range.1 - range.0).max(1.0), range);
        let ticks = ticks.map(|at| (at, plain(at))).collect();
        Self { label: label.to_owned(), range, ticks, scale: Scale::Linear }
    }

    /// An axis of shares from 0 to 1, with marks in percent.
    #[must_use]
    pub fn shares(label: &str) -> Self {
        let ticks = multiples_of(0.2, (0.0, 1.0)).map(|at| (at, format!("{} %", plain(100.0 * at))));
        Self { label: label.to_owned(), range: (-0.03, 1.03), ticks: ticks.collect(), scale: Scale::Shares }
    }

    /// An axis with a mark for each of some names, at 0, 1, 2 and so on.
    #[must_use]
    pub fn names(label: &str, names: impl Iterator<Item = String>) -> Self {
        let ticks: Vec<_> = (0..).map(f64::from).zip(names).collect();
        let range = (-0.5, ticks.len() as f64 - 0.5);
        Self { label: label.to_owned(), range, ticks, scale: Scale::Names }
    }

    /// What a place on it stands for, in four digits.
    pub(super) fn says(&self, at: f64) -> String {
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

    /// Where a value lies, when the axis is drawn from one place to another.
    pub(super) fn place(&self, value: f64, (from, to): (f64, f64)) -> f64 {
        from + (value - self.range.0) / (self.range.1 - self.range.0) * (to - from)
    }
}

/// From the least to the most of some values, with a twentieth to spare at both ends, or as much as is given.
fn around(values: impl Iterator<Item = f64>, least: f64) -> (f64, f64) {
    let bounds = values.fold(None, |bounds, value| {
        let (low, high) = bounds.unwrap_or((value, value));
        Some((value.min(low), value.max(high)))
    });
    let (low, high) = bounds.unwrap_or((0.0, 1.0));
    let spare = ((high - low) * 0.05).max(least);
    (low - spare, high + spare)
}

/// The least of 1, 2 and 5 times the powers of ten that a length holds no more often than there is room for marks.
fn step(length: f64) -> f64 {
    let power = 10_f64.powf((length / MOST_TICKS).log10().floor());
    let fits = |multiple: &f64| length / (multiple * power) <= MOST_TICKS;
    [1.0, 2.0, 5.0].into_iter().find(fits).unwrap_or(10.0) * power
}

fn multiples_of(step: f64, (low, high): (f64, f64)) -> impl Iterator<Item = f64> {
    ((low / step).ceil() as i64..=(high / step).floor() as i64).map(move |i| i as f64 * step)
}

/// A number in four digits, or in more where it is a thousand or more.
fn digits(value: f64) -> String {
    let before = if value == 0.0 { 0 } else { value.abs().log10().floor() as i32 + 1 };
    let behind = usize::try_from(4 - before).unwrap_or(0).min(6);
    let text = format!("{value:.behind$}");
    if behind == 0 { text } else { text.trim_end_matches('0').trim_end_matches('.').to_owned() }
}

/// A number as one writes it.
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
        assert_eq!([-2.0, 0.0, 1.0915].map(|at| logarithmic.says(at)), ["0.01", "1", "12.35"]);
        assert_eq!(Axis::whole("", [0.0, 1e6].into_iter()).says(123_456.0), "123456");
        assert_eq!(Axis::shares("").says(2.0 / 3.0), "66.67 %");
        let names = Axis::names("", ["3^3", "4^3"].map(str::to_owned).into_iter());
        assert_eq!([-0.2, 1.3].map(|at| names.says(at)), ["3^3", "4^3"]);
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
