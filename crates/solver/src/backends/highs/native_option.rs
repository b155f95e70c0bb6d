//! Options of HiGHS by their own names, such as `mip_heuristic_effort`, with the values that HiGHS allows.

use std::fmt;
use std::str::FromStr;

use ndqueens_notation::similar::did_you_mean;
use serde::{Deserialize, Serialize};

use super::ffi::{OptionList, OptionValue};

/// Options that the workbench sets itself, each with the setting that determines it.
const RESERVED: [(&str, &str); 19] = [
    ("threads", "the number of threads (--threads)"),
    ("parallel", "the number of threads (--threads)"),
    ("random_seed", "the seed (--seed)"),
    ("time_limit", "the time limit (--time-limit)"),
    ("mip_max_nodes", "the node limit (--node-limit)"),
    ("mip_max_leaves", "the node limit (--node-limit)"),
    ("mip_max_stall_nodes", "the node limit (--node-limit)"),
    ("presolve", "the choice of presolve (--presolve)"),
    ("mip_detect_symmetry", "the choice of symmetry detection (--detect-symmetry)"),
    ("log_file", "the name of the log (--log)"),
    ("log_to_console", "the name of the log (--log)"),
    ("output_flag", "the name of the log (--log)"),
    // The answer "optimal" means that the gap is closed.
    ("mip_abs_gap", "the workbench, so that \"optimal\" means a closed gap"),
    ("mip_rel_gap", "the workbench, so that \"optimal\" means a closed gap"),
    // HiGHS would report a run that stops at these as solved, or at another limit.
    ("objective_target", "the workbench, so that \"optimal\" means a closed gap"),
    ("objective_bound", "the workbench, so that \"optimal\" means a closed gap"),
    ("mip_max_improving_sols", "the workbench, so that \"optimal\" means a closed gap"),
    // Bounds would be those of another program.
    ("user_objective_scale", "the workbench, because bounds would be those of another program"),
    ("user_bound_scale", "the workbench, because bounds would be those of another program"),
];

/// Largest tolerance of feasibility and optimality that is allowed, which is the default of HiGHS.
const MAX_TOLERANCE: f64 = 1e-6;

/// Option of HiGHS with a value that HiGHS allows.
///
/// # Examples
/// ```
/// use ndqueens_solver::backends::highs::NativeOption;
///
/// let option: NativeOption = "mip_heuristic_effort=0.2".parse()?;
/// assert_eq!(option.name(), "mip_heuristic_effort");
/// assert!("mip_heuristic_effort=2".parse::<NativeOption>().is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct NativeOption {
    name: String,
    text: String,
    value: OptionValue,
}

/// Reason why HiGHS does not take an option.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// Text that is not a name and a value.
    #[error("an option of HiGHS is NAME=VALUE, such as mip_heuristic_effort=0.2, not \"{0}\"")]
    NotAnAssignment(String),
    /// Name that HiGHS does not know.
    #[error("HiGHS has no option \"{name}\"{suggestion}")]
    Unknown {
        /// Name.
        name: String,
        /// Suggestion of a similar name, or nothing.
        suggestion: String,
    },
    /// Option that makes HiGHS read or write a file.
    #[error(
        "the option {0} of HiGHS is refused, because it names a file that HiGHS reads or writes; --log writes the log, ndq model the program, and -o the solution"
    )]
    NamesFile(String),
    /// Option that the workbench sets itself.
    #[error("the option {name} of HiGHS is set by {setter}")]
    Reserved {
        /// Name.
        name: String,
        /// Setting of the workbench that sets it.
        setter: &'static str,
    },
    /// Option that is listed twice.
    #[error("the option {0} of HiGHS is given twice")]
    Repeated(String),
    /// Value that HiGHS does not allow.
    #[error("the option {name} of HiGHS is {allowed}, not \"{value}\"")]
    Value {
        /// Name.
        name: String,
        /// Value.
        value: String,
        /// Allowed values.
        allowed: String,
    },
}

