//! A second checker of bounds, written from `docs/bound-format.md` alone: it shares no code with this crate,
//! enumerates orbits by applying symmetries, and adds fractions. The tests compare its verdicts with those of
//! this crate on all test vectors and on thousands of edits of them.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use ndqueens_crosscheck::bound;
use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::{One as _, Zero as _};
use rand::rngs::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde_json::Value;

type Square = Vec<u64>;

/// Board, bound and needs of an accepted file, or the rule that a file breaks.
type Outcome = Result<(String, u64, BTreeMap<Square, u64>), String>;

fn reject<T>(rule: &str) -> Result<T, String> {
    Err(rule.to_owned())
}

fn parse_digits(word: &str) -> Result<BigInt, String> {
    let is_plain = !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit());
    if !is_plain || (word.len() > 1 && word.starts_with('0')) || word.len() > 10_000 {
        return reject("number");
    }
    word.parse().map_err(|_| "number".to_owned())
}

fn parse_number(word: &str) -> Result<u64, String> {
    u64::try_from(parse_digits(word)?).map_err(|_| "2^64".to_owned())
}

fn parse_numbers(word: &str, between: char) -> Result<Square, String> {
    let small = |word| parse_number(word).and_then(|n| if n < 1 << 30 { Ok(n) } else { reject("2^30") });
    word.split(between).map(small).collect()
}

fn parse_multiplier(word: &str) -> Result<(BigInt, BigInt), String> {
    match word.split('/').collect::<Vec<_>>().as_slice() {
        [above] => Ok((parse_digits(above)?, BigInt::one())),
        [above, below] => match (parse_digits(above)?, parse_digits(below)?) {
            (_, below) if below.is_zero() => reject("denominator"),
            times => Ok(times),
        },
        _ => reject("multiplier"),
    }
}

/// Parses the name of a board. Returns its piece and its sides.
fn parse_name(text: &str) -> Result<(&'static str, Square), String> {
    let (piece, sides) = match text.split_once(':') {
        None => ("queen", text),
        Some(("queen", rest)) => ("queen", rest),
        Some(("rook", rest)) => ("rook", rest),
        Some(("bishop", rest)) => ("bishop", rest),
        Some(_) => return reject("piece"),
    };
    let sides = match sides.split_once('^') {
        Some((side, axes)) => match parse_number(axes)? {
            axes @ 1..=20 => vec![parse_number(side)?; axes as usize],
            _ => return reject("axes"),
        },
        None if sides.contains('x') => sides.split('x').map(parse_number).collect::<Result<_, _>>()?,
        None => return reject("name"),
    };
    let squares = sides.iter().try_fold(1u64, |squares, &side| squares.checked_mul(side));
    let is_small = sides.iter().all(|side| (1..=1 << 24).contains(side)) && sides.len() <= 20;
    if is_small && squares.is_some_and(|squares| squares <= 1 << 31) {
        Ok((piece, sides))
    } else {
        reject("size")
    }
}

/// Returns the sides of a box in increasing order without sides of 1, which identify the box.
fn normalize(sides: &[u64]) -> Square {
    let mut sides: Square = sides.iter().copied().filter(|&side| side > 1).collect();
    sides.sort_unstable();
    if sides.is_empty() { vec![1] } else { sides }
}

fn attacks(piece: &str, a: &[u64], b: &[u64]) -> bool {
    let apart: BTreeSet<u64> = a.iter().zip(b).map(|(x, y)| x.abs_diff(*y)).filter(|&n| n > 0).collect();
    let axes = a.iter().zip(b).filter(|(x, y)| x != y).count();
    apart.len() == 1
        && match piece {
            "queen" => true,
            "rook" => axes == 1,
            _ => axes >= 2,
        }
}

/// Returns the largest weight of an independent set of squares: the first square is in it or not.
fn heaviest(piece: &str, squares: &[(Square, u128)]) -> u128 {
    let Some(((first, weight), others)) = squares.split_first() else { return 0 };
    let is_free = |(square, _): &&(Square, u128)| !attacks(piece, first, square);
    let free: Vec<(Square, u128)> = others.iter().filter(is_free).cloned().collect();
    let with_first = weight + heaviest(piece, &free);
    // A square that attacks no other one is in a heaviest set.
    if free.len() == others.len() { with_first } else { with_first.max(heaviest(piece, others)) }
}

