//! Drawing of a board and a game on it as SVG: the moves are numbered, and the players differ in colour and
//! in dashes, so that they can be distinguished without colour.

use ndqueens_notation::counted::counted;
use ndqueens_report::plane::Point;
use ndqueens_report::svg::font::text;
use ndqueens_report::svg::{document, palette};
use svg::Document;
use svg::node::element::{Circle, Group, Line};

use crate::board::letter;
use crate::rules::{Game, Player};

/// Width and height of the square that holds the dots.
const SIDE: f64 = 560.0;
/// Margin around that square.
const MARGIN: f64 = 40.0;
/// Height of the legend above that square.
const LEGEND: f64 = 56.0;

/// Returns the colour of a player's segments.
fn colour(player: Player) -> &'static str {
    match player {
        Player::First => palette::BLUE,
        Player::Second => palette::VERMILION,
    }
}

/// Returns the dash pattern of a player's segments.
fn dashes(player: Player) -> &'static str {
    match player {
        Player::First => "none",
        Player::Second => "9 6",
    }
}

/// Rounds to tenths of a unit, which are too small to be visible.
fn tenths(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}

fn distance([x, y]: Point, [u, v]: Point) -> f64 {
    (x - u).hypot(y - v)
}

/// Draws the moves of a game so far, under a title.
#[must_use]
pub fn svg(game: &Game<'_>, title: &str) -> String {
    let places = places(game);
    let (width, height) = (SIDE + 2.0 * MARGIN, SIDE + 2.0 * MARGIN + LEGEND);
    let mut document = document(title, [0.0; 2], [width, height], 1.0)
        .add(text(title, [MARGIN, 26.0], 18.0).set("text-anchor", "start"));
    if !game.moves().is_empty() {
        document = legend(document, game);
    }
    let segments = game.board().segments();
    let mut lines = Group::new().set("stroke-width", 3);
    let mut numbers = Group::new();
    let label = |dot: usize| {
        let joined =
            game.moves().iter().map(|made| segments[made.segment]).filter(|ends| ends.contains(&dot));
        let neighbours: Vec<Point> = joined.map(|[a, b]| places[a + b - dot]).collect();
        label_place(places[dot], &neighbours)
    };
    let labels: Vec<Point> = (0..places.len()).map(label).collect();
    let mut taken: Vec<Point> = [places.as_slice(), &labels].concat();
    for (number, made) in game.moves().iter().enumerate() {
        let player = made.player;
        let [from, to] = segments[made.segment].map(|dot| places[dot]);
        lines = lines.add(stroke(from, to, player));
        let at = number_place(from, to, &taken);
        taken.push(at);
        numbers = numbers.add(disc(at, 9.5).set("stroke", colour(player))).add(text(
            &(number + 1).to_string(),
            at,
            11.0,
        ));
    }
    document = document.add(lines).add(numbers);
    for (dot, (&place, &label)) in places.iter().zip(&labels).enumerate() {
        document = document.add(Circle::new().set("cx", place[0]).set("cy", place[1]).set("r", 5)).add(text(
            &letter(dot).to_string(),
            label,
            16.0,
        ));
    }
    format!("{document}\n")
}

/// Returns the positions of the dots in the drawing, scaled to the available space.
fn places(game: &Game<'_>) -> Vec<Point> {
    let dots = game.board().dots();
    let least = |values: &dyn Fn(usize) -> i64| (0..dots.len()).map(values).min().unwrap_or_default();
    let (left, bottom) = (least(&|dot| dots[dot].x), least(&|dot| dots[dot].y));
    let (right, top) = (-least(&|dot| -dots[dot].x), -least(&|dot| -dots[dot].y));
    let (wide, high) = ((right - left) as f64, (top - bottom) as f64);
    let scale = SIDE / wide.max(high).max(1.0);
    let (x, y) = (MARGIN + (SIDE - wide * scale) / 2.0, LEGEND + MARGIN + (SIDE - high * scale) / 2.0);
    let place = |dot: usize| {
        [x + (dots[dot].x - left) as f64 * scale, y + (top - dots[dot].y) as f64 * scale].map(tenths)
    };
    (0..dots.len()).map(place).collect()
}

