"""Selection of the clips that a study shows, and the key by which a participant sees a stimulus at most once."""
