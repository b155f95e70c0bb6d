//! Bounds of the boxes in a box, smaller ones first, for a box and all its images at once.
//!
//! A bound that was proved for one box holds for its images under the symmetries of the board. To say so, the order prefers
//! solutions in which that box is fuller; the dominance steps then are that no image is fuller than it. When all images
//! have their rows, these are closed under the symmetries and go into the core, and the next order may be loaded.

use std::collections::HashMap;
use std::sync::Arc;

use ndqueens_model::board::{Board, Square};

use super::formula::variable;
use super::tree::Tree;
use super::{Context, Halt, Steps};
use crate::boxes::box_table::{BoxTable, How};
use crate::boxes::slab::{Slab, slabs};
use crate::search::indexed_board::IndexedBoard;
use crate::search::instance::{Instance, OrbitalBranching, Region};
use crate::settings::Components;

/// A box in the board: the least coordinates and the greatest ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct SubBox {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl SubBox {
    fn sides(&self) -> Vec<u32> {
        self.low.iter().zip(&self.high).map(|(low, high)| high - low + 1).collect()
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.iter().zip(self.low.iter().zip(&self.high)).all(|(x, (low, high))| (low..=high).contains(&x))
    }

    fn squares(&self, board: &Board) -> Vec<Square> {
        board.squares().filter(|&square| self.contains(&board.coordinates(square))).collect()
    }

    /// Layers of it across an axis, counted from its first one.
    fn layers(&self, axis: usize, from: u32, width: u32) -> Self {
        let mut layers = self.clone();
        layers.low[axis] += from;
        layers.high[axis] = layers.low[axis] + width - 1;
        layers
    }

    /// The two parts of a cut: the first `width` layers, and the rest.
    fn cut(&self, axis: usize, width: u32) -> [Self; 2] {
        let side = self.high[axis] - self.low[axis] + 1;
        [self.layers(axis, 0, width), self.layers(axis, width, side - width)]
    }
}

/// A part of a box that must hold so many queens, for no more fit outside.
struct FaceSlab {
    sub_box: SubBox,
    outside: SubBox,
    demand: u64,
}

/// The slabs of a box that holds so many.
fn face_slabs(sub_box: &SubBox, asked: u64, table: &BoxTable) -> Vec<FaceSlab> {
    let sides = sub_box.sides();
    let placed = |Slab { axis, from, width, demand }| {
        let outside = sub_box.layers(axis, if from == 0 { width } else { 0 }, sides[axis] - width);
        FaceSlab { sub_box: sub_box.layers(axis, from, width), outside, demand }
    };
    slabs(&sides, asked, table).into_iter().map(placed).collect()
}

/// The coefficients of the order that breaks the symmetry are powers of two.
const ORBITAL: OrbitalBranching = OrbitalBranching::AtRoot { orbits: 60 };

/// A tree, and the boxes that it speaks of.
pub(super) struct Planned<'a> {
    tree: Tree<'a>,
    /// For each of its regions what is outside, which is nothing for the last one.
    outside: Vec<Option<SubBox>>,
    /// The other images of its box, in the order of the tree.
    images: Vec<SubBox>,
}

/// Why a box holds no more queens.
enum Why<'a> {
    /// It has no more squares.
    Squares,
    Lines,
    Cut([SubBox; 2]),
    Search(Box<Planned<'a>>),
}

/// A bound of a box.
struct Lemma<'a> {
    sub_box: SubBox,
    bound: u64,
    why: Why<'a>,
}

/// What a proof consists of: the tree of the question and the lemmas that it rests on.
pub(super) struct Plan<'a> {
    context: Context<'a>,
    /// The bytes above which a tree is long.
    long: u64,
    /// The bounds of the boxes in the board; without it no slabs are used.
    table: Option<&'a BoxTable>,
    lemmas: Vec<Lemma<'a>>,
    /// The row of each box that has one; 0 before it is written.
    rows: HashMap<SubBox, u64>,
    pub(super) nodes: u64,
    pub(super) bytes: u64,
}

impl<'a> Plan<'a> {
    pub(super) fn new(context: Context<'a>, long: u64, table: Option<&'a BoxTable>) -> Self {
        Self { context, long, table, lemmas: Vec::new(), rows: HashMap::new(), nodes: 0, bytes: 0 }
    }