fn points(sides: &[u64]) -> Vec<Square> {
    sides.iter().fold(vec![Vec::new()], |points, &side| {
        points
            .into_iter()
            .flat_map(|point| (0..side).map(move |x| [point.as_slice(), &[x]].concat()))
            .collect()
    })
}

fn product(sides: impl Iterator<Item = u64>) -> u128 {
    sides.fold(1, |product, side| product.saturating_mul(side.into()))
}

/// Returns a bound of a box that needs no proof.
fn trivial_bound(piece: &str, sides: &[u64]) -> u128 {
    let all = product(sides.iter().copied());
    let lines = all / u128::from(*sides.iter().max().expect("sides"));
    match piece {
        "queen" => lines.min(product(sides.iter().map(|side| side.div_ceil(2)))),
        "rook" => lines,
        _ => all,
    }
}

/// Facets of class counts by the number of sides of 3: weights and right-hand side.
const FACETS: [(usize, &str); 4] = [
    (2, "0,1,1 1; 1,0,1 1"),
    (3, "0,0,1,1 1; 1,0,0,1 1; 0,1,2,3 3"),
    (4, "0,0,0,1,1 1; 1,0,0,0,1 1; 0,0,1,2,3 3; 0,1,0,1,4 4; 0,1,1,2,5 5; 0,1,2,4,7 7"),
    (
        5,
        "0,0,0,0,1,1 1; 1,0,0,0,0,1 1; 0,0,0,1,2,3 3; 0,0,1,2,4,7 7; 0,0,2,3,6,12 12; 0,1,0,0,1,5 5; \
         0,1,0,1,3,7 7; 0,1,0,3,5,11 11; 0,1,1,2,5,10 10; 0,1,1,4,7,14 14; 0,1,2,4,8,15 15",
    ),
];

/// Split on the path to a case: its orbit, its number, and `true` if the case is on the second side.
type Split = (usize, u64, bool);

struct Checker {
    piece: &'static str,
    sides: Square,
    /// Number of the orbit of each square; `sizes` contains the sizes of the orbits.
    orbit_of: BTreeMap<Square, usize>,
    sizes: Vec<u64>,
    needs: BTreeMap<Square, u64>,
    used: BTreeSet<Square>,
    splits: Vec<Split>,
    are_done: bool,
    has_rows: bool,
    denominator: BigInt,
    counted: Vec<BigRational>,
    value: BigRational,
    /// Multiplier of the inequality that was added last.
    last_times: BigRational,
    largest: Option<BigRational>,
}

impl Checker {
    fn new(piece: &'static str, sides: Square) -> Result<Self, String> {
        // The boards of the tests are smaller.
        if product(sides.iter().copied()) > 1 << 12 {
            return reject("orbits");
        }
        let (mut orbit_of, mut sizes) = (BTreeMap::new(), Vec::new());
        for square in points(&sides) {
            let mut to_do = vec![square];
            let mut size = 0;
            while let Some(square) = to_do.pop() {
                if orbit_of.contains_key(&square) {
                    continue;
                }
                for axis in 0..sides.len() {
                    let mut image = square.clone();
                    image[axis] = sides[axis] - 1 - image[axis];
                    to_do.push(image);
                    for other in (0..axis).filter(|&other| sides[other] == sides[axis]) {
                        let mut image = square.clone();
                        image.swap(axis, other);
                        to_do.push(image);
                    }
                }
                orbit_of.insert(square, sizes.len());
                size += 1;
            }
            if size > 0 {
                sizes.push(size);
            }
        }
        let counted = vec![BigRational::zero(); sizes.len()];
        let (needs, used, splits) = (BTreeMap::new(), BTreeSet::new(), Vec::new());
        let (denominator, value, largest) = (BigInt::one(), BigRational::zero(), None);
        let (are_done, has_rows) = (false, false);
        Ok(Self {
            piece,
            sides,
            orbit_of,
            sizes,
            needs,
            used,
            splits,
            are_done,
            has_rows,
            denominator,
            counted,
            value,
            last_times: BigRational::zero(),
            largest,
        })
    }

