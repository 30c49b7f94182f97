"""Describes recordings: objects, hosts, addresses and bytes by type."""
