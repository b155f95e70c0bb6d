//! Pages for a browser: the report of an experiment, and the site of what is known. They open from disk,
//! without a network, and can be read without script.

pub mod chart;
pub mod known;
pub mod page;
pub mod report;
pub mod table;
