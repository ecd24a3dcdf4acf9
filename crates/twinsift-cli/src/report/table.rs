//! A table with a row for each method: columns know which of their values is the
//! best, and columns without values are left out.

use super::escape;
use super::numbers::NONE;
use std::fmt::Write as _;

/// Which value of a column is marked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Best {
    Highest,
    Lowest,
    /// None is better than another.
    Neither,
}

struct Column {
    /// The heading above this and its neighbours.
    group: &'static str,
    head: String,
    best: Best,
    /// What is compared and what is shown.
    cells: Vec<Option<(f64, String)>>,
}

/// A table of values of `T`, a row for each.
pub struct Table<'a, T> {
    rows: &'a [T],
    columns: Vec<Column>,
    group: &'static str,
}

impl<'a, T> Table<'a, T> {
    pub fn new(rows: &'a [T]) -> Self {
        Self {
            rows,
            columns: Vec::new(),
            group: "",
        }
    }

    /// The columns that follow stand under a heading.
    pub fn group(mut self, head: &'static str) -> Self {
        self.group = head;
        self
    }

    /// A column of numbers.
    pub fn number(
        self,
        head: &str,
        best: Best,
        show: fn(f64) -> String,
        value: impl Fn(&T) -> Option<f64>,
    ) -> Self {
        let finite = |row: &T| value(row).filter(|value| value.is_finite());
        self.text(head, best, |row| {
            finite(row).map(|value| (value, show(value)))
        })
    }

    /// A column of numbers with words of their own.
    pub fn text(
        mut self,
        head: &str,
        best: Best,
        cell: impl Fn(&T) -> Option<(f64, String)>,
    ) -> Self {
        self.columns.push(Column {
            group: self.group,
            head: head.to_owned(),
            best,
            cells: self.rows.iter().map(cell).collect(),
        });
        self
    }

    /// The table, with a heading for each row; nothing if it has no rows or columns.
    pub fn html(mut self, label: &str, row_head: impl Fn(&T) -> String) -> String {
        self.columns
            .retain(|column| column.cells.iter().any(Option::is_some));
        if self.rows.is_empty() || self.columns.is_empty() {
            return String::new();
        }
        let best: Vec<Option<&str>> = self.columns.iter().map(Column::best).collect();
        let mut body = String::new();
        for (at, row) in self.rows.iter().enumerate() {
            let _ = write!(body, "<tr><th scope=\"row\">{}</th>", row_head(row));
            for (column, best) in self.columns.iter().zip(&best) {
                let _ = match column.cells[at].as_ref().map(|(_, shown)| shown.as_str()) {
                    None => write!(body, "<td class=\"none\">{NONE}</td>"),
                    shown if shown == *best => {
                        write!(
                            body,
                            "<td><b>{}</b></td>",
                            escape::text(shown.unwrap_or_default())
                        )
                    }
                    Some(shown) => write!(body, "<td>{}</td>", escape::text(shown)),
                };
            }
            body += "</tr>\n";
        }
        format!(
            "<div class=\"scroll\" role=\"region\" tabindex=\"0\" aria-label=\"{}\">\n<table>\n\
             <thead>\n{}</thead>\n<tbody>\n{body}</tbody>\n</table>\n</div>\n",
            escape::text(label),
            self.heads()
        )
    }

    fn heads(&self) -> String {
        let mut out = String::new();
        if self.columns.iter().any(|column| !column.group.is_empty()) {
            out += "<tr class=\"over\"><td></td>";
            for group in self.columns.chunk_by(|a, b| a.group == b.group) {
                let _ = match group[0].group {
                    "" => write!(out, "<td colspan=\"{}\"></td>", group.len()),
                    head => write!(
                        out,
                        "<th scope=\"colgroup\" colspan=\"{}\"><span>{head}</span></th>",
                        group.len()
                    ),
                };
            }
            out += "</tr>\n";
        }
        out += "<tr><th scope=\"col\">Method</th>";
        for column in &self.columns {
            let _ = write!(out, "<th scope=\"col\">{}</th>", escape::text(&column.head));
        }
        out + "</tr>\n"
    }
}

impl Column {
    /// The best value as it is shown; nothing if all are shown alike.
    fn best(&self) -> Option<&str> {
        let cells = || self.cells.iter().flatten();
        let by_value = |a: &&(f64, String), b: &&(f64, String)| a.0.total_cmp(&b.0);
        let best = match self.best {
            Best::Highest => cells().max_by(by_value),
            Best::Lowest => cells().min_by(by_value),
            Best::Neither => None,
        }?;
        let is_only = cells().all(|(_, shown)| *shown == best.1);
        (!is_only).then_some(best.1.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::numbers::share;

    fn body(values: &[Option<f64>], best: Best) -> String {
        let table = Table::new(values).number("x", best, share, |value| *value);
        table.html("t", |_| String::new())
    }

    #[test]
    fn the_best_is_marked_and_what_looks_like_it() {
        let values = [Some(0.1), Some(0.90001), None, Some(0.90002)];
        let highest = body(&values, Best::Highest);
        assert_eq!(highest.matches("<b>0.900</b>").count(), 2);
        assert!(highest.contains("<td class=\"none\">–</td>"));
        assert!(body(&values, Best::Lowest).contains("<b>0.100</b>"));
        assert!(!body(&values, Best::Neither).contains("<b>"));
    }

    #[test]
    fn nothing_is_best_among_equals() {
        assert!(!body(&[Some(0.5), Some(0.5)], Best::Highest).contains("<b>"));
        assert!(!body(&[Some(0.5)], Best::Highest).contains("<b>"));
    }

    #[test]
    fn no_values_no_table() {
        assert_eq!(body(&[None, Some(f64::NAN)], Best::Highest), "");
        assert_eq!(body(&[], Best::Highest), "");
    }
}
