//! Names and work limits of the constructions.

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
    /// A smaller full solution with more squares around it; see [`extend`](super::extend).
    Extend,
    /// The closed form in two dimensions; see [`planar`](super::planar).
    Planar,
    /// A product of two solutions; see [`product`](super::product).
    Product,
    /// A larger cube's solution with a corner cut off; see [`corner`](super::corner).
    Corner,
    /// Layers that are filled one by one; see [`stack`](super::stack).
    Stack,
    /// Kings on even coordinates, knights on one colour.
    Parity,
    /// Local search from the empty set; see [`local_search::quick`](super::local_search::quick).
    Greedy,
}

impl Method {
    /// All methods, explicit constructions before search.
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

    /// Returns `true` if the result depends on the seed.
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

/// Error for a text that is not the name of a method.
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
        let named = Self::ALL.into_iter().find(|method| method.to_string() == name);
        named.ok_or_else(|| UnknownMethod { name: name.to_owned() })
    }
}

/// Work limits of a construction. The result depends on these, never on the clock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Effort {
    /// Approximate number of elementary steps of the search for coefficients, for each modulus.
    pub cut: u64,
    /// Number of neighbours that the local search visits.
    pub greedy: u64,
}

impl Default for Effort {
    /// Returns limits that take about a second for each method.
    fn default() -> Self {
        Self { cut: 10_000_000, greedy: 50_000_000 }
    }
}
