"""Payment: finds which participants a recruiter must pay, by comparing its list with the study."""
