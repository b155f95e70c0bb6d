//! File formats of drawings. PNG, PDF and TikZ are converted from SVG; PNG and PDF use only the font of this
//! package.

use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use resvg::usvg::{Options, Tree};
use resvg::{render, tiny_skia};
use svg2pdf::{ConversionOptions, PageOptions};

use super::{font, tikz};
use crate::painting::PaintingError;

/// File format of a drawing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Scalable Vector Graphics.
    Svg,
    /// Portable Network Graphics, with two pixels per unit of the SVG.
    Png,
    /// Portable Document Format, for `LaTeX` and printing.
    Pdf,
    /// A `tikzpicture` for `LaTeX`, with texts in the font of the document.
    Tikz,
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Svg, Self::Png, Self::Pdf, Self::Tikz];

    /// Returns the file name extension of the format.
    #[must_use]
    pub fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Png => "png",
            Self::Pdf => "pdf",
            Self::Tikz => "tex",
        }
    }

    /// Returns the format for the extension of a file name.
    ///
    /// # Errors
    /// Returns an error if the extension is not that of a format.
    pub fn of(path: &Path) -> Result<Self, UnknownFormat> {
        let ending = path.extension().and_then(|ending| ending.to_str()).unwrap_or_default();
        ending.parse().map_err(|_| UnknownFormat::Name(path.to_owned()))
    }

    /// Converts an SVG drawing into this format.
    ///
    /// # Errors
    /// Returns an error if the conversion fails, e.g. if a PNG would have too many pixels.
    pub fn encode(self, svg: &str) -> Result<Vec<u8>, PaintingError> {
        match self {
            Self::Svg => Ok(svg.as_bytes().to_vec()),
            Self::Png => png(&tree(svg)?),
            Self::Pdf => svg2pdf::to_pdf(&tree(svg)?, ConversionOptions::default(), PageOptions::default())
                .map_err(|error| fault(&error)),
            Self::Tikz => Ok(tikz::picture(&tree(svg)?).into_bytes()),
        }
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(ending: &str) -> Result<Self, UnknownFormat> {
        let is_it = |format: &Self| ending.eq_ignore_ascii_case(format.ending());
        Self::ALL.into_iter().find(is_it).ok_or(UnknownFormat::Ending)
    }
}

/// Error for an unknown format.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum UnknownFormat {
    /// The extension of a file name is unknown.
    #[error("{}: the name of a picture ends in .svg, .png, .pdf or .tex", .0.display())]
    Name(PathBuf),
    /// The name of a format is unknown.
    #[error("it must be svg, png, pdf or tex")]
    Ending,
}

fn fault(fault: &dyn ToString) -> PaintingError {
    PaintingError::Fault(fault.to_string())
}

/// Largest number of pixels of a PNG.
const MOST_POINTS: u64 = 100_000_000;

/// PNG pixels per SVG unit.
const ZOOM: f32 = 2.0;

fn tree(svg: &str) -> Result<Tree, PaintingError> {
    let mut options = Options::default();
    Arc::make_mut(&mut options.fontdb).load_font_data(font::BYTES.to_vec());
    Tree::from_str(svg, &options).map_err(|error| fault(&error))
}

fn png(tree: &Tree) -> Result<Vec<u8>, PaintingError> {
    let size = tree.size().to_int_size().scale_by(ZOOM).ok_or_else(|| fault(&"it is empty"))?;
    let (width, height) = (u64::from(size.width()), u64::from(size.height()));
    if width * height > MOST_POINTS {
        return Err(PaintingError::TooManyPoints { width, height });
    }
    let mut pixels = tiny_skia::Pixmap::new(size.width(), size.height())
        .ok_or_else(|| fault(&"there is no room for it"))?;
    pixels.fill(tiny_skia::Color::WHITE);
    render(tree, tiny_skia::Transform::from_scale(ZOOM, ZOOM), &mut pixels.as_mut());
    pixels.encode_png().map_err(|error| fault(&error))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DRAWING: &str = r##"<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20" font-family="DejaVu Sans">
        <title>t</title><path d="M0 0L10 0L10 10Z" fill="#0072B2" stroke="#000000" stroke-dasharray="3 3"/>
        <g transform="translate(20 10) scale(2)"><circle r="2"/></g>
        <text x="20" y="18" font-size="5" text-anchor="middle">50 % &amp; a_b^c \x{}</text></svg>"##;

    #[test]
    fn each_form_begins_as_its_readers_expect() {
        for (format, begins) in [
            (Format::Svg, &b"<svg"[..]),
            (Format::Png, b"\x89PNG"),
            (Format::Pdf, b"%PDF-"),
            (Format::Tikz, b"\\begin{tikzpicture}"),
        ] {
            let bytes = format.encode(DRAWING).expect("a drawing");
            assert!(bytes.starts_with(begins), "{format:?}");
            assert_eq!(Format::of(Path::new(&format!("a.b.{}", format.ending()))), Ok(format));
        }
        let unknown = Format::of(Path::new("a.gif")).expect_err("no such form");
        assert_eq!(unknown.to_string(), "a.gif: the name of a picture ends in .svg, .png, .pdf or .tex");
    }

    #[test]
    fn tikz_has_paths_colours_and_texts_that_latex_takes() {
        let text = String::from_utf8(Format::Tikz.encode(DRAWING).expect("a drawing")).expect("UTF-8");
        for part in [
            "\\definecolor{ndq0072B2}{HTML}{0072B2}",
            "fill=ndq0072B2, draw=ndq000000",
            "dash pattern=on 2.25bp off 2.25bp",
            "(0,0) -- (10,0) -- (10,10) -- cycle;",
            "50 \\% \\& a\\_b\\textasciicircum{}c \\textbackslash{}x\\{\\}",
            ".. controls",
            // Round (20, 10), twice as large.
            "(24,10) .. controls",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
        assert!(text.ends_with("\\end{tikzpicture}\n"));
    }
}
