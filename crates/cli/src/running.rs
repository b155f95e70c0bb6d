//! Parts that other runners execute at the moment, for reports on a shared folder.

use std::fmt;

use ndqueens_system::claim::{Claimed, Holder};
use schemars::JsonSchema;
use serde::Serialize;

use crate::progress::duration;

/// A claimed part or run.
#[derive(Debug, JsonSchema, Serialize)]
pub(crate) struct Running {
    part: String,
    host: Option<String>,
    job: Option<String>,
    /// Seconds since it was claimed, by the clocks of both hosts.
    seconds: Option<u64>,
    /// `true` if the runner is dead or has been silent for five minutes, so that the next one takes the part
    /// over.
    pub(crate) abandoned: bool,
}

impl Running {
    /// Creates the report of a claim.
    #[must_use]
    pub(crate) fn of(claimed: Claimed) -> Self {
        let Claimed { key, holder, abandoned } = claimed;
        Self {
            part: key.strip_prefix("part-").unwrap_or(&key).to_owned(),
            host: holder.as_ref().map(|holder| holder.host.clone()),
            job: holder.as_ref().and_then(|holder| holder.job.clone()),
            seconds: holder.as_ref().map(Holder::seconds),
            abandoned,
        }
    }
}

impl fmt::Display for Running {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { part, host, job, seconds, abandoned } = self;
        // Escape text written by other hosts, so that it cannot imitate lines of this program.
        let host = host.as_deref().unwrap_or("a host that is not known yet").escape_debug();
        write!(f, "{} on {host}", part.escape_debug())?;
        job.as_ref().map_or(Ok(()), |job| write!(f, ", job {}", job.escape_debug()))?;
        seconds.map_or(Ok(()), |seconds| write!(f, ", for {}", duration(seconds as f64)))?;
        if *abandoned { f.write_str(", whose runner is gone") } else { Ok(()) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_claim_is_one_line_whatever_is_written_in_it() {
        let job = Some("17\nnext: ndq".to_owned());
        let running = Running {
            part: "3".to_owned(),
            host: Some("n1\u{1b}[2J".to_owned()),
            job,
            seconds: None,
            abandoned: false,
        };
        assert_eq!(running.to_string(), r"3 on n1\u{1b}[2J, job 17\nnext: ndq");
    }
}
