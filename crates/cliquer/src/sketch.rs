//! Drawing of a game in characters, for terminals: letters are dots, periods the segments of the first
//! player, colons those of the second.

use crate::board::letter;
use crate::rules::{Game, Player};

/// Width of the drawing in characters, less 1.
const WIDTH: i64 = 64;
/// Height of the drawing in lines, less 1.
const HEIGHT: i64 = 26;

/// Draws a game. Lines are separated by line breaks.
#[must_use]
pub fn sketch(game: &Game<'_>) -> String {
    let dots = game.board().dots();
    let range = |values: Vec<i64>| {
        let (low, high) =
            (values.iter().min().copied().unwrap_or(0), values.iter().max().copied().unwrap_or(0));
        (low, (high - low).max(1))
    };
    let (left, wide) = range(dots.iter().map(|dot| dot.x).collect());
    let (bottom, high) = range(dots.iter().map(|dot| dot.y).collect());
    // A character is about twice as high as wide.
    let unit = (wide as f64 / WIDTH as f64).max(high as f64 / (2 * HEIGHT) as f64);
    let place = |dot: usize| {
        let x = ((dots[dot].x - left) as f64 / unit).round() as i64;
        let y = ((dots[dot].y - bottom) as f64 / unit / 2.0).round() as i64;
        (x, HEIGHT - y)
    };
    let mut cells = vec![vec![' '; WIDTH as usize + 1]; HEIGHT as usize + 1];
    for made in game.moves() {
        let [(x, y), (u, v)] = game.board().segments()[made.segment].map(place);
        let steps = (u - x).abs().max(2 * (v - y).abs()).max(1);
        for step in 0..=steps {
            let between =
                |from: i64, to: i64| from + ((to - from) as f64 * step as f64 / steps as f64).round() as i64;
            cells[between(y, v) as usize][between(x, u) as usize] =
                if made.player == Player::First { '.' } else { ':' };
        }
    }
    for dot in 0..dots.len() {
        let (x, y) = place(dot);
        cells[y as usize][x as usize] = letter(dot);
    }
    let rows: Vec<String> =
        cells.iter().map(|row| row.iter().collect::<String>().trim_end().to_owned()).collect();
    rows.join("\n").trim_matches('\n').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Board, Dot};

    #[test]
    fn draws_letters_and_segments() {
        let dots = [(0, 0), (64, 0), (30, 52)].map(|(x, y)| Dot { x, y });
        let board = Board::new(dots.to_vec()).expect("general position");
        let game = Game::replay(&board, &[0, 1]).expect("nothing crosses");
        let drawn = sketch(&game);
        let rows: Vec<&str> = drawn.lines().collect();
        assert_eq!(rows.len(), 27);
        assert!(rows[0].ends_with('C'));
        assert_eq!(rows[26], format!("A{}B", ".".repeat(63)));
        assert!(drawn.contains(':'));
    }
}
