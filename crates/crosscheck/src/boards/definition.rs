//! What a kind of board must define: its squares, its attacks, its symmetries.

/// A symmetry of a board: moves a square, in place, to its image.
pub type Symmetry<'a> = Box<dyn Fn(&mut [u32]) + 'a>;

/// The name of the line through a square in some direction.
pub type LineOf<'a> = Box<dyn Fn(&[u32]) -> Vec<u32> + 'a>;

/// The definition of a board, by coordinate tuples that count from 0.
pub trait Definition {
    /// The number of coordinates of a square.
    fn dimension(&self) -> usize;

    /// Whether a tuple of [`Self::dimension`] coordinates is a square of the board.
    fn contains(&self, square: &[u32]) -> bool;

    /// Which squares there are, in words.
    fn allowed(&self) -> String;

    /// Every square once, in increasing order.
    fn squares(&self) -> Box<dyn Iterator<Item = Vec<u32>> + '_>;

    /// Whether two squares of the board attack each other. A square does not attack itself.
    fn attacks(&self, a: &[u32], b: &[u32]) -> bool;

    /// Sets of squares that attack each other pairwise, such that every attacking pair is in one of them: the rows of the
    /// formulation `base`, in its order. Programs and formulas that are made of them test it pair by pair. Where a board has
    /// no lines they are its attacking pairs.
    fn lines(&self) -> Box<dyn Iterator<Item = Vec<Vec<u32>>> + '_> {
        let pairs = self.squares().flat_map(|a| {
            let attacked = self.squares().filter(|b| a < *b && self.attacks(&a, b)).collect::<Vec<_>>();
            attacked.into_iter().map(move |b| vec![a.clone(), b])
        });
        Box::new(pairs)
    }

    /// The lines through squares, where the board has such: two squares of it attack each other just when they are on a line
    /// together. For each direction, what a line in it is called, by any of its squares.
    fn line_names(&self) -> Option<Vec<LineOf<'_>>> {
        None
    }

    /// Returns `true` if an equation that squares of the board satisfy shows that no two of them attack each other. Returns `false` if
    /// none was found, which says nothing about their attacks.
    fn is_shown_independent(&self, _squares: &[Vec<u32>]) -> bool {
        false
    }

    /// Symmetries that generate the board's symmetry group; nothing when the group is not known, which is so for graphs and
    /// for drawings in many dimensions.
    fn generators(&self) -> Option<Vec<Symmetry<'_>>>;
}

/// The longest lines of two squares or more in these directions, of each direction in the order of their first squares.
pub(crate) fn rays<'a>(
    board: &'a dyn Definition,
    directions: Vec<Vec<i64>>,
) -> impl Iterator<Item = Vec<Vec<u32>>> + 'a {
    let step = |from: &[u32], direction: &[i64], times: i64| -> Option<Vec<u32>> {
        let moved = |(x, e): (&u32, &i64)| u32::try_from(i64::from(*x) + times * e).ok();
        let square: Option<Vec<u32>> = from.iter().zip(direction).map(moved).collect();
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
    fn squares_attack_each_other_just_when_they_are_on_a_line_together() {
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
                        let together = lines.iter().any(|line| line(a) == line(b));
                        assert_eq!(together, definition.attacks(a, b), "{name}: {a:?} {b:?}");
                    }
                }
            }
        }
    }
}
