//! Frame of the site's pages.

use askama::Template;

use crate::page::{self, PageError};
use crate::table::Table;

/// Page of the site.
#[derive(Template)]
#[template(path = "shell.html")]
pub(super) struct Shell<'s> {
    /// Title.
    pub(super) title: &'s str,
    /// Path of the page in the folder of the site.
    pub(super) path: &'s str,
    /// Content, as HTML.
    pub(super) content: &'s str,
    /// Navigation at the left of the content, as HTML; may be empty.
    pub(super) aside: &'s str,
    /// Script that the page needs besides that of tables.
    pub(super) script: Script,
}

/// Script of a page besides that of tables.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Script {
    /// No script.
    Tables,
    /// The search for a board.
    Start,
    /// Boards and their checker.
    Boards,
}

/// Pages in the navigation: path and name.
const PAGES: [(&str, &str); 8] = [
    ("index.html", "Start"),
    ("open.html", "Open"),
    ("new.html", "New"),
    ("counts.html", "Counts"),
    ("colourings.html", "Colourings"),
    ("check.html", "Check"),
    ("book/index.html", "Book"),
    ("book/errata.html", "Errata"),
];

impl Shell<'_> {
    /// Returns the page as HTML.
    ///
    /// # Errors
    /// Returns an error if the template fails.
    pub(super) fn page(&self) -> Result<String, PageError> {
        Ok(page::bind_relations(&self.render()?))
    }

    /// Returns the path from the page to the folder of the site: nothing, or `../`.
    fn root(&self) -> &'static str {
        if self.path.contains('/') { "../" } else { "" }
    }
}

/// Tables below each other.
#[derive(Template)]
#[template(path = "tables.html")]
pub(super) struct Tables {
    pub(super) tables: Vec<Table>,
}

impl Tables {
    /// Returns the tables as HTML.
    ///
    /// # Errors
    /// Returns an error if the template fails.
    pub(super) fn html(&self) -> Result<String, PageError> {
        Ok(self.render()?)
    }
}
