//! Names of symmetries of a board.

use ndqueens_model::board::{Board, Form, Polygon, Square};
use ndqueens_notation::name::BoardName;

/// Returns a name of the symmetry that maps each square to its `image`: a signed permutation of the axes of a
/// plain box, an affine map of a torus, a rotation or reflection of a board that is drawn with polygons, and
/// on other boards the images of a corner and its neighbours. Returns `None` on boards without coordinates.
pub(super) fn describe(board: &Board, image: &dyn Fn(Square) -> Square) -> Option<String> {
    match board.name() {
        BoardName::Grid { torus: false, sides, .. } | BoardName::Leaper { torus: false, sides, .. } => {
            signed_axes(board, sides, image)
        }
        BoardName::Grid { torus: true, sides, .. } | BoardName::Leaper { torus: true, sides, .. } => {
            affine(board, sides, image).or_else(|| corner_images(board, image))
        }
        BoardName::Hex(_) | BoardName::Three(_) => isometry(board, image),
        BoardName::Surface { .. } => corner_images(board, image),
        _ => None,
    }
}

/// Returns a step along an axis as coordinates.
fn step(axis: usize, dimension: usize) -> Vec<u32> {
    (0..dimension).map(|other| u32::from(other == axis)).collect()
}

/// Returns a signed permutation of the axes, such as `2,-1`.
fn signed_axes(board: &Board, sides: &[u32], image: &dyn Fn(Square) -> Square) -> Option<String> {
    let image = |square: Square| board.coordinates(image(square));
    let origin = image(0);
    let mut from = vec![None; sides.len()];
    for axis in (0..sides.len()).filter(|&axis| sides[axis] > 1) {
        let moved = image(board.square(&step(axis, sides.len()))?);
        let to = (0..sides.len()).find(|&to| moved[to] != origin[to])?;
        from[to] = Some((axis, moved[to] < origin[to]));
    }
    let sign = |(to, from): (usize, &Option<(usize, bool)>)| match from {
        Some((axis, true)) => format!("-{}", axis + 1),
        Some((axis, false)) => (axis + 1).to_string(),
        // The symmetry does not move a side of length 1.
        None => (to + 1).to_string(),
    };
    Some(from.iter().enumerate().map(sign).collect::<Vec<_>>().join(","))
}

/// Returns an affine map modulo the side, such as `(x2, -x1 + 3)`, or `None` if the symmetry is not of this
/// form.
fn affine(board: &Board, sides: &[u32], image: &dyn Fn(Square) -> Square) -> Option<String> {
    let (n, d) = (i64::from(*sides.first()?), sides.len());
    let image = |square: Square| -> Vec<i64> {
        board.coordinates(image(square)).into_iter().map(i64::from).collect()
    };
    let origin = image(0);
    let mut columns = Vec::new();
    for axis in 0..d {
        let moved = if n > 1 { image(board.square(&step(axis, d))?) } else { origin.clone() };
        columns.push((0..d).map(|to| (moved[to] - origin[to]).rem_euclid(n)).collect::<Vec<_>>());
    }
    let is_affine = board.squares().all(|square| {
        let at = board.coordinates(square);
        let coordinate = |to: usize| {
            let terms = (0..d).map(|axis| columns[axis][to] * i64::from(at[axis]));
            (terms.sum::<i64>() + origin[to]).rem_euclid(n)
        };
        (0..d).map(coordinate).eq(image(square))
    });
    let coordinate = |to: usize| {
        let mut text = String::new();
        let mut add = |coefficient: i64, variable: &str| {
            let size = match (coefficient.abs(), variable) {
                (1, _) if !variable.is_empty() => variable.to_owned(),
                (size, "") => size.to_string(),
                (size, _) => format!("{size} {variable}"),
            };
            text += match (text.is_empty(), coefficient < 0) {
                (true, true) => "-",
                (true, false) => "",
                (false, true) => " - ",
                (false, false) => " + ",
            };
            text += &size;
        };
        for (axis, column) in columns.iter().enumerate().filter(|(_, column)| column[to] != 0) {
            let coefficient = if 2 * column[to] > n { column[to] - n } else { column[to] };
            add(coefficient, &format!("x{}", axis + 1));
        }
        if origin[to] != 0 {
            add(origin[to], "");
        }
        if text.is_empty() { "0".to_owned() } else { text }
    };
    is_affine.then(|| format!("({})", (0..d).map(coordinate).collect::<Vec<_>>().join(", ")))
}

