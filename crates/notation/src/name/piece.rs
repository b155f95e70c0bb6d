//! Pieces that move along lines, and pieces with moves of fixed length.

/// Piece that moves along lines.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::{BoardName, Piece};
///
/// assert!(Piece::Bishop.moves_along(2) && !Piece::Bishop.moves_along(1));
/// assert_eq!(BoardName::grid(Piece::Bishop, false, &[8, 8]).to_string(), "bishop:8^2");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Piece {
    /// Moves along every direction in `{-1,0,1}^d`.
    Queen,
    /// Moves along directions with one nonzero entry.
    Rook,
    /// Moves along directions with two nonzero entries or more.
    Bishop,
}

impl Piece {
    /// All pieces, in the order used in messages.
    pub const ALL: [Self; 3] = [Self::Queen, Self::Rook, Self::Bishop];

    /// Returns the word used in board names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Queen => "queen",
            Self::Rook => "rook",
            Self::Bishop => "bishop",
        }
    }

    /// Returns the plural of the word.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Queen => "queens",
            Self::Rook => "rooks",
            Self::Bishop => "bishops",
        }
    }

    /// Returns `true` if the piece moves along a direction with `support` nonzero entries.
    #[must_use]
    pub fn moves_along(self, support: usize) -> bool {
        match self {
            Self::Queen => support >= 1,
            Self::Rook => support == 1,
            Self::Bishop => support >= 2,
        }
    }
}

/// Piece with moves of fixed length. Common lines do not determine its attacks, so boards with such a piece
/// are a separate kind.
///
/// # Examples
/// ```
/// use ndqueens_notation::name::Leaper;
///
/// assert_eq!(Leaper::ALL.map(Leaper::plural), ["knights", "kings", "superqueens"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Leaper {
    /// Moves by 1 along one axis and by 2 along another one.
    Knight,
    /// Moves by at most 1 along every axis.
    King,
    /// Moves as a queen or as a knight.
    Superqueen,
}

impl Leaper {
    /// All such pieces, in the order used in messages.
    pub const ALL: [Self; 3] = [Self::Knight, Self::King, Self::Superqueen];

    /// Returns the word used in board names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Knight => "knight",
            Self::King => "king",
            Self::Superqueen => "superqueen",
        }
    }

    /// Returns the plural of the word.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Knight => "knights",
            Self::King => "kings",
            Self::Superqueen => "superqueens",
        }
    }
}
