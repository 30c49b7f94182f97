"""Rows of tables, and the meanings of their columns.

Whoever shows or stores a table needs these alone. They import neither numpy nor scipy, so that web processes can.
"""
