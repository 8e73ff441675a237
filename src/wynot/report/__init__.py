"""What people see: results in words and in JSON, and a line that shows how far it is. Listens, decides nothing."""
