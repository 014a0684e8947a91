//! Buffers of Python as slices. This module alone needs `unsafe`.
#![allow(unsafe_code)]

use std::marker::PhantomData;
use std::ops::Range;

use pyo3::buffer::{Element, PyBuffer};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;

/// The entries of a buffer that is read. The buffer is held, so that Python neither frees nor moves its memory.
pub(crate) struct Input<T: Element> {
    start: *const T,
    len: usize,
    _held: PyBuffer<T>,
}

/// The entries of a buffer that is written.
pub(crate) struct Output<T: Element> {
    start: *mut T,
    len: usize,
    _held: PyBuffer<T>,
    _owns: PhantomData<*mut T>,
}

// SAFETY: the memory is held by the buffer, which may be released from any thread.
unsafe impl<T: Element> Send for Input<T> {}
// SAFETY: only shared slices are made of an input.
unsafe impl<T: Element> Sync for Input<T> {}
// SAFETY: as for `Input`; an output is used by one thread at a time.
unsafe impl<T: Element> Send for Output<T> {}

fn held<T: Element>(object: &Bound<'_, PyAny>, name: &str) -> PyResult<PyBuffer<T>> {
    let kind = std::any::type_name::<T>();
    let buffer = PyBuffer::<T>::get(object)
        .map_err(|error| PyTypeError::new_err(format!("{name} must be an array of {kind}: {error}")))?;
    if !buffer.is_c_contiguous() {
        return Err(PyValueError::new_err(format!("{name} must be contiguous, row by row (order `C`)")));
    }
    Ok(buffer)
}

impl<T: Element> Input<T> {
    pub(crate) fn new(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Input<T>> {
        let buffer = held::<T>(object, name)?;
        Ok(Input { start: buffer.buf_ptr().cast::<T>(), len: buffer.item_count(), _held: buffer })
    }

    pub(crate) fn range(&self) -> Range<usize> {
        range(self.start, self.len)
    }

    pub(crate) fn slice(&self) -> &[T] {
        if self.len == 0 {
            return &[];
        }
        // SAFETY: the buffer is contiguous, has entries of this type (`PyBuffer::get` checks the format and the alignment)
        // and is held. As for every array that is passed to native code, another thread must not write to it meanwhile.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

impl<T: Element> Output<T> {
    pub(crate) fn new(object: &Bound<'_, PyAny>, name: &str) -> PyResult<Output<T>> {
        let buffer = held::<T>(object, name)?;
        if buffer.readonly() {
            return Err(PyValueError::new_err(format!(
                "{name} is read-only; pass an array that may be written"
            )));
        }
        let (start, len) = (buffer.buf_ptr().cast::<T>(), buffer.item_count());
        Ok(Output { start, len, _held: buffer, _owns: PhantomData })
    }

    pub(crate) fn range(&self) -> Range<usize> {
        range(self.start, self.len)
    }

    pub(crate) fn slice(&mut self) -> &mut [T] {
        if self.len == 0 {
            return &mut [];
        }
        // SAFETY: as in `Input::slice`; the buffer may be written, and `distinct` checks that no other slice of this call
        // has a part of it.
        unsafe { std::slice::from_raw_parts_mut(self.start, self.len) }
    }
}

fn range<T>(start: *const T, len: usize) -> Range<usize> {
    let first = start.addr();
    first..first + len * size_of::<T>()
}

/// Refuses arrays that share memory.
pub(crate) fn distinct(ranges: &[Range<usize>]) -> PyResult<()> {
    let mut sorted: Vec<&Range<usize>> = ranges.iter().filter(|range| !range.is_empty()).collect();
    sorted.sort_by_key(|range| range.start);
    if sorted.windows(2).any(|pair| pair[0].end > pair[1].start) {
        return Err(PyValueError::new_err("two of the arrays share memory; each needs its own"));
    }
    Ok(())
}
