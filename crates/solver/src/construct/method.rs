//! The constructions by their names, and how much work they may take.

use std::fmt;
use std::str::FromStr;

use ndqueens_notation::similar::did_you_mean;

/// A way to construct an independent set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    /// A regular solution; see [`regular`](super::linear::regular).
    Regular,
    /// The best subcube cut; see [`cut`](super::cut).
    Cut,
    /// A smaller full solution with more squares round it; see [`extend`](super::extend).
    Extend,
    /// The closed form in two dimensions; see [`planar`](super::planar).
    Planar,
    /// A product of two solutions; see [`product`](super::product).
    Product,
    /// A larger cube's solution with a corner cut off; see [`corner`](super::corner).
    Corner,
    /// Layer upon layer; see [`stack`](super::stack).
    Stack,
    /// Kings on even coordinates, knights on one colour.
    Parity,
    /// Local search from the empty set; see [`local_search::quick`](super::local_search::quick).
    Greedy,
}

impl Method {
    /// Every method, explicit constructions before search.
    pub const ALL: [Self; 9] = [
        Self::Regular,
        Self::Planar,
        Self::Cut,
        Self::Extend,
        Self::Product,
        Self::Corner,
        Self::Stack,
        Self::Parity,
        Self::Greedy,
    ];

    /// Whether a seed decides something.
    #[must_use]
    pub const fn is_random(self) -> bool {
        matches!(self, Self::Extend | Self::Product | Self::Stack | Self::Greedy)
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Regular => "regular",
            Self::Cut => "cut",
            Self::Extend => "extend",
            Self::Planar => "planar",
            Self::Product => "product",
            Self::Corner => "corner",
            Self::Stack => "stack",
            Self::Parity => "parity",
            Self::Greedy => "greedy",
        })
    }
}

/// A text is not the name of a method.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("\"{name}\" is not a construction; expected one of {}{}", Method::ALL.map(|m| m.to_string()).join(", "), suggestion(name))]
pub struct UnknownMethod {
    /// The text as given.
    pub name: String,
}

fn suggestion(name: &str) -> String {
    let names = Method::ALL.map(|method| method.to_string());
    did_you_mean(name, names.iter().map(String::as_str))
}

impl FromStr for Method {
    type Err = UnknownMethod;

    fn from_str(name: &str) -> Result<Self, UnknownMethod> {
        let known = Self::ALL.into_iter().find(|method| method.to_string() == name);
        known.ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

/// How much work a construction may take; the result depends on this, never on the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Elementary steps of the search for coefficients, roughly, for each modulus.
    pub cut: u64,
    /// Neighbours that the local search looks at.
    pub greedy: u64,
}

impl Default for Effort {
    /// About a second for each method.
    fn default() -> Self {
        Self { cut: 10_000_000, greedy: 50_000_000 }
    }
}
