"""How is a run shown? Pure functions of its events and its answer, never of internals."""
