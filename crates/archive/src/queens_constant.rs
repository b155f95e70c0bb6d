//! The n-queens constant and the limit density, which describe the number and the shape of the solutions of n
//! queens on n^2 for large n.
//!
//! There are `((1 + o(1)) n e^-a)^n` solutions of n queens on n^2. The constant `a` is the minimum of a
//! convex program over densities `g` on the unit square with uniform marginals, whose densities `g+` and `g-`
//! along the diagonals are at most 1:
//!
//! `a = 3 + min { integral g ln g + sum over + and - of integral (1 - g+) ln(1 - g+) }`,
//!
//! where the densities along the diagonals have intervals of length 2 as their domain. Almost all solutions
//! are close to the density that attains the minimum.
//!
//! On a grid of m x m cells the minimum is enclosed as follows. A density that is constant on cells has
//! piecewise linear densities along the diagonals, and the trapezoidal rule exceeds the integral of a convex
//! function, which gives an upper bound. Any numbers `u` of rows, `v` of columns, `p` and `q` of diagonals
//! give a lower bound by duality,
//!
//! `a >= 3 + mean u + mean v + integral (p - e^(p-1)) + integral (q - e^(q-1)) -
//! integral e^(u + v + p + q - 1)`,
//!
//! where the last integral is a sum over the four triangles into which the diagonals divide a cell. Both
//! programs are solved by coordinate ascent with a closed form for each multiplier (iterative scaling). The
//! bounds hold for whatever the ascent reaches; they are computed in floating point, and rounding errors are
//! not enclosed.
//!
//! # References
//! M. Simkin, *The number of n-queens configurations*, 2021 (arXiv:2107.13460): the constant, its program,
//! the limit density.
//! P. Nobel, A. Agrawal, S. Boyd, *Computing tighter bounds on the n-queens constant via Newton's method*,
//! Optimization Letters 17 (2023): [`PUBLISHED`], from finite-dimensional convex programs.

/// Published lower and upper bound on the n-queens constant.
pub const PUBLISHED: [f64; 2] = [1.944_000_752_019_729, 1.944_001_081_309_221_7];

/// Largest grid, in cells along a side.
pub const MOST_CELLS: usize = 4096;

/// The n-queens constant between two bounds, and an approximation of the limit density, on a grid.
#[derive(Debug, Clone, PartialEq)]
pub struct Enclosure {
    /// Cells along a side of the grid.
    pub cells: usize,
    /// Lower bound on the n-queens constant.
    pub lower: f64,
    /// Upper bound on the n-queens constant.
    pub upper: f64,
    /// Density on each cell, row by row; its mean in each row and in each column is 1.
    pub density: Vec<f64>,
}

/// Returns the natural logarithm of `(n e^-a)^n`, the estimated number of solutions of `n` queens on n^2.
#[must_use]
pub fn ln_estimate(n: u64) -> f64 {
    let n = n as f64;
    n * (n.ln() - PUBLISHED[0])
}

/// Returns the exponent `e` of a number of solutions `(n e^-e)^n` on n^2, which tends to the n-queens
/// constant. Returns `None` if there are no solutions.
#[must_use]
pub fn exponent(n: u64, solutions: u64) -> Option<f64> {
    (solutions > 0).then(|| (n as f64).ln() - (solutions as f64).ln() / n as f64)
}

/// Returns a positive number, given by its natural logarithm, in scientific notation with two decimals, such
/// as `3.90e10`.
#[must_use]
pub fn scientific(ln: f64) -> String {
    let exponent = (ln / std::f64::consts::LN_10).floor();
    let mantissa = (ln - exponent * std::f64::consts::LN_10).exp();
    // The mantissa could round to 10.00.
    let (mantissa, exponent) = if mantissa < 9.995 { (mantissa, exponent) } else { (1.0, exponent + 1.0) };
    format!("{mantissa:.2}e{exponent:.0}")
}

