"""Campaigns on several hosts, which are namespaces of one machine."""
