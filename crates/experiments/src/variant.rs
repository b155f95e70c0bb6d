//! Variants: what is asked of a board, as an experiment file says it in words.

use ndqueens_lab::record::Question;
use ndqueens_model::recipe::Recipe;
use ndqueens_model::variant::Goal;

/// Whether a question is what its variant says.
pub(crate) fn asks(question: &Question, variant: &str, recipe: Option<&Recipe>) -> bool {
    let Some(Ask { goal, beyond, warm }) = ask(variant) else { return false };
    let asked = question.goal();
    let same = match beyond {
        Some(true) => matches!(asked, Goal::Exactly(_)),
        Some(false) => matches!(asked, Goal::AtLeast(_)),
        None => {
            let goal = goal.unwrap_or(Goal::Optimise);
            // A recipe of full solutions says itself how many queens they have.
            let full =
                goal == Goal::Optimise && matches!(asked, Goal::Exactly(_)) && recipe.is_none_or(|r| r.full);
            asked == goal || full
        }
    };
    same && warm != question.start.is_none()
}

/// How a variant asks.
pub(crate) struct Ask {
    pub(crate) goal: Option<Goal>,
    /// More queens than are known: at least, or exactly.
    pub(crate) beyond: Option<bool>,
    pub(crate) warm: bool,
}

pub(crate) fn ask(variant: &str) -> Option<Ask> {
    let plain = Ask { goal: None, beyond: None, warm: false };
    let number = |prefix| variant.strip_prefix(prefix).and_then(|k: &str| k.trim().parse().ok());
    Some(match variant {
        "maximise" | "minimise" => Ask { goal: Some(Goal::Optimise), ..plain },
        "warm start" => Ask { goal: Some(Goal::Optimise), warm: true, ..plain },
        "k+1" => Ask { beyond: Some(true), ..plain },
        "at least k+1" => Ask { beyond: Some(false), ..plain },
        _ => match (number("exactly "), number("at least "), number("at most ")) {
            (Some(k), ..) => Ask { goal: Some(Goal::Exactly(k)), ..plain },
            (_, Some(k), _) => Ask { goal: Some(Goal::AtLeast(k)), ..plain },
            (.., Some(k)) => Ask { goal: Some(Goal::AtMost(k)), ..plain },
            _ => return None,
        },
    })
}
