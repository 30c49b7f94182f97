"""The capture pipeline: record, replay, capture, measure, batch, upload; one folder per stage."""
