//! Variants: the questions about a board, as an experiment file names them.

use ndqueens_model::formulation::Formulation;
use ndqueens_model::variant::Goal;
use ndqueens_workflow::record::{Engine, Question};

/// Question of a variant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Asks {
    /// Maximum number of queens.
    Maximise,
    /// Minimum number of queens.
    Minimise,
    /// Best number of queens, with a start solution.
    WarmStart,
    /// One queen more than is known, exactly or at least.
    Beyond { exactly: bool },
    /// Number of maximum solutions.
    Count,
    /// Given number of queens.
    Number(Goal),
}

impl Asks {
    /// Parses the name of a variant. Returns `None` if it is unknown.
    pub(crate) fn of(words: &str) -> Option<Self> {
        let number = |prefix| words.strip_prefix(prefix).and_then(|k: &str| k.trim().parse().ok());
        Some(match words {
            "maximise" => Self::Maximise,
            "minimise" => Self::Minimise,
            "warm start" => Self::WarmStart,
            "count" => Self::Count,
            "k+1" => Self::Beyond { exactly: true },
            "at least k+1" => Self::Beyond { exactly: false },
            _ => Self::Number(match (number("exactly "), number("at least "), number("at most ")) {
                (Some(k), ..) => Goal::Exactly(k),
                (_, Some(k), _) => Goal::AtLeast(k),
                (.., Some(k)) => Goal::AtMost(k),
                _ => return None,
            }),
        })
    }

    /// Returns `true` if `question` is a question of this variant.
    pub(crate) fn is_asked_by(self, question: &Question, formulation: Option<&Formulation>) -> bool {
        let asked = question.goal();
        // A formulation of full solutions determines their number of queens.
        let best = || {
            asked == Goal::Optimise || matches!(asked, Goal::Exactly(_)) && formulation.is_none_or(|r| r.full)
        };
        let same = match self {
            Self::Maximise | Self::Minimise | Self::WarmStart => best(),
            Self::Count => asked == Goal::Optimise,
            Self::Beyond { exactly: true } => matches!(asked, Goal::Exactly(_)),
            Self::Beyond { exactly: false } => matches!(asked, Goal::AtLeast(_)),
            Self::Number(goal) => asked == goal,
        };
        same && (self == Self::Count) == matches!(question.engine, Engine::Count(_))
            && (self == Self::WarmStart) != question.start.is_none()
    }
}