    fn parse_square(&self, word: &str) -> Result<Square, String> {
        let square = parse_numbers(word, ',')?;
        if self.orbit_of.contains_key(&square) { Ok(square) } else { reject("square") }
    }

    /// Returns the sides of a box, and the orbit of each square with the number of its offsets 1.
    fn read_box(
        &self,
        corner: &str,
        sides: &str,
        stride: &str,
    ) -> Result<(Square, Vec<(usize, usize)>), String> {
        let stride = u128::from(parse_number(stride)?);
        let (corner, sides) = (parse_numbers(corner, ',')?, parse_numbers(sides, 'x')?);
        let is_inside =
            corner.len() == self.sides.len()
                && sides.len() == self.sides.len()
                && stride > 0
                && corner.iter().zip(&sides).zip(&self.sides).all(|((&c, &s), &n)| {
                    s > 0 && u128::from(c) + stride * u128::from(s - 1) < u128::from(n)
                });
        if !is_inside {
            return reject("box");
        }
        let place = |point: Square| {
            let moved = |(c, o): (&u64, &u64)| c + if *o == 0 { 0 } else { stride as u64 * o };
            let square: Square = corner.iter().zip(&point).map(moved).collect();
            (self.orbit_of[&square], point.iter().filter(|&&x| x == 1).count())
        };
        Ok((sides.clone(), points(&sides).into_iter().map(place).collect()))
    }

    /// Adds an inequality with weights of classes.
    fn add_class_row(
        &mut self,
        times: (BigInt, BigInt),
        place: [&str; 3],
        claim: impl FnOnce(usize) -> Result<(Vec<u64>, u64), String>,
    ) -> Result<(), String> {
        let [corner, sides, stride] = place;
        let (sides, squares) = self.read_box(corner, sides, stride)?;
        if self.piece != "queen" || sides.iter().any(|side| ![1, 3].contains(side)) {
            return reject("sides of 1 and 3");
        }
        let (weights, most) = claim(sides.iter().filter(|&&side| side == 3).count())?;
        let mut orbits = BTreeMap::new();
        for (orbit, class) in squares {
            *orbits.entry(orbit).or_insert(0u128) += u128::from(weights[class]);
        }
        self.add(times, &[], most.into());
        let times = self.last_times.clone();
        for (orbit, weight) in orbits {
            self.counted[orbit] += &times * BigInt::from(weight) / BigInt::from(self.sizes[orbit]);
        }
        Ok(())
    }

    /// Adds an inequality with a weight for each square.
    fn add_weighted(&mut self, times: (BigInt, BigInt), most: u64, words: &[&str]) -> Result<(), String> {
        if words.len() > 1 << 10 {
            return reject("2^10");
        }
        let mut weights = BTreeMap::new();
        for word in words {
            let Some((square, weight)) = word.split_once(':') else { return reject("weight") };
            let (square, weight) = (self.parse_square(square)?, parse_number(weight)?);
            if weight == 0 || weights.insert(square, u128::from(weight)).is_some() {
                return reject("weights");
            }
        }
        if weights.values().sum::<u128>() > u128::from(u64::MAX) {
            return reject("2^64");
        }
        let squares: Vec<(Square, u128)> = weights.into_iter().collect();
        if heaviest(self.piece, &squares) > u128::from(most) {
            return reject("heavier");
        }
        self.add(times, &[], most.into());
        for (square, weight) in squares {
            let orbit = self.orbit_of[&square];
            self.counted[orbit] += &self.last_times * BigInt::from(weight) / BigInt::from(self.sizes[orbit]);
        }
        Ok(())
    }

