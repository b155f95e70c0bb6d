//! The tables that the program writes and ships.

use ndqueens_cliquer::depth;
use ndqueens_experiments::table as experiments;
use ndqueens_knowledge::bounds;
use ndqueens_report::column::Unit::{self, Count, Memory, Queens, Ratio, Seconds, Text};
use ndqueens_report::column::{Field, Table};

/// All tables.
pub(super) fn tables() -> Vec<Table> {
    let bounds = [
        ("bounds", "Lower and upper bounds of queens on n^d", bounds::fields()),
        ("maxima", "Boards n^d whose bounds meet", bounds::maxima_fields()),
        ("open", "Boards n^d whose bounds do not meet", bounds::open_fields()),
    ];
    let mut tables: Vec<Table> = experiments::tables().into();
    tables.extend(bounds.map(|(name, title, fields)| Table { name, title, fields }));
    tables.extend(LISTED.iter().map(|(name, title, columns)| Table {
        name,
        title,
        fields: columns.iter().map(|&(name, unit, meaning)| Field { name, unit, meaning }).collect(),
    }));
    // Coordinates, words and numbers are told apart by their names.
    let unit = |name: &str| match name {
        "last_mover" | "winner" | "places" => Text,
        _ => Count,
    };
    tables.push(Table {
        name: "dots",
        title: "Boards of CliqueR, solved",
        fields: depth::COLUMNS.map(|(name, meaning)| Field { name, unit: unit(name), meaning }).to_vec(),
    });
    tables
}

/// Name, unit and meaning of a column.
type Listed = (&'static str, Unit, &'static str);

