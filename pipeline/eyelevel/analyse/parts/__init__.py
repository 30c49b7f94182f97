"""Tables of closed form of an export in parts, by jobs that share nothing: reduce each part, then merge them."""
