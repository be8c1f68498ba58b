"""Lists as people report them: scripted, long, uneven, paged in every way."""
