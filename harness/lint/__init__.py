"""Whether a course keeps its promises: `ol lint`."""
