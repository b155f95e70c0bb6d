//! Points of the plane in which is drawn.

/// x to the right, y downwards.
pub type Point = [f64; 2];

/// The mean of some points.
#[must_use]
pub fn middle(points: &[Point]) -> Point {
    [0, 1].map(|i| points.iter().map(|point| point[i]).sum::<f64>() / points.len() as f64)
}

/// Short enough for a file, exact enough for the eye.
#[must_use]
pub fn tidy(x: f64) -> f64 {
    (x * 1000.0).round() / 1000.0
}
