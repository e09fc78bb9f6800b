"""What the agent can have done in the world."""
