"""What decides the calls and writes the answer."""
