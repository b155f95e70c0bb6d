//! Reader of the rows of lines `sum`: inequalities in the numbers of queens on squares.

use std::iter;

use super::bounds::Boxes;
use super::order::Squares;
use super::{Format, clique};
use crate::bound::Place;
use crate::bound::faces::{Claim, ClassWeights};
use crate::fault::Reason;
use crate::reader;

/// Inequality: the weights of the squares of an independent set add up to at most `most`.
pub(super) struct Row {
    /// Places of the squares, without repetition.
    squares: Vec<usize>,
    /// Weights of the squares; `None` if all weights are 1.
    weights: Option<Vec<u64>>,
    pub(super) most: u64,
}

impl Row {
    /// Creates a row in which each square counts once.
    fn without_weights(squares: Vec<usize>, most: u64) -> Self {
        Self { squares, weights: None, most }
    }

    /// Returns the squares with their weights.
    pub(super) fn squares(&self) -> impl Iterator<Item = (usize, u64)> {
        let weights = self.weights.iter().flatten().copied().chain(iter::repeat(1));
        self.squares.iter().copied().zip(weights)
    }
}

/// Reader of rows, which accepts rows that hold for every independent set.
#[derive(Clone, Copy)]
pub(super) struct RowReader<'a> {
    pub(super) format: Format,
    pub(super) squares: &'a Squares,
    pub(super) boxes: Option<Boxes<'a>>,
}

impl<'a> RowReader<'a> {
    /// Reads a row without its multiplier.
    pub(super) fn read_row(&self, text: &str) -> Result<Row, Reason> {
        match text.split_once(':') {
            Some((kind, rest)) => self.read_typed_row(kind, rest),
            None if text.contains('-') => self.read_box(text),
            None => Ok(Row::without_weights(self.read_clique(text)?, 1)),
        }
    }

    /// Reads a clique, checks pair by pair that its squares attack each other, and completes it.
    pub(super) fn read_clique(&self, text: &str) -> Result<Vec<usize>, Reason> {
        let mut clique = Vec::new();
        for word in text.split(',') {
            let v = self.read_square(word)?;
            if let Some(&u) = clique.iter().find(|&&u| !self.attacks(u, v)) {
                let [u, v] = [u, v].map(|square| self.squares.number(square));
                return Err(if u == v {
                    format!("square {u} is listed twice in a clique").into()
                } else {
                    format!("squares {u} and {v} of a clique do not attack each other").into()
                });
            }
            clique.push(v);
        }
        Ok(clique::complete(clique, self.squares))
    }

    /// Reads the box `from-to` along each axis, whose bound was proved.
    fn read_box(&self, text: &str) -> Result<Row, Reason> {
        self.plain_box()?;
        let last = self.squares.last();
        let mut intervals = Vec::new();
        for word in text.split('x').take(last.len() + 1) {
            let Some((from, to)) = word.split_once('-') else {
                return Err(format!("{text} is not a box inside the board").into());
            };
            intervals.push((parse_number::<u32>(from)?, parse_number::<u32>(to)?));
        }
        let lies = last.len() == intervals.len()
            && intervals.iter().zip(last).all(|((from, to), last)| from <= to && to <= last);
        if !lies {
            return Err(format!("{text} is not a box inside the board").into());
        }
        let sides: Vec<u32> = intervals.iter().map(|(from, to)| to - from + 1).collect();
        let most = self.bound(&sides)?;
        let lies_inside =
            |square: &[u32]| square.iter().zip(&intervals).all(|(x, (from, to))| (from..=to).contains(&x));
        Ok(Row::without_weights(self.squares.filter_places(lies_inside).collect(), most))
    }

    /// Reads a row of format 3, which begins with its kind and a colon.
    fn read_typed_row(&self, kind: &str, rest: &str) -> Result<Row, Reason> {
        // One word more than allowed is enough to reject the row.
        let words: Vec<&str> = rest.split(':').take(6).collect();
        let claim = match (kind, words.as_slice()) {
            _ if self.format == Format::Two => {
                return Err(Reason::unreadable(
                    "a row with a colon needs format 3, whose first line is \"ndqueens proof 3\"",
                ));
            }
            ("cycle", [squares]) => return self.read_cycle(squares),
            ("box", &[corner, sides, stride]) => {
                let (place, squares) = self.read_place([corner, sides, stride])?;
                let most = self.bound(&place.extents)?;
                return Ok(Row::without_weights(squares, most));
            }
            ("volume", &[least, ..]) if words.len() == 4 => Claim::Volume { least },
            ("class", &[most, weights, ..]) if words.len() == 5 => Claim::Class { most, weights },
            _ => {
                return Err(Reason::unreadable(
                    "expected \"box:corner:sides:stride\", \"volume:dimension:corner:sides:stride\", \"class:bound:weights:corner:sides:stride\" or \"cycle:squares\"",
                ));
            }
        };
        let place = <[&str; 3]>::try_from(&words[words.len() - 3..]).expect("three words");
        let piece = self.plain_box()?.piece;
        let (place, squares) = self.read_place(place)?;
        let weights = ClassWeights::new(&claim, piece, &place)?;
        let mut by_square = Vec::with_capacity(squares.len());
        place.visit_squares(&mut |offset, _| {
            by_square.push(weights.weight(offset));
            true
        });
        Ok(Row { squares, weights: Some(by_square), most: weights.most })
    }

