//! Points of the plane of a drawing.

/// A point, with x to the right and y downwards.
pub type Point = [f64; 2];

/// Returns the mean of `points`.
#[must_use]
pub fn middle(points: &[Point]) -> Point {
    [0, 1].map(|i| points.iter().map(|point| point[i]).sum::<f64>() / points.len() as f64)
}

/// Rounds a coordinate to three decimals, which keeps files short.
#[must_use]
pub fn tidy(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}