/// Returns the rotation or reflection of the drawing of a board, in whole degrees, or `None` if the symmetry
/// is neither.
fn isometry(board: &Board, image: &dyn Fn(Square) -> Square) -> Option<String> {
    let Form::Polygons(polygons) = board.layout()?.form else { return None };
    let middles: Vec<[f64; 2]> = polygons.iter().map(Polygon::middle).collect();
    let centre = [0, 1].map(|i| middles.iter().map(|at| at[i]).sum::<f64>() / middles.len() as f64);
    // The y axis of a drawing points downwards.
    let place = |square: Square| {
        let at = middles[square as usize];
        [at[0] - centre[0], centre[1] - at[1]]
    };
    let pairs: Vec<([f64; 2], [f64; 2])> =
        board.squares().map(|square| (place(square), place(image(square)))).collect();
    let length = |[x, y]: [f64; 2]| x.hypot(y);
    let &(far, moved) = pairs.iter().max_by(|(a, _), (b, _)| length(*a).total_cmp(&length(*b)))?;
    if length(far) < NEAR {
        return None;
    }
    let angle = |[x, y]: [f64; 2]| y.atan2(x).to_degrees();
    let (before, after) = (angle(far), angle(moved));
    let rotated = |[x, y]: [f64; 2], degrees: f64, mirrored: bool| {
        let (sine, cosine) = degrees.to_radians().sin_cos();
        let y = if mirrored { -y } else { y };
        [cosine * x - sine * y, sine * x + cosine * y]
    };
    let fits = |degrees: f64, mirrored: bool| {
        pairs.iter().all(|&(from, to)| {
            let made = rotated(from, degrees, mirrored);
            length([made[0] - to[0], made[1] - to[1]]) < NEAR
        })
    };
    let turn = after - before;
    if fits(turn, false) {
        let degrees = turn.rem_euclid(360.0).round() as u32 % 360;
        return Some(match degrees.min(360 - degrees) {
            180 => "half turn".to_owned(),
            degrees => format!("rotation by {degrees} degrees"),
        });
    }
    // A reflection in an axis at angle a maps the direction b to 2a - b.
    let twice = after + before;
    let axis = (twice / 2.0).rem_euclid(180.0).round() as u32 % 180;
    fits(twice, true).then(|| format!("reflection in the axis at {axis} degrees"))
}

/// Distance up to which two points are considered equal.
const NEAR: f64 = 1e-6;

/// Returns the images of the corner square and of its neighbours along the axes, such as `(0,0) to (0,1),
/// (1,0) to (1,1)`.
fn corner_images(board: &Board, image: &dyn Fn(Square) -> Square) -> Option<String> {
    let dimension = board.coordinates(0).len();
    let neighbours = (0..dimension).filter_map(|axis| board.square(&step(axis, dimension)));
    let word = |square: Square| format!("{} to {}", board.label(square), board.label(image(square)));
    Some(std::iter::once(0).chain(neighbours).map(word).collect::<Vec<_>>().join(", "))
}

#[cfg(test)]
mod tests {
    use ndqueens_model::board::Group;

    use super::*;

    /// Returns the names of all symmetries of a board, sorted.
    fn names(name: &str) -> Vec<String> {
        let board = Board::new(&name.parse().expect("a board name"));
        let squares: Vec<Square> = board.squares().collect();
        let group = Group::of(&board, &squares);
        let mut names: Vec<String> = group
            .elements()
            .map(|element| {
                describe(&board, &|square| group.image(element, square as usize) as Square).expect(name)
            })
            .collect();
        names.sort();
        names
    }

    #[test]
    fn symmetries_of_the_hexagon_are_named() {
        let mut expected: Vec<String> =
            (0..6).map(|k| format!("reflection in the axis at {} degrees", 30 * k)).collect();
        let turns = ["half turn"].into_iter().chain([60, 120].iter().flat_map(|degrees| {
            let name: &str =
                if *degrees == 60 { "rotation by 60 degrees" } else { "rotation by 120 degrees" };
            [name, name]
        }));
        expected.extend(turns.chain(["rotation by 0 degrees"]).map(str::to_owned));
        expected.sort();
        assert_eq!(names("hex:3"), expected);
    }

    #[test]
    fn symmetries_have_distinct_names() {
        for (name, example) in [
            ("4^2", "-2,1"),
            ("knight:3x4", "-1,2"),
            ("torus:5^2", "(-x2, x1 + 3)"),
            ("klein:6x5", "(0,0) to (0,0), (1,0) to (1,0), (0,1) to (0,1)"),
            ("moebius:5x6", "(0,0) to (0,0), (1,0) to (1,0), (0,1) to (0,1)"),
        ] {
            let names = names(name);
            assert!(names.iter().any(|name| name == example), "{name}: {names:?}");
            assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{name}: {names:?}");
        }
    }
}
