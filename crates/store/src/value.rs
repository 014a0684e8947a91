//! Values that go into a statement and come out of a row.

use model::{BotId, MatchId, Tier, UserId, VersionId, WordError};
use sqlx::any::AnyRow;
use sqlx::{Any, Decode, Row as _, Type};

use crate::{Result, StoreError};

/// A value of a statement. Null values have a type, because PostgreSQL needs it.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum Value {
    Int(Option<i64>),
    Real(Option<f64>),
    Text(Option<String>),
}

impl From<i64> for Value {
    fn from(value: i64) -> Value {
        Value::Int(Some(value))
    }
}
impl From<bool> for Value {
    fn from(value: bool) -> Value {
        Value::Int(Some(i64::from(value)))
    }
}
impl From<Option<i64>> for Value {
    fn from(value: Option<i64>) -> Value {
        Value::Int(value)
    }
}
/// An id is stored as its number.
macro_rules! id_values {
    ($($id:ident),*) => { $(
        impl From<$id> for Value {
            fn from(id: $id) -> Value {
                Value::Int(Some(id.0))
            }
        }
        impl From<Option<$id>> for Value {
            fn from(id: Option<$id>) -> Value {
                Value::Int(id.map(|id| id.0))
            }
        }
    )* };
}
id_values!(MatchId, BotId, VersionId, UserId, Tier);

impl From<f64> for Value {
    fn from(value: f64) -> Value {
        Value::Real(Some(value))
    }
}
impl From<Option<f64>> for Value {
    fn from(value: Option<f64>) -> Value {
        Value::Real(value)
    }
}
impl From<&str> for Value {
    fn from(value: &str) -> Value {
        Value::Text(Some(value.to_owned()))
    }
}
impl From<String> for Value {
    fn from(value: String) -> Value {
        Value::Text(Some(value))
    }
}
impl From<&String> for Value {
    fn from(value: &String) -> Value {
        Value::Text(Some(value.clone()))
    }
}
impl From<Option<&str>> for Value {
    fn from(value: Option<&str>) -> Value {
        Value::Text(value.map(str::to_owned))
    }
}
impl From<Option<String>> for Value {
    fn from(value: Option<String>) -> Value {
        Value::Text(value)
    }
}
impl From<&Option<String>> for Value {
    fn from(value: &Option<String>) -> Value {
        Value::Text(value.clone())
    }
}
impl From<&serde_json::Value> for Value {
    fn from(value: &serde_json::Value) -> Value {
        Value::Text(Some(value.to_string()))
    }
}

/// The values of a statement, in the order of `$1`, `$2`, ...
macro_rules! values {
    ($($value:expr),* $(,)?) => { &[$($crate::value::Value::from($value)),*] as &[$crate::value::Value] };
}
pub(crate) use values;

/// Reads the columns of a row by name.
pub(crate) trait Columns {
    fn get_as<T: for<'r> Decode<'r, Any> + Type<Any>>(&self, column: &str) -> Result<T>;

    fn int(&self, column: &str) -> Result<i64> {
        self.get_as(column)
    }
    fn flag(&self, column: &str) -> Result<bool> {
        Ok(self.int(column)? != 0)
    }
    fn int_or_none(&self, column: &str) -> Result<Option<i64>> {
        self.get_as(column)
    }
    /// An id of the type that the caller expects.
    fn id<T: From<i64>>(&self, column: &str) -> Result<T> {
        self.int(column).map(T::from)
    }
    fn id_or_none<T: From<i64>>(&self, column: &str) -> Result<Option<T>> {
        Ok(self.int_or_none(column)?.map(T::from))
    }
    fn real(&self, column: &str) -> Result<f64> {
        self.get_as(column)
    }
    fn real_or_none(&self, column: &str) -> Result<Option<f64>> {
        self.get_as(column)
    }
    fn text(&self, column: &str) -> Result<String> {
        self.get_as(column)
    }
    fn text_or_none(&self, column: &str) -> Result<Option<String>> {
        self.get_as(column)
    }
    /// A JSON text; invalid JSON becomes null, so that the row stays readable.
    fn json(&self, column: &str) -> Result<serde_json::Value> {
        let text: Option<String> = self.get_as(column)?;
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()).unwrap_or_default())
    }
    /// A text that encodes a variant of an enum.
    fn word<T: std::str::FromStr<Err = WordError>>(&self, column: &str) -> Result<T> {
        Ok(self.text(column)?.parse()?)
    }
}

impl Columns for AnyRow {
    fn get_as<T: for<'r> Decode<'r, Any> + Type<Any>>(&self, column: &str) -> Result<T> {
        self.try_get(column).map_err(|error| StoreError::other(format!("column {column}: {error}")))
    }
}

/// A row type that is read from columns.
pub(crate) trait FromRow: Sized {
    fn from_row(row: &AnyRow) -> Result<Self>;
}