/// Creates the line of a segment of this player.
fn stroke(from: Point, to: Point, player: Player) -> Line {
    Line::new()
        .set("x1", from[0])
        .set("y1", from[1])
        .set("x2", to[0])
        .set("y2", to[1])
        .set("stroke", colour(player))
        .set("stroke-dasharray", dashes(player))
}

/// Creates the disc behind the number of a move.
fn disc(at: Point, radius: f64) -> Circle {
    Circle::new()
        .set("cx", at[0])
        .set("cy", at[1])
        .set("r", radius)
        .set("fill", "white")
        .set("stroke-width", 1.5)
}

/// Adds the legend: each player with the score.
fn legend(document: Document, game: &Game<'_>) -> Document {
    let scores = game.scores();
    [Player::First, Player::Second].into_iter().zip(scores).fold(document, |document, (player, score)| {
        let left = MARGIN + if player == Player::First { 0.0 } else { SIDE / 2.0 };
        let words = format!("{player}: {}", counted(score, "point"));
        document
            .add(stroke([left, 52.0], [left + 44.0, 52.0], player).set("stroke-width", 3))
            .add(text(&words, [left + 54.0, 52.0], 15.0).set("text-anchor", "start"))
    })
}

/// Returns the place on a segment with the largest distance from the places `taken`; distances count up to 24
/// units, and ties are decided for the middle.
fn number_place([x, y]: Point, [u, v]: Point, taken: &[Point]) -> Point {
    let mut best = ([0.0, 0.0], f64::MIN);
    for part in [0.5, 0.42, 0.58, 0.35, 0.65, 0.28, 0.72] {
        let at = [tenths(x + (u - x) * part), tenths(y + (v - y) * part)];
        let room = taken.iter().map(|&other| distance(at, other)).fold(f64::MAX, f64::min).min(24.0);
        if room > best.1 {
            best = (at, room);
        }
    }
    best.0
}

/// Returns the place of a dot's letter: in the widest gap between the segments to the
/// `neighbours` of the dot.
fn label_place(place: Point, neighbours: &[Point]) -> Point {
    /// Distance of the letter from the dot.
    const AWAY: f64 = 15.0;
    /// Number of directions that are tried.
    const STEPS: u32 = 32;
    let at = |step: u32| {
        // The direction upwards comes first, and is preferred if several gaps are equally wide.
        let angle = std::f64::consts::TAU * (f64::from(step) / f64::from(STEPS) - 0.25);
        [place[0] + AWAY * angle.cos(), place[1] + AWAY * angle.sin()]
    };
    let gap = |step: u32| {
        let nearest = |&neighbour: &Point| {
            let length = distance(place, neighbour).max(1.0);
            let near = [0, 1].map(|i| place[i] + (neighbour[i] - place[i]) / length * AWAY);
            distance(at(step), near)
        };
        neighbours.iter().map(nearest).fold(f64::MAX, f64::min)
    };
    let best = (0..STEPS).fold(0, |best, step| if gap(step) > gap(best) + 1e-6 { step } else { best });
    at(best).map(tenths)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Dot};

    #[test]
    fn draws_every_dot_and_move() {
        let dots = [(0, 0), (10, 1), (4, 9), (5, 3)].map(|(x, y)| Dot { x, y });
        let board = Board::new(dots.to_vec()).expect("general position");
        let bare = svg(&Game::new(&board), "a <board>");
        assert_eq!(bare.matches("<circle").count(), 4);
        assert!(bare.contains("a &lt;board&gt;") && !bare.contains("points") && !bare.contains("<line"));
        let segments: Vec<usize> = (0..6).collect();
        let game = Game::replay(&board, &segments).expect("nothing crosses");
        let drawn = svg(&game, "a game");
        assert_eq!(drawn.matches("<circle").count(), 4 + 6);
        // Two lines are in the legend.
        assert_eq!(drawn.matches("stroke-dasharray=\"none\"").count(), 3 + 1);
        assert_eq!(drawn.matches("stroke-dasharray=\"9 6\"").count(), 3 + 1);
        assert!(drawn.contains("second player: 17 points"), "{drawn}");
    }
}
