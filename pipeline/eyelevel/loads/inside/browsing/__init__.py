"""The browser of a load: its start, the page's script and document, its requests, and when it has settled."""
