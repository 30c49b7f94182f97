"""Who took part as the study needs: R1-R7 on stored evidence, and what follows. Nothing here asks a browser again."""
