//! SVG painted as PNG, with the font of this package and no other.

use std::sync::Arc;

use resvg::usvg::{Options, Tree};
use resvg::{render, tiny_skia};

use super::font;

/// Why a drawing cannot be painted.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PaintingError {
    /// The picture would have too many points.
    #[error(
        "the picture would have {width} x {height} points, too many; write it to a file whose name ends in .svg"
    )]
    TooManyPoints {
        /// Points across.
        width: u64,
        /// Points down.
        height: u64,
    },
    /// Anything else.
    #[error("the picture cannot be painted: {0}")]
    Fault(String),
}

/// More points than this no PNG has.
const MOST_POINTS: u64 = 100_000_000;

/// A PNG has so many points for a unit of the SVG, in both directions.
const ZOOM: f32 = 2.0;

/// Paints an SVG.
pub(super) fn png(svg: &str) -> Result<Vec<u8>, PaintingError> {
    let fault = |fault: &dyn ToString| PaintingError::Fault(fault.to_string());
    let mut options = Options::default();
    Arc::make_mut(&mut options.fontdb).load_font_data(font::BYTES.to_vec());
    let tree = Tree::from_str(svg, &options).map_err(|error| fault(&error))?;
    let size = tree.size().to_int_size().scale_by(ZOOM).ok_or_else(|| fault(&"it is empty"))?;
    let (width, height) = (u64::from(size.width()), u64::from(size.height()));
    if width * height > MOST_POINTS {
        return Err(PaintingError::TooManyPoints { width, height });
    }
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| fault(&"there is no room for it"))?;
    pixels.fill(tiny_skia::Color::WHITE);
    render(&tree, tiny_skia::Transform::from_scale(ZOOM, ZOOM), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| fault(&error))
}
