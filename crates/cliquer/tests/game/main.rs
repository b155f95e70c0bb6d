//! Tests of the game on random boards against definitions and plain search.

mod boards;
mod depth;
mod extremes;
mod generate;
mod rules;
mod scoring;
mod value;
