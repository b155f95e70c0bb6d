//! Pieces: those that move along lines, and those that have moves of fixed length.

/// A piece that moves along lines.
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
    /// Every piece, in the order in which messages list them.
    pub const ALL: [Self; 3] = [Self::Queen, Self::Rook, Self::Bishop];

    /// The word used in board names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Queen => "queen",
            Self::Rook => "rook",
            Self::Bishop => "bishop",
        }
    }

    /// The word for several of them.
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

/// A piece that has moves of fixed length. Its squares of attack are no lines, so that boards with it are of a kind of their own.
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
    /// Every such piece, in the order in which messages list them.
    pub const ALL: [Self; 3] = [Self::Knight, Self::King, Self::Superqueen];

    /// The word used in board names.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Self::Knight => "knight",
            Self::King => "king",
            Self::Superqueen => "superqueen",
        }
    }

    /// The word for several of them.
    #[must_use]
    pub fn plural(self) -> &'static str {
        match self {
            Self::Knight => "knights",
            Self::King => "kings",
            Self::Superqueen => "superqueens",
        }
    }
}
