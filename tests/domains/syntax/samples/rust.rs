//! A ring buffer.
use std::collections::HashMap;
use std::fmt::{self, Display};

#[derive(Debug, Clone, PartialEq)]
pub enum Error {
    Full { limit: usize },
    Empty,
}

impl Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Full { limit } if *limit > 0 => write!(f, "full: {}", limit),
            Error::Full { .. } | Error::Empty => f.write_str("nothing there"),
        }
    }
}

pub struct Ring<T, const N: usize> {
    items: Vec<T>,
    head: usize,
}

impl<T: Clone + Default, const N: usize> Ring<T, N> {
    pub fn push(&mut self, item: T) -> Result<(), Error> {
        if self.items.len() == N {
            return Err(Error::Full { limit: N });
        }
        self.items.push(item);
        Ok(())
    }

    pub fn iter(&self) -> impl Iterator<Item = &T> + '_ {
        self.items.iter().cycle().skip(self.head).take(self.items.len())
    }
}

fn count<'a>(words: &[&'a str]) -> HashMap<&'a str, u32> {
    words.iter().fold(HashMap::new(), |mut m, w| { *m.entry(w).or_insert(0) += 1; m })
}
