"""What happens by itself: scheduled runs, and the alerts that operators were sent."""
