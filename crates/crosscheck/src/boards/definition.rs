//! Trait that a kind of board implements: squares, attacks and symmetries.

/// Symmetry of a board: function that replaces a square by its image.
pub type Symmetry<'a> = Box<dyn Fn(&mut [u32]) + 'a>;

/// Function that returns the name of the line through a square in one direction.
pub type LineOf<'a> = Box<dyn Fn(&[u32]) -> Vec<u32> + 'a>;

/// Definition of a board. Squares are coordinate tuples; coordinates count from 0.
///
/// # Examples
/// ```
/// use ndqueens_crosscheck::boards::definition;
///
/// let board = definition(&"3^2".parse()?);
/// assert_eq!(board.squares().count(), 9);
/// assert!(board.attacks(&[0, 0], &[2, 2]) && !board.attacks(&[0, 0], &[1, 2]));
/// # Ok::<(), ndqueens_notation::name::NameError>(())
/// ```
pub trait Definition {
    /// Returns the number of coordinates of a square.
    fn dimension(&self) -> usize;

    /// Returns `true` if a tuple of [`Self::dimension`] coordinates is a square of the board.
    fn contains(&self, square: &[u32]) -> bool;

    /// Describes the squares of the board, for use in messages.
    fn describe_squares(&self) -> String;

    /// Returns every square once, in increasing order.
    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_>;

    /// Returns `true` if two squares of the board attack each other. A square does not attack itself.
    fn attacks(&self, a: &[u32], b: &[u32]) -> bool;

    /// Returns sets of squares that attack each other pairwise, such that every attacking pair is in at least
    /// one of them. These are the constraints of the formulation `base`, in its order. The default
    /// implementation returns all attacking pairs. Code that builds integer programs and formulas from the
    /// sets checks both properties pair by pair.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let pairs = self.squares().flat_map(|a| {
            let attacked = self.squares().filter(|b| a < *b && self.attacks(&a, b)).collect::<Vec<_>>();
            attacked.into_iter().map(move |b| vec![a.clone(), b])
        });
        Box::new(pairs)
    }

    /// Returns for each direction a function that maps a square to the name of its line in this direction.
    /// Two distinct squares attack each other exactly if one of the functions maps both to the same name.
    /// Returns `None` if no such functions are implemented.
    fn line_names(&self) -> Option<Vec<LineOf<'_>>> {
        None
    }

    /// Returns `true` if an equation satisfied by all the squares proves that no two of them attack each
    /// other. If no such equation was found, returns `false`; the squares may still be independent.
    fn is_shown_independent(&self, _squares: &[Vec<u32>]) -> bool {
        false
    }

    /// Returns symmetries that generate the board's symmetry group, or `None` if the group is not known, as
    /// for graphs and for drawings in many dimensions.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>>;
}

/// Returns the maximal lines of two or more squares, direction by direction, in the order of their first
/// squares.
pub(crate) fn rays<'a>(
    board: &'a dyn Definition,
    directions: Vec<Vec<i64>>,
) -> impl Iterator<Item = Vec<Vec<u32>>> + 'a {
    let step = |from: &[u32], direction: &[i64], times: i64| -> Option<Vec<u32>> {
        let translate = |(x, e): (&u32, &i64)| u32::try_from(i64::from(*x) + times * e).ok();
        let square: Option<Vec<u32>> = from.iter().zip(direction).map(translate).collect();
        square.filter(|square| board.contains(square))
    };
    directions.into_iter().flat_map(move |direction| {
        board.squares().filter_map(move |first| {
            if step(&first, &direction, -1).is_some() {
                return None;
            }
            let line: Vec<_> = (0..).map_while(|m| step(&first, &direction, m)).collect();
            (line.len() > 1).then_some(line)
        })
    })
}

#[cfg(test)]
mod tests {
    use crate::boards::definition;

    #[test]
    fn squares_attack_exactly_if_on_a_common_line() {
        for piece in ["", "rook:", "bishop:"] {
            let boxes = ["1^1", "5^1", "6^2", "3x5", "1x4", "4^3", "2x3x4", "3x2x3x2"];
            let tori = ["torus:5^1", "torus:2^2", "torus:6^2", "torus:7^2", "torus:4^3", "torus:3^4"];
            let hexagons = ["hex:1", "hex:2", "hex:5"].into_iter().filter(|_| piece.is_empty());
            let names = boxes.into_iter().chain(tori).map(|name| format!("{piece}{name}"));
            for name in names.chain(hexagons.map(str::to_owned)) {
                let definition = definition(&name.parse().expect("a board"));
                let lines = definition.line_names().expect("lines");
                let squares: Vec<_> = definition.squares().collect();
                for (i, a) in squares.iter().enumerate() {
                    for b in &squares[..i] {
                        let on_common_line = lines.iter().any(|line| line(a) == line(b));
                        assert_eq!(on_common_line, definition.attacks(a, b), "{name}: {a:?} {b:?}");
                    }
                }
            }
        }
    }
}