    /// Reads an odd cycle, of whose squares an independent set has fewer than half.
    fn read_cycle(&self, text: &str) -> Result<Row, Reason> {
        let words = text.split(',').take(self.squares.len() + 1);
        let cycle = words.map(|word| self.read_square(word)).collect::<Result<Vec<_>, _>>()?;
        if cycle.len() < 3 || cycle.len().is_multiple_of(2) {
            let words = format!("a cycle has an odd number of squares, 3 or more, not {}", cycle.len());
            return Err(words.into());
        }
        let mut sorted = cycle.clone();
        sorted.sort_unstable();
        if let Some(twice) = sorted.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(format!("square {} is listed twice in a cycle", self.squares.number(twice[0])).into());
        }
        let next = cycle.iter().cycle().skip(1);
        if let Some((&u, &v)) = cycle.iter().zip(next).find(|&(&u, &v)| !self.attacks(u, v)) {
            let [u, v] = [u, v].map(|square| self.squares.number(square));
            let words =
                format!("squares {u} and {v}, which follow each other in a cycle, do not attack each other");
            return Err(words.into());
        }
        let most = (cycle.len() as u64 - 1) / 2;
        Ok(Row::without_weights(cycle, most))
    }

    /// Reads the position of a box, and returns it with the squares of the box.
    fn read_place(&self, words: [&str; 3]) -> Result<(Place, Vec<usize>), Reason> {
        self.plain_box()?;
        let sides: Vec<u32> = self.squares.last().iter().map(|last| last + 1).collect();
        let place = Place::parse(&sides, words)?;
        let mut squares = Vec::new();
        place.visit_squares(&mut |_, square| {
            squares.push(self.squares.find(square).expect("a square of the board"));
            true
        });
        Ok((place, squares))
    }

    /// Returns the bound of a box with these sides that was proved further up.
    fn bound(&self, sides: &[u32]) -> Result<u64, Reason> {
        self.plain_box()?.bound(sides).map_err(|name| format!("no bound of {name} has been proved").into())
    }

    fn plain_box(&self) -> Result<Boxes<'a>, Reason> {
        self.boxes.ok_or_else(|| "this board is not a plain box, so there are no bounds of boxes".into())
    }

    fn attacks(&self, u: usize, v: usize) -> bool {
        self.squares.neighbours(u).contains(v)
    }

    /// Parses the number of a square, and returns its place.
    pub(super) fn read_square(&self, word: &str) -> Result<usize, Reason> {
        let number: usize = parse_number(word)?;
        self.squares
            .place(number)
            .ok_or_else(|| Reason::from(format!("there is no square {number}")).at(word))
    }
}

