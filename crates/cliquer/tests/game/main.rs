//! The game on boards at random, against definitions and plain search.

mod boards;
mod depth;
mod extremes;
mod generate;
mod rules;
mod scoring;
mod value;
