//! Means and Wilcoxon's signed-rank test for paired differences.
//!
//! # References
//! Tobias Achterberg, *Constraint Integer Programming* (2007), appendix A.3: shifted geometric means.
//! Frank Wilcoxon, *Individual comparisons by ranking methods*, Biometrics Bulletin 1 (1945): the
//! signed-rank test.
//! Sture Holm, *A simple sequentially rejective multiple test procedure*, Scandinavian Journal of
//! Statistics 6 (1979).

/// Returns the arithmetic mean, or `None` if there are no values.
#[must_use]
pub fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

/// Returns the geometric mean of the values with `shift` added to each, minus the shift, or `None` if there
/// are no values. The shift limits the influence of tiny values.
#[must_use]
pub fn shifted_geometric_mean(values: &[f64], shift: f64) -> Option<f64> {
    let logs: Vec<f64> = values.iter().map(|value| (value + shift).ln()).collect();
    mean(&logs).map(|log| (log.exp() - shift).max(0.0))
}

/// Result of the signed-rank test on paired differences.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SignedRank {
    /// Number of nonzero differences; zeros are left out.
    pub nonzero_differences: usize,
    /// Sum of the ranks of positive differences.
    pub positive: f64,
    /// Two-sided p-value: probability of rank sums at least as extreme if all signs are equally likely.
    pub p: f64,
    /// `true` if `p` is exact; otherwise it is the normal approximation, corrected for ties and continuity.
    pub exact: bool,
}

/// Maximum number of differences for which `p` is exact.
const MOST_EXACT: usize = 200;

/// Computes Wilcoxon's signed-rank test. Ties share the mean of their ranks, and `p` is exact with ties too.
#[must_use]
pub fn signed_rank(differences: &[f64]) -> SignedRank {
    let mut sorted: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
    sorted.sort_by(|a, b| a.abs().total_cmp(&b.abs()));
    let n = sorted.len();
    // Ranks are doubled, so that those of ties are integers too.
    let mut ranks = vec![0_usize; n];
    let mut ties = 0.0;
    let mut start = 0;
    while start < n {
        let mut end = start + 1;
        while end < n && sorted[end].abs() - sorted[start].abs() <= 1e-12 * sorted[end].abs() {
            end += 1;
        }
        ranks[start..end].fill(start + 1 + end);
        let size = (end - start) as f64;
        ties += size * size * size - size;
        start = end;
    }
    let positive: usize = ranks.iter().zip(&sorted).filter(|(_, d)| **d > 0.0).map(|(rank, _)| rank).sum();
    let all: usize = ranks.iter().sum();
    let smaller = positive.min(all - positive);
    let (p, exact) = if n <= MOST_EXACT {
        (2.0 * share_at_most(&ranks, smaller), true)
    } else {
        let count = n as f64;
        let variance = count * (count + 1.0) * (2.0 * count + 1.0) / 24.0 - ties / 48.0;
        let away = ((all as f64 / 2.0 - smaller as f64) / 2.0 - 0.5).max(0.0) / variance.sqrt();
        (libm::erfc(away / std::f64::consts::SQRT_2), false)
    };
    SignedRank { nonzero_differences: n, positive: positive as f64 / 2.0, p: p.min(1.0), exact }
}

/// Returns the fraction of all subsets of the ranks whose sum is at most `sum`.
fn share_at_most(ranks: &[usize], sum: usize) -> f64 {
    let mut share = vec![0.0; sum + 1];
    share[0] = 1.0;
    for &rank in ranks {
        for at in (0..=sum).rev() {
            let with = if at >= rank { share[at - rank] } else { 0.0 };
            share[at] = f64::midpoint(share[at], with);
        }
    }
    share.iter().sum()
}

