//! Formats of bounds, and the words of their lines.

use ndqueens_notation::proof::BOUNDS;

use crate::fault::Reason;

/// Format of a bound. Each format has the lines of the one before it, and further ones.
#[derive(Clone, Copy)]
pub(super) struct Format {
    /// Number from 1 on.
    number: usize,
}

impl Format {
    /// Returns the format of a file with this first line.
    pub(super) fn of_header(header: &str) -> Option<Self> {
        let place = BOUNDS.iter().position(|known| *known == header);
        place.map(|place| Self { number: place + 1 })
    }

    /// Returns `true` if the bound is computed case by case.
    pub(super) fn has_cases(self) -> bool {
        self.number >= 2
    }

    /// Returns `true` if there are inequalities of class counts.
    pub(super) fn has_faces(self) -> bool {
        self.number >= 3
    }

    /// Returns `true` if there are inequalities with a weight for each square.
    pub(super) fn has_weights(self) -> bool {
        self.number >= 4
    }

    /// Returns the fault of a line whose first word is unknown, belongs to a later format, or is followed by too
    /// few or too many words.
    pub(super) fn fault_of_form(self, line: &[&str]) -> Reason {
        let [word, ..] = line else { return Reason::unreadable(self.expected_words()) };
        let (format, others) = match *word {
            "needs" => (1, "board bound"),
            "clique" => (1, "multiplier square ..."),
            "box" => (1, "multiplier bound corner sides stride"),
            "at" => (1, "most bound"),
            "split" => (2, "square bound"),
            "most" | "least" => (2, "multiplier square"),
            "case" => (2, "bound"),
            "volume" => (3, "multiplier dimension corner sides stride"),
            "class" => (3, "multiplier bound weights corner sides stride"),
            "weighted" => (4, "multiplier bound square:weight ..."),
            _ => return Reason::unreadable(self.expected_words()),
        };
        if self.number < format {
            let fault = format!(
                "the line \"{word}\" needs format {format}, whose first line is \"ndqueens bound {format}\""
            );
            return Reason::unreadable(fault).at(word);
        }
        Reason::unreadable(format!("expected \"{word} {others}\""))
    }

    /// Returns the message for a line whose first word the format does not have.
    fn expected_words(self) -> &'static str {
        match self.number {
            1 => "expected \"needs ...\", \"clique ...\", \"box ...\" or \"at most ...\"",
            2 => {
                "expected \"needs ...\", \"split ...\", \"clique ...\", \"box ...\", \"most ...\", \"least ...\", \"case ...\" or \"at most ...\""
            }
            3 => {
                "expected \"needs ...\", \"split ...\", \"clique ...\", \"box ...\", \"volume ...\", \"class ...\", \"most ...\", \"least ...\", \"case ...\" or \"at most ...\""
            }
            _ => {
                "expected \"needs ...\", \"split ...\", \"clique ...\", \"box ...\", \"volume ...\", \"class ...\", \"weighted ...\", \"most ...\", \"least ...\", \"case ...\" or \"at most ...\""
            }
        }
    }
}
