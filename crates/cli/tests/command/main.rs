//! The command `ndq` as its users run it: arguments in, text or JSON and an exit code out.

mod answers;
mod bad_input;
mod bound;
mod bounds;
mod boxes;
mod cliquer;
mod colour;
mod desk;
mod draw;
mod faults;
mod lab;
mod lab_faults;
mod lab_tables;
mod lab_verdicts;
mod model_files;
mod nonsense;
mod other_boards;
mod parts;
mod records;
mod reference_models;
mod sat;
mod search;
mod stopping;
mod sudoku;
mod veripb;
