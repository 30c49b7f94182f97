"""Creation of batches: clips of takes, single and side by side, in a folder with a manifest."""
