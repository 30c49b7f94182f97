//! The `priority` header field of RFC 9218.

/// The client's priority of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Priority {
    /// 0 is most urgent, 7 least.
    pub urgency: u8,
    /// Whether it helps to have a part of it early.
    pub incremental: bool,
}

impl Default for Priority {
    /// RFC 9218, section 4.
    fn default() -> Self {
        Self { urgency: 3, incremental: false }
    }
}

impl Priority {
    /// Reads a structured-fields dictionary; what is missing, unknown or malformed takes its default (RFC 9218, section 4).
    #[must_use]
    pub fn parse(field: &[u8]) -> Self {
        let mut priority = Self::default();
        let Ok(text) = std::str::from_utf8(field) else { return priority };
        for member in text.split(',') {
            let member = member.split(';').next().unwrap_or_default().trim();
            match member.split_once('=') {
                Some(("u", value)) => {
                    if let Some(urgency) = value.parse::<u8>().ok().filter(|urgency| *urgency <= 7) {
                        priority.urgency = urgency;
                    }
                }
                Some(("i", value)) => priority.incremental = value == "?1",
                None if member == "i" => priority.incremental = true,
                _ => {}
            }
        }
        priority
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(field: &str) -> (u8, bool) {
        let priority = Priority::parse(field.as_bytes());
        (priority.urgency, priority.incremental)
    }

    #[test]
    fn reads_what_browsers_send() {
        assert_eq!(parsed("u=0, i"), (0, true));
        assert_eq!(parsed("u=1"), (1, false));
        assert_eq!(parsed("i"), (3, true));
        assert_eq!(parsed("u=5, i=?0"), (5, false));
        assert_eq!(parsed("i=?1,u=7"), (7, true));
    }

    #[test]
    fn what_is_missing_or_malformed_takes_its_default() {
        for field in ["", "u=8", "u=-1", "u=x", "q=1", "u", "u=3;a=b"] {
            assert_eq!(parsed(field), (3, false), "{field}");
        }
        assert_eq!(Priority::parse(&[0xff]), Priority::default());
    }
}
