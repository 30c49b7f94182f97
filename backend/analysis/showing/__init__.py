"""What pages and exports show of results: tables, answers, figures, clips, looks and departures."""
