"""Helpers for tests of several apps. The platform itself never imports them."""
