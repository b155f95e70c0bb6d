//! All tables of data files, with their columns.

mod files;
mod listed;
mod measured;

use ndqueens_report::column::Unit::{Count, Memory, Queens, Ratio, Seconds, Text};
use ndqueens_report::column::{Field, Table};

pub use self::files::Files;
use self::listed::Listed;
use self::measured::MEASURED;
use crate::bounds;

/// Returns the tables of bounds, then those with listed columns.
#[must_use]
pub fn tables() -> Vec<Table> {
    let bounds = [
        ("bounds", "Lower and upper bounds of queens on n^d", bounds::fields()),
        ("maxima", "Boards n^d whose bounds meet", bounds::maxima_fields()),
        ("open", "Boards n^d whose bounds do not meet", bounds::open_fields()),
        (
            "ratios",
            "Bounds on R(n), the maximum of queens on n^d divided by n^(d-1)",
            bounds::ratios_fields(),
        ),
        ("new", "Bounds of queens on n^d that no publication has", bounds::new_fields()),
    ];
    let bounds = bounds.map(|(name, title, fields)| Table { name, title, fields });
    let listed = LISTED.iter().chain(MEASURED).map(|(name, title, columns)| Table {
        name,
        title,
        fields: columns.iter().map(|&(name, unit, meaning)| Field { name, unit, meaning }).collect(),
    });
    bounds.into_iter().chain(listed).collect()
}

/// Tables that `ndq` writes, and those in `instances`.
const LISTED: &[Listed] = &[
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
            ("rests_on", Text, "bounds of other boards that it rests on, with a semicolon between two"),
            ("command", Text, "the command that makes the file"),
            ("commit", Text, "commit of the workbench"),
            ("verified", Text, "the verified checker that accepted the file"),
        ],
    ),
    (
        "box-table",
        "Bounds of small boxes",
        &[
            ("piece", Text, "the piece"),
            ("sides", Text, "the sides, in increasing order"),
            ("lower", Queens, "lower bound on the maximum"),
            ("upper", Queens, "upper bound on the maximum"),
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
        "Published bounds, a row for each bound and source: data to compare with, not proofs",
        &[
            ("board", Text, "the board"),
            ("side", Text, "lower or upper bound"),
            ("value", Queens, "the bound"),
            (
                "status",
                Text,
                "what the publication rests on: theorem, or reported (a list of squares, or a solver run)",
            ),
            ("source", Text, "who published it, and when, or what it follows from"),
            ("place", Text, "where in the source"),
            (
                "identifier",
                Text,
                "doi: and a DOI, oeis: and a sequence, or an address; empty if there is no such source",
            ),
        ],
    ),
    (
        "full-counts",
        "Published numbers of full solutions, a row for each board and source: data to compare with, not proofs",
        &[
            ("board", Text, "the board"),
            ("queens", Queens, "queens of a solution"),
            ("solutions", Count, "solutions"),
            ("source", Text, "who published it"),
            (
                "identifier",
                Text,
                "doi: and a DOI, oeis: and a sequence, or an address; empty if there is no such source",
            ),
        ],
    ),
    (
        "printed-counts",
        "Published numbers of solutions",
        &[
            ("board", Text, "the board"),
            ("queens", Queens, "queens of a solution"),
            ("solutions", Count, "solutions"),
            ("up_to_symmetry_least", Count, "least number of solutions up to symmetry that is printed"),
            ("up_to_symmetry_most", Count, "the largest; the same where one number is printed"),
            (
                "optimal",
                Text,
                "yes or no: whether every row and every column has exactly one queen (de Groot 2020, definition 2.1.2); empty if not printed",
            ),
            ("where", Text, "where it is printed"),
        ],
    ),
    (
        "known-counts",
        "Numbers of maximum solutions that two programs or a proof show, a row for each board",
        &[
            ("board", Text, "the board"),
            ("solutions", Count, "maximum solutions"),
            ("up_to_symmetry", Count, "the same up to symmetry; empty if not known"),
            ("source", Text, "what shows them"),
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
        "dots-columns",
        "The data dictionary of the table of boards of CliqueR",
        &[("column", Text, "the column"), ("meaning", Text, "what it means")],
    ),
];