fn parse_number<T: std::str::FromStr>(word: &str) -> Result<T, Reason> {
    reader::parse_number(word).ok_or_else(|| reader::not_a_number(word))
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    use std::sync::Arc;

    use ndqueens_notation::name::BoardName;
    use rand::rngs::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::super::bounds::{CitableBounds, ProvedBounds};
    use super::super::order::Order;
    use super::*;
    use crate::boards::definition;
    use crate::fault::FaultKind;
    use crate::graph::Graph;
    use crate::recursive::independence_number;

    /// Board with the bounds of all boxes inside it.
    struct Sample {
        name: BoardName,
        squares: Squares,
        bounds: CitableBounds,
    }

    impl Sample {
        fn new(name: &str) -> Self {
            let name: BoardName = name.parse().expect("a board");
            let squares = Squares::new(&*definition(&name), Order::Morton).expect("small");
            let proved = ProvedBounds::default();
            if let BoardName::Grid { piece, torus: false, sides } = &name {
                let mut all = vec![Vec::new()];
                for &side in sides {
                    let longer = |sides: Vec<u32>| (1..=side).map(move |n| [sides.as_slice(), &[n]].concat());
                    all = all.into_iter().flat_map(longer).collect();
                }
                for sides in all {
                    let name = BoardName::grid(*piece, false, &sides).with_sorted_sides();
                    let graph = Graph::new(&*definition(&name)).expect("small");
                    let most = independence_number(&graph, &|| false).expect("not stopped");
                    proved.insert(0, name, most as u64);
                }
            }
            Self { name, squares, bounds: CitableBounds { proved: Arc::new(proved), before: 1 } }
        }

        fn row(&self, format: Format, text: &str) -> Result<Row, Reason> {
            RowReader { format, squares: &self.squares, boxes: self.bounds.boxes(&self.name) }.read_row(text)
        }

        /// Returns the largest weight of an independent set that contains `set` and otherwise only later
        /// squares, by trying all.
        fn heaviest(&self, weights: &[u64], set: &mut Vec<usize>) -> u64 {
            let first = set.last().map_or(0, |last| last + 1);
            let here = set.iter().map(|&square| weights[square]).sum();
            let mut heaviest: u64 = here;
            for square in first..weights.len() {
                let is_apart = set.iter().all(|&other| !self.squares.neighbours(other).contains(square));
                if weights[square] > 0 && is_apart {
                    set.push(square);
                    heaviest = heaviest.max(self.heaviest(weights, set));
                    set.pop();
                }
            }
            heaviest
        }

        /// Returns the weights of all squares in a row of this kind, computed from the words of the format.
        fn weights(&self, kind: &str, words: &[&str]) -> Vec<u64> {
            let numbers = |word: &str, between: char| -> Vec<u64> {
                word.split(between).map(|n| n.parse().expect("a number")).collect()
            };
            let all = 0..self.squares.len();
            if kind == "cycle" {
                let cycle = numbers(words[0], ',');
                let is_there = |place: usize| cycle.contains(&(self.squares.number(place) as u64));
                return all.map(|place| u64::from(is_there(place))).collect();
            }
            let [corner, sides, stride] = words[words.len() - 3..] else { panic!("three words") };
            let (corner, sides) = (numbers(corner, ','), numbers(sides, 'x'));
            let stride: u64 = stride.parse().expect("a number");
            let axes = sides.iter().filter(|&&side| side == 3).count();
            let weight = |class: usize| match kind {
                "box" => 1,
                "class" => numbers(words[1], ',')[class],
                _ => {
                    let least: usize = words[0].parse().expect("a number");
                    match class {
                        class if class == axes => (1 << (axes - least)) - 1,
                        class if class < least => 0,
                        class => 1 << (class - least),
                    }
                }
            };
            let of = |place: usize| {
                let mut class = 0;
                for (((&x, &from), &side), last) in
                    self.squares.coordinates(place).iter().zip(&corner).zip(&sides).zip(self.squares.last())
                {
                    assert!(from + if side == 1 { 0 } else { stride * (side - 1) } <= u64::from(*last));
                    let offset = (0..side)
                        .find(|&offset| from + if offset == 0 { 0 } else { stride * offset } == u64::from(x));
                    let Some(offset) = offset else { return 0 };
                    class += usize::from(side == 3 && offset == 1);
                }
                weight(class)
            };
            all.map(of).collect()
        }
    }

    /// Returns a walk along attacks, which may or may not close.
    fn random_walk(random: &mut ChaCha8Rng, sample: &Sample) -> Vec<u64> {
        let length = random.random_range(1..8);
        let mut walk = vec![random.random_range(0..sample.squares.len())];
        while walk.len() < length {
            let near: Vec<usize> = sample.squares.neighbours(walk[walk.len() - 1]).ones().collect();
            match near.len() {
                0 => break,
                many => walk.push(near[random.random_range(0..many)]),
            }
        }
        walk.into_iter().map(|place| sample.squares.number(place) as u64).collect()
    }

    /// Returns the words of a row of this kind; most of them are valid or nearly valid.
    fn random_words(random: &mut ChaCha8Rng, sample: &Sample, kind: &str) -> Vec<String> {
        let last = sample.squares.last().to_vec();
        let joined = |numbers: Vec<u64>, between: &str| {
            numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
        };
        if kind == "cycle" {
            return vec![joined(random_walk(random, sample), ",")];
        }
        let stride: u64 = random.random_range(0..4);
        let side = |random: &mut ChaCha8Rng, last: u32| -> u64 {
            let most = u64::from(last) + 1;
            match kind {
                "box" => random.random_range(1..=most),
                _ => {
                    if most > 2 && random.random_bool(0.8) {
                        3
                    } else {
                        random.random_range(1..=2)
                    }
                }
            }
        };
        let sides: Vec<u64> = last.iter().map(|&last| side(random, last)).collect();
        let corner = last.iter().zip(&sides).map(|(&last, side)| {
            let room = (u64::from(last) + 1).saturating_sub(stride * (side - 1)).max(1);
            random.random_range(0..room)
        });
        let corner: Vec<u64> = corner.collect();
        let axes = sides.iter().filter(|&&side| side == 3).count();
        let mut words = match kind {
            "volume" => vec![random.random_range(0..=axes).to_string()],
            "class" => {
                let facets = [
                    (2, "1", "0,1,1"),
                    (2, "1", "1,0,1"),
                    (3, "1", "0,0,1,1"),
                    (3, "1", "1,0,0,1"),
                    (3, "3", "0,1,2,3"),
                ];
                let (of, most, weights) = facets[random.random_range(0..facets.len())];
                if of == axes {
                    vec![most.to_owned(), weights.to_owned()]
                } else {
                    let weights = (0..=axes).map(|class| random.random_range(0..=class as u64 + 1)).collect();
                    vec![random.random_range(0..8).to_string(), joined(weights, ",")]
                }
            }
            _ => Vec::new(),
        };
        words.extend([joined(corner, ","), joined(sides, "x"), stride.to_string()]);
        words
    }

    #[test]
    fn accepted_rows_hold_for_all_independent_sets() {
        let mut random = ChaCha8Rng::seed_from_u64(11);
        let mut accepted: HashMap<&str, [u64; 2]> = HashMap::new();
        let boards = [
            "3^3",
            "4^2",
            "5x3",
            "2x3x3",
            "rook:3^2",
            "bishop:4x3",
            "3x1x3",
            "torus:3^2",
            "torus:5^2",
            "king:3^2",
            "moebius:4x3",
            "hex:3",
        ];
        for board in boards {
            let sample = Sample::new(board);
            for round in 0..1200 {
                let kind = ["box", "volume", "class", "cycle"][round % 4];
                let words = random_words(&mut random, &sample, kind);
                let text = format!("{kind}:{}", words.join(":"));
                assert!(sample.row(Format::Two, &text).is_err(), "{text}");
                let Ok(row) = sample.row(Format::Three, &text) else { continue };
                let mut weights = vec![0; sample.squares.len()];
                row.squares().for_each(|(square, weight)| weights[square] += weight);
                let words: Vec<&str> = words.iter().map(String::as_str).collect();
                assert_eq!(weights, sample.weights(kind, &words), "{text} on {board}");
                let heaviest = sample.heaviest(&weights, &mut Vec::new());
                assert!(heaviest <= row.most, "{heaviest} of {text} on {}, not {}", sample.name, row.most);
                let [all, tight] = accepted.entry(kind).or_default();
                (*all, *tight) = (*all + 1, *tight + u64::from(heaviest == row.most));
            }
        }
        assert!(accepted["box"][1] == accepted["box"][0] && accepted["box"][0] > 300, "{accepted:?}");
        assert!(
            accepted["volume"][1] > 50 && accepted["class"][1] > 20 && accepted["cycle"][1] > 100,
            "{accepted:?}"
        );
    }

    #[test]
    fn rows_have_the_stated_right_hand_sides() {
        let sample = Sample::new("3^3");
        let most =
            |text: &str| sample.row(Format::Three, text).map(|row| row.most).map_err(|fault| fault.kind);
        assert_eq!(most("volume:1:0,0,0:3x3x3:1"), Ok(3));
        assert_eq!(most("class:9:0,1,1,1:0,0,0:3x3x3:1"), Ok(9));
        assert_eq!(most("box:0,0,0:2x2x2:2"), Ok(1));
        assert_eq!(most("box:0,2,0:1x1x3:1"), Ok(1));
        assert_eq!(most("box:2,2,2:1x1x1:18446744073709551615"), Ok(1));
        assert_eq!(most("cycle:0,1,2"), Ok(1));
        assert_eq!(most("cycle:4,6,20,23,17"), Ok(2));
        for (text, kind) in [
            ("box:2,2,2:1x1x1:18446744073709551616", FaultKind::Limit),
            ("box:0,0,0:2x2x2:3", FaultKind::Invalid),
            ("volume:3:0,0,0:3x3x3:1", FaultKind::Invalid),
            ("class:2:0,1,2,3:0,0,0:3x3x3:1", FaultKind::Invalid),
            ("cycle:0,1", FaultKind::Invalid),
            ("cycle:0,1,0", FaultKind::Invalid),
            ("cycle:0,1,5", FaultKind::Invalid),
            ("cycle", FaultKind::Unreadable),
            ("sphere:0,1,2", FaultKind::Unreadable),
        ] {
            assert_eq!(most(text), Err(kind), "{text}");
        }
    }
}
