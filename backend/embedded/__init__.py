"""The embedded platform: the servers of production from wheels, in one data folder, without installation."""
