"""Accounts of guests, researchers and admins, and API tokens for their programs."""
