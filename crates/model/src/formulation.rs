//! Formulations as data: a formulation is a TOML file that lists families. The shipped formulations are in
//! `models/`.
//!
//! ```toml
//! title = "Lines, cubes and subcubes of side 3 and more"
//! source = "an example"
//! problem = "independent set"
//! families = ["line", "cube", { name = "odd-cycle", lengths = [5], cap = 200 }]
//! ```
//!
//! | key | value |
//! | --- | --- |
//! | `title`, `source` | description and origin, one line each |
//! | `problem` | kind of solution, such as `independent set` |
//! | `families` | families of rows, by name or with options |
//! | `[[inequalities]]` | inequalities of one's own, which have to be proved; `docs/formulations.md` has the keys |
//! | `goal` | goal if no number of queens is given: `optimise` (the default) or `full` |
//! | `needs` | requirements: `number` (of queens), `include` (queens to complete), `torus` |
//!
//! The problems are `independent set`, `dominating set`, `independent dominating set` and
//! `no-three-in-line set`. The goal `optimise` is a largest set, or a smallest one if the set must be
//! dominating; the goal `full` is a full solution, which has `n^(d-1)` queens.

use std::io;
use std::sync::Arc;

use ndqueens_notation::certificate::Problem;
use ndqueens_notation::error_class::{Classified, ErrorClass};
use ndqueens_notation::escape::escape;
use ndqueens_notation::similar::did_you_mean;
use serde::{Deserialize, Serialize};

use crate::board::Board;
use crate::family::{Family, REGISTRY};
use crate::own::{InequalityEntry, OwnInequalities, ReadFile, read_entries};
use crate::variant::{Goal, Variant};

/// Formulation: a problem with families of rows, independent of a board.
///
/// # Examples
/// ```
/// use ndqueens_model::formulation::Formulation;
///
/// let formulation = Formulation::builtin("cube")?;
/// let families: Vec<&str> = formulation.families().map(|family| family.name()).collect();
/// assert_eq!(families, ["line", "cube"]);
/// # Ok::<(), ndqueens_model::formulation::FormulationError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Formulation {
    /// Name of the file, without `.toml`.
    pub name: String,
    /// Description in one line.
    pub title: String,
    /// Origin in one line.
    pub source: String,
    /// Problem that its solutions solve.
    pub problem: Problem,
    /// `true` if the goal is a full solution when no number of queens is given.
    pub full: bool,
    /// Requirements on the goal, the included queens and the board.
    pub needs: Vec<Need>,
    /// Families of the registry, in the order in which their rows are written.
    listed: Vec<Arc<dyn Family>>,
    /// Families as the file names them, with their options.
    entries: Vec<Entry>,
    /// Inequalities of the file, whose rows are written after those of the families.
    pub own: OwnInequalities,
}

/// Requirement of a formulation.
///
/// # Examples
/// ```
/// use ndqueens_model::formulation::{Formulation, Need};
///
/// let text = "title = \"own\"\nsource = \"none\"\nproblem = \"independent set\"\nneeds = [\"number\"]\nfamilies = [\"line\"]\n";
/// assert_eq!(Formulation::parse("own", text)?.needs, [Need::Number]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Need {
    /// Number of queens as the goal.
    Number,
    /// Queens that must be part of the solution.
    Include,
    /// Torus as the board.
    Torus,
}

/// Error of a formulation that cannot be found or parsed.
///
/// # Examples
/// ```
/// use ndqueens_model::formulation::{Formulation, FormulationError};
///
/// let error = Formulation::builtin("bass").expect_err("no such formulation");
/// assert!(matches!(error, FormulationError::Unknown { .. }));
/// ```
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormulationError {
    /// Name that is not that of a shipped formulation.
    #[error("unknown formulation \"{}\"; expected one of {}, or a path that ends in .toml{}", escape(name), builtin_names().join(", "), did_you_mean(name, builtin_names()))]
    Unknown {
        /// Name as given.
        name: String,
    },
    /// Text that is not TOML, or that has a missing, unknown or invalid key.
    #[error("formulation {}: {}", escape(name), escape(fault))]
    Malformed {
        /// Name of the formulation.
        name: String,
        /// Description of the error, with line and column.
        fault: String,
    },
    /// Unknown family.
    #[error("formulation {}: unknown family \"{}\"; known families are {}{}", escape(formulation), escape(family), REGISTRY.iter().map(|f| f.0).collect::<Vec<_>>().join(", "), did_you_mean(family, REGISTRY.iter().map(|f| f.0)))]
    UnknownFamily {
        /// Name of the formulation.
        formulation: String,
        /// Name of the family as given.
        family: String,
    },
}

