//! Constraints with rational coefficients, their sums, and the test that one dominates another.

use std::cmp::Ordering;
use std::rc::Rc;

use super::formula::{ProgramRow, Relation};
use super::rational::{Rational, TooLong};
use super::words::shorten;
use crate::fault::Reason;

/// Reason why a constraint cannot be rounded.
#[derive(Debug, thiserror::Error)]
pub(super) enum RoundingError {
    /// Variable with a coefficient that is not an integer.
    #[error(
        "the sum cannot be rounded: the coefficient of variable {variable} is {}, not an integer",
        shorten(coefficient)
    )]
    Coefficient {
        /// Variable.
        variable: u32,
        /// Coefficient.
        coefficient: String,
    },
    /// The sum is an equation.
    #[error("the sum is an equation, which cannot be rounded")]
    Equation,
}

/// Reason why two constraints are not the two sides of a split.
#[derive(Debug, thiserror::Error)]
pub(super) enum InvalidSplit {
    /// Two constraints with the same direction, or an equation.
    #[error("the two sides of a split must be one constraint L and one constraint G")]
    Directions,
    /// Different left-hand sides.
    #[error("the two sides of a split must have the same coefficients")]
    Coefficients,
    /// Coefficient that is not an integer.
    #[error("the coefficients of a split must be integers")]
    FractionalCoefficient,
    /// Right-hand side that is not an integer.
    #[error("the right side of a split must be an integer")]
    FractionalRight,
    /// Right-hand sides that do not differ by 1.
    #[error("the two sides of a split must be <= b and >= b + 1")]
    Gap,
}

impl From<RoundingError> for Reason {
    fn from(error: RoundingError) -> Self {
        error.to_string().into()
    }
}

impl From<InvalidSplit> for Reason {
    fn from(error: InvalidSplit) -> Self {
        error.to_string().into()
    }
}

/// Nonzero coefficients, by increasing variables.
pub(super) type Terms = Rc<[(u32, Rational)]>;

/// Indices of assumptions, in increasing order.
pub(super) type Assumptions = Rc<[u64]>;

/// Constraint with the assumptions on which it rests.
#[derive(Debug, Clone)]
pub(super) struct Constraint {
    pub(super) terms: Terms,
    pub(super) relation: Relation,
    pub(super) right: Rational,
    pub(super) assumptions: Assumptions,
}

impl From<ProgramRow> for Constraint {
    fn from(row: ProgramRow) -> Self {
        let mut terms: Vec<_> =
            row.terms.into_iter().map(|(variable, coefficient)| (variable, coefficient.into())).collect();
        terms.sort_unstable_by_key(|(variable, _)| *variable);
        let right = row.right.into();
        Self { terms: terms.into(), relation: row.relation, right, assumptions: Rc::default() }
    }
}

impl Constraint {
    /// Returns the constraint after a multiplication by -1.
    pub(super) fn negate(&self) -> Self {
        Self {
            terms: self
                .terms
                .iter()
                .map(|(variable, coefficient)| (*variable, coefficient.negate()))
                .collect(),
            relation: self.relation.negate(),
            right: self.right.negate(),
            assumptions: Rc::clone(&self.assumptions),
        }
    }

    /// Returns `true` if both constraints have the same coefficients, direction and right-hand side.
    pub(super) fn is_same(&self, other: &Self) -> bool {
        (self.relation, &self.right, &self.terms) == (other.relation, &other.right, &other.terms)
    }

    /// Returns `true` if the left-hand side is 0 and the constraint is false, such as `0 >= 1`.
    pub(super) fn is_falsehood(&self) -> bool {
        self.terms.is_empty()
            && match (self.relation, self.right.sign()) {
                (_, Ordering::Equal) => false,
                (Relation::Equal, _) => true,
                (Relation::AtMost, sign) => sign == Ordering::Less,
                (Relation::AtLeast, sign) => sign == Ordering::Greater,
            }
    }

    /// Returns `true` if this constraint has the left-hand side of the other one and implies it, or is a
    /// falsehood.
    pub(super) fn dominates(&self, other: &Self) -> bool {
        if self.is_falsehood() {
            return true;
        }
        if self.terms != other.terms {
            return false;
        }
        match other.relation {
            Relation::Equal => self.relation == Relation::Equal && self.right == other.right,
            Relation::AtMost => self.relation != Relation::AtLeast && self.right <= other.right,
            Relation::AtLeast => self.relation != Relation::AtMost && self.right >= other.right,
        }
    }

    /// Rounds the right-hand side, which is valid because all variables are integers.
    ///
    /// # Errors
    /// Returns an error if the constraint cannot be rounded.
    pub(super) fn round(&mut self) -> Result<(), RoundingError> {
        if let Some((variable, coefficient)) = self.terms.iter().find(|(_, value)| !value.is_integer()) {
            let (variable, coefficient) = (*variable, coefficient.to_string());
            return Err(RoundingError::Coefficient { variable, coefficient });
        }
        self.right = match self.relation {
            Relation::Equal => return Err(RoundingError::Equation),
            Relation::AtMost => self.right.floor(),
            Relation::AtLeast => self.right.ceil(),
        };
        Ok(())
    }