impl NativeOption {
    /// Creates an option, if HiGHS knows the name and allows the value.
    ///
    /// # Errors
    /// Returns an error for unknown names, values that are not allowed, and options that the workbench sets.
    pub fn new(name: &str, text: &str) -> Result<Self, OptionError> {
        if let Some((_, setter)) = RESERVED.iter().find(|(reserved, _)| *reserved == name) {
            return Err(OptionError::Reserved { name: name.to_owned(), setter });
        }
        // An experiment file or a record must not make HiGHS read or overwrite files of the user.
        if name.contains("file") {
            return Err(OptionError::NamesFile(name.to_owned()));
        }
        let list = OptionList::new();
        let Some(kind) = list.kind(name) else {
            let names = list.names();
            let suggestion = did_you_mean(name, names.iter().map(String::as_str));
            return Err(OptionError::Unknown { name: name.to_owned(), suggestion });
        };
        let value = kind.parse(text).filter(|value| list.accepts(name, value));
        let value = value.ok_or_else(|| OptionError::Value {
            name: name.to_owned(),
            value: text.to_owned(),
            allowed: kind.to_string(),
        })?;
        // With a larger tolerance HiGHS may call points optimal that are not, or programs infeasible.
        if let OptionValue::Number(tolerance) = value
            && name.ends_with("_tolerance")
            && tolerance > MAX_TOLERANCE
        {
            let allowed = format!("here at most {MAX_TOLERANCE}, so that answers can be trusted");
            return Err(OptionError::Value { name: name.to_owned(), value: text.to_owned(), allowed });
        }
        Ok(Self { name: name.to_owned(), text: text.to_owned(), value })
    }

    /// Checks that no option is listed twice.
    ///
    /// # Errors
    /// Returns an error that names an option that is listed twice.
    pub fn ensure_distinct(options: &[Self]) -> Result<(), OptionError> {
        let is_repeated =
            |&(at, option): &(usize, &Self)| options[..at].iter().any(|o| o.name == option.name);
        match options.iter().enumerate().find(is_repeated) {
            Some((_, option)) => Err(OptionError::Repeated(option.name.clone())),
            None => Ok(()),
        }
    }

    /// Returns the name.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the value.
    pub(super) fn value(&self) -> &OptionValue {
        &self.value
    }
}

impl FromStr for NativeOption {
    type Err = OptionError;

    fn from_str(text: &str) -> Result<Self, OptionError> {
        let (name, value) =
            text.split_once('=').ok_or_else(|| OptionError::NotAnAssignment(text.to_owned()))?;
        Self::new(name.trim(), value.trim())
    }
}

impl TryFrom<String> for NativeOption {
    type Error = OptionError;

    fn try_from(text: String) -> Result<Self, OptionError> {
        text.parse()
    }
}

impl From<NativeOption> for String {
    fn from(option: NativeOption) -> Self {
        option.to_string()
    }
}

impl fmt::Display for NativeOption {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.name, self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_checked_by_the_list_of_highs() {
        for text in [
            "mip_heuristic_effort=0.2",
            "simplex_strategy=4",
            "mip_heuristic_run_zi_round=true",
            "solver=ipm",
            "mip_pool_soft_limit = 500",
        ] {
            let option: NativeOption = text.parse().expect(text);
            assert_eq!(option.to_string(), text.replace(" = ", "="));
        }
        for (text, words) in [
            ("mip_heuristic_efort=1", "did you mean \"mip_heuristic_effort\"?"),
            ("mip_heuristic_effort=2", "is a number from 0 to 1, not \"2\""),
            ("mip_heuristic_effort=nan", "is a number from 0 to 1, not \"nan\""),
            ("simplex_strategy=9", "is an integer from 0 to 4, not \"9\""),
            ("simplex_strategy=1.5", "is an integer from 0 to 4, not \"1.5\""),
            ("mip_heuristic_run_zi_round=maybe", "is true or false, not \"maybe\""),
            ("solver=cplex", "not \"cplex\""),
            ("mip_rel_gap=0.1", "closed gap"),
            ("threads=2", "is set by the number of threads (--threads)"),
            ("solution_file=x", "names a file"),
            ("write_model_file=x", "names a file"),
            ("write_solution_to_file=true", "names a file"),
            ("read_basis_file=x", "names a file"),
            ("user_objective_scale=3", "another program"),
            ("user_bound_scale=3", "another program"),
            ("mip_max_improving_sols=1", "closed gap"),
            ("mip_feasibility_tolerance=0.1", "at most 0.000001"),
            ("threads", "NAME=VALUE"),
            ("=1", "no option \"\""),
            ("mip\0=1", "no option"),
        ] {
            let error = text.parse::<NativeOption>().expect_err(text).to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
