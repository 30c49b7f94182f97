"""A study in the field: who arrives, finishes and leaves, when quotas fill, and what needs attention."""
