//! Charts of pages: the drawing, and what its points stand for.

use ndqueens_report::svg::chart::Chart;
use serde_json::{Value, json};

use crate::page;

/// A chart of a page.
#[derive(Debug, Clone)]
pub struct Figure {
    /// What it shows.
    pub title: String,
    /// The drawing.
    pub svg: String,
    /// Its points, for the script.
    pub spots: String,
}

impl From<&Chart> for Figure {
    fn from(chart: &Chart) -> Self {
        let panels: Vec<Value> = chart
            .spots()
            .into_iter()
            .map(|(axes, spots)| {
                let spots =
                    spots.into_iter().map(|spot| json!([spot.at[0], spot.at[1], spot.style, spot.x, spot.y]));
                json!({"axes": axes, "spots": spots.collect::<Vec<_>>()})
            })
            .collect();
        let spots = page::data(&json!({"legend": chart.legend, "panels": panels}));
        Self { title: chart.title.clone(), svg: chart.svg(), spots }
    }
}
