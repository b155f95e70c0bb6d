//! Bounds of the boxes in a box, smaller ones first, for a box and all its images at once.
//!
//! A bound that was proved for one box holds for its images under the symmetries of the board. To say so, the order prefers
//! solutions in which that box is fuller; the dominance steps then are that no image is fuller than it. When all images
//! have their rows, these are closed under the symmetries and go into the core, and the next order may be loaded.

use std::collections::HashMap;

use ndqueens_model::board::{Board, Square};

use super::field::{Field, variable};
use super::tree::{Region, Tree};
use super::{Halt, Scene, Steps};
use crate::exact::bits::Bits;
use crate::exact::table::{BoxTable, How};

/// A box in the board: the least coordinates and the greatest ones.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct Brick {
    low: Vec<u32>,
    high: Vec<u32>,
}

impl Brick {
    fn sides(&self) -> Vec<u32> {
        self.low.iter().zip(&self.high).map(|(low, high)| high - low + 1).collect()
    }

    fn contains(&self, square: &[u32]) -> bool {
        square.iter().zip(self.low.iter().zip(&self.high)).all(|(x, (low, high))| (low..=high).contains(&x))
    }

    fn squares(&self, board: &Board) -> Vec<Square> {
        board.squares().filter(|&square| self.contains(&board.coordinates(square))).collect()
    }

    /// The two parts of a cut: the first `width` layers, and the rest.
    fn cut(&self, axis: usize, width: u32) -> [Self; 2] {
        let mut parts = [self.clone(), self.clone()];
        parts[0].high[axis] = self.low[axis] + width - 1;
        parts[1].low[axis] = self.low[axis] + width;
        parts
    }
}

/// A part of a box that must hold so many queens, for no more fit outside.
struct Slab {
    brick: Brick,
    outside: Brick,
    need: u64,
}

/// A tree, and the boxes that it speaks of.
pub(super) struct Planned<'a, const W: usize> {
    tree: Tree<'a, W>,
    /// For each of its regions what is outside, which is nothing for the last one.
    outside: Vec<Option<Brick>>,
    /// The other images of its box, in the order of the tree.
    images: Vec<Brick>,
}

/// Why a box holds no more queens.
enum Why<'a, const W: usize> {
    /// It has no more squares.
    Squares,
    Lines,
    Cut([Brick; 2]),
    Search(Box<Planned<'a, W>>),
}

/// A bound of a box.
struct Lemma<'a, const W: usize> {
    brick: Brick,
    bound: u64,
    why: Why<'a, W>,
}

/// What a proof consists of: the tree of the question and the lemmas that it rests on.
pub(super) struct Plan<'a, const W: usize> {
    scene: Scene<'a, W>,
    /// The bytes above which a tree is long.
    long: u64,
    /// The bounds of the boxes in the board; without it no slabs are used.
    table: Option<&'a BoxTable>,
    lemmas: Vec<Lemma<'a, W>>,
    /// The row of each box that has one; 0 before it is written.
    rows: HashMap<Brick, u64>,
    pub(super) nodes: u64,
    pub(super) bytes: u64,
}

impl<'a, const W: usize> Plan<'a, W> {
    pub(super) fn new(scene: Scene<'a, W>, long: u64, table: Option<&'a BoxTable>) -> Self {
        Self { scene, long, table, lemmas: Vec::new(), rows: HashMap::new(), nodes: 0, bytes: 0 }
    }

