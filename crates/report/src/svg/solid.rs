//! Boards of three axes as solids: a floor for each layer, and a ball for each piece.

use ndqueens_model::board::{Board, Form};
use svg::Document;
use svg::node::element::{Circle, Description, Group, Polygon};

use super::document::{document, lettering, line, points};
use super::plan::Words;
use super::{font, palette};
use crate::figure::{Figure, FigureError, Show};
use crate::plane::{Point, tidy};

/// Angle by which the solid is turned around its vertical axis, in radians.
const YAW: f64 = 0.45;
/// Angle by which the solid is seen from above, in radians.
const PITCH: f64 = 0.33;
/// Distance of two floors, in sides of a square.
const FLOOR: f64 = 1.6;
/// Radius of the ball of a piece, in sides of a square.
const BALL: f64 = 0.36;
/// Colour of the highlight of a ball.
const LIGHT_BLUE: &str = "#A9D2EE";
/// Colour of a square below a ball.
const PALE_BLUE: &str = "#D5E8F5";
/// Most squares of a board that is drawn as a solid.
const MOST_SQUARES: usize = 8000;

/// A view of a box with three axes; the first axis goes down, and its layers are floors.
struct View {
    sides: [f64; 3],
}

impl View {
    /// Returns the view of a board, if it is a box with three axes.
    fn new(board: &Board) -> Option<Self> {
        let layout = board.layout()?;
        let [layers, rows, columns]: [u32; 3] = layout.sides.as_slice().try_into().ok()?;
        // Places along the last axis are half a square apart.
        let sides = [layers, rows, columns.div_ceil(2)].map(f64::from);
        (layout.form == Form::Squares).then_some(Self { sides })
    }

    /// Returns the place of a point in the picture, and its distance from the eye.
    fn project(&self, [layer, row, column]: [f64; 3]) -> (Point, f64) {
        let [_, rows, columns] = self.sides;
        let (depth, right) = ((rows - 1.0) / 2.0 - row, column - (columns - 1.0) / 2.0);
        let across = right * YAW.cos() + depth * YAW.sin();
        let far = depth * YAW.cos() - right * YAW.sin();
        let down = layer * FLOOR;
        ([across, down * PITCH.cos() - far * PITCH.sin()], far * PITCH.cos() + down * PITCH.sin())
    }

    /// Returns the corners of the part of a floor around some squares: from one square to another.
    fn floor(&self, layer: f64, [top, left]: [f64; 2], [bottom, right]: [f64; 2]) -> Vec<Point> {
        let corners = [[top, left], [top, right], [bottom, right], [bottom, left]];
        corners.map(|[row, column]| self.project([layer, row, column]).0).to_vec()
    }
}

