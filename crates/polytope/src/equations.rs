//! Linear equations that 0/1 vectors satisfy, in exact integers.

use num_integer::Integer as _;

/// Position of an entry 1 of a 0/1 vector.
pub(crate) type Entry = u32;

/// Error of integers that exceed their type.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("integers exceed 127 bits")]
pub(crate) struct Overflow;

/// Basis of the linear equations that all vectors inserted so far satisfy.
///
/// A vector has entries 0 and 1, and is given by the positions of the ones.
#[derive(Debug, Clone)]
pub(crate) struct Equations {
    width: usize,
    rows: Vec<Vec<i128>>,
}

impl Equations {
    /// Creates the equations of no vector of length `width`: every equation holds.
    pub(crate) fn new(width: usize) -> Self {
        let unit = |i: usize| (0..width).map(|j| i128::from(i == j)).collect();
        Self { width, rows: (0..width).map(unit).collect() }
    }

    /// Returns the rank of the vectors inserted so far.
    pub(crate) fn rank(&self) -> usize {
        self.width - self.rows.len()
    }

    /// Returns the basis of the equations, each with coprime coefficients.
    pub(crate) fn rows(&self) -> &[Vec<i128>] {
        &self.rows
    }

    /// Inserts a vector. Returns `true` if it is linearly independent of the earlier ones.
    ///
    /// # Errors
    /// Returns an error if coefficients exceed their type.
    pub(crate) fn insert(&mut self, vector: &[Entry]) -> Result<bool, Overflow> {
        let products = self.rows.iter().map(|row| evaluate(row, vector)).collect::<Result<Vec<_>, _>>()?;
        let nonzero = (0..products.len()).filter(|&k| products[k] != 0);
        let Some(pivot) = nonzero.min_by_key(|&k| products[k].unsigned_abs()) else { return Ok(false) };
        let pivot_row = self.rows.swap_remove(pivot);
        let mut others = products.clone();
        others.swap_remove(pivot);
        for (row, &product) in self.rows.iter_mut().zip(&others).filter(|(_, product)| **product != 0) {
            *row = combine(row, products[pivot], &pivot_row, product)?;
        }
        Ok(true)
    }
}

/// Returns the scalar product of a vector of integers and a 0/1 vector.
pub(crate) fn evaluate(row: &[i128], vector: &[Entry]) -> Result<i128, Overflow> {
    vector.iter().try_fold(0_i128, |sum, &at| sum.checked_add(row[at as usize])).ok_or(Overflow)
}

/// Returns `by_a * a - by_b * b`, divided by the greatest common divisor of its entries.
pub(crate) fn combine(a: &[i128], by_a: i128, b: &[i128], by_b: i128) -> Result<Vec<i128>, Overflow> {
    let common = by_a.gcd(&by_b);
    let (by_a, by_b) = (by_a / common, by_b / common);
    let entry = |(&x, &y): (&i128, &i128)| x.checked_mul(by_a)?.checked_sub(y.checked_mul(by_b)?);
    let mut row = a.iter().zip(b).map(entry).collect::<Option<Vec<_>>>().ok_or(Overflow)?;
    make_primitive(&mut row);
    Ok(row)
}

/// Divides integers by their greatest common divisor.
pub(crate) fn make_primitive(row: &mut [i128]) {
    let common = row.iter().fold(0_i128, |common, &x| if common == 1 { 1 } else { common.gcd(&x) });
    if common > 1 {
        row.iter_mut().for_each(|x| *x /= common);
    }
}

/// Returns positions that carry a basis of the linear hull of 0/1 vectors: the vectors restricted to these
/// positions have the same rank, which is the number of positions.
///
/// # Errors
/// Returns an error if coefficients exceed their type.
pub(crate) fn spanning_positions<'v>(
    width: usize,
    vectors: impl IntoIterator<Item = &'v [Entry]>,
) -> Result<Vec<Entry>, Overflow> {
    let mut equations = Equations::new(width);
    for vector in vectors {
        equations.insert(vector)?;
    }
    // A position is dependent if an equation of the vectors expresses it by earlier positions.
    let mut rows = equations.rows;
    let mut dependent = vec![false; width];
    for at in (0..width).rev() {
        let Some(pivot) = rows.iter().position(|row| row[at] != 0) else { continue };
        dependent[at] = true;
        let pivot_row = rows.swap_remove(pivot);
        for row in rows.iter_mut().filter(|row| row[at] != 0) {
            *row = combine(row, pivot_row[at], &pivot_row, row[at])?;
        }
    }
    Ok((0..width as Entry).filter(|&at| !dependent[at as usize]).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equations_hold_for_the_vectors() {
        let vectors: [&[Entry]; 4] = [&[0, 1], &[1, 2], &[0, 2], &[0, 1]];
        let mut equations = Equations::new(4);
        let new: Vec<bool> = vectors.iter().map(|vector| equations.insert(vector).unwrap()).collect();
        assert_eq!((new, equations.rank()), (vec![true, true, true, false], 3));
        assert!(equations.rows().iter().all(|row| vectors.iter().all(|v| evaluate(row, v) == Ok(0))));
        assert_eq!(spanning_positions(4, vectors), Ok(vec![0, 1, 2]));
    }

    #[test]
    fn large_coefficients_are_an_error() {
        let large = [i128::MAX, 0];
        assert_eq!(combine(&large, 3, &[0, 1], 2), Err(Overflow));
    }
}
