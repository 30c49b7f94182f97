"""The beginning of campaigns that tests film for real.

A run has one attempt: what fails now and then fails its test now and then. Other programs void nothing, because these
tests are about something else (`test_busy_for_real` is about them).
"""

ONE_ATTEMPT = """
contract = "eyelevel/campaign/1"
seed = 11
max_attempts = 1
max_outside_share = 1
viewport = { width_px = 640, height_px = 360 }
"""
