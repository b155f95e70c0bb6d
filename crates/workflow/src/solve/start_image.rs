//! Images of a start under the symmetry of the board, for formulations whose rows break the symmetry.

use std::collections::HashSet;

use ndqueens_model::board::Square;
use ndqueens_model::ilp::Program as _;
use ndqueens_model::model::Model;
use ndqueens_system::cancel::Deadline;

/// Limit on the total number of squares of the images that are visited.
const MOST_SQUARES: usize = 20_000_000;

/// Image of a start that satisfies every row of a model.
pub(super) struct StartImage {
    pub(super) point: Vec<i64>,
    /// True if it is not the start itself.
    pub(super) is_moved: bool,
}

/// Result of a search that found no feasible image.
pub(super) struct NoImage {
    /// Violation of the start.
    pub(super) violation: String,
    /// Number of images that were visited.
    pub(super) images: usize,
    /// True if all images were visited.
    pub(super) all: bool,
}

/// Searches the images of `squares`, the start itself first, for one that satisfies every row of the model.
pub(super) fn feasible_image(
    model: &Model<'_>,
    squares: &[Square],
    deadline: Deadline,
) -> Result<StartImage, NoImage> {
    let point = model.point(squares);
    let Some(violation) = model.violation(&point) else { return Ok(StartImage { point, is_moved: false }) };
    if !model.formulation().breaks_symmetry() {
        return Err(NoImage { violation, images: 1, all: true });
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
                return Err(NoImage { violation, images: visited.len(), all: false });
            }
            let point = model.point(&next);
            if model.violation(&point).is_none() {
                return Ok(StartImage { point, is_moved: true });
            }
            visited.insert(next.clone());
            pending.push_back(next);
        }
    }
    Err(NoImage { violation, images: visited.len(), all: true })
}
