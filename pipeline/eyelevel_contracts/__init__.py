"""The contracts in which the stages meet: schemas, digests, and errors that name the culprit."""