/// Encloses the n-queens constant on a grid of `cells` by `cells`; `None` if `stop` returns `true` before the
/// end.
///
/// # Panics
/// Panics if the number of cells is 0 or above [`MOST_CELLS`].
#[must_use]
pub fn enclose(cells: usize, stop: &dyn Fn() -> bool) -> Option<Enclosure> {
    assert!((1..=MOST_CELLS).contains(&cells), "a grid has 1 to {MOST_CELLS} cells along a side");
    let dual = DensityMultipliers::ascend(cells, DensityPlaces::Triangles, stop)?;
    let lower = 3.0 + dual.dual_value();
    let density = DensityMultipliers::ascend(cells, DensityPlaces::Cells, stop)?.feasible();
    let upper = 3.0 + primal_value(cells, &density);
    Some(Enclosure { cells, lower, upper, density })
}

/// Places at which a density has its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum DensityPlaces {
    /// On cells: each lies on one diagonal of either direction.
    Cells,
    /// On the four triangles of each cell: each lies between two neighbouring diagonals of either direction.
    Triangles,
}

/// Exponentials of the multipliers of rows, columns and diagonals. The density at a place is their product,
/// divided by e.
struct DensityMultipliers {
    cells: usize,
    places: DensityPlaces,
    rows: Vec<f64>,
    columns: Vec<f64>,
    sums: Vec<f64>,
    differences: Vec<f64>,
}

/// Maximum number of sweeps of the ascent. Every sweep improves the bounds.
const MOST_SWEEPS: usize = 5000;

/// Relative change of the row multipliers below which the ascent stops.
const TOLERANCE: f64 = 1e-12;

/// `e^-1`
const INVERSE_E: f64 = 1.0 / std::f64::consts::E;

impl DensityMultipliers {
    /// Maximises the dual program by coordinate ascent. Returns `None` if stopped.
    fn ascend(cells: usize, places: DensityPlaces, stop: &dyn Fn() -> bool) -> Option<Self> {
        let ones = vec![1.0; cells];
        let diagonals = vec![1.0; 2 * cells];
        let mut all = Self {
            cells,
            places,
            rows: ones.clone(),
            columns: ones,
            sums: diagonals.clone(),
            differences: diagonals,
        };
        for _ in 0..MOST_SWEEPS {
            if stop() {
                return None;
            }
            let before = all.rows.clone();
            all.sweep();
            let change = |(old, new): (&f64, &f64)| (new / old - 1.0).abs();
            if before.iter().zip(&all.rows).map(change).fold(0.0, f64::max) < TOLERANCE {
                break;
            }
        }
        Some(all)
    }

    /// Returns the numbers of the diagonals of one direction that meet a cell. `first` is the number of the
    /// first.
    fn on(&self, first: usize) -> std::ops::RangeInclusive<usize> {
        match self.places {
            DensityPlaces::Cells => first..=first,
            DensityPlaces::Triangles => first..=first + 1,
        }
    }

    fn sum_number(row: usize, column: usize) -> usize {
        row + column
    }

    fn difference_number(&self, row: usize, column: usize) -> usize {
        row + self.cells - 1 - column
    }

    /// Returns, for each direction, the sum of the multipliers of the diagonals that meet a cell.
    fn on_diagonals(&self, row: usize, column: usize) -> [f64; 2] {
        let total = |of: &[f64], first: usize| of[self.on(first)].iter().sum::<f64>();
        [
            total(&self.sums, Self::sum_number(row, column)),
            total(&self.differences, self.difference_number(row, column)),
        ]
    }

    /// Returns the fraction of the area of a cell that each of its places has.
    fn share(&self) -> f64 {
        match self.places {
            DensityPlaces::Cells => 1.0,
            DensityPlaces::Triangles => 0.25,
        }
    }

    /// Calls `visit` for each cell with its row, its column, and the sums of [`Self::on_diagonals`].
    fn visit(&self, mut visit: impl FnMut(usize, usize, [f64; 2])) {
        for row in 0..self.cells {
            for column in 0..self.cells {
                visit(row, column, self.on_diagonals(row, column));
            }
        }
    }

