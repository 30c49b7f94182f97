"""Figures of results as SVG text: plain values in, plain values out, the same for page, export and report.

A module per figure has `draw`, which takes rows of `eyelevel_stats` and a Look (language, width, source), and returns a
Figure: SVG without style sheet or script, its text alternative, how to read it, and the table behind it.
"""
