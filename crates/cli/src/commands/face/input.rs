//! Inequalities and polytopes of `ndq face`.

use std::collections::HashMap;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail};
use ndqueens_archive::archive::Archive;
use ndqueens_model::board::{Board, Square};
use ndqueens_model::facts::Bounds;
use ndqueens_model::family::{Family, Inequality, Property, REGISTRY, with_default_options};
use ndqueens_model::ilp::{Comparison, Tag};
use ndqueens_model::own::{OwnInequalities, OwnInequality};
use ndqueens_model::variant::{Goal, Variant, full_size};
use ndqueens_notation::certificate::Problem;
use ndqueens_notation::similar::did_you_mean;
use ndqueens_polytope::face::{Face, Hull, Verdict, examine};
use ndqueens_polytope::halfspace::Halfspace;
use ndqueens_polytope::solutions::{Kind, list};
use ndqueens_polytope::symmetry::Symmetries;
use ndqueens_system::cancel::Control;
use ndqueens_system::file;
use ndqueens_workflow::run::formulation;

use super::Args;
use super::kept::Kept;

/// Largest number of solutions that are listed for the other problems.
const MOST_SOLUTIONS: usize = 1_000_000;

/// Inequality with a name.
struct NamedInequality {
    name: String,
    inequality: Inequality,
}

/// Inequalities of one family that breaks symmetry.
pub(super) struct Breaking {
    family: &'static str,
    rows: Vec<NamedInequality>,
}

/// Inequalities to examine.
pub(super) struct Input {
    kind: Kind,
    rows: Vec<NamedInequality>,
    /// Families that break symmetry, which are not valid for the polytope.
    pub(super) breaking: Vec<Breaking>,
}

/// Inequalities that are images of each other under the symmetries of the board.
pub(super) struct RowOrbit {
    /// Name of the first one.
    pub(super) name: String,
    /// First one, as an inequality of the form "at most", or an equation.
    pub(super) halfspace: Halfspace,
    pub(super) comparison: Comparison,
    /// Number of inequalities of the input in the orbit.
    pub(super) rows: usize,
    /// Number of images.
    pub(super) images: usize,
}

/// Polytope whose faces are examined.
pub(super) enum Polytope {
    /// Convex hull of all independent sets.
    Independent,
    /// Convex hull of a list of solutions.
    Listed(Kind, Box<Hull>),
}

/// Reads the inequalities that the arguments name.
pub(super) fn read(args: &Args, archive: &Archive, board: &Board) -> anyhow::Result<Input> {
    let bounds = Bounds::with_publications(archive.bounds());
    match (&args.file, &args.formulation, &args.family) {
        (Some(path), ..) => {
            let own = read_file(path)?;
            Input::of([&own as &dyn Family], &own, Problem::IndependentSet, false, board, &bounds)
        }
        (None, Some(name), _) => {
            let formulation = formulation::load(name)?;
            let (problem, full) = (formulation.problem, formulation.full);
            Input::of(formulation.families(), &formulation.own, problem, full, board, &bounds)
        }
        (None, None, name) => {
            let family = family(name.as_deref().unwrap_or_default())?;
            let problem = match family.ensures() {
                Some(Property::Domination) => Problem::DominatingSet,
                Some(Property::NoThreeInLine) => Problem::NoThreeInLine,
                Some(Property::Independence) | None => Problem::IndependentSet,
            };
            let full = family.name() == "equality";
            Input::of([&*family], &OwnInequalities::default(), problem, full, board, &bounds)
        }
    }
}

