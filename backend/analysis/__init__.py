"""Analysis: snapshots of a study's votes, and results that name their snapshot."""