impl Classified for FormulationError {
    fn class(&self) -> ErrorClass {
        ErrorClass::BadInput
    }
}

/// Names and texts of the shipped formulations.
const SHIPPED: &[(&str, &str)] = &[
    ("base", include_str!("../data/models/base.toml")),
    ("lmr", include_str!("../data/models/lmr.toml")),
    ("cube", include_str!("../data/models/cube.toml")),
    ("star", include_str!("../data/models/star.toml")),
    ("cube-star", include_str!("../data/models/cube-star.toml")),
    ("all", include_str!("../data/models/all.toml")),
    ("dilated", include_str!("../data/models/dilated.toml")),
    ("cuboid", include_str!("../data/models/cuboid.toml")),
    ("strong", include_str!("../data/models/strong.toml")),
    ("strong-clique", include_str!("../data/models/strong-clique.toml")),
    ("volume", include_str!("../data/models/volume.toml")),
    ("class", include_str!("../data/models/class.toml")),
    ("cube-faces", include_str!("../data/models/cube-faces.toml")),
    ("strong-faces", include_str!("../data/models/strong-faces.toml")),
    ("strong-clique-faces", include_str!("../data/models/strong-clique-faces.toml")),
    ("edge", include_str!("../data/models/edge.toml")),
    ("odd-cycle", include_str!("../data/models/odd-cycle.toml")),
    ("maximal-clique", include_str!("../data/models/maximal-clique.toml")),
    ("symmetry", include_str!("../data/models/symmetry.toml")),
    ("lex", include_str!("../data/models/lex.toml")),
    ("full", include_str!("../data/models/full.toml")),
    ("modular", include_str!("../data/models/modular.toml")),
    ("partial", include_str!("../data/models/partial.toml")),
    ("completion", include_str!("../data/models/completion.toml")),
    ("domination", include_str!("../data/models/domination.toml")),
    ("independent-domination", include_str!("../data/models/independent-domination.toml")),
    ("no-three-in-line", include_str!("../data/models/no-three-in-line.toml")),
];

/// Returns the names of the shipped formulations.
#[must_use]
pub fn builtin_names() -> Vec<&'static str> {
    SHIPPED.iter().map(|(name, _)| *name).collect()
}

/// Contents of the file of a formulation.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    title: String,
    source: String,
    problem: toml::Spanned<String>,
    #[serde(default)]
    goal: DefaultGoal,
    #[serde(default)]
    needs: Vec<Need>,
    families: Vec<Entry>,
    #[serde(default)]
    inequalities: Vec<InequalityEntry>,
}

/// Contents of the file that is written for a formulation.
#[derive(Serialize)]
struct WrittenFile<'a> {
    title: &'a str,
    source: &'a str,
    problem: String,
    goal: Option<DefaultGoal>,
    needs: Option<&'a [Need]>,
    families: &'a [Entry],
    inequalities: Vec<InequalityEntry>,
}

/// Inequalities apart from a formulation's file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Inequalities {
    #[serde(default)]
    inequalities: Vec<InequalityEntry>,
}

/// Goal if no number of queens is given.
#[derive(Clone, Copy, Default, PartialEq, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum DefaultGoal {
    #[default]
    Optimise,
    Full,
}

/// Family in the file of a formulation.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(untagged)]
enum Entry {
    Name(String),
    WithOptions(toml::Table),
}

impl Formulation {
    /// Returns the shipped formulation with this name.
    ///
    /// # Errors
    /// Returns an error if the name is unknown.
    pub fn builtin(name: &str) -> Result<Self, FormulationError> {
        let found = SHIPPED.iter().find(|(known, _)| *known == name);
        found.map_or_else(
            || Err(FormulationError::Unknown { name: name.to_owned() }),
            |(name, text)| Self::parse(name, text),
        )
    }

    /// Returns the default formulation of the maximum on a board: `cube` if it is valid there, otherwise
    /// `base`.
    ///
    /// # Errors
    /// Returns an error if a shipped formulation cannot be parsed.
    pub fn of_board(board: &Board) -> Result<Self, FormulationError> {
        let cube = Self::builtin("cube")?;
        let plain = Variant::of(Goal::Optimise);
        let valid = cube.families().all(|family| family.validity(board, cube.problem, &plain).is_ok());
        if valid { Ok(cube) } else { Self::builtin("base") }
    }

