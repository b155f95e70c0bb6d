//! Boards with three axes drawn as solids: a floor for each layer, and a ball for each piece.

use std::cmp::Reverse;

use ndqueens_model::board::{Board, Form, Square};
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
/// Minimum distance of two floors, in sides of a square.
const FLOOR: f64 = 1.6;
/// Distance of two floors of a large board, as a fraction of their depth.
const FLOOR_PART: f64 = 0.2;
/// Height of the block on a square of a constraint, in sides of a square.
const BLOCK: f64 = 0.8;
/// Colours of the top, the front and the right face of a block.
const FACES: [&str; 3] = ["#F6CB6B", "#E69F00", "#B37B00"];
/// Radius of the ball of a piece, in sides of a square.
const BALL: f64 = 0.36;
/// Colour of the highlight of a ball.
const HIGHLIGHT: &str = "#FFFFFF";
/// Colour of the square below a ball.
const SHADOW: &str = "#E3E3E3";
/// Largest board that is drawn as a solid, in squares.
const MOST_SQUARES: usize = 8000;

/// View of a box with three axes. The first axis goes down, and its layers are floors.
struct View {
    sides: [f64; 3],
}

impl View {
    /// Returns the view of a board, or `None` if it is not a box with three axes.
    fn new(board: &Board) -> Option<Self> {
        let layout = board.layout()?;
        let [layers, rows, columns]: [u32; 3] = layout.sides.as_slice().try_into().ok()?;
        // Places along the last axis are half a square apart.
        let sides = [layers, rows, columns.div_ceil(2)].map(f64::from);
        (layout.form == Form::Squares).then_some(Self { sides })
    }

    /// Returns the position of a point in the picture, and its distance from the viewer.
    fn project(&self, [layer, row, column]: [f64; 3]) -> (Point, f64) {
        let [_, rows, columns] = self.sides;
        let (depth, right) = ((rows - 1.0) / 2.0 - row, column - (columns - 1.0) / 2.0);
        let across = right * YAW.cos() + depth * YAW.sin();
        let far = depth * YAW.cos() - right * YAW.sin();
        let down = layer * self.floor_distance();
        ([across, down * PITCH.cos() - far * PITCH.sin()], far * PITCH.cos() + down * PITCH.sin())
    }

    /// Returns the distance of two floors, in sides of a square.
    fn floor_distance(&self) -> f64 {
        FLOOR.max(FLOOR_PART * self.sides[1])
    }

    /// Returns the corners of a rectangle on a floor, between two opposite corners.
    fn floor(&self, layer: f64, [top, left]: [f64; 2], [bottom, right]: [f64; 2]) -> Vec<Point> {
        let corners = [[top, left], [top, right], [bottom, right], [bottom, left]];
        corners.map(|[row, column]| self.project([layer, row, column]).0).to_vec()
    }
}