    /// Maximises over the multipliers of rows, columns, and the diagonals of either direction, one after the
    /// other.
    fn sweep(&mut self) {
        let width = 1.0 / self.cells as f64;
        let scale = self.share() * INVERSE_E;
        let mut total = vec![0.0; self.cells];
        self.visit(|row, column, [sum, difference]| {
            total[row] += self.columns[column] * sum * difference * scale;
        });
        self.rows = total.iter().map(|total| 1.0 / (total * width)).collect();
        let mut total = vec![0.0; self.cells];
        self.visit(|row, column, [sum, difference]| {
            total[column] += self.rows[row] * sum * difference * scale;
        });
        self.columns = total.iter().map(|total| 1.0 / (total * width)).collect();
        // Each triangle of a cell lies on one diagonal of either direction, and two triangles on each of its
        // diagonals.
        let on_line = width * scale;
        let mut total = vec![0.0; 2 * self.cells];
        self.visit(|row, column, [_, difference]| {
            let density = self.rows[row] * self.columns[column] * difference * on_line;
            self.on(Self::sum_number(row, column)).for_each(|number| total[number] += density);
        });
        self.sums = total.iter().map(|total| 1.0 / (INVERSE_E + total)).collect();
        let mut total = vec![0.0; 2 * self.cells];
        self.visit(|row, column, [sum, _]| {
            let density = self.rows[row] * self.columns[column] * sum * on_line;
            self.on(self.difference_number(row, column)).for_each(|number| total[number] += density);
        });
        self.differences = total.iter().map(|total| 1.0 / (INVERSE_E + total)).collect();
    }

    /// Returns the value of the dual program on triangles.
    fn dual_value(&self) -> f64 {
        let width = 1.0 / self.cells as f64;
        let logs = |of: &[f64]| of.iter().map(|x| x.ln()).sum::<f64>() * width;
        let conjugates = |of: &[f64]| of.iter().map(|x| x.ln() - x * INVERSE_E).sum::<f64>() * width;
        let mut mass = 0.0;
        self.visit(|row, column, [sum, difference]| {
            mass += self.rows[row] * self.columns[column] * sum * difference;
        });
        let mass = mass * width * width * self.share() * INVERSE_E;
        logs(&self.rows) + logs(&self.columns) + conjugates(&self.sums) + conjugates(&self.differences) - mass
    }

    /// Returns the density on cells with its marginals made uniform: it is scaled until no marginal exceeds
    /// 1, and what is missing is added as a product of what rows and columns lack.
    fn feasible(&self) -> Vec<f64> {
        let n = self.cells;
        let mut density = vec![0.0; n * n];
        self.visit(|row, column, [sum, difference]| {
            density[row * n + column] = self.rows[row] * self.columns[column] * sum * difference * INVERSE_E;
        });
        let row_means = |density: &[f64]| -> Vec<f64> {
            density.chunks(n).map(|row| row.iter().sum::<f64>() / n as f64).collect()
        };
        let column_means = |density: &[f64]| -> Vec<f64> {
            let mean = |column| density.iter().skip(column).step_by(n).sum::<f64>() / n as f64;
            (0..n).map(mean).collect()
        };
        let means = row_means(&density);
        density.iter_mut().enumerate().for_each(|(cell, x)| *x /= means[cell / n].max(1.0));
        let means = column_means(&density);
        density.iter_mut().enumerate().for_each(|(cell, x)| *x /= means[cell % n].max(1.0));
        let lack =
            |means: Vec<f64>| -> Vec<f64> { means.into_iter().map(|mean| (1.0 - mean).max(0.0)).collect() };
        let (rows, columns) = (lack(row_means(&density)), lack(column_means(&density)));
        let missing = columns.iter().sum::<f64>() / n as f64;
        if missing > 0.0 {
            density
                .iter_mut()
                .enumerate()
                .for_each(|(cell, x)| *x += rows[cell / n] * columns[cell % n] / missing);
        }
        density
    }
}

