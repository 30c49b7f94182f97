"""Simulated participants: programs that take part in a study over the API, as a browser does, and vote by a model.

Their votes test a study and its analysis; they say nothing about people, and every session names itself simulated.
"""
