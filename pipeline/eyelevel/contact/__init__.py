"""Contact sheets: all runs of a setting in one picture, for a person's eye."""