/// Returns `x ln x`.
fn entropy(x: f64) -> f64 {
    if x > 0.0 { x * x.ln() } else { 0.0 }
}

/// Returns an upper bound on the value of the program at a density that is constant on cells; infinite if the
/// density exceeds 1 on a diagonal.
fn primal_value(cells: usize, density: &[f64]) -> f64 {
    let width = 1.0 / cells as f64;
    let mut on = [vec![0.0; 2 * cells - 1], vec![0.0; 2 * cells - 1]];
    for (cell, x) in density.iter().enumerate() {
        let (row, column) = (cell / cells, cell % cells);
        on[0][row + column] += x * width;
        on[1][row + cells - 1 - column] += x * width;
    }
    if on.iter().flatten().any(|&on| on > 1.0) {
        return f64::INFINITY;
    }
    let cells: f64 = density.iter().map(|&x| entropy(x)).sum();
    let diagonals: f64 = on.iter().flatten().map(|on| entropy(1.0 - on)).sum();
    width * width * cells + width * diagonals
}

#[cfg(test)]
mod tests {
    use super::*;

    fn on_grid(cells: usize) -> Enclosure {
        enclose(cells, &|| false).expect("nothing stops it")
    }

    #[test]
    fn finer_grids_enclose_published_bounds_ever_closer() {
        let mut gap = f64::INFINITY;
        for cells in [1, 2, 3, 8, 16, 32] {
            let Enclosure { lower, upper, .. } = on_grid(cells);
            assert!(lower < PUBLISHED[0] && PUBLISHED[1] < upper, "{cells}: {lower} {upper}");
            assert!(upper - lower < gap, "{cells}");
            gap = upper - lower;
        }
        assert!(gap < 0.002, "{gap}");
    }

    #[test]
    fn density_is_uniform_in_rows_and_columns_and_symmetric() {
        let n = 16;
        let Enclosure { density, .. } = on_grid(n);
        for line in 0..n {
            let row: f64 = density[line * n..(line + 1) * n].iter().sum();
            let column: f64 = density.iter().skip(line).step_by(n).sum();
            assert!((row / n as f64 - 1.0).abs() < 1e-9 && (column / n as f64 - 1.0).abs() < 1e-9, "{line}");
        }
        for row in 0..n {
            for column in 0..n {
                let here = density[row * n + column];
                for image in [column * n + row, (n - 1 - row) * n + column] {
                    assert!((density[image] - here).abs() < 1e-6, "({row},{column})");
                }
            }
        }
        // Most queens stand near the middles of the sides, fewest in the corners and in the middle.
        let at = |row: usize, column: usize| density[row * n + column];
        assert!(at(0, n / 2) > 1.2 && at(0, 0) < 0.8 && at(n / 2, n / 2) < 1.0, "{density:?}");
    }

    #[test]
    fn one_cell_has_the_uniform_density() {
        // Uniform density: each diagonal integral is -1/2, and the trapezoidal rule gives 0.
        assert_eq!(on_grid(1).density, [1.0]);
        assert!((on_grid(1).upper - 3.0).abs() < 1e-12);
        let uniform = vec![1.0; 400 * 400];
        assert!((primal_value(400, &uniform) + 1.0).abs() < 1e-4);
    }

    #[test]
    fn estimates_approach_numbers_of_solutions() {
        // (27 e^-1.944)^27, and OEIS A000170.
        assert_eq!(scientific(ln_estimate(27)), "7.10e15");
        assert_eq!(scientific(0.0), "1.00e0");
        assert_eq!(scientific(99.999f64.ln()), "1.00e2");
        let exponents: Vec<f64> = [(8, 92), (12, 14200), (20, 39_029_188_884), (27, 234_907_967_154_122_528)]
            .into_iter()
            .filter_map(|(n, solutions)| exponent(n, solutions))
            .collect();
        assert!(exponents.is_sorted() && exponents.iter().all(|&e| e < PUBLISHED[0]), "{exponents:?}");
        assert_eq!(exponent(3, 0), None);
    }
}
