//! Tables that come with the program, and may be replaced by others.

use std::sync::OnceLock;

/// A table as text, read at the first look at it.
pub(super) struct Shipped<T: 'static> {
    table: OnceLock<T>,
    text: &'static str,
    read: fn(&str) -> Result<T, csv::Error>,
}

impl<T> Shipped<T> {
    pub(super) const fn new(text: &'static str, read: fn(&str) -> Result<T, csv::Error>) -> Self {
        Self { table: OnceLock::new(), text, read }
    }

    pub(super) fn get(&self) -> &T {
        self.table.get_or_init(|| (self.read)(self.text).expect("a shipped table is well formed"))
    }

    /// Takes another table in its place. It has to come before the first look at it.
    pub(super) fn replace(&self, text: &str) -> Result<(), csv::Error> {
        let replaced = self.table.set((self.read)(text)?);
        assert!(replaced.is_ok(), "a table is replaced before it is looked at");
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<u32>, csv::Error> {
        csv::Reader::from_reader(text.as_bytes()).into_deserialize().collect()
    }

    #[test]
    fn a_table_is_the_shipped_one_unless_it_was_replaced() {
        assert_eq!(Shipped::new("n\n1\n2\n", read).get(), &[1, 2]);
        let table = Shipped::new("n\n1\n", read);
        assert!(table.replace("n\nx\n").is_err());
        table.replace("n\n3\n").expect("a table");
        assert_eq!(table.get(), &[3]);
    }
}
