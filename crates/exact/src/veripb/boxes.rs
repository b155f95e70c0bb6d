//! Bounds of the boxes inside a box, smaller ones first; each is derived for a box and all
//! its images together.
//!
//! A bound that was proved for one box holds for its images under the symmetries of the board. To derive
//! this, the order prefers solutions with more queens in that box, and the dominance steps state that no
//! image holds more queens than the box. Once all images have their constraints, these are closed under the
//! symmetries and are moved to the core, so that the next order may be loaded.

use std::collections::HashMap;
use std::sync::Arc;

use ndqueens_model::board::{Board, Square};

use super::formula::variable;
use super::tree::LoggedTree;
use super::{Context, Halt, Steps};
use crate::boxes::box_table::{BoxTable, Justification};
use crate::boxes::slab::{Slab, slabs};
use crate::search::indexed_board::IndexedBoard;
use crate::search::instance::{Instance, OrbitalBranching, Region};
use crate::settings::Components;

/// Box inside the board, given by its minimum and maximum coordinates.
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

    /// Returns layers of the box across an axis; `from` is counted from the first layer of the box.
    fn layers(&self, axis: usize, from: u32, width: u32) -> Self {
        let mut layers = self.clone();
        layers.low[axis] += from;
        layers.high[axis] = layers.low[axis] + width - 1;
        layers
    }

    /// Cuts the box into its first `width` layers and the rest.
    fn cut(&self, axis: usize, width: u32) -> [Self; 2] {
        let side = self.high[axis] - self.low[axis] + 1;
        [self.layers(axis, 0, width), self.layers(axis, width, side - width)]
    }
}

/// Slab with its demand, which follows from the bound of the rest of the box.
struct FaceSlab {
    sub_box: SubBox,
    /// Rest of the box.
    outside: SubBox,
    /// Minimum number of queens in the slab.
    demand: u64,
}

/// Returns the slabs of a box with a positive demand if the box holds `target` queens.
fn face_slabs(sub_box: &SubBox, target: u64, table: &BoxTable) -> Vec<FaceSlab> {
    let sides = sub_box.sides();
    let to_face_slab = |Slab { axis, from, width, demand }| {
        let outside = sub_box.layers(axis, if from == 0 { width } else { 0 }, sides[axis] - width);
        FaceSlab { sub_box: sub_box.layers(axis, from, width), outside, demand }
    };
    slabs(&sides, target, table).into_iter().map(to_face_slab).collect()
}

/// Orbital branching at the root. The coefficients of the symmetry-breaking order are powers
/// of two below 2^63.
const ORBITAL: OrbitalBranching = OrbitalBranching::AtRoot { max_orbits: 60 };

/// Tree with the boxes whose bounds it uses.
pub(super) struct PlannedTree<'a> {
    tree: LoggedTree<'a>,
    /// Complement of each region; `None` for the last region.
    outside: Vec<Option<SubBox>>,
    /// Other images of the box, in the order of the tree.
    images: Vec<SubBox>,
}

/// Derivation of an upper bound of a box.
enum Derivation<'a> {
    /// The box has only as many squares as the bound.
    Squares,
    /// Sum of the constraints of parallel lines.
    Lines,
    /// Sum of the bounds of the two parts of a cut.
    Cut([SubBox; 2]),
    /// Refutation of one queen more than the bound.
    Search(Box<PlannedTree<'a>>),
}

/// Upper bound of a box.
struct Lemma<'a> {
    sub_box: SubBox,
    bound: u64,
    derivation: Derivation<'a>,
}

/// Contents of a proof: the lemmas and the tree of the main claim.
pub(super) struct Plan<'a> {
    context: Context<'a>,
    /// Maximum number of bytes of a tree that is written without slabs.
    max_direct_bytes: u64,
    /// Bounds of the boxes in the board; without them, no slabs are used.
    table: Option<&'a BoxTable>,
    lemmas: Vec<Lemma<'a>>,
    /// Constraint number for each box with a bound; 0 until it has been written.
    rows: HashMap<SubBox, u64>,
    /// Number of nodes of all trees.
    pub(super) nodes: u64,
    /// Number of bytes of all trees.
    pub(super) bytes: u64,
}

impl<'a> Plan<'a> {
    pub(super) fn new(context: Context<'a>, max_direct_bytes: u64, table: Option<&'a BoxTable>) -> Self {
        Self {
            context,
            max_direct_bytes,
            table,
            lemmas: Vec::new(),
            rows: HashMap::new(),
            nodes: 0,
            bytes: 0,
        }
    }

