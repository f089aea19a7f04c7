"""The job queue: procrastinate's tables and worker loop, with our own statements."""
