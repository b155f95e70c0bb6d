//! Cholesky factorisation of dense symmetric matrices, in square tiles.
//!
//! The lower triangle is stored as columns of tiles, which are processed from left to right: the products of
//! the columns to the left are subtracted, the first tile is factored, and the others are divided by it. The
//! tiles of a column are independent of each other and are processed in parallel; the result does not depend
//! on the number of threads.

use ndarray::linalg::general_mat_mul;
use ndarray::{ArrayView2, ArrayViewMut2};
use rayon::ThreadPool;
use rayon::iter::{IndexedParallelIterator as _, IntoParallelRefMutIterator as _, ParallelIterator as _};

/// Number of rows and of columns of a tile.
const TILE: usize = 128;

/// A square tile, row by row.
type Tile = Vec<f64>;

/// The lower triangle of a symmetric matrix, or of its factor.
#[derive(Debug)]
pub(super) struct Triangle {
    order: usize,
    /// The tiles of each column of tiles, from the diagonal down.
    columns: Vec<Vec<Tile>>,
}

/// Reason why a matrix was not factored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum NotFactored<S> {
    /// A pivot is not positive.
    Indefinite,
    /// The caller stopped the factorisation.
    Stopped(S),
}

impl Triangle {
    /// Returns the zero matrix with `order` rows.
    pub(super) fn zero(order: usize) -> Self {
        let tiles = order.div_ceil(TILE);
        let column = |first: usize| vec![vec![0.0; TILE * TILE]; tiles - first];
        Self { order, columns: (0..tiles).map(column).collect() }
    }

    /// Sets all entries to 0.
    pub(super) fn clear(&mut self) {
        self.columns.iter_mut().flatten().for_each(|tile| tile.fill(0.0));
    }

    /// Adds `times` times the product of a sparse vector and its transpose. The entries are
    /// sorted by their places.
    pub(super) fn add_square(&mut self, entries: &[(u32, f64)], times: f64) {
        for (k, &(column, value)) in entries.iter().enumerate() {
            let (column, scaled) = (column as usize, value * times);
            let tiles = &mut self.columns[column / TILE];
            for &(row, value) in &entries[k..] {
                let row = row as usize;
                tiles[row / TILE - column / TILE][row % TILE * TILE + column % TILE] += scaled * value;
            }
        }
    }

    /// Returns the diagonal entry with this number.
    pub(super) fn diagonal(&mut self, number: usize) -> &mut f64 {
        &mut self.columns[number / TILE][0][number % TILE * (TILE + 1)]
    }

    /// Replaces the matrix by its factor. `poll` is called before each column of tiles and stops the work by
    /// returning a reason.
    ///
    /// # Errors
    /// Returns an error if the matrix is not positive definite in floating point or if `poll` returns a
    /// reason. The content of the matrix is unspecified then.
    pub(super) fn factor<S>(
        &mut self,
        pool: Option<&ThreadPool>,
        poll: &mut dyn FnMut() -> Option<S>,
    ) -> Result<(), NotFactored<S>> {
        for number in self.order..self.columns.len() * TILE {
            *self.diagonal(number) = 1.0;
        }
        for k in 0..self.columns.len() {
            if let Some(reason) = poll() {
                return Err(NotFactored::Stopped(reason));
            }
            let (left, rest) = self.columns.split_at_mut(k);
            let column = &mut rest[0];
            for_each(pool, column, |below, tile| {
                for (j, left) in left.iter().enumerate() {
                    subtract_product(tile, &left[k + below - j], &left[k - j]);
                }
            });
            let (first, others) = column.split_first_mut().expect("a column has its diagonal tile");
            if !factor_tile(first) {
                return Err(NotFactored::Indefinite);
            }
            let inverse = inverse(first);
            for_each(pool, others, |_, tile| {
                let mut divided = vec![0.0; TILE * TILE];
                general_mat_mul(
                    1.0,
                    &view(tile),
                    &view(&inverse).reversed_axes(),
                    0.0,
                    &mut view_mut(&mut divided),
                );
                *tile = divided;
            });
        }
        Ok(())
    }

    /// Returns the solution of the system with right-hand side `rhs`, if this is a factor of its matrix.
    pub(super) fn solve(&self, rhs: &[f64]) -> Vec<f64> {
        let mut x = rhs.to_vec();
        x.resize(self.columns.len() * TILE, 0.0);
        for (k, column) in self.columns.iter().enumerate() {
            let (done, below) = x[k * TILE..].split_at_mut(TILE);
            for row in 0..TILE {
                let entries = &column[0][row * TILE..][..row];
                done[row] = (done[row] - dot(entries, &done[..row])) / column[0][row * (TILE + 1)];
            }
            for (tile, x) in column[1..].iter().zip(below.chunks_exact_mut(TILE)) {
                for (entries, x) in tile.chunks_exact(TILE).zip(x) {
                    *x -= dot(entries, done);
                }
            }
        }
        for (k, column) in self.columns.iter().enumerate().rev() {
            let (x, below) = x[k * TILE..].split_at_mut(TILE);
            for (tile, below) in column[1..].iter().zip(below.chunks_exact(TILE)) {
                for (entries, below) in tile.chunks_exact(TILE).zip(below) {
                    x.iter_mut().zip(entries).for_each(|(x, entry)| *x -= entry * below);
                }
            }
            for row in (0..TILE).rev() {
                let (above, rest) = x.split_at_mut(row);
                rest[0] /= column[0][row * (TILE + 1)];
                let entries = &column[0][row * TILE..][..row];
                above.iter_mut().zip(entries).for_each(|(x, entry)| *x -= entry * rest[0]);
            }
        }
        x.truncate(self.order);
        x
    }
}

