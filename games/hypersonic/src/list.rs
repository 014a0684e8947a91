//! A short list of fixed capacity, so that a state is one flat value.

use std::fmt;
use std::ops::{Deref, DerefMut};

/// Up to `N` (at most 255) values in order. The memory beyond the end is ignored, also in comparisons.
#[derive(Clone, Copy)]
pub struct List<T, const N: usize> {
    len: u8,
    slots: [T; N],
}

impl<T: Copy + Default, const N: usize> List<T, N> {
    /// Appends a value.
    ///
    /// # Panics
    ///
    /// When the list is full.
    #[inline]
    pub fn push(&mut self, value: T) {
        self.slots[self.len as usize] = value;
        self.len += 1;
    }

    /// Keeps the values for which `keep`, called with the index of each value, is true; their order stays.
    #[inline]
    pub fn retain(&mut self, mut keep: impl FnMut(usize, &T) -> bool) {
        let mut kept = 0;
        for i in 0..self.len as usize {
            let value = self.slots[i];
            if keep(i, &value) {
                self.slots[kept] = value;
                kept += 1;
            }
        }
        self.len = kept as u8;
    }
}

impl<T: Copy + Default, const N: usize> Default for List<T, N> {
    #[inline]
    fn default() -> Self {
        List { len: 0, slots: [T::default(); N] }
    }
}

impl<T, const N: usize> Deref for List<T, N> {
    type Target = [T];

    #[inline]
    fn deref(&self) -> &[T] {
        &self.slots[..self.len as usize]
    }
}

impl<T, const N: usize> DerefMut for List<T, N> {
    #[inline]
    fn deref_mut(&mut self) -> &mut [T] {
        &mut self.slots[..self.len as usize]
    }
}

impl<T: PartialEq, const N: usize> PartialEq for List<T, N> {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
    }
}

impl<T: Eq, const N: usize> Eq for List<T, N> {}

impl<T: fmt::Debug, const N: usize> fmt::Debug for List<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        (**self).fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_beyond_the_end_does_not_count() {
        let mut list = List::<u8, 4>::default();
        for value in [1, 2, 3, 4] {
            list.push(value);
        }
        list.retain(|place, &value| place != 0 && value != 3);
        assert_eq!(*list, [2, 4]);
        let mut other = List::<u8, 4>::default();
        other.push(2);
        assert_ne!(list, other);
        other.push(4);
        assert_eq!(list, other);
        assert_eq!(format!("{list:?}"), "[2, 4]");
    }
}
