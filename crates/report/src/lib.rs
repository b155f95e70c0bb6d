//! Presentation: tables as CSV, JSON, Markdown and LaTeX, charts, and boards as text and as drawings.

pub mod chart;
pub mod figure;
pub mod picture;
pub mod sheet;
