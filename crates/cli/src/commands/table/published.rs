//! The command `ndq table published`.

use ndqueens_model::facts::known::{self, Published};
use ndqueens_report::sheet::align_columns;

use crate::commands::Exit;
use crate::output::Output;
use crate::schema::printed;

printed!(Published: "table published");

pub(super) fn run(out: &mut Output) -> anyhow::Result<Exit> {
    if out.json() {
        known::table().iter().try_for_each(|published| out.result(published, ""))?;
        return Ok(Exit::Yes);
    }
    let head = ["board", "side", "value", "status", "source", "identifier"].map(str::to_owned).to_vec();
    let lines = known::table().iter().map(|published| {
        vec![
            published.board.to_string(),
            published.side.to_string(),
            published.value.to_string(),
            published.status.to_string(),
            published.to_string(),
            published.identifier.clone(),
        ]
    });
    out.result(&(), &align_columns(std::iter::once(head).chain(lines), &[0, 1, 3, 4, 5]))?;
    Ok(Exit::Yes)
}