    /// Parses the text of a formulation's file that names no other files.
    ///
    /// # Errors
    /// Returns an error if the text is not TOML, a key or family is missing, unknown or invalid, or an
    /// inequality is in another file.
    pub fn parse(name: &str, text: &str) -> Result<Self, FormulationError> {
        Self::parse_with(name, text, &mut |_| Err(io::Error::other("files cannot be named here")))
    }

    /// Parses the text of a formulation's file. `read` returns the text of a file that it names.
    ///
    /// # Errors
    /// Returns an error if the text is not TOML, a key or family is missing, unknown or invalid, or a file
    /// that it names cannot be read or is malformed.
    pub fn parse_with(name: &str, text: &str, read: ReadFile<'_>) -> Result<Self, FormulationError> {
        let malformed = |fault: String| FormulationError::Malformed { name: name.to_owned(), fault };
        let location = |span: Option<std::ops::Range<usize>>| {
            let before = &text[..span.map_or(0, |span| span.start)];
            let column = before.chars().rev().take_while(|&c| c != '\n').count() + 1;
            format!("line {}, column {column}", before.matches('\n').count() + 1)
        };
        let file: File = toml::from_str(text)
            .map_err(|e| malformed(format!("{}: {}", location(e.span()), describe_error(&e))))?;
        let word = file.problem.get_ref();
        let problem = Problem::ALL.into_iter().find(|known| known.to_string() == *word).ok_or_else(|| {
            let allowed = Problem::ALL.map(|problem| problem.to_string()).join(", ");
            malformed(format!(
                "{}: unknown problem \"{word}\"; expected one of {allowed}{}",
                location(Some(file.problem.span())),
                did_you_mean(
                    word,
                    Problem::ALL.map(|problem| problem.to_string()).iter().map(String::as_str)
                )
            ))
        })?;
        let listed = listed_families(name, file.families.clone())?;
        let own = read_entries(file.inequalities, read).map_err(|fault| malformed(fault.to_string()))?;
        if listed.is_empty() && own.is_empty() {
            return Err(malformed("it lists no family".to_owned()));
        }
        Ok(Self {
            name: name.to_owned(),
            title: file.title,
            source: file.source,
            problem,
            full: file.goal == DefaultGoal::Full,
            needs: file.needs,
            listed,
            entries: file.families,
            own,
        })
    }

    /// Returns the formulation with the further inequalities of a TOML text, which consists of entries
    /// `[[inequalities]]`. `read` returns the text of a file that it names.
    ///
    /// # Errors
    /// Returns an error if the text or a file that it names is malformed.
    pub fn with_inequalities(mut self, text: &str, read: ReadFile<'_>) -> Result<Self, FormulationError> {
        let malformed = |fault: String| FormulationError::Malformed { name: self.name.clone(), fault };
        let entries: Inequalities = toml::from_str(text).map_err(|e| malformed(describe_error(&e)))?;
        let own = read_entries(entries.inequalities, read).map_err(|fault| malformed(fault.to_string()))?;
        self.own.extend(own);
        Ok(self)
    }

    /// Returns the families in the order in which their rows are written.
    pub fn families(&self) -> impl Iterator<Item = &dyn Family> {
        let own: Option<&dyn Family> = if self.own.is_empty() { None } else { Some(&self.own) };
        self.listed.iter().map(Arc::as_ref).chain(own)
    }

    /// Returns the formulation without the inequalities of its file.
    #[must_use]
    pub fn without_own(&self) -> Self {
        Self { own: OwnInequalities::default(), ..self.clone() }
    }

    /// Returns the text of a file with this formulation. Inequalities of files that it names are entries of the
    /// text.
    ///
    /// # Examples
    /// ```
    /// use ndqueens_model::formulation::Formulation;
    ///
    /// let cube = Formulation::builtin("cube")?;
    /// let again = Formulation::parse("again", &cube.to_toml())?;
    /// assert_eq!((&again.title, again.families().count()), (&cube.title, 2));
    /// # Ok::<(), ndqueens_model::formulation::FormulationError>(())
    /// ```
    ///
    /// # Panics
    /// Panics if an option of a family has no form in TOML, which options that were read have.
    #[must_use]
    pub fn to_toml(&self) -> String {
        let file = WrittenFile {
            title: &self.title,
            source: &self.source,
            problem: self.problem.to_string(),
            goal: self.full.then_some(DefaultGoal::Full),
            needs: (!self.needs.is_empty()).then_some(&self.needs[..]),
            families: &self.entries,
            inequalities: self.own.list().iter().map(InequalityEntry::from).collect(),
        };
        toml::to_string(&file).expect("options that were read can be written")
    }

