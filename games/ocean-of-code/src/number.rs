//! Parses integers like the official referee (rules, section 8).

/// The zeros of the scripts with decimal digits in the basic multilingual plane; each is followed by its digits 1 to 9.
/// (General category Nd of Unicode 7 to 14, which are identical here.)
const ZEROS: [char; 37] = [
    '\u{0030}', '\u{0660}', '\u{06F0}', '\u{07C0}', '\u{0966}', '\u{09E6}', '\u{0A66}', '\u{0AE6}',
    '\u{0B66}', '\u{0BE6}', '\u{0C66}', '\u{0CE6}', '\u{0D66}', '\u{0DE6}', '\u{0E50}', '\u{0ED0}',
    '\u{0F20}', '\u{1040}', '\u{1090}', '\u{17E0}', '\u{1810}', '\u{1946}', '\u{19D0}', '\u{1A80}',
    '\u{1A90}', '\u{1B50}', '\u{1BB0}', '\u{1C40}', '\u{1C50}', '\u{A620}', '\u{A8D0}', '\u{A900}',
    '\u{A9D0}', '\u{A9F0}', '\u{AA50}', '\u{ABF0}', '\u{FF10}',
];

/// Parses an optional single sign and one or more decimal digits of any script, within 32 bits.
pub(crate) fn integer(token: &[u8]) -> Option<i32> {
    let token = std::str::from_utf8(token).ok()?;
    let (negative, digits) = match token.as_bytes().first()? {
        b'-' => (true, &token[1..]),
        b'+' => (false, &token[1..]),
        _ => (false, token),
    };
    if digits.is_empty() {
        return None;
    }
    let mut value = 0i32;
    for c in digits.chars() {
        let digit = digit(c)?;
        // Accumulated with its sign, because the smallest number has no positive counterpart.
        value = value.checked_mul(10)?.checked_add(if negative { -digit } else { digit })?;
    }
    Some(value)
}

fn digit(c: char) -> Option<i32> {
    if c.is_ascii() {
        return c.to_digit(10).map(|digit| digit as i32);
    }
    let before = ZEROS.partition_point(|&zero| zero <= c);
    let digit = c as u32 - ZEROS[before.checked_sub(1)?] as u32;
    (digit < 10).then_some(digit as i32)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, value: impl Into<Option<i32>>) {
        assert_eq!(integer(text.as_bytes()), value.into(), "{text}");
    }

    #[test]
    fn signs_zeros_and_range() {
        check("7", 7);
        check("+7", 7);
        check("-7", -7);
        check("-0", 0);
        check("000000000000000000012", 12);
        check("2147483647", i32::MAX);
        check("-2147483648", i32::MIN);
        for text in [
            "",
            "+",
            "-",
            "+-1",
            "--1",
            "1-",
            " 1",
            "1 ",
            "1.0",
            "0x3",
            "a",
            "2147483648",
            "-2147483649",
            "\t1",
        ] {
            check(text, None);
        }
        assert_eq!(integer(b"1\xff"), None);
    }

    #[test]
    fn digits_of_other_scripts() {
        check("\u{0663}", 3);
        check("-\u{FF11}\u{FF10}", -10);
        check("1\u{0DE6}\u{A9F9}", 109);
        // A sign of another script, a superscript, a fraction, a Roman numeral, a digit outside the basic multilingual
        // plane.
        for text in ["\u{FF0B}1", "\u{00B2}", "\u{00BD}", "\u{2160}", "\u{1D7CE}", "\u{19DA}", "\u{066A}"] {
            check(text, None);
        }
        assert!(ZEROS.is_sorted());
        for zero in ZEROS {
            for value in 0..10 {
                assert_eq!(digit(char::from_u32(zero as u32 + value).unwrap()), Some(value as i32));
            }
            for outside in [zero as u32 - 1, zero as u32 + 10] {
                let c = char::from_u32(outside).unwrap();
                let next_block = ZEROS.iter().any(|&z| (z as u32..z as u32 + 10).contains(&outside));
                assert_eq!(digit(c).is_some(), next_block, "{c:?}");
            }
        }
    }
}