/// Tables that are read and written as they are: name, title and columns.
const LISTED: [(&str, &str, &[Listed]); 15] = [
    (
        "plan",
        "The runs that an experiment asks for",
        &[
            ("id", Text, "digest of what defines the run"),
            ("board", Text, "the board"),
            ("formulation", Text, "the formulation; none for the exact engine"),
            ("variant", Text, "what is asked, in the words of the experiment file"),
            ("asked", Queens, "the number of queens that the question names"),
            ("backend", Text, "what solves it"),
            ("seed", Count, "the solver's random seed"),
            ("threads", Count, "the solver's threads"),
            ("start", Text, "the warm start"),
            ("time_limit_seconds", Seconds, "wall-clock limit of the solve"),
            ("node_limit", Count, "limit of branch-and-bound nodes"),
            ("memory_limit_mib", Memory, "limit of the process's memory, in MiB"),
        ],
    ),
    (
        "columns",
        "The data dictionary of the tables of an experiment",
        &[
            ("table", Text, "the table"),
            ("column", Text, "the column"),
            ("unit", Text, "the unit of its values"),
            ("meaning", Text, "what it means"),
        ],
    ),
    (
        "ledger",
        "Proved bounds, with the file that shows each",
        &[
            ("board", Text, "the board, with sorted sides"),
            ("side", Text, "lower or upper"),
            ("value", Queens, "the bound"),
            ("kind", Text, "what shows it"),
            ("file", Text, "the file that shows it"),
            ("bytes", Memory, "size of the file in bytes"),
            ("sha256", Text, "SHA-256 of the file"),
            ("rests_on", Text, "bounds of other boards that it rests on"),
            ("command", Text, "the command that makes the file"),
            ("commit", Text, "commit of the workbench"),
        ],
    ),
    (
        "box-table",
        "Bounds of small boxes",
        &[
            ("piece", Text, "the piece"),
            ("sides", Text, "the sides, in increasing order"),
            ("lower", Queens, "so many fit"),
            ("upper", Queens, "no more than so many fit"),
            ("how", Text, "what proves the upper bound"),
            ("nodes", Count, "search nodes of the proof"),
        ],
    ),
    (
        "effort",
        "How long bounds of open boards were attacked",
        &[
            ("board", Text, "the board n^d"),
            ("side", Text, "the bound that was to be improved, lower or upper"),
            ("method", Text, "what was run"),
            ("best", Queens, "the best bound"),
            ("minutes", Count, "how long it took, in minutes"),
            ("clock", Text, "cpu or wall: whose minutes these are"),
            ("steps", Count, "moves of a local search, or nodes of a proof"),
            ("source", Text, "the folder of the batch"),
        ],
    ),
    (
        "known-values",
        "Published values: data to compare with, not proofs",
        &[
            ("board", Text, "the board"),
            ("lower", Queens, "published lower bound"),
            ("upper", Queens, "published upper bound"),
            ("upper_standing", Text, "theorem, or reported"),
            ("source", Text, "who published it"),
        ],
    ),
    (
        "printed-counts",
        "Published numbers of solutions",
        &[
            ("board", Text, "the board"),
            ("queens", Queens, "queens of a solution"),
            ("solutions", Count, "solutions"),
            ("fundamental_least", Count, "least number of solutions up to symmetry that is printed"),
            ("fundamental_most", Count, "the largest; the same where one number is printed"),
            ("where", Text, "where it is printed"),
        ],
    ),
    (
        "density",
        "How often a square is in a maximum solution",
        &[
            ("square", Text, "the coordinates of the square"),
            ("count", Count, "maximum solutions with a queen on it"),
            ("share", Ratio, "the same, divided by the number of maximum solutions"),
        ],
    ),
    (
        "counts",
        "Numbers of maximum solutions",
        &[
            ("board", Text, "the board"),
            ("queens", Queens, "queens of a solution"),
            ("solutions", Count, "maximum solutions"),
            ("fundamental", Count, "maximum solutions up to symmetry"),
            ("stabilisers", Text, "ORDER:NUMBER, solutions up to symmetry by the order of their stabiliser"),
            ("squares_in_none", Count, "squares that no maximum solution occupies"),
            (
                "threshold",
                Queens,
                "the completion threshold: the largest k such that every k non-attacking queens lie in a maximum solution",
            ),
            ("methods", Text, "what counted them"),
            ("seconds", Seconds, "wall clock of the fast method"),
            ("reference_seconds", Seconds, "wall clock of the reference method"),
        ],
    ),
    (
        "domination",
        "Least dominating sets of queens",
        &[
            ("board", Text, "the board"),
            ("dominating", Queens, "the least size of a dominating set"),
            ("independent", Queens, "the same of one whose queens do not attack each other"),
            ("methods", Text, "what computed them"),
        ],
    ),
    (
        "full",
        "Full solutions of n^3 and n^4",
        &[
            ("board", Text, "the board"),
            ("full_solutions", Count, "solutions with as many queens as there are parallel lines"),
            ("regular", Count, "those of them that are linear"),
            ("methods", Text, "what counted them"),
        ],
    ),
    (
        "all-colourings",
        "n-colourings of n^2",
        &[
            ("n", Count, "the side of the board"),
            ("filter", Text, "yes or no: whether the clique filter was used"),
            ("solutions", Count, "solutions of n queens on n^2"),
            ("nodes", Count, "search nodes"),
            ("colourings", Count, "n-colourings"),
            ("up to symmetry", Count, "n-colourings up to symmetry"),
            ("symmetries", Text, "SYMMETRY:NUMBER, colourings by their symmetry"),
            ("full solutions of n^3", Count, "full solutions of n^3 that are stacks of them"),
            ("seconds", Seconds, "wall clock"),
            ("stopped", Text, "why it was stopped"),
        ],
    ),
    (
        "chromatic",
        "Chromatic numbers of queen graphs",
        &[
            ("board", Text, "the board"),
            ("lower", Count, "no fewer colours suffice"),
            ("upper", Count, "so many colours suffice"),
            ("why no fewer", Text, "what shows the lower bound"),
            ("found by", Text, "what found the colouring"),
            ("nodes", Count, "search nodes"),
            ("seconds", Seconds, "wall clock"),
            ("stopped", Text, "why it was stopped"),
        ],
    ),
    (
        "first-colouring",
        "Searches for an n-colouring of n^2",
        &[
            ("n", Count, "the side of the board"),
            ("symmetry", Text, "the symmetry that was asked for"),
            ("seed", Count, "the random seed"),
            ("found", Text, "yes or no"),
            ("its symmetry", Text, "the symmetry of the colouring that was found"),
            ("nodes", Count, "search nodes"),
            ("seconds", Seconds, "wall clock"),
            ("stopped", Text, "why it was stopped"),
        ],
    ),
    (
        "dots-columns",
        "The data dictionary of the table of boards of CliqueR",
        &[("column", Text, "the column"), ("meaning", Text, "what it means")],
    ),
];