    /// Returns `true` if its goal without further options is a maximum independent set.
    #[must_use]
    pub fn maximises(&self) -> bool {
        self.problem == Problem::IndependentSet && !self.full && self.needs.is_empty()
    }

    /// Returns `true` if its rows cut off solutions, leaving an image of each under the symmetries of the
    /// board.
    ///
    /// The solutions of such rows may not be counted, and arguments may not average over the group.
    #[must_use]
    pub fn breaks_symmetry(&self) -> bool {
        self.families().any(|family| family.breaks_symmetry())
    }
}

/// Returns the families of the entries.
fn listed_families(name: &str, entries: Vec<Entry>) -> Result<Vec<Arc<dyn Family>>, FormulationError> {
    let malformed = |fault: String| FormulationError::Malformed { name: name.to_owned(), fault };
    let mut known: Vec<(String, toml::Table)> = Vec::new();
    let families = entries.into_iter().map(|entry| {
        let (family, options) = match entry {
            Entry::Name(family) => (family, toml::Table::new()),
            Entry::WithOptions(mut options) => match options.remove("name") {
                Some(toml::Value::String(family)) => (family, options),
                _ => return Err(malformed("a family with options needs name = \"...\"".to_owned())),
            },
        };
        let Some((_, make)) = REGISTRY.iter().find(|(known, _)| *known == family) else {
            return Err(FormulationError::UnknownFamily { formulation: name.to_owned(), family });
        };
        let listed = (family.clone(), options.clone());
        if known.contains(&listed) {
            return Err(malformed(format!("it lists the family {family} twice, with the same options")));
        }
        known.push(listed);
        let made = make(options).map_err(|fault| {
            let shown = fault.to_string();
            let option = shown.lines().find_map(|line| line.strip_prefix("in "));
            let option = option.map_or(String::new(), |option| format!("option {option}: "));
            malformed(format!("family {family}: {option}{}", describe_error(&fault)))
        });
        made.map(Arc::from)
    });
    families.collect()
}

