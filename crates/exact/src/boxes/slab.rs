//! Demands of slabs: slabs that must hold queens because not all of them fit into the rest of the box.

use serde::{Deserialize, Serialize};

use crate::boxes::box_table::BoxTable;

/// Slab at a face of a box, with its demand.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slab {
    /// Axis perpendicular to the slab.
    pub axis: usize,
    /// First layer.
    pub from: u32,
    /// Number of layers.
    pub width: u32,
    /// Minimum number of queens in the slab: the queens that do not fit into the rest of the box.
    #[serde(rename = "need")]
    pub demand: u64,
}

/// Returns the slabs with a positive demand if the box holds `k` queens, smallest first. Slabs thicker than
/// half of the box are omitted because they cost more time than they save.
pub(crate) fn slabs(sides: &[u32], k: u64, table: &BoxTable) -> Vec<Slab> {
    let mut slabs = Vec::new();
    for (axis, &n) in sides.iter().enumerate() {
        for width in 1..=n / 2 {
            let mut rest = sides.to_vec();
            rest[axis] = n - width;
            let Some(demand) =
                table.upper_bound(&rest).and_then(|rest| k.checked_sub(rest)).filter(|&demand| demand > 0)
            else {
                continue;
            };
            slabs.extend([0, n - width].map(|from| Slab { axis, from, width, demand }));
        }
    }
    let size: u64 = sides.iter().map(|&n| u64::from(n)).product();
    slabs.sort_by_key(|slab| size / u64::from(sides[slab.axis]) * u64::from(slab.width));
    slabs
}
