"""When a scheduled run is due, and taking what is due in any number of processes."""