/// Returns the message of an error, with descriptions of the expected values in place of Rust types.
fn describe_error(fault: &toml::de::Error) -> String {
    let message = &fault.message().lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let message = message.trim();
    if message.contains("variant of untagged enum Entry") {
        return "expected the name of a family, or one with options such as { name = \"odd-cycle\", seed = 1 }"
            .to_owned();
    }
    let Some((found, expected)) = message.rsplit_once(", expected ") else { return message.to_owned() };
    let expected = match expected {
        "usize" | "u64" | "u32" => "a whole number from 0 on",
        "i64" => "a whole number",
        "a sequence" => "a list",
        "any value" if found.ends_with(" as i128") => "a smaller number",
        expected => expected,
    };
    let found = found.strip_suffix(" as i128").unwrap_or(found);
    let unknown = found.strip_prefix("unknown variant `").and_then(|name| name.strip_suffix('`'));
    let suggestion =
        unknown.map_or_else(String::new, |name| did_you_mean(name, expected.split('`').skip(1).step_by(2)));
    format!("{found}, expected {expected}{suggestion}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ships_and_parses_every_file_in_models() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .expect("the folder of formulations")
            .filter_map(|entry| {
                entry.expect("an entry").file_name().to_str()?.strip_suffix(".toml").map(str::to_owned)
            })
            .collect();
        files.sort();
        let mut names = builtin_names();
        names.sort_unstable();
        assert_eq!(files, names);
        for name in names {
            assert_eq!(Formulation::builtin(name).expect(name).name, name);
        }
    }

    #[test]
    fn written_formulations_are_read_again() {
        for name in builtin_names() {
            let shipped = Formulation::builtin(name).expect(name);
            let again = Formulation::parse(name, &shipped.to_toml()).expect(name);
            assert_eq!(format!("{again:?}"), format!("{shipped:?}"));
        }
        let text = "title = \"a \\\"b\\\"\"\nsource = \"c\"\nproblem = \"independent set\"\ngoal = \"full\"\n\
            needs = [\"torus\", \"number\"]\nfamilies = [{ name = \"odd-cycle\", lengths = [5], cap = 200 }]\n\
            [[inequalities]]\nname = \"d\"\nsquares = [[0, 1], [2, 0]]\ncoefficients = [2, -1]\nsense = \">=\"\nrhs = -1\n\
            [[inequalities]]\nbox = [3, 3]\nclasses = [1, 0, 2]\nstrides = [1, 2]\nimages = false\ntouching = [0]\nrhs = 2\n\
            [[inequalities]]\nfile = \"rows.csv\"\n";
        let rows = "row,sense,rhs,coefficient,square\nf,=,2,1,\"(0,1)\"\n";
        let parsed = Formulation::parse_with("own", text, &mut |_| Ok(rows.to_owned())).expect("valid");
        let again = Formulation::parse("own", &parsed.to_toml()).expect("written");
        assert_eq!(again.to_toml(), parsed.to_toml());
        let supports = |formulation: &Formulation| -> Vec<String> {
            let shown = |own: &crate::own::OwnInequality| {
                format!("{:?} {:?} {}", own.support, own.comparison, own.rhs)
            };
            formulation.own.list().iter().map(shown).collect()
        };
        assert_eq!(supports(&again), supports(&parsed));
        assert_eq!(
            (again.full, again.needs, again.own.list().len()),
            (true, vec![Need::Torus, Need::Number], 3)
        );
    }

    #[test]
    fn registered_names_match_those_of_families() {
        for (name, make) in REGISTRY {
            assert_eq!(make(toml::Table::new()).expect("defaults").name(), *name);
        }
    }

    #[test]
    fn rejects_malformed_formulations() {
        let good = include_str!("../data/models/cube.toml");
        let read = |from: &str, to: &str| {
            assert!(good.contains(from), "{from}");
            Formulation::parse("test", &good.replace(from, to)).expect_err(to)
        };
        for (from, to) in [
            ("title", "titel"),
            ("\"independent set\"", "\"clique\""),
            ("\"independent set\"", "\"\\u001b[2J\""),
            ("[\"line\", \"cube\"]", "[{ name = \"cube\", size = 3 }]"),
            ("[\"line\", \"cube\"]", "[{ name = \"odd-cycle\", seed = -1 }]"),
            ("[\"line\", \"cube\"]", "[{ name = \"odd-cycle\", cap = 99999999999999999999 }]"),
            ("[\"line\", \"cube\"]", "[{ name = \"odd-cycle\", lengths = 5 }]"),
            ("[\"line\", \"cube\"]", "[5]"),
            ("[\"line\", \"cube\"]", "[{ size = 3 }]"),
            ("[\"line\", \"cube\"]", "[]"),
            ("[\"line\", \"cube\"]", "[\"line\", \"cube\", \"line\"]"),
            ("families", "goal = \"half\"\nfamilies"),
            ("families", "goal = \"optimize\"\nfamilies"),
            ("families", "needs = [\"luck\"]\nfamilies"),
            ("[\"line\", \"cube\"]", "[\"line\""),
        ] {
            let error = read(from, to);
            assert!(matches!(error, FormulationError::Malformed { .. }), "{error}");
            assert!(!error.to_string().contains(char::is_control), "{error}");
        }
        for (from, to, place) in [
            ("title", "titel", "line 1, column 1: "),
            ("[\"line\", \"cube\"]", "[5]", "line 4, column 12: "),
            ("families", "goal = \"half\"\nfamilies", "line 4, column 8: "),
            ("families", "needs = [\"luck\"]\nfamilies", "line 4, column 10: "),
            ("[\"line\", \"cube\"]", "[\"line\"", "line 4, column 19: "),
        ] {
            let error = read(from, to).to_string();
            assert!(error.contains(place), "{error}");
        }
        for (from, to, unknown) in
            [("[\"line\", \"cube\"]", "[\"line\", \"kube\"]", "kube"), ("\"cube\"]", "\"\\n\"]", "\n")]
        {
            let error = read(from, to);
            assert!(
                matches!(&error, FormulationError::UnknownFamily { family, .. } if family == unknown),
                "{error}"
            );
            assert!(!error.to_string().contains(char::is_control), "{error}");
        }
        assert_eq!(
            Formulation::builtin("cubes").err(),
            Some(FormulationError::Unknown { name: "cubes".to_owned() })
        );
    }
}