/// Returns the p-values of several tests, adjusted by Holm's method, which bounds the probability of any
/// false rejection by the significance level.
#[must_use]
pub fn holm(p: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..p.len()).collect();
    order.sort_by(|&a, &b| p[a].total_cmp(&p[b]));
    let mut raised = vec![0.0; p.len()];
    let mut least = 0.0_f64;
    for (place, &at) in order.iter().enumerate() {
        least = least.max((p[at] * (p.len() - place) as f64).min(1.0));
        raised[at] = least;
    }
    raised
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt as _, SeedableRng as _};

    fn close(a: f64, b: f64) {
        assert!((a - b).abs() < 1e-9, "{a} {b}");
    }

    #[test]
    fn means_of_small_sets() {
        assert_eq!(mean(&[]), None);
        close(mean(&[1.0, 2.0, 6.0]).expect("values"), 3.0);
        close(shifted_geometric_mean(&[0.0, 3.0], 1.0).expect("values"), 1.0);
        close(shifted_geometric_mean(&[7.0], 100.0).expect("values"), 7.0);
        assert_eq!(shifted_geometric_mean(&[], 1.0), None);
    }

    /// Computes the p-value from the definition, by enumerating all signs.
    fn by_all_signs(differences: &[f64]) -> f64 {
        let values: Vec<f64> = differences.iter().copied().filter(|d| *d != 0.0).collect();
        let rank = |d: f64| {
            let smaller = values.iter().filter(|v| v.abs() < d.abs()).count() as f64;
            let equal = values.iter().filter(|v| v.abs() == d.abs()).count() as f64;
            smaller + (equal + 1.0) / 2.0
        };
        let all: f64 = values.iter().map(|&v| rank(v)).sum();
        let one_sided = |sum: f64| (sum - all / 2.0).abs();
        let here = one_sided(values.iter().filter(|v| **v > 0.0).map(|&v| rank(v)).sum());
        let signs = 1_u32 << values.len();
        let as_far = (0..signs).filter(|signs| {
            let positive = values.iter().enumerate().filter(|(i, _)| signs >> i & 1 == 1);
            one_sided(positive.map(|(_, &v)| rank(v)).sum()) >= here - 1e-9
        });
        as_far.count() as f64 / f64::from(signs)
    }

    #[test]
    fn the_exact_test_agrees_with_the_definition() {
        let mut random = rand::rngs::ChaCha8Rng::seed_from_u64(1);
        for n in 0..12 {
            for _ in 0..20 {
                // Few distinct values, so that there are ties and zeros.
                let differences: Vec<f64> = (0..n).map(|_| f64::from(random.random_range(-4..=6))).collect();
                close(signed_rank(&differences).p, by_all_signs(&differences));
            }
        }
    }

    #[test]
    fn the_smallest_p_is_that_of_equal_signs() {
        let rising: Vec<f64> = (1..=10).map(f64::from).collect();
        let SignedRank { nonzero_differences, positive, p, exact } = signed_rank(&rising);
        assert_eq!((nonzero_differences, exact), (10, true));
        close(positive, 55.0);
        close(p, 2.0 / 1024.0);
        close(signed_rank(&[]).p, 1.0);
        close(signed_rank(&[0.0, 0.0]).p, 1.0);
    }

    #[test]
    fn the_approximation_is_near_the_exact_value() {
        let mut random = rand::rngs::ChaCha8Rng::seed_from_u64(2);
        let many: Vec<f64> = (0..=MOST_EXACT).map(|_| random.random_range(-1.0..1.2)).collect();
        let (exact, rough) = (signed_rank(&many[1..]), signed_rank(&many));
        assert!(exact.exact && !rough.exact);
        assert!((exact.p - rough.p).abs() < 0.05, "{} {}", exact.p, rough.p);
        close(libm::erfc(0.0), 1.0);
    }

    #[test]
    fn several_tests_raise_each_other() {
        let raised = holm(&[0.04, 0.01, 0.5]);
        close(raised[1], 0.03);
        close(raised[0], 0.08);
        close(raised[2], 0.5);
        assert!(holm(&[]).is_empty());
    }
}
