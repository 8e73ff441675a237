"""`events`: record user actions, replay them, and search among them."""
