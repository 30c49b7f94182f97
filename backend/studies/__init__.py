"""Studies: frozen designs with their stimuli, and fieldings (data collection waves) with quota slots."""
