//! What `ndq info`, `ndq site` and `ndq table` report on boards with known values.
