"""Elements of self-contained HTML reports that several stages share: style, tables, and SVG figures."""
