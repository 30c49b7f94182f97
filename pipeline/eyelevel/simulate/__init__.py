"""Simulated participants: programs that take part in a study over the API, as a browser does, and vote by a model.

Their votes test a study and its analysis, and say nothing about people. Every session is marked as simulated.
"""