impl Figure<'_> {
    /// Returns the picture of a box with three axes as a solid, as SVG.
    ///
    /// # Errors
    /// Returns an error if the board is not a box with three axes, if it has too many squares, or if a density is shown.
    pub fn solid(&self) -> Result<String, FigureError> {
        let board = self.board;
        let view = match &self.show {
            Show::Density(_) => None,
            Show::Placement { .. } | Show::Classes { .. } => View::new(board),
        };
        let view = view.ok_or_else(|| FigureError::NotSolid(board.name().to_string()))?;
        if board.size() > MOST_SQUARES {
            let places = board.places(board.size() as u64);
            return Err(FigureError::TooLarge { places, most: MOST_SQUARES });
        }
        Ok(self.solid_document(&view).to_string())
    }

    fn solid_document(&self, view: &View) -> Document {
        let [layers, rows, columns] = view.sides;
        let edges = [[-0.5, -0.5], [-0.5, columns - 0.5], [rows - 0.5, -0.5], [rows - 0.5, columns - 0.5]];
        let corners: Vec<Point> = edges
            .iter()
            .flat_map(|&[row, column]| [-0.7, layers - 0.8].map(|layer| view.project([layer, row, column]).0))
            .collect();
        let end = |axis: usize, start: f64, pick: fn(f64, f64) -> f64| {
            corners.iter().map(|corner| corner[axis]).fold(start, pick)
        };
        let margin = 0.6;
        let left = end(0, f64::INFINITY, f64::min) - margin - 0.9;
        let top = end(1, f64::INFINITY, f64::min) - margin;
        let width = tidy(end(0, f64::NEG_INFINITY, f64::max) + margin - left);
        let mut height = end(1, f64::NEG_INFINITY, f64::max) + margin - top;
        let mut texts = Vec::new();
        for layer in 0..layers as u32 {
            let ([x, y], _) = view.project([f64::from(layer), rows - 0.5, -0.5]);
            texts.push((Words { text: layer.to_string(), middle: [x - 0.5, y], size: 0.5 }, palette::BLACK));
        }
        if let Some(caption) = &self.lettering.caption {
            let size = f64::min(0.6, 0.95 * width / font::width(caption));
            let middle = [left + width / 2.0, top + height + 0.2];
            texts.push((Words { text: caption.clone(), middle, size }, palette::BLACK));
            height += 0.8;
        }
        let scale = self
            .lettering
            .width
            .map_or_else(|| (900.0 / width).clamp(10.0, 40.0), |pixels| (f64::from(pixels) - 0.001) / width);
        document(&self.board.name().to_string(), [tidy(left), tidy(top)], [width, height], scale)
            .add(Description::new().add(svg::node::Text::new(self.words())))
            .add(self.floors(view))
            .add(self.balls(view))
            .add(lettering(&texts))
    }

    /// Returns the floors, from the lowest to the highest, with the squares below pieces marked.
    fn floors(&self, view: &View) -> Group {
        let [layers, rows, columns] = view.sides;
        let mut floors = Group::new().set("stroke-linejoin", "round").set("fill", "none");
        for layer in (0..layers as u32).rev().map(f64::from) {
            for square in &self.occupied {
                let at = self.board.coordinates(*square);
                if f64::from(at[0]) == layer {
                    let corner = [f64::from(at[1]) - 0.5, f64::from(at[2]) - 0.5];
                    let corners = view.floor(layer, corner, corner.map(|x| x + 1.0));
                    floors =
                        floors.add(Polygon::new().set("points", points(&corners)).set("fill", PALE_BLUE));
                }
            }
            let mut grid = Group::new().set("stroke", palette::LIGHT).set("stroke-width", 0.02);
            let place = |row: f64, column: f64| view.project([layer, row - 0.5, column - 0.5]).0;
            for row in (1..rows as u32).map(f64::from) {
                grid = grid.add(line(place(row, 0.0), place(row, columns)));
            }
            for column in (1..columns as u32).map(f64::from) {
                grid = grid.add(line(place(0.0, column), place(rows, column)));
            }
            let outline = view.floor(layer, [-0.5, -0.5], [rows - 0.5, columns - 0.5]);
            floors = floors.add(grid).add(
                Polygon::new()
                    .set("points", points(&outline))
                    .set("stroke", palette::GREY)
                    .set("stroke-width", 0.03),
            );
        }
        floors
    }

    /// Returns the balls of pieces, of attacked squares and of colours, from the farthest to the nearest.
    fn balls(&self, view: &View) -> Group {
        let mut balls = Vec::new();
        for square in 0..self.board.size() as u32 {
            let (fill, radius) = match &self.show {
                Show::Classes { classes, highlighted } => {
                    let class = classes[square as usize];
                    if !highlighted.is_empty() && !highlighted.contains(&class) {
                        continue;
                    }
                    (palette::tint(class, highlighted), BALL)
                }
                _ if self.occupied.contains(&square) => (palette::BLUE.to_owned(), BALL),
                _ if self.attacked.contains(&square) => (palette::VERMILION.to_owned(), BALL / 3.0),
                _ => continue,
            };
            let at = self.board.coordinates(square);
            let (middle, far) = view.project([0, 1, 2].map(|axis| f64::from(at[axis])));
            balls.push((far, middle, fill, radius));
        }
        balls.sort_by(|a, b| b.0.total_cmp(&a.0));
        let is_placement = matches!(self.show, Show::Placement { .. });
        let mut group = Group::new().set("stroke-width", 0.03);
        for (_, [x, y], fill, radius) in balls {
            // A ball touches its floor.
            let y = y - radius;
            let ball = |x: f64, y: f64, radius: f64| {
                Circle::new().set("cx", tidy(x)).set("cy", tidy(y)).set("r", tidy(radius))
            };
            let is_piece = is_placement && radius == BALL;
            group = group.add(ball(x, y, radius).set("fill", fill).set("stroke", "#FFFFFF"));
            if is_piece {
                let light = ball(x - 0.3 * radius, y - 0.35 * radius, 0.28 * radius);
                group = group.add(light.set("fill", LIGHT_BLUE).set("stroke", "none"));
            }
        }
        group
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn placement(name: &str, squares: &[[u32; 3]]) -> Result<String, FigureError> {
        let board = Board::new(&name.parse().expect("a board"));
        let squares = squares.iter().filter_map(|square| board.square(square)).collect();
        Figure::new(&board, Show::Placement { squares, attacked: false }).solid()
    }

    #[test]
    fn each_piece_is_a_ball_on_its_floor() {
        let svg = placement("2x3x4", &[[0, 1, 2], [1, 0, 0]]).expect("a picture");
        assert_eq!(svg.matches("<circle").count(), 4, "{svg}");
        assert_eq!(svg.matches(PALE_BLUE).count(), 2);
        // Two floors of two inner rows and three inner columns.
        assert_eq!(svg.matches("<line").count(), 10);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn the_first_axis_goes_down() {
        let view = View { sides: [3.0; 3] };
        let [high, low] = [0.0, 2.0].map(|layer| view.project([layer, 1.0, 1.0]).0);
        assert!(high[1] < low[1]);
        let [back, front] = [0.0, 2.0].map(|row| view.project([1.0, row, 1.0]));
        assert!(back.1 > front.1 && back.0[1] < front.0[1]);
    }

    #[test]
    fn other_boards_are_refused() {
        assert!(matches!(placement("3^2", &[]), Err(FigureError::NotSolid(_))));
        assert!(matches!(placement("hex:3", &[]), Err(FigureError::NotSolid(_))));
        assert!(matches!(placement("21^3", &[]), Err(FigureError::TooLarge { .. })));
    }
}
