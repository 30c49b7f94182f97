"""Page loads over the testbed in Chromium, filmed or not: what capture, probe and replay share."""
