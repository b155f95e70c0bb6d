//! The frame of the site's pages.

use askama::Template;

use crate::page::PageError;
use crate::table::Table;

/// A page of the site.
#[derive(Template)]
#[template(path = "shell.html")]
pub(super) struct Shell<'s> {
    /// Its title.
    pub(super) title: &'s str,
    /// From it to the folder of the site: nothing, or `../`.
    pub(super) root: &'static str,
    /// Its content, as HTML.
    pub(super) content: &'s str,
    /// Whether it has boards.
    pub(super) boards: bool,
}

impl Shell<'_> {
    pub(super) fn page(&self) -> Result<String, PageError> {
        Ok(self.render()?)
    }
}

/// Tables below each other.
#[derive(Template)]
#[template(path = "tables.html")]
pub(super) struct Tables {
    pub(super) tables: Vec<Table>,
}

impl Tables {
    pub(super) fn html(&self) -> Result<String, PageError> {
        Ok(self.render()?)
    }
}