    /// Plans the refutation of so many queens on the board, and of what it rests on.
    pub(super) fn question(&mut self, asked: u64) -> Result<Planned<'a, W>, Halt> {
        let last = self.scene.board.squares().len().saturating_sub(1) as Square;
        let whole = Brick { low: self.scene.board.coordinates(0), high: self.scene.board.coordinates(last) };
        let planned = self.tree(&whole, asked, true)?;
        self.lemmas_for(&planned)?;
        Ok(planned)
    }

    /// The tree of a box: without slabs, unless that is long and there are some.
    fn tree(&self, brick: &Brick, asked: u64, whole: bool) -> Result<Planned<'a, W>, Halt> {
        match self.shorter_tree(Vec::new(), brick, asked, whole, self.long) {
            Err(Halt::TooLong) if self.table.is_some() => {
                self.shorter_tree(self.slabs(brick, asked), brick, asked, whole, u64::MAX)
            }
            planned => planned,
        }
    }

    /// The shorter of the trees in the two orders.
    fn shorter_tree(
        &self,
        slabs: Vec<Slab>,
        brick: &Brick,
        asked: u64,
        whole: bool,
        most_bytes: u64,
    ) -> Result<Planned<'a, W>, Halt> {
        let squares =
            if whole { self.scene.board.squares().collect() } else { brick.squares(self.scene.board) };
        let mut best: Option<(Tree<'a, W>, Vec<Brick>)> = None;
        for field in self.scene.fields {
            let set = |brick: &Brick| field.set(brick.squares(self.scene.board));
            let mut regions: Vec<Region<W>> =
                slabs.iter().map(|slab| Region::new(set(&slab.brick), slab.need)).collect();
            regions.push(Region::new(field.set(squares.iter().copied()), asked));
            let (mut keep, mut images) = (field.group.elements().collect::<Vec<_>>(), Vec::new());
            if !whole {
                let others = self.images(field, brick);
                keep.retain(|&element| others[element as usize] == *brick);
                for (image, element) in others.into_iter().zip(0..) {
                    if image != *brick && images.iter().all(|(known, _)| *known != image) {
                        images.push((image, element));
                    }
                }
            }
            let sets = images.iter().map(|(image, element)| (set(image), *element)).collect();
            let mut tree = Tree::new(field, self.scene.lines, regions, (keep, sets), self.scene.control);
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

    /// The slabs at the faces of a box that must hold a queen or more when the box holds so many.
    fn slabs(&self, brick: &Brick, asked: u64) -> Vec<Slab> {
        let bound =
            |brick: &Brick| self.table.and_then(|table| table.upper(&brick.sides())).unwrap_or(u64::MAX);
        let mut slabs = Vec::new();
        for (axis, side) in brick.sides().into_iter().enumerate() {
            for width in 1..=side / 2 {
                let [low, above] = brick.cut(axis, width);
                let [below, high] = brick.cut(axis, side - width);
                for (brick, outside) in [(low, above), (high, below)] {
                    let need = asked.saturating_sub(bound(&outside));
                    if need > 0 {
                        slabs.push(Slab { brick, outside, need });
                    }
                }
            }
        }
        slabs.sort_by_key(|slab| slab.brick.sides().iter().product::<u32>());
        slabs
    }

    /// The images of a box under every symmetry.
    fn images(&self, field: &Field<Bits<W>>, brick: &Brick) -> Vec<Brick> {
        let corner = |corner: &[u32]| self.scene.board.square(corner).expect("on the board");
        let corners = [corner(&brick.low), corner(&brick.high)];
        let image = |element| {
            let [a, b] = corners.map(|square| self.scene.board.coordinates(field.image(element, square)));
            let low = a.iter().zip(&b).map(|(a, b)| *a.min(b)).collect();
            let high = a.iter().zip(&b).map(|(a, b)| *a.max(b)).collect();
            Brick { low, high }
        };
        field.group.elements().map(image).collect()
    }

    /// Plans the lemmas that a tree uses.
    fn lemmas_for(&mut self, Planned { tree, outside, .. }: &Planned<'a, W>) -> Result<(), Halt> {
        self.nodes += tree.nodes;
        self.bytes += tree.bytes;
        let used = tree.regions.iter().zip(outside).filter(|(region, _)| region.used);
        used.filter_map(|(_, outside)| outside.as_ref()).try_for_each(|brick| self.lemma(brick))
    }

    fn lemma(&mut self, brick: &Brick) -> Result<(), Halt> {
        if self.rows.contains_key(brick) {
            return Ok(());
        }
        let sides = brick.sides();
        let entry = *self.table.and_then(|table| table.get(&sides)).expect("the table has all boxes");
        let bound = entry.upper;
        let why = match entry.how {
            _ if bound == sides.iter().map(|&side| u64::from(side)).product::<u64>() => Why::Squares,
            How::Lines => Why::Lines,
            How::Cut { axis, width } => {
                let mut axes: Vec<usize> = (0..sides.len()).collect();
                axes.sort_by_key(|&axis| sides[axis]);
                let parts = brick.cut(axes[axis], width);
                parts.iter().try_for_each(|part| self.lemma(part))?;
                Why::Cut(parts)
            }
            How::Search => {
                let planned = self.tree(brick, bound + 1, false)?;
                self.lemmas_for(&planned)?;
                Why::Search(Box::new(planned))
            }
        };
        let images = self.images(&self.scene.fields[0], brick);
        self.rows.extend(images.into_iter().map(|image| (image, 0)));
        self.lemmas.push(Lemma { brick: brick.clone(), bound, why });
        Ok(())
    }

    /// Writes the lemmas, and then the tree of the question, which the row `asked` asks.
    pub(super) fn write(
        &mut self,
        planned: Planned<'a, W>,
        asked: u64,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        for Lemma { brick, bound, why } in std::mem::take(&mut self.lemmas) {
            match why {
                Why::Search(planned) => self.search(&brick, bound, *planned, steps)?,
                Why::Squares => {
                    self.each_image(&brick, steps, |plan, _, image| plan.sum_of_squares(image))?;
                }
                Why::Lines => self.each_image(&brick, steps, |plan, _, image| plan.sum_of_lines(image))?,
                Why::Cut(parts) => self.each_image(&brick, steps, |plan, element, _| {
                    let image = |part| plan.images(&plan.scene.fields[0], part).swap_remove(element);
                    let [a, b] = parts.each_ref().map(|part| plan.rows[&image(part)]);
                    format!("pol {a} {b} +;")
                })?,
            }
        }
        let Planned { mut tree, outside, .. } = planned;
        tree.prelude(steps)?;
        self.rows_of_regions(&mut tree, &outside, asked, steps)?;
        tree.root(steps).map(drop)
    }

    /// What slabs must hold: what is asked of the whole, less the bound of what is outside.
    fn rows_of_regions(
        &self,
        tree: &mut Tree<'a, W>,
        outside: &[Option<Brick>],
        asked: u64,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        for (region, outside) in tree.regions.iter_mut().zip(outside).filter(|(region, _)| region.used) {
            region.row = match outside {
                Some(outside) => steps.derive(&format!("pol {asked} {} +;", self.rows[outside]))?,
                None => asked,
            };
        }
        Ok(())
    }

    /// Derives a row for each image of a box by a step of its own.
    fn each_image(
        &mut self,
        brick: &Brick,
        steps: &mut Steps<'_>,
        step: impl Fn(&Self, usize, &Brick) -> String,
    ) -> Result<(), Halt> {
        for (element, image) in self.images(&self.scene.fields[0], brick).into_iter().enumerate() {
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
        brick: &Brick,
        bound: u64,
        Planned { mut tree, outside, images }: Planned<'a, W>,
        steps: &mut Steps<'_>,
    ) -> Result<(), Halt> {
        let first = steps.last + 1;
        let not_fuller = tree.prelude(steps)?;
        let squares = brick.squares(self.scene.board);
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
        let refuted = tree.root(steps)?;
        let row = steps.derive(&format!("pol {else_bound} {refuted} {empty} * +;"))?;
        self.rows.insert(brick.clone(), row);
        for (image, not_fuller) in images.into_iter().zip(not_fuller) {
            let image_row = steps.derive(&format!("pol {row} {not_fuller} +;"))?;
            self.rows.insert(image, image_row);
        }
        steps.say(&format!("del range {first} {row};"))
    }

    /// The step that adds up, for each square of a box, that it holds at most one queen.
    fn sum_of_squares(&self, brick: &Brick) -> String {
        let terms: Vec<String> = brick
            .squares(self.scene.board)
            .into_iter()
            .map(|square| format!(" ~{}", variable(square)))
            .collect();
        format!("pol{}{};", terms.concat(), " +".repeat(terms.len() - 1))
    }

    /// The step that adds up the rows of the lines along the longest side of a box.
    fn sum_of_lines(&self, brick: &Brick) -> String {
        let sides = brick.sides();
        let axis = (0..sides.len()).max_by_key(|&axis| sides[axis]).expect("a box has sides");
        let mut step = "pol".to_owned();
        let mut plus = "";
        for square in brick.squares(self.scene.board) {
            let mut end = self.scene.board.coordinates(square);
            if end[axis] != brick.low[axis] {
                continue;
            }
            end[axis] = brick.high[axis];
            let end = self.scene.board.square(&end).expect("on the board");
            let inside = |square| brick.contains(&self.scene.board.coordinates(square));
            self.scene.lines.push_row(square, end, inside, &mut step);
            step += plus;
            plus = " +";
        }
        step + ";"
    }
}
