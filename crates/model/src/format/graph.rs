//! DIMACS formats for cliques and colourings: the queen graph of a board. Vertices `1..N` are the squares in
//! their order, and a line `e i j` is an edge.
//!
//! The graph is not stored. Since the header contains the number of edges, the neighbours of each square are
//! computed twice.
//!
//! # References
//! D. S. Johnson, M. A. Trick (eds), *Cliques, Coloring, and Satisfiability: Second DIMACS Implementation
//! Challenge*, 1996.

use std::io::{self, BufWriter, Write};

use super::contents::Contents;
use super::text::comment;
use crate::board::{Board, Square};

/// File format for the queen graph of a board.
///
/// # Examples
/// ```
/// use ndqueens_model::board::Board;
/// use ndqueens_model::format::GraphFormat;
///
/// let mut text = Vec::new();
/// GraphFormat::Col.write(&Board::new(&"2^2".parse()?), &mut text)?;
/// assert!(String::from_utf8(text)?.contains("p edge 4 6"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum GraphFormat {
    /// DIMACS clique format: the complement of the queen graph. Its cliques are the independent sets of the
    /// board.
    Clq,
    /// DIMACS colouring format: the queen graph.
    Col,
}

impl GraphFormat {
    /// Writes the graph of a board in this format and returns its size. The writer need not be buffered.
    ///
    /// # Errors
    /// Returns an error if the writer fails.
    pub fn write(self, board: &Board, out: &mut dyn Write) -> io::Result<Contents> {
        let mut out = BufWriter::new(out);
        let vertices = board.size();
        let attacks = board.squares().map(|square| board.degree(square) as u64).sum::<u64>() / 2;
        let (title, edges) = match self {
            Self::Clq => {
                let pairs = vertices as u64 * (vertices as u64).saturating_sub(1) / 2;
                ("squares that do not attack each other: cliques are independent sets", pairs - attacks)
            }
            Self::Col => ("squares that attack each other", attacks),
        };
        comment(&format!("board {}: an edge joins {title}", board.name()), "c", &mut out)?;
        for square in board.squares() {
            writeln!(out, "c {} {}", square + 1, board.label(square))?;
        }
        writeln!(out, "p edge {vertices} {edges}")?;
        for a in board.squares() {
            let attacked = board.neighbours(a).into_iter().filter(|&b| b > a);
            match self {
                Self::Clq => {
                    let mut attacked = attacked.peekable();
                    let free = (a + 1..vertices as Square).filter(|b| attacked.next_if_eq(b).is_none());
                    write_edges(a, free, &mut out)
                }
                Self::Col => write_edges(a, attacked, &mut out),
            }?;
        }
        out.flush()?;
        Ok(Contents::Edges { vertices, edges })
    }
}

/// Writes the edges from `a` to other squares.
fn write_edges(a: Square, others: impl Iterator<Item = Square>, out: &mut dyn Write) -> io::Result<()> {
    for b in others {
        writeln!(out, "e {} {}", a + 1, b + 1)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write_to_string(format: GraphFormat, board: &Board) -> String {
        let mut bytes = Vec::new();
        format.write(board, &mut bytes).expect("a vector takes every byte");
        String::from_utf8(bytes).expect("text")
    }

    fn board(name: &str) -> Board {
        Board::new(&name.parse().expect("a board name"))
    }

    #[test]
    fn writes_a_complete_file() {
        let comments = "\
c 1 (0,0)
c 2 (0,1)
c 3 (0,2)
c 4 (1,0)
c 5 (1,1)
c 6 (1,2)
";
        let clq = format!(
            "c board 2x3: an edge joins squares that do not attack each other: cliques are\nc independent sets\n\
             {comments}p edge 6 2\ne 1 6\ne 3 4\n"
        );
        let col = format!(
            "c board 2x3: an edge joins squares that attack each other\n{comments}p edge 6 13\n\
             e 1 2\ne 1 3\ne 1 4\ne 1 5\ne 2 3\ne 2 4\ne 2 5\ne 2 6\ne 3 5\ne 3 6\ne 4 5\ne 4 6\ne 5 6\n"
        );
        assert_eq!(write_to_string(GraphFormat::Clq, &board("2x3")), clq);
        assert_eq!(write_to_string(GraphFormat::Col, &board("2x3")), col);
    }

    #[test]
    fn edges_of_both_formats_match_the_attacks() {
        for name in ["1^2", "2^3", "5^2", "3x4x2", "3^4", "rook:3^3", "bishop:4^2", "torus:5^2"] {
            let board = board(name);
            for (format, attacking) in [(GraphFormat::Clq, false), (GraphFormat::Col, true)] {
                let text = write_to_string(format, &board);
                let pairs = board.squares().flat_map(|b| (0..b).map(move |a| (a, b)));
                let mut edges: Vec<String> = pairs
                    .filter(|&(a, b)| board.attacks(a, b) == attacking)
                    .map(|(a, b)| format!("e {} {}", a + 1, b + 1))
                    .collect();
                let header = format!("p edge {} {}", board.size(), edges.len());
                assert!(text.lines().any(|line| line == header), "{name}: {text}");
                let mut found: Vec<&str> = text.lines().filter(|line| line.starts_with('e')).collect();
                edges.sort();
                found.sort_unstable();
                assert_eq!(found, edges, "{name}");
            }
        }
    }
}