impl Figure<'_> {
    /// Returns the picture of a box with three axes as a solid, as SVG.
    ///
    /// # Errors
    /// Returns an error if the board is not a box with three axes, if it is too large, or if a density is
    /// shown.
    pub fn solid(&self) -> Result<String, FigureError> {
        let board = self.board;
        let view = match &self.show {
            Show::Density(_) => None,
            Show::Placement { .. } | Show::Classes { .. } | Show::Row { .. } => View::new(board),
        };
        let view = view.ok_or_else(|| FigureError::NotSolid(board.name().to_string()))?;
        if board.size() > MOST_SQUARES {
            let places = board.format_squares(board.size() as u64);
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
        let below = 1.4;
        let left = end(0, f64::INFINITY, f64::min) - margin - 0.9;
        let top = end(1, f64::INFINITY, f64::min) - margin;
        let width = tidy(end(0, f64::NEG_INFINITY, f64::max) + margin + 0.9 - left);
        let mut height = end(1, f64::NEG_INFINITY, f64::max) + below - top;
        let mut texts = axes(view);
        texts.extend(self.weights(view));
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
            .add(self.blocks(view))
            .add(self.balls(view))
            .add(lettering(&texts))
    }

    /// Draws the floors, from the lowest to the highest, with the squares below pieces shaded.
    fn floors(&self, view: &View) -> Group {
        let [layers, rows, columns] = view.sides;
        let mut floors = Group::new().set("stroke-linejoin", "round").set("fill", "none");
        for layer in (0..layers as u32).rev().map(f64::from) {
            for square in &self.occupied {
                let at = self.board.coordinates(*square);
                if f64::from(at[0]) == layer {
                    let corner = [f64::from(at[1]) - 0.5, f64::from(at[2]) - 0.5];
                    let corners = view.floor(layer, corner, corner.map(|x| x + 1.0));
                    floors = floors.add(Polygon::new().set("points", points(&corners)).set("fill", SHADOW));
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

    /// Draws the blocks on the squares of a constraint, from the farthest to the nearest.
    fn blocks(&self, view: &View) -> Group {
        let mut group = Group::new().set("stroke", palette::BLACK).set("stroke-width", 0.02);
        let Show::Row { coefficients, .. } = &self.show else { return group };
        let place = |&square: &Square| [0, 1, 2].map(|axis| self.board.coordinates(square)[axis]);
        let mut places: Vec<[u32; 3]> = coefficients.keys().map(place).collect();
        // In this order no block hides a later one: from below, from the back, from the left.
        places.sort_unstable_by_key(|&[layer, row, column]| (Reverse(layer), row, column));
        let height = BLOCK / view.floor_distance();
        for [layer, row, column] in places.into_iter().map(|place| place.map(f64::from)) {
            let (top, half) = (layer - height, BLOCK / 2.0);
            let corner = |layer, down: f64, right: f64| {
                view.project([layer, row + half * down, column + half * right]).0
            };
            let faces = [
                [(top, -1.0, -1.0), (top, -1.0, 1.0), (top, 1.0, 1.0), (top, 1.0, -1.0)],
                [(top, 1.0, -1.0), (top, 1.0, 1.0), (layer, 1.0, 1.0), (layer, 1.0, -1.0)],
                [(top, 1.0, 1.0), (top, -1.0, 1.0), (layer, -1.0, 1.0), (layer, 1.0, 1.0)],
            ];
            for (face, fill) in faces.into_iter().zip(FACES) {
                let corners = face.map(|(layer, down, right)| corner(layer, down, right));
                group = group.add(Polygon::new().set("points", points(&corners)).set("fill", fill));
            }
        }
        group
    }

    /// Returns the coefficients of a constraint for the tops of its blocks; none if all are 1.
    fn weights(&self, view: &View) -> Vec<(Words, &'static str)> {
        let Show::Row { coefficients, .. } = &self.show else { return Vec::new() };
        let words = |(&square, value): (&Square, &i64)| {
            let at = [0, 1, 2].map(|axis| f64::from(self.board.coordinates(square)[axis]));
            let (middle, _) = view.project([at[0] - BLOCK / view.floor_distance(), at[1], at[2]]);
            (Words { text: value.to_string(), middle, size: 0.3 }, palette::BLACK)
        };
        let shown = coefficients.values().any(|&value| value != 1);
        coefficients.iter().filter(|_| shown).map(words).collect()
    }

    /// Draws the balls of pieces, attacked squares and colour classes, from the farthest to the nearest.
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
                // One colour per floor shows on which floor a ball lies.
                _ if self.occupied.contains(&square) => {
                    (palette::tint(self.board.coordinates(square)[0] as usize, &[]), BALL)
                }
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
            let stroke = if is_piece { palette::BLACK } else { "#FFFFFF" };
            group = group.add(ball(x, y, radius).set("fill", fill).set("stroke", stroke));
            if is_piece {
                let light = ball(x - 0.3 * radius, y - 0.35 * radius, 0.28 * radius);
                group = group.add(light.set("fill", HIGHLIGHT).set("stroke", "none"));
            }
        }
        group
    }
}

/// Returns the coordinates along the edges of the solid, and the names of its axes.
fn axes(view: &View) -> Vec<(Words, &'static str)> {
    let [layers, rows, columns] = view.sides;
    let mut texts = Vec::new();
    let mut write = |text: String, place: [f64; 3], [right, down]: [f64; 2], size: f64| {
        let ([x, y], _) = view.project(place);
        texts.push((Words { text, middle: [x + right, y + down], size }, palette::BLACK));
    };
    let lowest = layers - 1.0;
    for layer in 0..layers as u32 {
        write(layer.to_string(), [f64::from(layer), rows - 0.5, -0.5], [-0.5, 0.0], 0.5);
    }
    for row in 0..rows as u32 {
        write(row.to_string(), [lowest, f64::from(row), columns - 0.5], [0.45, 0.15], 0.4);
    }
    for column in 0..columns as u32 {
        write(column.to_string(), [lowest, rows - 0.5, f64::from(column)], [-0.05, 0.4], 0.4);
    }
    write("x1".to_owned(), [0.0, rows - 0.5, -0.5], [-0.5, -0.7], 0.45);
    write("x2".to_owned(), [lowest, (rows - 1.0) / 2.0, columns - 0.5], [1.0, 0.45], 0.45);
    write("x3".to_owned(), [lowest, rows - 0.5, (columns - 1.0) / 2.0], [-0.2, 0.95], 0.45);
    texts
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
        assert_eq!(svg.matches(SHADOW).count(), 2);
        // Two floors of two inner rows and three inner columns.
        assert_eq!(svg.matches("<line").count(), 10);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn each_square_of_a_constraint_is_a_block() {
        let board = Board::new(&"3^3".parse().expect("a board"));
        let picture = |coefficients: [(Square, i64); 2]| {
            let show = Show::Row { name: "line_0".to_owned(), coefficients: coefficients.into() };
            Figure::new(&board, show).solid().expect("a picture")
        };
        let svg = picture([(0, 1), (26, 1)]);
        assert!(FACES.iter().all(|face| svg.matches(face).count() == 2), "{svg}");
        assert!(svg.contains("The 2 squares of the constraint line_0 on 3^3"), "{svg}");
        let letters = |svg: &str| svg.matches("<path").count();
        assert!(letters(&picture([(0, 1), (26, 2)])) >= letters(&svg));
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
