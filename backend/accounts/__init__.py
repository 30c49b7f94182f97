"""People with an account: researchers and admins, and the tokens their programs use."""
