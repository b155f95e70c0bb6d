//! Images of a start under the symmetry of the board, for formulations whose rows break the symmetry.

use std::collections::HashSet;

use ndqueens_model::board::Square;
use ndqueens_model::ilp::Program as _;
use ndqueens_model::model::Model;
use ndqueens_system::cancel::Deadline;

/// Limit on the total number of squares of the images that are visited.
const MOST_SQUARES: usize = 20_000_000;

/// Result of the search for a feasible image.
pub(super) enum StartImage {
    /// A feasible point; `moved` is true if it is not the start itself.
    Found { point: Vec<i64>, moved: bool },
    /// No visited image is feasible. Contains the violation of the start, the number of images, and whether
    /// all were visited.
    NotFound { violation: String, images: usize, all: bool },
}

/// Searches the images of `squares`, the start itself first, for one that satisfies every row of the model.
pub(super) fn feasible_image(model: &Model<'_>, squares: &[Square], deadline: Deadline) -> StartImage {
    let point = model.point(squares);
    let Some(violation) = model.violation(&point) else { return StartImage::Found { point, moved: false } };
    if !model.formulation().breaks_symmetry() {
        return StartImage::NotFound { violation, images: 1, all: true };
    }
    let generators = model.board().generators();
    let mut first = squares.to_vec();
    first.sort_unstable();
    let most = (MOST_SQUARES / first.len().max(1)).max(1);
    let mut visited = HashSet::from([first.clone()]);
    let mut pending = std::collections::VecDeque::from([first]);
    while let Some(image) = pending.pop_front() {
        for generator in &generators {
            let mut next: Vec<Square> = image.iter().map(|&square| generator(square)).collect();
            next.sort_unstable();
            if visited.contains(&next) {
                continue;
            }
            if visited.len() >= most || deadline.is_over() {
                return StartImage::NotFound { violation, images: visited.len(), all: false };
            }
            let point = model.point(&next);
            if model.violation(&point).is_none() {
                return StartImage::Found { point, moved: true };
            }
            visited.insert(next.clone());
            pending.push_back(next);
        }
    }
    StartImage::NotFound { violation, images: visited.len(), all: true }
}
