//! Symmetries of a board, by their names in proofs.

use std::sync::Arc;

use fixedbitset::FixedBitSet;

use super::order::Squares;
use crate::fault::Reason;
use crate::reader;

/// Returns the images of all squares under the symmetry with this name, which must be a permutation that
/// preserves every attack.
pub(super) fn images(name: &str, squares: &Squares) -> Result<Arc<[usize]>, Reason> {
    squares.cached_images(name, || compute_images(name, squares))
}

fn compute_images(name: &str, squares: &Squares) -> Result<Vec<usize>, Reason> {
    let images = match name.strip_prefix('=') {
        Some(list) => parse_list(list, squares)?,
        None => parse_signed_permutation(name, squares)?,
    };
    let mut reached = FixedBitSet::with_capacity(squares.len());
    reached.extend(images.iter().copied());
    if images.len() != squares.len() || !reached.is_full() {
        return Err(format!("{name} is not a permutation of the squares").into());
    }
    for v in 0..squares.len() {
        let (here, there) = (squares.neighbours(v), squares.neighbours(images[v]));
        // Attacks are symmetric, so each is tested once.
        if !here.ones().rev().take_while(|&u| u > v).all(|u| there.contains(images[u])) {
            return Err(format!("{name} does not keep the attacks of square {}", squares.number(v)).into());
        }
    }
    Ok(images)
}

/// Parses the images of the squares, given by their numbers in the order of the numbers.
fn parse_list(list: &str, squares: &Squares) -> Result<Vec<usize>, Reason> {
    let image = |word: &str| {
        let number = reader::parse_number(word).ok_or_else(|| reader::not_a_number(word))?;
        squares.place(number).ok_or_else(|| Reason::from(format!("there is no square {number}")).at(word))
    };
    let by_number = list.split(',').take(squares.len() + 1).map(image).collect::<Result<Vec<_>, _>>()?;
    if by_number.len() != squares.len() {
        return Ok(by_number);
    }
    Ok((0..squares.len()).map(|place| by_number[squares.number(place)]).collect())
}

/// Parses a signed permutation of the axes. Coordinate `j` of the image is coordinate `|k_j|` of the square,
/// counted from the other end if `k_j` is negative.
fn parse_signed_permutation(name: &str, squares: &Squares) -> Result<Vec<usize>, Reason> {
    let entry = |word| reader::parse_integer(word).ok_or_else(|| reader::not_a_number(word));
    let entries = name.split(',').map(entry).collect::<Result<Vec<_>, _>>()?;
    let last = squares.last();
    let axis =
        |k: &i64| usize::try_from(k.unsigned_abs()).ok()?.checked_sub(1).filter(|&axis| axis < last.len());
    let axes: Option<Vec<usize>> = entries.iter().map(axis).collect();
    let are_all = |axes: &Vec<usize>| (0..last.len()).all(|axis| axes.contains(&axis));
    let Some(axes) = axes.filter(|axes| axes.len() == last.len() && are_all(axes)) else {
        return Err(format!("{name} is not a signed permutation of the axes").into());
    };
    let mut image = vec![0; last.len()];
    let image = |place| {
        let square = squares.coordinates(place);
        for ((coordinate, &axis), &k) in image.iter_mut().zip(&axes).zip(&entries) {
            *coordinate = if k < 0 { last[axis].checked_sub(square[axis])? } else { square[axis] };
        }
        squares.find(&image)
    };
    let images: Option<Vec<usize>> = (0..squares.len()).map(image).collect();
    images.ok_or_else(|| format!("{name} moves a square off the board").into())
}