    /// Adds an inequality: the orbits of its squares, and the right-hand side.
    fn add(&mut self, (above, below): (BigInt, BigInt), orbits: &[usize], most: BigInt) {
        let (mut a, mut b) = (self.denominator.clone(), below.clone());
        while !b.is_zero() {
            (a, b) = (b.clone(), a % b);
        }
        self.denominator = &self.denominator / a * &below;
        let times = BigRational::new(above, below);
        for &orbit in orbits {
            self.counted[orbit] += &times / BigInt::from(self.sizes[orbit]);
        }
        self.value += &times * most;
        self.last_times = times;
        self.has_rows = true;
    }

    fn read_line(&mut self, words: &[&str], format: u32) -> Result<(), String> {
        let has_cases = format > 1;
        match words {
            ["volume", times, least, corner, sides, stride] if format >= 3 => {
                let (times, least) = (parse_multiplier(times)?, parse_number(least)? as usize);
                self.add_class_row(times, [corner, sides, stride], |axes| {
                    if !(1..axes).contains(&least) {
                        return reject("dimension");
                    }
                    let most = (1 << (axes - least)) - 1;
                    let weight = |j: usize| {
                        if j < least {
                            0
                        } else if j == axes {
                            most
                        } else {
                            1 << (j - least)
                        }
                    };
                    Ok(((0..=axes).map(weight).collect(), most))
                })
            }
            ["class", times, most, weights, corner, sides, stride] if format >= 3 => {
                let (times, most) = (parse_multiplier(times)?, parse_number(most)?);
                let weights: Vec<u64> = weights.split(',').map(parse_number).collect::<Result<_, _>>()?;
                self.add_class_row(times, [corner, sides, stride], |axes| {
                    let facets = FACETS.iter().find(|(m, _)| *m == axes).map_or("", |(_, facets)| facets);
                    let is_below = |facet: &str| {
                        let (alpha, beta) = facet.split_once(' ').expect("weights and a number");
                        let alpha = parse_numbers(alpha, ',').expect("numbers");
                        alpha.len() == weights.len()
                            && parse_number(beta).expect("a number") <= most
                            && weights.iter().zip(alpha).all(|(a, b)| *a <= b)
                    };
                    let is_known = facets.split("; ").filter(|facet| !facet.is_empty()).any(is_below);
                    if is_known { Ok((weights.clone(), most)) } else { reject("facet") }
                })
            }
            ["weighted", times, most, squares @ ..] if format >= 4 => {
                let (times, most) = (parse_multiplier(times)?, parse_number(most)?);
                self.add_weighted(times, most, squares)
            }
            ["needs", board, most] => {
                let ((piece, sides), most) = (parse_name(board)?, parse_number(most)?);
                let is_new = piece == self.piece && self.needs.insert(normalize(&sides), most).is_none();
                if is_new { Ok(()) } else { reject("needs") }
            }
            ["clique", times, squares @ ..] => {
                let times = parse_multiplier(times)?;
                let squares =
                    squares.iter().map(|word| self.parse_square(word)).collect::<Result<Vec<_>, _>>()?;
                let attacks =
                    |i: usize| squares[..i].iter().all(|other| attacks(self.piece, other, &squares[i]));
                if !(0..squares.len()).all(attacks) {
                    return reject("clique");
                }
                let orbits: Vec<usize> = squares.iter().map(|square| self.orbit_of[square]).collect();
                self.add(times, &orbits, BigInt::one());
                Ok(())
            }
            ["box", times, most, corner, sides, stride] => {
                let (times, most, stride) =
                    (parse_multiplier(times)?, parse_number(most)?, u128::from(parse_number(stride)?));
                let (corner, sides) = (parse_numbers(corner, ',')?, parse_numbers(sides, 'x')?);
                let is_inside = corner.len() == self.sides.len()
                    && sides.len() == self.sides.len()
                    && stride > 0
                    && corner.iter().zip(&sides).zip(&self.sides).all(|((&c, &s), &n)| {
                        s > 0 && u128::from(c) + stride * u128::from(s - 1) < u128::from(n)
                    });
                let mut sorted = sides.clone();
                sorted.sort_unstable();
                if !is_inside || sorted == self.sides {
                    return reject("box");
                }
                if trivial_bound(self.piece, &sides) > u128::from(most) {
                    if self.needs.get(&normalize(&sides)).is_none_or(|&need| need > most) {
                        return reject("not known");
                    }
                    self.used.insert(normalize(&sides));
                }
                let place = |point: Square| -> Square {
                    let moved = |(c, o): (&u64, u64)| c + if o == 0 { 0 } else { stride as u64 * o };
                    corner.iter().zip(point).map(moved).collect()
                };
                let orbits: Vec<usize> =
                    points(&sides).into_iter().map(|point| self.orbit_of[&place(point)]).collect();
                self.add(times, &orbits, most.into());
                Ok(())
            }
            ["split", square, most] if has_cases => {
                let (orbit, most) = (self.orbit_of[&self.parse_square(square)?], parse_number(most)?);
                if self.has_rows || most >= self.sizes[orbit] {
                    return reject("split");
                }
                self.splits.push((orbit, most, false));
                Ok(())
            }
            [side @ ("most" | "least"), times, square] if has_cases => {
                let (above, below) = parse_multiplier(times)?;
                let orbit = self.orbit_of[&self.parse_square(square)?];
                let is_least = *side == "least";
                let of = self.splits.iter().filter(|split| split.0 == orbit && split.2 == is_least);
                let bounds: Vec<u64> = of.map(|split| split.1).collect();
                let assumed = if is_least {
                    bounds.iter().max().map(|most| most + 1)
                } else {
                    bounds.iter().min().copied()
                };
                let Some(assumed) = assumed else { return reject("assumed") };
                let orbits = vec![orbit; self.sizes[orbit] as usize];
                self.add((if is_least { -above } else { above }, below), &orbits, assumed.into());
                Ok(())
            }
            ["case", most] if has_cases => self.end_case(parse_number(most)?),
            _ => reject("line"),
        }
    }