    /// Checks that every integer point satisfies this constraint or `other`: they must be `ax <= b` and `ax
    /// >= b + 1` in either order, with integers `a` and `b`.
    ///
    /// # Errors
    /// Returns an error if they are not.
    pub(super) fn check_split_with(&self, other: &Self) -> Result<(), InvalidSplit> {
        let (below, above) = match (self.relation, other.relation) {
            (Relation::AtMost, Relation::AtLeast) => (self, other),
            (Relation::AtLeast, Relation::AtMost) => (other, self),
            _ => return Err(InvalidSplit::Directions),
        };
        if below.terms != above.terms {
            return Err(InvalidSplit::Coefficients);
        }
        if below.terms.iter().any(|(_, coefficient)| !coefficient.is_integer()) {
            return Err(InvalidSplit::FractionalCoefficient);
        }
        if !below.right.is_integer() {
            return Err(InvalidSplit::FractionalRight);
        }
        if below.right.successor() != above.right {
            return Err(InvalidSplit::Gap);
        }
        Ok(())
    }
}

/// Sum of multiples of constraints.
#[derive(Debug)]
pub(super) struct Sum {
    values: Vec<Rational>,
    /// Variables whose value may differ from 0.
    used: Vec<u32>,
    is_used: Vec<bool>,
    right: Rational,
    relation: Relation,
    assumptions: Assumptions,
}

/// Reason why a multiple cannot be added.
pub(super) enum NotAdded {
    /// The multiples have different directions.
    OtherDirection,
    TooLong,
}

impl From<TooLong> for NotAdded {
    fn from(_: TooLong) -> Self {
        Self::TooLong
    }
}

impl Sum {
    pub(super) fn new(variables: usize) -> Self {
        Self {
            values: vec![Rational::ZERO; variables],
            used: Vec::new(),
            is_used: vec![false; variables],
            right: Rational::ZERO,
            relation: Relation::Equal,
            assumptions: Rc::default(),
        }
    }

    /// Adds a multiple of a constraint.
    pub(super) fn add(&mut self, constraint: &Constraint, times: &Rational) -> Result<(), NotAdded> {
        let relation = match (constraint.relation, times.sign()) {
            (Relation::Equal, _) | (_, Ordering::Equal) => Relation::Equal,
            (relation, Ordering::Greater) => relation,
            (relation, Ordering::Less) => relation.negate(),
        };
        match (self.relation, relation) {
            (_, Relation::Equal) => {}
            (Relation::Equal, _) => self.relation = relation,
            (before, now) if before == now => {}
            _ => return Err(NotAdded::OtherDirection),
        }
        for (variable, coefficient) in constraint.terms.iter() {
            let place = *variable as usize;
            if !std::mem::replace(&mut self.is_used[place], true) {
                self.used.push(*variable);
            }
            self.values[place].add_product(coefficient, times)?;
        }
        self.right.add_product(&constraint.right, times)?;
        self.assumptions = union(&self.assumptions, &constraint.assumptions);
        Ok(())
    }

    /// Returns the number of assumptions of the sum.
    pub(super) fn assumptions(&self) -> usize {
        self.assumptions.len()
    }

    /// Returns the sum, and resets it to the empty sum.
    pub(super) fn take(&mut self) -> Constraint {
        self.used.sort_unstable();
        let mut terms = Vec::new();
        for variable in self.used.drain(..) {
            let place = variable as usize;
            self.is_used[place] = false;
            let value = std::mem::replace(&mut self.values[place], Rational::ZERO);
            if !value.is_zero() {
                terms.push((variable, value));
            }
        }
        Constraint {
            terms: terms.into(),
            relation: std::mem::replace(&mut self.relation, Relation::Equal),
            right: std::mem::replace(&mut self.right, Rational::ZERO),
            assumptions: std::mem::take(&mut self.assumptions),
        }
    }
}

/// Returns the union of two sets. If one of them contains the other, the union is shared with it.
pub(super) fn union(a: &Assumptions, b: &Assumptions) -> Assumptions {
    if Rc::ptr_eq(a, b) || b.is_empty() {
        return Rc::clone(a);
    }
    if a.is_empty() {
        return Rc::clone(b);
    }
    let mut both: Vec<u64> = Vec::with_capacity(a.len() + b.len());
    let (mut i, mut j) = (0, 0);
    while i < a.len() || j < b.len() {
        let next = match (a.get(i), b.get(j)) {
            (Some(x), Some(y)) => *x.min(y),
            (Some(x), None) | (None, Some(x)) => *x,
            (None, None) => break,
        };
        i += usize::from(a.get(i) == Some(&next));
        j += usize::from(b.get(j) == Some(&next));
        both.push(next);
    }
    match both.len() {
        length if length == a.len() => Rc::clone(a),
        length if length == b.len() => Rc::clone(b),
        _ => both.into(),
    }
}