impl Input {
    /// Lists the inequalities of families on a board. `own` is the family of the inequalities that a file
    /// states, if it is among them.
    fn of<'f>(
        families: impl IntoIterator<Item = &'f dyn Family>,
        own: &OwnInequalities,
        problem: Problem,
        full: bool,
        board: &Board,
        bounds: &Bounds,
    ) -> anyhow::Result<Self> {
        let (kind, variant) = match (problem, full) {
            (Problem::IndependentSet, false) => (Kind::Independent, Variant::of(Goal::Optimise)),
            (Problem::IndependentSet, true) => {
                let size = full_size(board)?;
                (Kind::IndependentOfSize(size as usize), Variant::of(Goal::Exactly(size)))
            }
            (Problem::DominatingSet, _) => (Kind::Dominating, Variant::of(Goal::Optimise)),
            (Problem::IndependentDominatingSet, _) => {
                (Kind::IndependentDominating, Variant::of(Goal::Optimise))
            }
            (Problem::NoThreeInLine, _) => {
                bail!("faces are examined for independent and dominating sets, not for {problem}s")
            }
        };
        let mut input = Self { kind, rows: Vec::new(), breaking: Vec::new() };
        own.claims(board)?;
        for family in families {
            family.validity(board, problem, &variant).with_context(|| {
                format!("the family \"{}\" is not valid on {}", family.name(), board.name())
            })?;
            let listed = if family.name() == own.name() { own.list() } else { &[] };
            let mut labels = labels(listed, board);
            let rows = (0..).zip(family.rows(board, bounds)).map(|(number, inequality)| {
                let tag = Tag { family: family.name(), number }.to_string();
                let name = labels.next().map_or_else(|| tag.clone(), |label| format!("{tag}, {label}"));
                NamedInequality { name, inequality }
            });
            if family.breaks_symmetry() {
                input.breaking.push(Breaking { family: family.name(), rows: rows.collect() });
            } else {
                input.rows.extend(rows);
            }
        }
        Ok(input)
    }
}

/// Returns the name of the inequality of each row that a file's inequalities have on a board.
fn labels<'a>(own: &'a [OwnInequality], board: &'a Board) -> impl Iterator<Item = &'a str> {
    own.iter().flat_map(|inequality| inequality.rows(board).map(|_| inequality.label.as_str()))
}

/// Reads the inequalities of an LP or CSV file.
fn read_file(path: &Path) -> anyhow::Result<OwnInequalities> {
    let name = path.display().to_string();
    if path.extension().is_some_and(|extension| extension == "toml") {
        bail!("{name}: a formulation goes with -f, as in -f {name}");
    }
    Ok(OwnInequalities::from_file(&name, &mut |_| file::read(path).map_err(|fault| fault.cause))?)
}

/// Returns the family with this name and default options.
fn family(name: &str) -> anyhow::Result<Box<dyn Family>> {
    let names = || REGISTRY.iter().map(|(known, _)| *known);
    with_default_options(name).ok_or_else(|| {
        anyhow!(
            "unknown family \"{}\"; expected one of {}{}",
            name.escape_debug(),
            names().collect::<Vec<_>>().join(", "),
            did_you_mean(name, names())
        )
    })
}

/// Returns the inequalities up to symmetry, in the order of their first occurrences.
pub(super) fn orbits(input: &Input, board: &Board) -> Vec<RowOrbit> {
    let symmetries = Symmetries::of(board);
    let mut numbers: HashMap<(bool, Halfspace), usize> = HashMap::new();
    let mut orbits: Vec<RowOrbit> = Vec::new();
    for NamedInequality { name, inequality } in &input.rows {
        let halfspace = Halfspace::of(inequality, board.size());
        let comparison = inequality.comparison;
        let key = (comparison == Comparison::Equal, symmetries.representative(&halfspace.primitive()));
        let number = *numbers.entry(key).or_insert(orbits.len());
        if number == orbits.len() {
            let images = symmetries.orbit_size(&halfspace);
            orbits.push(RowOrbit { name: name.clone(), halfspace, comparison, rows: 0, images });
        }
        orbits[number].rows += 1;
    }
    orbits
}

