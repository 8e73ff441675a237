"""Files as syntax trees."""
