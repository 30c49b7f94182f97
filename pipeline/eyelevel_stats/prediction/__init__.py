"""Mean opinion scores predicted by a metric: mappings, their choice, and intervals for a new clip."""
