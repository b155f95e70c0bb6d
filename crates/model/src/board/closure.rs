//! Closure of an element under generators of a group.

use std::collections::HashSet;
use std::hash::Hash;

/// Returns the elements that the generators of a group reach from `first`, in breadth-first order, starting
/// with `first`. If there are more than `most` elements, stops early and returns more than `most` of them.
///
/// # Examples
/// ```
/// use ndqueens_model::board::closure;
///
/// let rotations = closure(0, &[2, 3], usize::MAX, |x, step| (x + step) % 6);
/// assert_eq!(rotations, [0, 2, 3, 4, 5, 1]);
/// ```
pub fn closure<T: Clone + Eq + Hash, G>(
    first: T,
    generators: &[G],
    most: usize,
    image: impl Fn(&T, &G) -> T,
) -> Vec<T> {
    let mut seen = HashSet::from([first.clone()]);
    let mut all = vec![first];
    let mut next = 0;
    while next < all.len() && all.len() <= most {
        for generator in generators {
            let image = image(&all[next], generator);
            if seen.insert(image.clone()) {
                all.push(image);
            }
        }
        next += 1;
    }
    all
}
