"""The embedded default: the engines of production in one data folder, without an installation."""
