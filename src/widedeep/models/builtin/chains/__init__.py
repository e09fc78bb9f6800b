"""Which chains lead from a question through documents of prose, and what is worth looking up?"""