    fn end_case(&mut self, most: u64) -> Result<(), String> {
        if self.denominator >= BigInt::one() << 16384u32 {
            return reject("denominator");
        }
        if self.counted.iter().any(|times| *times < BigRational::one()) {
            return reject("counted");
        }
        if self.value >= BigRational::from_integer(BigInt::from(most) + 1) {
            return reject("sum");
        }
        let value = std::mem::take(&mut self.value);
        self.largest = Some(self.largest.take().map_or(value.clone(), |largest| largest.max(value)));
        self.counted.fill(BigRational::zero());
        (self.denominator, self.has_rows) = (BigInt::one(), false);
        while self.splits.last().is_some_and(|split| split.2) {
            self.splits.pop();
        }
        match self.splits.last_mut() {
            Some(split) => split.2 = true,
            None => self.are_done = true,
        }
        Ok(())
    }
}

fn check(text: &[u8]) -> Outcome {
    let text = str::from_utf8(text).map_err(|_| "ASCII".to_owned())?;
    let Some(text) = text.strip_suffix('\n') else { return reject("the end of the last line") };
    let lines: Vec<&str> = text.split('\n').collect();
    let is_text = |line: &&str| {
        line.bytes().all(|byte| (32..127).contains(&byte)) && !line.split(' ').any(str::is_empty)
    };
    let [header, board, rows @ .., last, "end"] = lines.as_slice() else { return reject("end") };
    let format = match *header {
        "ndqueens bound 1" => 1,
        "ndqueens bound 2" => 2,
        "ndqueens bound 3" => 3,
        "ndqueens bound 4" => 4,
        _ => return reject("header"),
    };
    let Some(board) = board.strip_prefix("board ") else { return reject("board") };
    let (piece, sides) = parse_name(board)?;
    if !lines.iter().all(is_text) || !sides.is_sorted() {
        return reject("text");
    }
    let mut checker = Checker::new(piece, sides.clone())?;
    for row in rows {
        if checker.are_done {
            return reject("after the last case");
        }
        checker.read_line(&row.split(' ').collect::<Vec<_>>(), format)?;
    }
    let Some(at_most) = last.strip_prefix("at most ") else { return reject("at most") };
    let at_most = parse_number(at_most)?;
    if format == 1 {
        checker.end_case(at_most)?;
    }
    let is_enough = |largest: &BigRational| *largest < BigRational::from_integer(BigInt::from(at_most) + 1);
    if !checker.are_done || !checker.largest.as_ref().is_some_and(is_enough) {
        return reject("cases");
    }
    let needs = checker.used.into_iter().map(|sides| (sides.clone(), checker.needs[&sides])).collect();
    let sides: Vec<String> = sides.iter().map(u64::to_string).collect();
    Ok((format!("{piece}:{}", sides.join("x")), at_most, needs))
}

