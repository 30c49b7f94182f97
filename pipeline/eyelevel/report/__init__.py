"""Parts of self-contained HTML reports that several stages share: elements, style, tables, and SVG figures."""
