//! Charts of pages: drawings, and the values of their points.

use ndqueens_report::svg::chart::Chart;
use serde_json::{Value, json};

use crate::page;

/// Chart of a page.
#[derive(Debug, Clone)]
pub struct Figure {
    /// Title.
    pub title: String,
    /// Drawing, as SVG.
    pub svg: String,
    /// Points with their values, as JSON for the script.
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
