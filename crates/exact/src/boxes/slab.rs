//! Slabs that must hold queens: what does not fit into the rest of a box.

use serde::{Deserialize, Serialize};

use crate::boxes::box_table::BoxTable;

/// A slab at a face of a box, with the number of queens that it must hold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slab {
    /// The axis across which it lies.
    pub axis: usize,
    /// Its first layer.
    pub from: u32,
    /// The number of its layers.
    pub width: u32,
    /// The queens it must hold: those that do not fit into the rest of the box.
    #[serde(rename = "need")]
    pub demand: u64,
}

/// The slabs that must hold a queen or more when a box holds k, smallest first: the rest of the box is too small for them. Slabs
/// thicker than half the box cost more than they save.
pub(crate) fn slabs(sides: &[u32], k: u64, table: &BoxTable) -> Vec<Slab> {
    let mut slabs = Vec::new();
    for (axis, &n) in sides.iter().enumerate() {
        for width in 1..=n / 2 {
            let mut rest = sides.to_vec();
            rest[axis] = n - width;
            let Some(demand) =
                table.upper(&rest).and_then(|rest| k.checked_sub(rest)).filter(|&demand| demand > 0)
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
