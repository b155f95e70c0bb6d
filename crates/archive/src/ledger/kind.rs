//! Kinds of files that show a bound.

use std::fmt;

use ndqueens_workflow::evidence::{self, Evidence};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Kind of a file that shows a bound and that archives store.
#[derive(Debug, Clone, Copy)]
pub struct Kind(pub(super) &'static dyn Evidence);

impl Kind {
    /// Placements, checked from the definition of an attack.
    pub const CERTIFICATE: Self = Self(evidence::CERTIFICATE);

    /// Returns the name of the kind with its indefinite article.
    pub(super) fn with_article(self) -> String {
        let article = if self.0.name().starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" };
        format!("{article} {self}")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl PartialEq for Kind {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for Kind {}

impl Serialize for Kind {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.name())
    }
}

impl<'de> Deserialize<'de> for Kind {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let name = String::deserialize(deserializer)?;
        let kind = evidence::by_name(&name).filter(|kind| kind.archived_as().is_some());
        kind.map(Self).ok_or_else(|| D::Error::custom(format!("an archive stores no \"{name}\"")))
    }
}
