//! The order of preference as bytes, so that any engine can sort by it.

use crate::cluster::stars::Keep;
use crate::document::{Document, Rank};

const NUMBER: u8 = 0;
const TEXT: u8 = 1;
const NONE: u8 = 2;

/// Bytes that sort, as unsigned numbers one after the other, in the order in which documents are
/// preferred by a rule. Of documents with equal bytes the first in the input is preferred.
pub fn preference(keep: Keep, document: &Document<'_>) -> Vec<u8> {
    match keep {
        Keep::First => Vec::new(),
        Keep::Longest => {
            let length = u32::try_from(document.text.chars().count()).unwrap_or(u32::MAX);
            (u32::MAX - length).to_be_bytes().to_vec()
        }
        Keep::MaxRank => ranked(document.rank.as_ref(), true),
        Keep::MinRank => ranked(document.rank.as_ref(), false),
    }
}

fn ranked(rank: Option<&Rank>, descending: bool) -> Vec<u8> {
    match rank {
        None => vec![NONE],
        Some(&Rank::Number(number)) => numbered(number, 0, descending),
        Some(&Rank::Integer(whole)) => {
            // The next number below, and how far above it.
            let near = whole as f64;
            let below = match near as i128 > i128::from(whole) {
                true => near.next_down(),
                false => near,
            };
            let above = i128::from(whole) - below as i128;
            numbered(below, above as u16, descending)
        }
        Some(Rank::Text(text)) if descending => {
            // A text comes before its beginnings. No byte of UTF-8 is above 0xfe.
            let turned = text.bytes().map(|byte| 0xfe - byte);
            [TEXT].into_iter().chain(turned).chain([0xff]).collect()
        }
        Some(Rank::Text(text)) => [TEXT].into_iter().chain(text.bytes()).collect(),
    }
}

fn numbered(number: f64, above: u16, descending: bool) -> Vec<u8> {
    // The bits of floats, turned so that they sort as `f64::total_cmp` does.
    let bits = number.to_bits();
    let ordered = match bits >> 63 {
        0 => bits | 1 << 63,
        _ => !bits,
    };
    let turn = if descending { 0xff } else { 0 };
    let bytes = ordered.to_be_bytes().into_iter().chain(above.to_be_bytes());
    [NUMBER]
        .into_iter()
        .chain(bytes.map(|byte| byte ^ turn))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Ordering;

    fn rank() -> impl Strategy<Value = Option<Rank>> {
        let spelled = prop_oneof![
            any::<i64>().prop_map(|whole| whole.to_string()),
            (-3i64..3).prop_map(|whole| whole.to_string()),
            ((1i64 << 53) - 3..(1i64 << 53) + 9).prop_map(|whole| whole.to_string()),
            any::<f64>().prop_map(|number| number.to_string()),
            "[a-c\u{0}é]{0,3}",
        ];
        prop::option::of(spelled.prop_map(|text| Rank::of(&text)))
    }

    fn expected(keep: Keep, a: &Document<'_>, b: &Document<'_>) -> Ordering {
        let kind = |document: &Document<'_>| match &document.rank {
            Some(rank) if rank.is_number() => 0,
            Some(_) => 1,
            None => 2,
        };
        let order = match (&a.rank, &b.rank) {
            (Some(a), Some(b)) => a.order(b),
            _ => Ordering::Equal,
        };
        match keep {
            Keep::First => Ordering::Equal,
            Keep::Longest => b.text.chars().count().cmp(&a.text.chars().count()),
            Keep::MaxRank => kind(a).cmp(&kind(b)).then(order.reverse()),
            Keep::MinRank => kind(a).cmp(&kind(b)).then(order),
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(4096))]

        #[test]
        fn bytes_sort_as_documents_do(ranks in [rank(), rank()], texts in ["é{0,3}", "é{0,3}"]) {
            let [a, b] = [0, 1].map(|at: usize| Document {
                rank: ranks[at].clone(),
                ..Document::new("", texts[at].as_str())
            });
            for keep in [Keep::First, Keep::Longest, Keep::MaxRank, Keep::MinRank] {
                let bytes = (preference(keep, &a), preference(keep, &b));
                prop_assert_eq!(bytes.0.cmp(&bytes.1), expected(keep, &a, &b), "{:?}", keep);
            }
        }
    }
}