/// Returns a set without one element.
pub(super) fn without(set: &Assumptions, element: u64) -> Assumptions {
    match set.binary_search(&element) {
        Ok(_) => set.iter().copied().filter(|&other| other != element).collect(),
        Err(_) => Rc::clone(set),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn constraint(terms: &[(u32, &str)], relation: Relation, right: &str) -> Constraint {
        let read = |word| Rational::parse(word).unwrap_or_else(|fault| panic!("{}", fault.words));
        let terms: Vec<_> = terms.iter().map(|&(variable, value)| (variable, read(value))).collect();
        Constraint { terms: terms.into(), relation, right: read(right), assumptions: Rc::default() }
    }

    #[test]
    fn domination_compares_right_sides() {
        use Relation::{AtLeast, AtMost, Equal};
        let x = |relation, right| constraint(&[(0, "1")], relation, right);
        for (a, b, expected) in [
            (x(AtMost, "1"), x(AtMost, "2"), true),
            (x(AtMost, "2"), x(AtMost, "1"), false),
            (x(AtLeast, "1"), x(AtLeast, "2"), false),
            (x(AtLeast, "1/2"), x(AtLeast, "1/3"), true),
            (x(Equal, "1"), x(AtLeast, "1"), true),
            (x(Equal, "1"), x(AtMost, "1"), true),
            (x(Equal, "1"), x(AtMost, "0"), false),
            (x(Equal, "1"), x(Equal, "1"), true),
            (x(AtMost, "1"), x(Equal, "1"), false),
            (x(AtMost, "1"), x(AtLeast, "0"), false),
            (x(AtMost, "1"), constraint(&[(1, "1")], AtMost, "1"), false),
            (constraint(&[], AtMost, "-1"), x(Equal, "9"), true),
            (constraint(&[], AtLeast, "-1"), x(Equal, "9"), false),
            (constraint(&[], AtLeast, "1"), x(Equal, "9"), true),
            (constraint(&[], AtMost, "0"), x(AtMost, "9"), false),
            (constraint(&[], Equal, "0"), constraint(&[], AtLeast, "-1"), true),
            (constraint(&[], Equal, "-1"), x(AtMost, "0"), true),
        ] {
            assert_eq!(a.dominates(&b), expected, "{a:?} {b:?}");
        }
    }

    #[test]
    fn splits_have_integer_bounds() {
        use Relation::{AtLeast, AtMost, Equal};
        let x = |relation, coefficient, right| constraint(&[(0, coefficient)], relation, right);
        let is_split = |a: Constraint, b: Constraint| a.check_split_with(&b).is_ok();
        assert!(is_split(x(AtMost, "1", "0"), x(AtLeast, "1", "1")));
        assert!(is_split(x(AtLeast, "-3", "-1"), x(AtMost, "-3", "-2")));
        assert!(!is_split(x(AtMost, "1", "1/4"), x(AtLeast, "1", "5/4")));
        assert!(!is_split(x(AtMost, "1/2", "0"), x(AtLeast, "1/2", "1")));
        assert!(!is_split(x(AtMost, "1", "0"), x(AtLeast, "1", "2")));
        assert!(!is_split(x(AtMost, "1", "0"), x(AtLeast, "2", "1")));
        assert!(!is_split(x(AtMost, "1", "0"), x(AtMost, "1", "1")));
        assert!(!is_split(x(Equal, "1", "0"), x(AtLeast, "1", "1")));
    }

    #[test]
    fn sums_have_one_direction() {
        use Relation::{AtLeast, AtMost, Equal};
        let mut sum = Sum::new(2);
        let add = |sum: &mut Sum, relation, times: i64| {
            sum.add(&constraint(&[(0, "1"), (1, "2")], relation, "3"), &times.into()).is_ok()
        };
        assert!(add(&mut sum, AtMost, 2) && add(&mut sum, AtLeast, -1) && add(&mut sum, Equal, 4));
        assert!(add(&mut sum, AtLeast, 0) && !add(&mut sum, AtLeast, 1));
        let _ = sum.take();
        assert!(add(&mut sum, Equal, -1) && add(&mut sum, AtMost, -1));
        let taken = sum.take();
        assert_eq!((taken.relation, &taken.right), (AtLeast, &Rational::from(-6i64)));
        assert_eq!(*taken.terms, [(0, Rational::from(-2i64)), (1, Rational::from(-4i64))]);
        assert!(sum.take().terms.is_empty());
    }

    #[test]
    fn unites_sets_of_assumptions() {
        let set = |numbers: &[u64]| Assumptions::from(numbers);
        assert_eq!(*union(&set(&[1, 4]), &set(&[2, 4, 9])), [1, 2, 4, 9]);
        let (small, large) = (set(&[4]), set(&[2, 4, 9]));
        assert!(Rc::ptr_eq(&union(&small, &large), &large) && Rc::ptr_eq(&union(&large, &small), &large));
        assert_eq!(*without(&large, 4), [2, 9]);
        assert!(Rc::ptr_eq(&without(&large, 5), &large));
    }
}
