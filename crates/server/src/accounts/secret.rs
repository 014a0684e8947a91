//! Secrets that are given to clients: 256 random bits, stored only as a digest. A digest without salt is enough,
//! since 256 bits cannot be guessed; a stolen database does not give access to a session.

use std::fmt::Write as _;

use sha2::{Digest as _, Sha256};

use crate::ApiError;

/// The prefix of tokens for programs; a token that leaked is recognised by it.
pub const TOKEN_PREFIX: &str = "agon_";

/// The length of a secret and of a digest in hexadecimal digits.
pub(crate) const HEX: usize = 64;

/// A new secret of 64 hexadecimal digits.
///
/// # Errors
/// When the system has no random bytes.
pub fn fresh() -> Result<String, ApiError> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    Ok(hex(&bytes))
}

/// A new one-time code or password for people to type: 20 letters and digits in groups of five, about 100 bits.
/// Letters that are easily mistaken for others are not used.
///
/// # Errors
/// When the system has no random bytes.
pub fn typeable() -> Result<String, ApiError> {
    const LETTERS: &[u8; 32] = b"abcdefghijkmnpqrstuvwxyz23456789";
    let mut bytes = [0_u8; 20];
    getrandom::fill(&mut bytes).map_err(ApiError::internal)?;
    let mut code = String::with_capacity(23);
    for (place, byte) in bytes.iter().enumerate() {
        if place > 0 && place % 5 == 0 {
            code.push('-');
        }
        code.push(char::from(LETTERS[usize::from(byte % 32)]));
    }
    Ok(code)
}

/// The digest of a secret, which is stored instead of the secret.
pub fn digest(secret: &str) -> String {
    hex(&Sha256::digest(secret.as_bytes()))
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a String cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_unique() {
        let (a, b) = (fresh().unwrap(), fresh().unwrap());
        assert_eq!(a.len(), HEX);
        assert_ne!(a, b);
        let code = typeable().unwrap();
        assert_eq!((code.len(), code.split('-').count()), (23, 4));
        assert_ne!(code, typeable().unwrap());
    }

    #[test]
    fn the_digest_is_sha_256() {
        assert_eq!(digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    }
}
