"""Which takes show the page that was recorded, and their scene's: comparison and clips leave out the same."""