    /// Plans the refutation of `target` queens on the board, with the lemmas that it uses.
    pub(super) fn plan_refutation(&mut self, target: u64) -> Result<PlannedTree<'a>, Halt> {
        let last = self.context.board.squares().len().saturating_sub(1) as Square;
        let board_box =
            SubBox { low: self.context.board.coordinates(0), high: self.context.board.coordinates(last) };
        let planned = self.plan_tree(&board_box, target, true)?;
        self.plan_lemmas(&planned)?;
        Ok(planned)
    }

    /// Plans the tree of a box: without slabs if it is short enough or no bounds are known,
    /// otherwise with slabs.
    fn plan_tree(&self, sub_box: &SubBox, target: u64, is_whole: bool) -> Result<PlannedTree<'a>, Halt> {
        match self.shorter_tree(Vec::new(), sub_box, target, is_whole, self.max_direct_bytes) {
            Err(Halt::TooLong) => match self.table {
                Some(table) => {
                    let slabs = face_slabs(sub_box, target, table);
                    self.shorter_tree(slabs, sub_box, target, is_whole, u64::MAX)
                }
                None => Err(Halt::TooLong),
            },
            planned => planned,
        }
    }

    /// Returns the shorter one of the trees in the two orders of the squares.
    fn shorter_tree(
        &self,
        slabs: Vec<FaceSlab>,
        sub_box: &SubBox,
        target: u64,
        is_whole: bool,
        max_bytes: u64,
    ) -> Result<PlannedTree<'a>, Halt> {
        let squares = if is_whole {
            self.context.board.squares().collect()
        } else {
            sub_box.squares(self.context.board)
        };
        let mut best: Option<(LoggedTree<'a>, Vec<SubBox>)> = None;
        for indexed in self.context.indexed {
            let set = |sub_box: &SubBox| indexed.place_set(sub_box.squares(self.context.board));
            let region = |squares, demand: u64| Region {
                squares,
                demand: i32::try_from(demand).expect("fewer queens than squares"),
            };
            let mut regions: Vec<Region> =
                slabs.iter().map(|slab| region(set(&slab.sub_box), slab.demand)).collect();
            regions.push(region(indexed.place_set(squares.iter().copied()), target));
            let instance = Instance::new(Arc::clone(indexed), regions, Components::ALL, ORBITAL);
            let (mut symmetries, mut images) = (indexed.group.elements().collect::<Vec<_>>(), Vec::new());
            if !is_whole {
                let all_images = self.images(indexed, sub_box);
                symmetries.retain(|&element| all_images[element as usize] == *sub_box);
                for (image, element) in all_images.into_iter().zip(0..) {
                    if image != *sub_box && images.iter().all(|(known, _)| *known != image) {
                        images.push((image, element));
                    }
                }
            }
            let sets = images.iter().map(|(image, element)| (set(image), *element)).collect();
            let mut tree =
                LoggedTree::new(instance, symmetries, sets, self.context.lines, self.context.control);
            match tree.dry_run(best.as_ref().map_or(max_bytes, |(best, _)| best.bytes)) {
                Ok(()) => best = Some((tree, images.into_iter().map(|(image, _)| image).collect())),
                Err(Halt::TooLong) => {}
                Err(halt) => return Err(halt),
            }
        }
        let (tree, images) = best.ok_or(Halt::TooLong)?;
        let outside = slabs.into_iter().map(|slab| Some(slab.outside)).chain([None]).collect();
        Ok(PlannedTree { tree, outside, images })
    }

    /// Returns the image of a box under each symmetry.
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
    fn plan_lemmas(&mut self, PlannedTree { tree, outside, .. }: &PlannedTree<'a>) -> Result<(), Halt> {
        self.nodes += tree.nodes;
        self.bytes += tree.bytes;
        tree.used_regions()
            .filter_map(|region| outside[region].as_ref())
            .try_for_each(|sub_box| self.plan_lemma(sub_box))
    }

    /// Plans the bound of a box, unless it has been planned, and the bounds that it depends on.
    fn plan_lemma(&mut self, sub_box: &SubBox) -> Result<(), Halt> {
        if self.rows.contains_key(sub_box) {
            return Ok(());
        }
        let sides = sub_box.sides();
        let entry = *self.table.and_then(|table| table.get(&sides)).expect("the table has all boxes");
        let bound = entry.upper;
        let derivation = match entry.justification {
            _ if bound == sides.iter().map(|&side| u64::from(side)).product::<u64>() => Derivation::Squares,
            Justification::Lines => Derivation::Lines,
            Justification::Cut { axis, width } => {
                let mut axes: Vec<usize> = (0..sides.len()).collect();
                axes.sort_by_key(|&axis| sides[axis]);
                let parts = sub_box.cut(axes[axis], width);
                parts.iter().try_for_each(|part| self.plan_lemma(part))?;
                Derivation::Cut(parts)
            }
            Justification::Search => {
                let planned = self.plan_tree(sub_box, bound + 1, false)?;
                self.plan_lemmas(&planned)?;
                Derivation::Search(Box::new(planned))
            }
        };
        let images = self.images(&self.context.indexed[0], sub_box);
        self.rows.extend(images.into_iter().map(|image| (image, 0)));
        self.lemmas.push(Lemma { sub_box: sub_box.clone(), bound, derivation });
        Ok(())
    }

    /// Writes the lemmas and then the tree of the main claim; `target_row` is the constraint that
    /// states its target.
    pub(super) fn write(
        &mut self,
        planned: PlannedTree<'a>,
        target_row: u64,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        for Lemma { sub_box, bound, derivation } in std::mem::take(&mut self.lemmas) {
            match derivation {
                Derivation::Search(planned) => self.derive_by_search(&sub_box, bound, *planned, steps)?,
                Derivation::Squares => {
                    self.derive_for_images(&sub_box, steps, |plan, _, image| plan.sum_of_squares(image))?;
                }
                Derivation::Lines => {
                    self.derive_for_images(&sub_box, steps, |plan, _, image| plan.sum_of_lines(image))?;
                }
                Derivation::Cut(parts) => self.derive_for_images(&sub_box, steps, |plan, element, _| {
                    let image = |part| plan.images(&plan.context.indexed[0], part).swap_remove(element);
                    let [a, b] = parts.each_ref().map(|part| plan.rows[&image(part)]);
                    format!("pol {a} {b} +;")
                })?,
            }
        }
        let PlannedTree { mut tree, outside, .. } = planned;
        tree.write_prelude(steps)?;
        self.derive_region_rows(&mut tree, &outside, target_row, steps)?;
        tree.search(steps).map(drop)
    }

    /// Derives the demands of the used regions: the target minus the bound of the complement of the region.
    fn derive_region_rows(
        &self,
        tree: &mut LoggedTree<'a>,
        outside: &[Option<SubBox>],
        target_row: u64,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        for region in tree.used_regions() {
            let row = match &outside[region] {
                Some(outside) => steps.derive(&format!("pol {target_row} {} +;", self.rows[outside]))?,
                None => target_row,
            };
            tree.set_row(region, row);
        }
        Ok(())
    }

    /// Derives a constraint for each image of a box by a separate step.
    fn derive_for_images(
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

    /// Derives the constraint of a box by its tree, and from it those of its images, none of which holds more
    /// queens. A new variable states that the box holds more queens than the bound; the tree refutes it.
    fn derive_by_search(
        &mut self,
        sub_box: &SubBox,
        bound: u64,
        PlannedTree { mut tree, outside, images }: PlannedTree<'a>,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        let first = steps.last + 1;
        let image_bounds = tree.write_prelude(steps)?;
        let squares = sub_box.squares(self.context.board);
        let (min_filled, min_empty) = (bound + 1, squares.len() as u64 - bound);
        let terms = |sign: &str| -> String {
            squares.iter().map(|&square| format!(" 1 {sign}{}", variable(square))).collect()
        };
        let assumption = format!("t{first}");
        let target_row = steps.derive(&format!(
            "red {min_filled} ~{assumption}{} >= {min_filled} : {assumption} 0;",
            terms("")
        ))?;
        let bound_unless_assumed = steps.derive(&format!(
            "red {min_empty} {assumption}{} >= {min_empty} : {assumption} 1;",
            terms("~")
        ))?;
        self.derive_region_rows(&mut tree, &outside, target_row, steps)?;
        tree.assume(&assumption);
        let refuted = tree.search(steps)?;
        let row = steps.derive(&format!("pol {bound_unless_assumed} {refuted} {min_empty} * +;"))?;
        self.rows.insert(sub_box.clone(), row);
        for (image, image_bound) in images.into_iter().zip(image_bounds) {
            let image_row = steps.derive(&format!("pol {row} {image_bound} +;"))?;
            self.rows.insert(image, image_row);
        }
        steps.write(&format!("del range {first} {row};"))
    }

    /// Returns the step that adds, for each square of a box, the axiom that it holds at most one queen.
    fn sum_of_squares(&self, sub_box: &SubBox) -> String {
        let terms: Vec<String> = sub_box
            .squares(self.context.board)
            .into_iter()
            .map(|square| format!(" ~{}", variable(square)))
            .collect();
        format!("pol{}{};", terms.concat(), " +".repeat(terms.len() - 1))
    }

    /// Returns the step that adds the constraints of the lines along the longest side of a box.
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