/// Checks a bound with the checker of this crate.
fn check_with_crate(text: &[u8]) -> Outcome {
    let shown = bound::check(text).map_err(|fault| fault.to_string())?;
    let sides = |board: &ndqueens_notation::name::BoardName| -> (String, Square) {
        let ndqueens_notation::name::BoardName::Grid { piece, sides, .. } = board else { panic!("a box") };
        (piece.word().to_owned(), sides.iter().map(|&side| side.into()).collect())
    };
    let (piece, of) = sides(shown.board());
    let of: Vec<String> = of.iter().map(u64::to_string).collect();
    let needs = shown.needs().iter().map(|(board, &most)| (sides(board).1, most)).collect();
    Ok((format!("{piece}:{}", of.join("x")), shown.at_most(), needs))
}

fn vectors() -> Vec<(Value, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let table = fs::read(folder.join("vectors.json")).expect("the table");
    let rows: Vec<Value> = serde_json::from_slice(&table).expect("JSON");
    let file = |row: &Value| row["file"].as_str().expect("a file").to_owned();
    let bounds = rows.into_iter().filter(|row| file(row).ends_with(".bound"));
    bounds.map(|row| (row.clone(), fs::read(folder.join(file(&row))).expect("a vector"))).collect()
}

#[test]
fn checker_of_the_page_agrees_on_vectors() {
    let vectors = vectors();
    for (row, text) in &vectors {
        let outcome = check(text);
        assert_eq!(row["verdict"] == "accepted", outcome.is_ok(), "{row}: {outcome:?}");
        if let Ok((_, at_most, _)) = &outcome {
            assert_eq!(outcome, check_with_crate(text), "{row}");
            assert_eq!(row["at_most"], *at_most, "{row}");
        }
    }
    assert!(vectors.len() > 70, "{} vectors", vectors.len());
}

#[test]
fn both_checkers_agree_on_edited_vectors() {
    let mut random = ChaCha8Rng::seed_from_u64(56);
    let is_short = |(row, text): &(Value, Vec<u8>)| row["verdict"] == "accepted" && text.len() < 1000;
    let vectors: Vec<_> = vectors().into_iter().filter(is_short).collect();
    let mut accepted = 0;
    for _ in 0..6000 {
        let mut text = vectors[random.random_range(0..vectors.len())].1.clone();
        for _ in 0..random.random_range(1..3) {
            let at = random.random_range(0..text.len());
            match random.random_range(0..4) {
                0 => text[at] = *b"0123456789 ,/x^\n".get(random.random_range(0..16)).expect("one of 16"),
                1 => drop(text.remove(at)),
                2 => text.insert(at, text[random.random_range(0..text.len())]),
                _ => {
                    let mut lines: Vec<&[u8]> = text.split_inclusive(|&byte| byte == b'\n').collect();
                    let (i, j) = (random.random_range(0..lines.len()), random.random_range(0..lines.len()));
                    if random.random() {
                        lines.swap(i, j);
                    } else {
                        lines.insert(i, lines[j]);
                    }
                    text = lines.concat();
                }
            }
        }
        let (ours, theirs) = (check(&text), check_with_crate(&text));
        // The checker of the page enumerates squares, so it accepts small boards only.
        let same =
            ours.as_ref().ok() == theirs.as_ref().ok() || ours.as_ref().is_err_and(|rule| rule == "orbits");
        assert!(same, "{ours:?}, but {theirs:?}:\n{}", String::from_utf8_lossy(&text));
        accepted += u32::from(theirs.is_ok());
    }
    assert!(accepted > 100, "{accepted} are accepted");
}