    /// Plans the refutation of so many queens on the board, and of what it rests on.
    pub(super) fn question(&mut self, asked: u64) -> Result<Planned<'a>, Halt> {
        let last = self.context.board.squares().len().saturating_sub(1) as Square;
        let whole =
            SubBox { low: self.context.board.coordinates(0), high: self.context.board.coordinates(last) };
        let planned = self.tree(&whole, asked, true)?;
        self.lemmas_for(&planned)?;
        Ok(planned)
    }

    /// The tree of a box: without slabs, unless that is long and there are some.
    fn tree(&self, sub_box: &SubBox, asked: u64, whole: bool) -> Result<Planned<'a>, Halt> {
        match self.shorter_tree(Vec::new(), sub_box, asked, whole, self.long) {
            Err(Halt::TooLong) => match self.table {
                Some(table) => {
                    let slabs = face_slabs(sub_box, asked, table);
                    self.shorter_tree(slabs, sub_box, asked, whole, u64::MAX)
                }
                None => Err(Halt::TooLong),
            },
            planned => planned,
        }
    }

    /// The shorter of the trees in the two orders.
    fn shorter_tree(
        &self,
        slabs: Vec<FaceSlab>,
        sub_box: &SubBox,
        asked: u64,
        whole: bool,
        most_bytes: u64,
    ) -> Result<Planned<'a>, Halt> {
        let squares =
            if whole { self.context.board.squares().collect() } else { sub_box.squares(self.context.board) };
        let mut best: Option<(Tree<'a>, Vec<SubBox>)> = None;
        for indexed in self.context.indexed {
            let set = |sub_box: &SubBox| indexed.set(sub_box.squares(self.context.board));
            let region = |squares, demand: u64| Region {
                squares,
                demand: i32::try_from(demand).expect("fewer queens than squares"),
            };
            let mut regions: Vec<Region> =
                slabs.iter().map(|slab| region(set(&slab.sub_box), slab.demand)).collect();
            regions.push(region(indexed.set(squares.iter().copied()), asked));
            let instance = Instance::new(Arc::clone(indexed), regions, Components::ALL, ORBITAL);
            let (mut keep, mut images) = (indexed.group.elements().collect::<Vec<_>>(), Vec::new());
            if !whole {
                let others = self.images(indexed, sub_box);
                keep.retain(|&element| others[element as usize] == *sub_box);
                for (image, element) in others.into_iter().zip(0..) {
                    if image != *sub_box && images.iter().all(|(known, _)| *known != image) {
                        images.push((image, element));
                    }
                }
            }
            let sets = images.iter().map(|(image, element)| (set(image), *element)).collect();
            let mut tree = Tree::new(instance, keep, sets, self.context.lines, self.context.control);
            match tree.rehearse(best.as_ref().map_or(most_bytes, |(best, _)| best.bytes)) {
                Ok(()) => best = Some((tree, images.into_iter().map(|(image, _)| image).collect())),
                Err(Halt::TooLong) => {}
                Err(halt) => return Err(halt),
            }
        }
        let (tree, images) = best.ok_or(Halt::TooLong)?;
        let outside = slabs.into_iter().map(|slab| Some(slab.outside)).chain([None]).collect();
        Ok(Planned { tree, outside, images })
    }

    /// The images of a box under every symmetry.
    fn images(&self, indexed: &IndexedBoard, sub_box: &SubBox) -> Vec<SubBox> {
        let corner = |corner: &[u32]| self.context.board.square(corner).expect("on the board");
        let corners = [corner(&sub_box.low), corner(&sub_box.high)];
        let image = |element| {
            let [a, b] = corners.map(|square| self.context.board.coordinates(indexed.image(element, square)));
            let low = a.iter().zip(&b).map(|(a, b)| *a.min(b)).collect();
            let high = a.iter().zip(&b).map(|(a, b)| *a.max(b)).collect();
            SubBox { low, high }
        };
        indexed.group.elements().map(image).collect()
    }

    /// Plans the lemmas that a tree uses.
    fn lemmas_for(&mut self, Planned { tree, outside, .. }: &Planned<'a>) -> Result<(), Halt> {
        self.nodes += tree.nodes;
        self.bytes += tree.bytes;
        tree.used().filter_map(|region| outside[region].as_ref()).try_for_each(|sub_box| self.lemma(sub_box))
    }

    fn lemma(&mut self, sub_box: &SubBox) -> Result<(), Halt> {
        if self.rows.contains_key(sub_box) {
            return Ok(());
        }
        let sides = sub_box.sides();
        let entry = *self.table.and_then(|table| table.get(&sides)).expect("the table has all boxes");
        let bound = entry.upper;
        let why = match entry.how {
            _ if bound == sides.iter().map(|&side| u64::from(side)).product::<u64>() => Why::Squares,
            How::Lines => Why::Lines,
            How::Cut { axis, width } => {
                let mut axes: Vec<usize> = (0..sides.len()).collect();
                axes.sort_by_key(|&axis| sides[axis]);
                let parts = sub_box.cut(axes[axis], width);
                parts.iter().try_for_each(|part| self.lemma(part))?;
                Why::Cut(parts)
            }
            How::Search => {
                let planned = self.tree(sub_box, bound + 1, false)?;
                self.lemmas_for(&planned)?;
                Why::Search(Box::new(planned))
            }
        };
        let images = self.images(&self.context.indexed[0], sub_box);
        self.rows.extend(images.into_iter().map(|image| (image, 0)));
        self.lemmas.push(Lemma { sub_box: sub_box.clone(), bound, why });
        Ok(())
    }

    /// Writes the lemmas, and then the tree of the question, which the row `asked` asks.
    pub(super) fn write(
        &mut self,
        planned: Planned<'a>,
        asked: u64,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        for Lemma { sub_box, bound, why } in std::mem::take(&mut self.lemmas) {
            match why {
                Why::Search(planned) => self.search(&sub_box, bound, *planned, steps)?,
                Why::Squares => {
                    self.each_image(&sub_box, steps, |plan, _, image| plan.sum_of_squares(image))?;
                }
                Why::Lines => self.each_image(&sub_box, steps, |plan, _, image| plan.sum_of_lines(image))?,
                Why::Cut(parts) => self.each_image(&sub_box, steps, |plan, element, _| {
                    let image = |part| plan.images(&plan.context.indexed[0], part).swap_remove(element);
                    let [a, b] = parts.each_ref().map(|part| plan.rows[&image(part)]);
                    format!("pol {a} {b} +;")
                })?,
            }
        }
        let Planned { mut tree, outside, .. } = planned;
        tree.prelude(steps)?;
        self.rows_of_regions(&mut tree, &outside, asked, steps)?;
        tree.search(steps).map(drop)
    }

    /// What slabs must hold: what is asked of the whole, less the bound of what is outside.
    fn rows_of_regions(
        &self,
        tree: &mut Tree<'a>,
        outside: &[Option<SubBox>],
        asked: u64,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        for region in tree.used() {
            let row = match &outside[region] {
                Some(outside) => steps.derive(&format!("pol {asked} {} +;", self.rows[outside]))?,
                None => asked,
            };
            tree.set_row(region, row);
        }
        Ok(())
    }

    /// Derives a row for each image of a box by a step of its own.
    fn each_image(
        &mut self,
        sub_box: &SubBox,
        steps: &mut Steps<'_>,
        step: impl Fn(&Self, usize, &SubBox) -> String,
    ) -> Result<(), Halt> {
        for (element, image) in self.images(&self.context.indexed[0], sub_box).into_iter().enumerate() {
            if self.rows[&image] == 0 {
                let row = steps.derive(&step(self, element, &image))?;
                self.rows.insert(image, row);
            }
        }
        Ok(())
    }

    /// Derives the row of a box, and from it those of its images, none of which is fuller. A new variable says that the box
    /// holds a queen more than the bound, which the tree refutes.
    fn search(
        &mut self,
        sub_box: &SubBox,
        bound: u64,
        Planned { mut tree, outside, images }: Planned<'a>,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        let first = steps.last + 1;
        let not_fuller = tree.prelude(steps)?;
        let squares = sub_box.squares(self.context.board);
        let (full, empty) = (bound + 1, squares.len() as u64 - bound);
        let terms = |sign: &str| -> String {
            squares.iter().map(|&square| format!(" 1 {sign}{}", variable(square))).collect()
        };
        let assumed = format!("t{first}");
        let asked = steps.derive(&format!("red {full} ~{assumed}{} >= {full} : {assumed} 0;", terms("")))?;
        let else_bound =
            steps.derive(&format!("red {empty} {assumed}{} >= {empty} : {assumed} 1;", terms("~")))?;
        self.rows_of_regions(&mut tree, &outside, asked, steps)?;
        tree.assume(&assumed);
        let refuted = tree.search(steps)?;
        let row = steps.derive(&format!("pol {else_bound} {refuted} {empty} * +;"))?;
        self.rows.insert(sub_box.clone(), row);
        for (image, not_fuller) in images.into_iter().zip(not_fuller) {
            let image_row = steps.derive(&format!("pol {row} {not_fuller} +;"))?;
            self.rows.insert(image, image_row);
        }
        steps.say(&format!("del range {first} {row};"))
    }

    /// The step that adds up, for each square of a box, that it holds at most one queen.
    fn sum_of_squares(&self, sub_box: &SubBox) -> String {
        let terms: Vec<String> = sub_box
            .squares(self.context.board)
            .into_iter()
            .map(|square| format!(" ~{}", variable(square)))
            .collect();
        format!("pol{}{};", terms.concat(), " +".repeat(terms.len() - 1))
    }

    /// The step that adds up the rows of the lines along the longest side of a box.
    fn sum_of_lines(&self, sub_box: &SubBox) -> String {
        let sides = sub_box.sides();
        let axis = (0..sides.len()).max_by_key(|&axis| sides[axis]).expect("a box has sides");
        let mut step = "pol".to_owned();
        let mut plus = "";
        for square in sub_box.squares(self.context.board) {
            let mut end = self.context.board.coordinates(square);
            if end[axis] != sub_box.low[axis] {
                continue;
            }
            end[axis] = sub_box.high[axis];
            let end = self.context.board.square(&end).expect("on the board");
            let inside = |square| sub_box.contains(&self.context.board.coordinates(square));
            self.context.lines.push_row(square, end, inside, &mut step);
            step += plus;
            plus = " +";
        }
        step + ";"
    }
}