impl Polytope {
    /// Returns the polytope that the inequalities describe. Solutions of other problems than independent
    /// sets, and those of families that break symmetry, are listed.
    pub(super) fn of(input: &Input, board: &Board, control: &Control) -> anyhow::Result<Self> {
        if input.kind == Kind::Independent && input.breaking.is_empty() {
            return Ok(Self::Independent);
        }
        let sets = list(board, input.kind, MOST_SOLUTIONS, control)?;
        let Some(hull) = Hull::of(board.size(), sets) else {
            bail!("the equations of the {} of {} exceed 127 bits", input.kind.plural(), board.name());
        };
        Ok(Self::Listed(input.kind, Box::new(hull)))
    }

    /// Returns an error if there are no certificates for the facets of the polytope.
    pub(super) fn refuse_certificates(&self) -> anyhow::Result<()> {
        match self {
            Self::Independent | Self::Listed(Kind::Independent, _) => Ok(()),
            Self::Listed(kind, _) => bail!(
                "--certificates is for facets of the convex hull of all independent sets, not of {}",
                kind.plural()
            ),
        }
    }

    /// Examines the face of an inequality.
    pub(super) fn examine(&self, board: &Board, orbit: &RowOrbit, control: &Control) -> anyhow::Result<Face> {
        let RowOrbit { halfspace, comparison, name, .. } = orbit;
        let face = match self {
            Self::Independent | Self::Listed(Kind::Independent, _) if *comparison != Comparison::Equal => {
                examine(board, halfspace, control)
            }
            Self::Independent | Self::Listed(Kind::Independent, _) => {
                let reversed = Halfspace {
                    coefficients: halfspace.coefficients.iter().map(|a| -a).collect(),
                    rhs: -halfspace.rhs,
                };
                // The equation is invalid if either inequality is.
                examine(board, halfspace, control).and_then(|face| match face.verdict {
                    Verdict::Invalid(_) => Ok(face),
                    _ => examine(board, &reversed, control),
                })
            }
            Self::Listed(_, hull) => hull.examine(halfspace, *comparison),
        };
        face.with_context(|| name.clone())
    }

    /// Counts the solutions that satisfy the inequalities of a family that breaks symmetry.
    pub(super) fn count_kept(&self, breaking: &Breaking, board: &Board) -> Kept {
        let Self::Listed(_, hull) = self else { unreachable!("solutions are listed for such families") };
        let rows: Vec<Halfspace> =
            breaking.rows.iter().map(|row| Halfspace::of(&row.inequality, board.size())).collect();
        let satisfies = |set: &[Square]| rows.iter().all(|row| row.left(set) <= row.rhs);
        let symmetries = Symmetries::of(board);
        let image = |set: &[Square], images: &[Square]| -> Vec<Square> {
            set.iter().map(|&square| images[square as usize]).collect()
        };
        let has_image =
            |set: &Vec<Square>| symmetries.images().iter().any(|images| satisfies(&image(set, images)));
        Kept {
            board: board.name().to_string(),
            family: breaking.family,
            kept: hull.sets().iter().filter(|set| satisfies(set)).count(),
            sets: hull.sets().len(),
            complete: hull.sets().iter().all(has_image),
        }
    }

    /// Returns the dimension of the polytope on a board.
    pub(super) fn dimension(&self, board: &Board) -> i64 {
        match self {
            Self::Independent => board.size() as i64,
            Self::Listed(_, hull) => hull.dimension(),
        }
    }

    /// Describes the polytope on a board.
    pub(super) fn describe(&self, board: &Board) -> String {
        let (name, squares) = (board.name(), board.format_squares(board.size() as u64));
        match self {
            Self::Independent => format!("P({name}): {squares}, dimension {}", board.size()),
            Self::Listed(kind, hull) => {
                let (number, plural) = (hull.sets().len(), kind.plural());
                let size = match kind {
                    Kind::IndependentOfSize(size) => format!(" of {size}"),
                    _ => String::new(),
                };
                format!("{number} {plural}{size} on {name}: {squares}, dimension {}", hull.dimension())
            }
        }
    }
}
