//! Presentation: tables as CSV, JSON, Markdown and LaTeX, charts, and boards as text and as drawings.

pub mod column;
pub mod density;
pub mod diagram;
pub mod figure;
pub mod painting;
pub mod plane;
pub mod sheet;
pub mod svg;
