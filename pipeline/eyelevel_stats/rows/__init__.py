"""Rows of tables, and the meanings of their columns.

Code that shows or stores tables needs only these modules. They import neither numpy nor scipy, for web processes.
"""
