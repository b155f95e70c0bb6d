//! The objects that commands print with `--json`, entered where they are defined.

use schemars::{Schema, SchemaGenerator};

/// An object that a command prints.
#[derive(Debug)]
pub struct Printed {
    /// The command, such as `prove split`.
    pub command: &'static str,
    /// The name of its type.
    pub name: fn() -> &'static str,
    /// What it is.
    pub schema: fn(&mut SchemaGenerator) -> Schema,
}

inventory::collect!(Printed);

/// Enters a type as one that these commands print.
#[macro_export]
macro_rules! printed {
    ($type:ty: $($command:literal),+) => {
        $($crate::inventory::submit! {
            $crate::Printed {
                command: $command,
                name: std::any::type_name::<$type>,
                schema: <$type as schemars::JsonSchema>::json_schema,
            }
        })+
    };
}
