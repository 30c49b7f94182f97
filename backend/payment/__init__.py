"""Payment: whom a recruiter owes what, by what the study knows of each person."""