/// Calls `work` with each tile and its place, on the threads of the pool if there is one.
fn for_each(pool: Option<&ThreadPool>, tiles: &mut [Tile], work: impl Fn(usize, &mut Tile) + Sync) {
    match pool {
        Some(pool) => pool.install(|| tiles.par_iter_mut().enumerate().for_each(|(k, tile)| work(k, tile))),
        None => tiles.iter_mut().enumerate().for_each(|(k, tile)| work(k, tile)),
    }
}

fn view(tile: &[f64]) -> ArrayView2<'_, f64> {
    ArrayView2::from_shape((TILE, TILE), tile).expect("a tile is square")
}

fn view_mut(tile: &mut [f64]) -> ArrayViewMut2<'_, f64> {
    ArrayViewMut2::from_shape((TILE, TILE), tile).expect("a tile is square")
}

/// Subtracts the product of `left` and the transpose of `right`.
fn subtract_product(tile: &mut [f64], left: &[f64], right: &[f64]) {
    general_mat_mul(-1.0, &view(left), &view(right).reversed_axes(), 1.0, &mut view_mut(tile));
}

/// Returns the scalar product of two vectors of the same length.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

/// Replaces the lower triangle of a tile by its factor; returns `false` if a pivot is not positive.
fn factor_tile(tile: &mut [f64]) -> bool {
    for row in 0..TILE {
        let (above, rest) = tile.split_at_mut(row * TILE);
        for column in 0..row {
            let other = &above[column * TILE..];
            let entry = (rest[column] - dot(&rest[..column], &other[..column])) / other[column];
            rest[column] = entry;
        }
        let pivot = rest[row] - dot(&rest[..row], &rest[..row]);
        if !(pivot > 0.0 && pivot.is_finite()) {
            return false;
        }
        rest[row] = pivot.sqrt();
        rest[row + 1..TILE].fill(0.0);
    }
    true
}

/// Returns the inverse of a lower triangular tile.
fn inverse(tile: &[f64]) -> Tile {
    let mut inverse = vec![0.0; TILE * TILE];
    for row in 0..TILE {
        let (above, rest) = inverse.split_at_mut(row * TILE);
        let own = &mut rest[..TILE];
        for (&factor, above) in tile[row * TILE..][..row].iter().zip(above.chunks_exact(TILE)) {
            own.iter_mut().zip(above).for_each(|(own, above)| *own -= factor * above);
        }
        own[row] = 1.0;
        let pivot = tile[row * (TILE + 1)];
        own.iter_mut().for_each(|entry| *entry /= pivot);
    }
    inverse
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns a positive definite matrix: the sum of squares of sparse vectors and a diagonal.
    fn example(order: usize) -> (Triangle, Vec<Vec<f64>>) {
        let (mut triangle, mut full) = (Triangle::zero(order), vec![vec![0.0; order]; order]);
        for k in 0..2 * order {
            let places = [k % order, (k * k + 1) % order, (3 * k + 2) % order, order / 2];
            let mut places: Vec<u32> = places.into_iter().map(|place| place as u32).collect();
            places.sort_unstable();
            places.dedup();
            let entries: Vec<(u32, f64)> =
                places.iter().map(|&place| (place, f64::from(1 + place % 3))).collect();
            triangle.add_square(&entries, 0.5 + k as f64);
            for &(i, a) in &entries {
                for &(j, b) in &entries {
                    full[i as usize][j as usize] += (0.5 + k as f64) * a * b;
                }
            }
        }
        for (k, row) in full.iter_mut().enumerate() {
            *triangle.diagonal(k) += 1.0;
            row[k] += 1.0;
        }
        (triangle, full)
    }

    #[test]
    fn solves_systems_of_all_sizes() {
        for order in [1, 2, 7, TILE - 1, TILE, TILE + 1, 3 * TILE - 5] {
            let (mut triangle, full) = example(order);
            let wanted: Vec<f64> = (0..order).map(|k| (k % 5) as f64 - 1.5).collect();
            let rhs: Vec<f64> = full.iter().map(|row| dot(row, &wanted)).collect();
            triangle.factor(None, &mut || None::<()>).expect("positive definite");
            let found = triangle.solve(&rhs);
            assert!(found.iter().zip(&wanted).all(|(a, b)| (a - b).abs() < 1e-8), "{order}");
        }
    }

    #[test]
    fn factors_do_not_depend_on_threads() {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(3).build().expect("threads");
        let (mut alone, mut together) = (example(300).0, example(300).0);
        alone.factor(None, &mut || None::<()>).expect("positive definite");
        together.factor(Some(&pool), &mut || None::<()>).expect("positive definite");
        assert_eq!(alone.columns, together.columns);
    }

    #[test]
    fn rejects_indefinite_matrices() {
        let (mut triangle, _) = example(200);
        *triangle.diagonal(150) = -1.0;
        assert_eq!(triangle.factor(None, &mut || None::<()>), Err(NotFactored::Indefinite));
        let (mut triangle, _) = example(200);
        assert_eq!(triangle.factor(None, &mut || Some(7)), Err(NotFactored::Stopped(7)));
    }
}
