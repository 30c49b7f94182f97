"""Records a live page as a WARC."""
